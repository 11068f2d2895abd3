"""From a workload to a quote as PDF: python quote.py http://localhost:8000 kvote_… workload.json quote.pdf"""

import json
import sys
import time
from pathlib import Path

from kvote_client import AuthenticatedClient
from kvote_client.api.quotes import quote_documents_retrieve, quotes_create
from kvote_client.api.sizing_runs import sizing_runs_create, sizing_runs_result, sizing_runs_retrieve
from kvote_client.models import QuoteCreateRequest, SizingRequestRequest

kvote = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2], timeout=60)
workload = SizingRequestRequest.from_dict(json.loads(Path(sys.argv[3]).read_text()))
answer, patience_s = sizing_runs_create.sync_detailed(client=kvote, body=workload), 600.0
while answer.parsed.state in ("queued", "running") and patience_s > 0:
    patience_s -= (wait_s := float(answer.headers.get("Retry-After", 1)))
    time.sleep(wait_s)
    answer = sizing_runs_retrieve.sync_detailed(answer.parsed.id, client=kvote)
assert answer.parsed.state == "done", f"the run is {answer.parsed.state}"  # noqa: S101
best = sizing_runs_result.sync(answer.parsed.id, client=kvote).options[0]
print(f"{best.accelerators_total} x {best.accelerator}, {best.cost.purchase.amount} {best.cost.purchase.currency}")
quote = quotes_create.sync(client=kvote, body=QuoteCreateRequest(run=answer.parsed.id, rank=best.rank))
Path(sys.argv[4]).write_bytes(quote_documents_retrieve.sync_detailed(quote.id, "pdf", client=kvote).content)
