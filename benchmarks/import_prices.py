"""Import of a 100,000-line price file, against the limits of time and memory: preview, commit, the same file again,
and the file with every end of validity changed, which closes every price and writes a new one.

Run with DATABASE_URL and REDIS_URL set: python benchmarks/import_prices.py [LINES]. Nothing stays in the database.
"""

import os
import random
import resource
import sys
import time
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection, transaction  # noqa: E402

from catalog.imports.answers import Answers  # noqa: E402
from catalog.imports.apply import commit_import  # noqa: E402
from catalog.imports.check import Understanding, understand  # noqa: E402
from catalog.imports.plan import make_plan  # noqa: E402
from catalog.models import ImportBatch  # noqa: E402

LIMITS_S = {"preview": 15.0, "commit": 30.0, "again": 15.0, "changed": 30.0}
MEMORY_LIMIT_MB = 500.0
TODAY = date(2026, 11, 30)


def price_file(lines: int) -> bytes:
    """A German list of many makers, with list prices, delivery words and ends of validity."""
    numbers = random.Random(1)
    rows = ["Hersteller;Herstellernr.;Bezeichnung;EK netto;UVP netto;Währung;Lieferzeit;Gültig bis"]
    german = str.maketrans(",.", ".,")
    for number in range(lines):
        cents = numbers.randint(100, 9_999_999)
        net, listed = (f"{value / 100:,.2f}".translate(german) for value in (cents, cents * 1.2))
        lead = numbers.choice(("6-8 Wochen", "ab Lager", "3 Tage", "auf Anfrage"))
        rows.append(f"Maker {number % 500};MN-{number:06d};Artikel {number}, 2 HE;{net};{listed};EUR;{lead};31.12.2026")
    return "\r\n".join(rows).encode()


def committed(data: bytes) -> Understanding:
    found = understand(data, answers=Answers(), today=TODAY)
    batch = ImportBatch(file_name="benchmark.csv")
    commit_import(found, batch=batch, organisation=None, supplier="Benchmark", actor=None, today=TODAY)
    with connection.cursor() as cursor:  # what the end of a transaction checks belongs to the commit
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    return found


def main() -> None:
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    data = price_file(lines)
    took: dict[str, tuple[float, float]] = {}

    def timed(name: str, begun: tuple[float, float]) -> None:
        took[name] = (time.perf_counter() - begun[0], time.process_time() - begun[1])

    begun = time.perf_counter(), time.process_time()
    found = understand(data, answers=Answers(), today=TODAY)
    make_plan(found, organisation=None, supplier="Benchmark", today=TODAY)
    timed("preview", begun)
    del found
    with transaction.atomic():
        begun = time.perf_counter(), time.process_time()
        committed(data)
        timed("commit", begun)
        begun = time.perf_counter(), time.process_time()
        again = committed(data)
        timed("again", begun)
        unchanged = sum(1 for row in again.rows if row.action.value == "unchanged")
        del again
        begun = time.perf_counter(), time.process_time()
        committed(data.replace(b";31.12.2026", b";31.01.2027"))
        timed("changed", begun)
        transaction.set_rollback(True)
    for name, (wall_s, cpu_s) in took.items():
        print(f"{name:8} {wall_s:6.1f} s  ({cpu_s:.1f} s of own CPU)  {wall_s / LIMITS_S[name]:.2f} of the limit")
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory   {memory_mb:6.0f} MB  {memory_mb / MEMORY_LIMIT_MB:.2f} of the limit")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"second import: {unchanged} of {lines} rows unchanged")


if __name__ == "__main__":
    main()
