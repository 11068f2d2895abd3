"""Search and the list of parts over 100,000 parts: server time of each, against its limit, and the list's queries.

Run with DATABASE_URL and REDIS_URL set: python benchmarks/catalogue_search.py [PARTS]. The parts go through the
import; nothing stays in the database. CPU is this process's; the database's share is in the wall time alone.
"""

import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext, override_settings  # noqa: E402

from catalog.imports.answers import Answers  # noqa: E402
from catalog.imports.apply import commit_import  # noqa: E402
from catalog.imports.check import understand  # noqa: E402
from catalog.models import ImportBatch, Part  # noqa: E402
from catalog.search import search  # noqa: E402

SEARCH_LIMIT_MS, PAGE_LIMIT_MS = 50.0, 120.0
ROUNDS = 5
TODAY = date(2026, 11, 30)
WORDS = (
    "Netzteil", "Grafikkarte", "Kabel", "Server", "Switch", "Speicher", "Halterung", "Lizenz", "Lüfter",
    "Festplatte", "Adapter", "Rahmen", "Modul", "Gehäuse", "power", "supply", "graphics", "card", "cable",
    "memory", "bracket", "licence", "drive", "adapter", "rail", "transceiver",
)  # fmt: skip
SEARCHES = (
    "MN-000123", "mn 000777", "Netzteile 750 W", "graphics cards", "H100 SXM5", "Maker 17", "Kabel", "PowerEgde XE9680",
    "Artikel 4711", "nvidia", "Speichermodule 64 GB", "QSFP transceiver", "zzzz nothing like it", "900-21010-0000-000",
)  # fmt: skip
PAGES = (
    "", "?page=2", "?page=1000", "?sort=-mpn", "?sort=manufacturer", "?q=Netzteil", "?q=MN-0001", "?kind=other&page=40",
)  # fmt: skip


def price_file(parts: int) -> bytes:
    choice = random.Random(2)
    rows = ["Hersteller;Herstellernr.;Bezeichnung;EK netto;Währung;Lieferzeit"]
    for number in range(parts):
        words = " ".join(choice.sample(WORDS, 3))
        text = f"Artikel {number}, {words} {choice.choice((64, 128, 750, 1600))} {choice.choice('GW')}"
        price = f"{choice.randint(100, 999)},{choice.randint(10, 99)}"
        rows.append(f"Maker {number % 500};MN-{number:06d};{text};{price};EUR;6-8 Wochen")
    return "\r\n".join(rows).encode()


def load(parts: int) -> None:
    found = understand(price_file(parts), answers=Answers(), today=TODAY)
    batch = ImportBatch(file_name="benchmark.csv")
    commit_import(found, batch=batch, organisation=None, supplier="Benchmark", actor=None, today=TODAY)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in ("catalog_part", "catalog_priceobservation", "catalog_leadtimeobservation"):
            cursor.execute(f"ANALYZE {table}")


def measure(name: str, cases: Sequence[str], run: Callable[[str], object], limit_ms: float) -> None:
    times: list[tuple[float, float, str]] = []
    for case in cases:
        run(case)  # plans and templates are warm on a running server
        for _ in range(ROUNDS):
            begun, cpu = time.perf_counter(), time.process_time()
            run(case)
            times.append(((time.perf_counter() - begun) * 1000, (time.process_time() - cpu) * 1000, case))
    times.sort()
    p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    cpu_p95 = sorted(cpu for _wall, cpu, _case in times)[int(len(times) * 0.95)]
    print(
        f"{name:8} p50 {p50[0]:6.1f} ms  p95 {p95[0]:6.1f} ms (own CPU {cpu_p95:.1f} ms)"
        f"  {p95[0] / limit_ms:.2f} of the limit; slowest {times[-1][0]:.1f} ms: {times[-1][2]!r}"
    )


def main() -> None:
    parts = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    client = Client()
    with transaction.atomic(), override_settings(ALLOWED_HOSTS=["*"], SECURE_SSL_REDIRECT=False):
        load(parts)
        print(f"{Part.objects.count()} parts; load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")

        def page(query: str) -> None:
            response = client.get(f"/catalog/parts/{query}")
            if response.status_code != 200:
                raise SystemExit(f"{query}: status {response.status_code}")

        measure("search", SEARCHES, search, SEARCH_LIMIT_MS)
        measure("list", PAGES, page, PAGE_LIMIT_MS)
        for query in PAGES:
            with CaptureQueriesContext(connection) as queries:
                page(query)
            print(f"  {len(queries)} queries for {query or 'the first page'}")
        transaction.set_rollback(True)


if __name__ == "__main__":
    main()
