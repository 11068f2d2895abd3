"""How long a quote of 500 lines takes: screening, page, PDF, XLSX. Prints seconds and the share of each limit.

Run: `python benchmarks/quote_documents.py [LINES]`, on an idle machine. The page needs a migrated database, in which
nothing stays; the rest needs none.
"""

import os
import sys
import time
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("DEBUG", "1")

import django

django.setup()

from django.conf import settings  # noqa: E402 - needs Django set up
from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from config.accounts.choices import Role  # noqa: E402
from config.accounts.models import Membership, Organisation, User  # noqa: E402
from quotes.document import build_document  # noqa: E402
from quotes.exports.registry import FORMATS  # noqa: E402
from quotes.models import Quote  # noqa: E402
from quotes.offline import content_from_option  # noqa: E402
from quotes.services import create_quote  # noqa: E402
from sizing.models import SizingOption, SizingRun, Workload  # noqa: E402

LIMITS_S = {"content": 0.3, "document": 0.3, "pdf": 0.5, "xlsx": 1.0, "page": 0.3}  # for 500 lines
ROUNDS = 3


def bill(lines: int) -> list[dict[str, object]]:
    """Lines of 40 makers in sections of 50, every seventh without price."""
    price = {"amount": "1234.56", "currency": "USD", "basis": "list", "source": "list", "as_of": "2026-11-15"}
    lead = {"low": 2, "typical": 3, "high": 5, "source": "stock", "as_of": "2026-11-15"}
    return [
        {
            "line": f"{index // 50 + 1}.{index % 50 + 1}",
            "manufacturer": f"Maker {index % 40}",
            "mpn": f"PN-{index:05d}",
            "description": f"Part {index} with a name of usual length",
            "quantity": index % 9 + 1,
            "unit_price": None if index % 7 == 0 else price,
            "lead_weeks": lead,
        }
        for index in range(lines)
    ]


def best_s(act: Callable[[], object]) -> float:
    """The shortest of a few rounds: the others measure the machine, not the code."""
    took = []
    for _round in range(ROUNDS):
        start = time.perf_counter()
        act()
        took.append(time.perf_counter() - start)
    return min(took)


def stored(given: Mapping[str, Any], today: date) -> tuple[Quote, User]:
    """A quote of these lines and its author, as the services leave them."""
    organisation = Organisation.objects.create(name="Benchmark", country="US", currency="USD")
    user = User.objects.create(username="benchmark-of-quotes", email="benchmark@kvote.example")
    Membership.objects.create(organisation=organisation, user=user, role=Role.PLANNER)
    workload = Workload.objects.create(
        organisation=organisation, name="b", kind="llm_serving", request=given["request"]
    )
    run = SizingRun.objects.create(workload=workload, organisation=organisation, state="done", as_of=today, result={})
    option = SizingOption.objects.create(run=run, rank=1, accelerator="x", data={"bom": given["bom"]})
    return create_quote(option=option, user=user, organisation=organisation), user


def page(given: Mapping[str, Any]) -> None:
    """The quote page through the whole of Django, and its number of queries, which does not depend on the lines."""
    settings.ALLOWED_HOSTS = ["testserver"]
    with transaction.atomic():
        quote, user = stored(given, timezone.localdate())
        client = Client()
        client.force_login(user)
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(quote.get_absolute_url())
        if answer.status_code != 200:
            raise SystemExit(f"the page answered {answer.status_code}")
        shown("page", lambda: client.get(quote.get_absolute_url()), len(given["bom"]), f", {len(queries)} queries")
        transaction.set_rollback(True)


def shown(name: str, act: Callable[[], object], lines: int, words: str = "") -> None:
    took_s = best_s(act)
    limit_s = LIMITS_S.get(name)
    share = f"  {took_s / limit_s:5.0%} of {limit_s} s" if limit_s and lines == 500 else ""
    print(f"{name:10} {took_s:7.3f} s{share}{words}")


def main(lines: int) -> None:
    given = {"bom": bill(lines), "request": {"procurement": {"buyer_type": "us_federal_civilian"}}}
    today = date(2026, 11, 30)
    content = content_from_option(given, language="en", today=today)
    document = build_document(content)
    acts: dict[str, Callable[[], object]] = {
        "content": lambda: content_from_option(given, language="en", today=today),
        "document": lambda: build_document(content),
        **{name: partial(maker.make, document) for name, maker in FORMATS.items()},
    }
    for name, act in acts.items():
        shown(name, act, lines)
    page(given)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
