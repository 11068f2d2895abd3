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
run = sizing_runs_create.sync(client=kvote, body=workload)
while run.state in ("queued", "running"):
    time.sleep(0.5)
    run = sizing_runs_retrieve.sync(run.id, client=kvote)
best = sizing_runs_result.sync(run.id, client=kvote).options[0]
print(f"{best.accelerators_total} x {best.accelerator}, {best.cost.purchase.amount} {best.cost.purchase.currency}")
quote = quotes_create.sync(client=kvote, body=QuoteCreateRequest(run=run.id, rank=best.rank))
Path(sys.argv[4]).write_bytes(quote_documents_retrieve.sync_detailed(quote.id, "pdf", client=kvote).content)
