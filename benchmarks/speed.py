"""How long answers take on one core, beside the goals. Run: python benchmarks/speed.py [--peer AICONFIGURATOR]

With the path of the command of aiconfigurator (from the package index, in a virtual environment of its own),
the time of its search over one model on one accelerator stands below; only its command is run, its data stays
unread. Without, the command on the PATH is taken, where there is one.

Times are processor time of one core, the best of several warm runs. The catalogue is the shipped
seed data, read without a database; every engine supports everything, so the search is larger than a
real one. With DATABASE_URL set to a seeded database, `manage.py size` is timed as well: a whole
process each time, on the clock.
"""

import argparse
import csv
import gc
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from sizing.calibration.load import load_coefficients  # noqa: E402
from sizing.calibration.models import CONFIGS  # noqa: E402
from sizing.core.closed_loop import steady_state  # noqa: E402
from sizing.core.engines import ENGINES  # noqa: E402
from sizing.core.grid import grid_of, load_at  # noqa: E402
from sizing.core.hardware import Accelerator, DeviceKind, Vendor  # noqa: E402
from sizing.core.model.features import model_features, weight_bytes  # noqa: E402
from sizing.core.model.parse import parse_config  # noqa: E402
from sizing.core.placing import points_at  # noqa: E402
from sizing.core.precision import BF16, FP8, INT4, NVFP4, Rate  # noqa: E402
from sizing.core.recommend import combinations, recommend  # noqa: E402
from sizing.core.request import CacheChoice, CoreCatalogue, CoreRequest, EngineChoice, WeightChoice  # noqa: E402
from sizing.core.values import Message, State, Verdict  # noqa: E402
from sizing.core.workload import LengthMix, Pinned, Target, Targets, Traffic  # noqa: E402

MODEL = "meta-llama__Llama-3.1-70B-Instruct.json"
SUPPORTED = Verdict(state=State.OK, margin=None, message=Message("software_supported"))
VENDORS = {"NVIDIA": Vendor.NVIDIA, "AMD": Vendor.AMD, "Intel": Vendor.INTEL}
POINTS = 50_000
RUNS = 7


def main() -> None:
    catalogue = CoreCatalogue(
        accelerators=_accelerators(), engines=[_engine(s) for s in ("vllm", "sglang", "tensorrt-llm")]
    )
    at = load_coefficients()
    search = _request()
    pin = Pinned(accelerator="nvidia-h100-sxm5-80gb", count=4, tensor_parallel=4, engine="vllm")
    plain = _request(pinned=pin, simulated_options=0)
    simulated = _request(pinned=pin, simulated_options=1)
    print(
        f"{len(catalogue.accelerators)} accelerators, {len(search.weights)} weight formats, 3 engines; one core, warm"
    )
    _row("one pinned answer without simulation", 5, lambda: recommend(plain, catalogue, coefficients=at))
    _row("one pinned answer with simulated percentiles", 150, lambda: recommend(simulated, catalogue, coefficients=at))
    _row("search over the whole catalogue", 500, lambda: recommend(search, catalogue, coefficients=at))
    combos = combinations(search, catalogue)
    grid = grid_of(search, catalogue.accelerators, combos, at)
    rows = np.resize(np.arange(len(grid)), POINTS)
    large = grid.take(rows)
    points, load = points_at(large, at), load_at(large, np.full(POINTS, 32.0))
    _row(f"{POINTS:,} points with features prepared", 150, lambda: _evaluate(points, load, at))
    _row(
        f"{POINTS:,} points in all",
        250,
        lambda: _evaluate(points_at(large, at), load_at(large, np.full(POINTS, 32.0)), at),
    )
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'peak memory of this process':48}{peak_mb:10.0f} MB   goal   150 MB   {peak_mb / 150:5.2f} of the goal")
    _cold()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", default=shutil.which("aiconfigurator"), help="command of aiconfigurator")
    _peer(parser.parse_args().peer, search=lambda: recommend(search, catalogue, coefficients=at))


COLD_CASE = {
    "kind": "llm_serving",
    "model": {"id": "meta-llama/Llama-3.1-70B-Instruct"},
    "weights_format": "fp8",
    "kv_format": "fp8",
    "traffic": {"input_tokens": 1024, "output_tokens": 256, "max_context_tokens": 8192, "concurrent_requests": 64},
    "targets": {"ttft_ms": {"p95": 1000}, "tpot_ms": {"p95": 50}},
    "serving_software": ["vllm"],
}
COLD_GOAL_S = 2.0
COLD_RUNS = 3


