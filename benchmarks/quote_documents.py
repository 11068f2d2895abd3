"""How long a quote of 500 lines takes: screening, page, PDF, XLSX. Prints seconds and the share of each limit.

Run: `python benchmarks/quote_documents.py [LINES]`, on an idle machine. No database is needed.
"""

import os
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("DEBUG", "1")

import django

django.setup()

from quotes.document import build_document  # noqa: E402 - needs Django set up
from quotes.exports.registry import FORMATS  # noqa: E402
from quotes.offline import content_from_option  # noqa: E402

LIMITS_S = {"content": 0.3, "document": 0.3, "pdf": 0.5, "xlsx": 1.0}  # for 500 lines
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


def main(lines: int) -> None:
    given = {"bom": bill(lines), "request": {"procurement": {"buyer_type": "us_federal_civilian"}}}
    today = date(2026, 11, 30)
    content = content_from_option(given, language="en", today=today)
    document = build_document(content)
    acts: dict[str, Callable[[], object]] = {
        "content": lambda: content_from_option(given, language="en", today=today),
        "document": lambda: build_document(content),
        **{name: (lambda maker=maker: maker.make(document)) for name, maker in FORMATS.items()},
    }
    for name, act in acts.items():
        took_s = best_s(act)
        limit_s = LIMITS_S.get(name)
        share = f"  {took_s / limit_s:5.0%} of {limit_s} s" if limit_s and lines == 500 else ""
        print(f"{name:10} {took_s:7.3f} s{share}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
