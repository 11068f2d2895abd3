"""Speed of the API: beside a bare REST framework list, under fifty clients, and the memory of its processes.

Run on an idle machine with DATABASE_URL and REDIS_URL of a seeded database:
    python benchmarks/api_throughput.py [SECONDS] [REQUESTS]
The first figure is CPU time of one process and so holds on a busy machine, too; the others are wall time. SECONDS is
the length of the load test (default 30), REQUESTS how many the memory test sends (default 20,000).
"""

import contextlib
import csv
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["API_RATE_ANONYMOUS"] = "1000000000"

import django  # noqa: E402

django.setup()

from django.http.response import HttpResponseBase  # noqa: E402
from django.test import RequestFactory  # noqa: E402
from rest_framework.generics import ListAPIView  # noqa: E402
from rest_framework.pagination import LimitOffsetPagination  # noqa: E402
from rest_framework.permissions import AllowAny  # noqa: E402
from rest_framework.request import Request  # noqa: E402

from catalog.api.serializers import AcceleratorSerializer  # noqa: E402
from catalog.api.views import AcceleratorViewSet  # noqa: E402
from catalog.models import Accelerator  # noqa: E402
from config.entry import web_command  # noqa: E402
from config.processes import end_group  # noqa: E402
from config.supervise import PLAIN_STOP  # noqa: E402

ROWS, CLIENTS, PORT = 50, 50, 8765
RATIO_LIMIT, P95_LIMIT_MS, GROWTH_LIMIT_MB = 0.6, 60.0, 10.0
ADDRESS = f"http://127.0.0.1:{PORT}/api/v1/accelerators?limit={ROWS}"


class BareList(ListAPIView):
    """What REST framework does by itself with the same rows and the same serializer."""

    queryset = Accelerator.objects.order_by("vendor", "name", "variant", "pk")
    serializer_class = AcceleratorSerializer
    pagination_class = LimitOffsetPagination
    permission_classes = (AllowAny,)
    authentication_classes = ()
    throttle_classes = ()
    filter_backends = ()


def main(seconds: int = 30, requests: int = 20_000) -> int:
    ratio, kept_ratio = throughput_ratios()
    print(f"list of {ROWS} beside a bare list: {ratio:.2f} of its throughput, limit {RATIO_LIMIT}")
    print(f"   read again while the catalogue stays the same: {kept_ratio:.2f}")
    with served() as pids:
        _ask(100)  # what a process looks up once
        p95_ms = loaded(seconds)
        for name, value in p95_ms.items():
            print(f"{name} read at {CLIENTS} clients: p95 {value:.0f} ms, limit {P95_LIMIT_MS:.0f} ms for cached")
        growth_mb = memory_growth_mb(pids, requests)
        print(f"memory over {requests} requests: {growth_mb:+.1f} MB for all processes, limit {GROWTH_LIMIT_MB:.0f} MB")
    return int(ratio < RATIO_LIMIT or p95_ms["cached"] > P95_LIMIT_MS or growth_mb > GROWTH_LIMIT_MB)


class BuiltList(AcceleratorViewSet):
    """Our list as it is read for the first time."""

    def list(self, request: Request) -> HttpResponseBase:
        return self.paged(self.rows())


def throughput_ratios(rounds: int = 8, calls: int = 12) -> tuple[float, float]:
    """CPU time of the bare list over that of ours, built and kept, in turns so that all meet the same machine; the
    best of each.
    """
    kinds: tuple[tuple[str, Callable[..., Any]], ...] = (
        ("built", BuiltList.as_view({"get": "list"})),
        ("kept", AcceleratorViewSet.as_view({"get": "list"})),
        ("bare", BareList.as_view()),
    )
    make = RequestFactory()
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, view in kinds:
            spent_s = _cpu_s(
                lambda view=view: _content(view(make.get("/", {"limit": ROWS}, headers={"host": "localhost"}))), calls
            )
            best[name] = min(spent_s, best.get(name, spent_s))
    return best["bare"] / best["built"], best["bare"] / best["kept"]


def _content(answer: Any) -> bytes:
    if hasattr(answer, "render"):
        answer.render()
    return cast(bytes, answer.content)


def _cpu_s(call: Callable[[], Any], count: int) -> float:
    started = time.process_time()
    for _ in range(count):
        call()
    return time.process_time() - started


@contextmanager
def served() -> Iterator[list[int]]:
    """A web server as production runs it; gives the ids of its processes."""
    environment = os.environ | {"DEBUG": "0", "SECRET_KEY": "benchmark" * 6, "LOG_LEVEL": "ERROR"}
    command = web_command(address="127.0.0.1", port=PORT)
    server = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
    try:
        _wait(lambda: urllib.request.urlopen(ADDRESS).status == 200)
        yield [server.pid, *_children(server.pid)]
    finally:
        end_group(server.pid, PLAIN_STOP, server)


def loaded(seconds: int) -> dict[str, float]:
    """p95 in milliseconds of each kind of read, with fifty clients at a time."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--headless", "-u", str(CLIENTS), "-r", str(CLIENTS), "-t", f"{seconds}s", "--only-summary"]
        command = [sys.executable, "-m", "locust", "-f", str(ROOT / "benchmarks" / "api_load.py"), *options]
        subprocess.run(
            [*command, "--host", f"http://127.0.0.1:{PORT}", "--csv", f"{folder}/load"],
            check=False,
            capture_output=True,
        )
        with open(f"{folder}/load_stats.csv", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["Name"] in ("full", "cached")]
    if failed := [row["Name"] for row in rows if int(row["Failure Count"])]:
        raise SystemExit(f"requests failed: {', '.join(failed)}")
    return {row["Name"]: float(row["95%"]) for row in rows}


def memory_growth_mb(pids: list[int], requests: int) -> float:
    """How much the resident memory of the processes grows, after a first tenth that fills caches."""
    _ask(requests // 10)
    before = sum(map(_resident_mb, pids))
    _ask(requests - requests // 10)
    return sum(map(_resident_mb, pids)) - before


def _ask(count: int) -> None:
    for _ in range(count):
        with urllib.request.urlopen(ADDRESS) as answer:
            answer.read()


def _resident_mb(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    return int(found[1]) / 1024 if found else 0.0


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
    return [int(word) for word in text.split()]


def _wait(check: Callable[[], bool], limit_s: float = 60) -> None:
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):  # nobody listens yet
            if check():
                return
        time.sleep(0.1)  # another program's start gives no signal
    raise SystemExit("the server does not answer")


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