def _cold() -> None:
    """The command from start to end, every option with its parts, price, delivery and screening."""
    if not os.environ.get("DATABASE_URL"):
        print("cold manage.py size: set DATABASE_URL to a seeded database to time it")
        return
    walls, used = [], []
    for _ in range(COLD_RUNS):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [sys.executable, "manage.py", "size", "-"]
        subprocess.run(command, input=json.dumps(COLD_CASE), cwd=ROOT, capture_output=True, text=True, check=True)
        walls.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    best = min(walls)
    print(
        f"{'cold manage.py size, on the clock':48}{best * 1e3:10.0f} ms   goal {COLD_GOAL_S * 1e3:5.0f} ms   "
        f"{best / COLD_GOAL_S:5.2f} of the goal ({min(used):.2f} s of processor time)"
    )


PEER_CASE = (
    "--model-path meta-llama/Meta-Llama-3.1-70B --total-gpus 8 --system h200_sxm --backend vllm --isl 1024 --osl 256 "
    "--ttft 1000 --tpot 50 --serving-mode agg --no-color"
)


def _peer(command: str | None, *, search: Callable[[], object]) -> None:
    """Processor time of a published peer beside our search; both searches anew, the peer's with its start."""
    if not command:
        print("peer: aiconfigurator is not installed (pip install aiconfigurator in an environment of its own)")
        return
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ran = subprocess.run(
            [command, "cli", "default", *PEER_CASE.split()], cwd=folder, capture_output=True, check=False, timeout=600
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    start = time.process_time()
    search()
    ours = time.process_time() - start
    if ran.returncode:
        print(f"peer: aiconfigurator ended with {ran.returncode}: {ran.stderr.decode(errors='replace')[-200:]}")
        return
    print(f"{'peer: one model, accelerator and engine':48}{seconds * 1e3:10.0f} ms   {seconds / ours:5.1f} times ours")


def _evaluate(points, load, at) -> None:
    """In blocks that stay in the processor's cache."""
    for start in range(0, POINTS, 4096):
        block = np.arange(start, min(start + 4096, POINTS))
        steady_state(points.take(block), load.take(block), at)


def _row(name: str, goal_ms: float, run: Callable[[], object]) -> None:
    run()
    gc.disable()
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    gc.enable()
    ratio = best * 1e3 / goal_ms
    print(f"{name:48}{best * 1e3:10.1f} ms   goal {goal_ms:5.0f} ms   {ratio:5.2f} of the goal")


def _request(**changes: object) -> CoreRequest:
    model = parse_config(json.loads((CONFIGS / MODEL).read_text(encoding="utf-8")), name=MODEL)
    base: dict[str, object] = {
        "model": model_features(model),
        "weights": [
            WeightChoice(slug=f.slug, storage=f, weights=weight_bytes(model, f)) for f in (BF16, FP8, NVFP4, INT4)
        ],
        "caches": [CacheChoice(slug="fp8", storage=FP8)],
        "traffic": Traffic(
            input_tokens=LengthMix(mean=1024),
            output_tokens=LengthMix(mean=256),
            max_context_tokens=8192,
            concurrent_requests=64,
        ),
        "targets": Targets(
            limits=(
                Target(metric="ttft", percentile="p95", limit_s=1.0),
                Target(metric="tpot", percentile="p95", limit_s=0.05),
            )
        ),
    }
    if changes.get("pinned"):
        base["weights"] = [base["weights"][1]]  # type: ignore[index]
    return CoreRequest(**{**base, **changes})  # type: ignore[arg-type]


def _engine(slug: str) -> EngineChoice:
    return EngineChoice(
        slug=slug,
        version="1",
        support=lambda device, weights, cache: SUPPORTED,
        memory=ENGINES[slug],
        mixed_prefill=slug != "sglang",
    )


def _accelerators() -> list[Accelerator]:
    found = []
    with (ROOT / "catalog" / "data" / "accelerators.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            rates = {rate: float(row[f"{rate}_tflops"]) * 1e12 for rate in Rate if _number(row.get(f"{rate}_tflops"))}
            if not (rates and _number(row["memory_gb"]) and _number(row["memory_bandwidth_gb_s"])):
                continue
            memory = int(float(row["memory_gb"]) * 1e9)
            found.append(
                Accelerator(
                    slug=row["slug"],
                    name=row["name"],
                    vendor=VENDORS.get(row["vendor"], Vendor.OTHER),
                    kind=DeviceKind.GPU,
                    memory_bytes=memory,
                    usable_memory_bytes=memory,
                    bandwidth_bytes_per_s=float(row["memory_bandwidth_gb_s"]) * 1e9,
                    flops_per_s=rates,
                    compute_capability=row["compute_capability"],
                    memory_type=row["memory_type"],
                    tdp_w=_number(row["tdp_w"]),
                    scale_up_bytes_per_s=(_number(row["scale_up_gb_s_bidirectional"]) or 0.0) * 0.5e9 or None,
                    scale_up_domain=int(_number(row["scale_up_domain_size"]) or 1),
                )
            )
    return found


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


if __name__ == "__main__":
    main()
