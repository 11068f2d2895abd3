"""Errors of the step model on the packaged points, beside a naive roofline.

Run: python benchmarks/accuracy.py [--refit]

Tables: in sample, with one model family left out, with one accelerator left out (all as the fit
report of the shipped coefficients states them, or fitted anew with --refit), then by engine,
accelerator, model class and regime; single-stream decode apart.
"""

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from sizing.calibration.errors import METRICS, LogErrors, errors_of, left_out, median_and_tail  # noqa: E402
from sizing.calibration.fit import fit, predict  # noqa: E402
from sizing.calibration.intervals import coverage  # noqa: E402
from sizing.calibration.load import COEFFICIENTS, CURRENT_VERSION, load_coefficients  # noqa: E402
from sizing.calibration.measured import Measured, measured, serving_rows  # noqa: E402
from sizing.calibration.models import CONFIGS, measured_models  # noqa: E402
from sizing.calibration.naive import naive_errors  # noqa: E402
from sizing.calibration.single_stream import log_errors, single_stream_points  # noqa: E402
from sizing.calibration.stored import stored_values  # noqa: E402
from sizing.core.hardware import Accelerator, DeviceKind, Vendor  # noqa: E402
from sizing.core.model.features import model_features  # noqa: E402
from sizing.core.model.parse import parse_config  # noqa: E402
from sizing.core.precision import Rate  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--refit", action="store_true", help="fit anew instead of reading the shipped file")
    refit = parser.parse_args().refit
    points = measured(serving_rows(), measured_models())
    whole = fit(points) if refit else None
    values = whole.values if whole else stored_values(CURRENT_VERSION)
    here = errors_of(points, predict(points, values))
    print(f"{len(points)} points, {int(points.ttft_usable.sum())} with a usable time to first token")
    print(f"refused: {int(here.refused.sum())} (counted as 100 %)\n")
    print(f"{'median / 90th percentile of the absolute error, %':52}" + "".join(f"{m:>16}" for m in METRICS))
    _line("in sample", here)
    if whole:
        _line("one model family left out", left_out(points, points.families, whole), points, points.families)
        _line("one accelerator left out", left_out(points, points.systems, whole), points, points.systems)
    else:
        _stored_lines()
    _line("naive roofline (efficiency 1, no overheads)", naive_errors(points))
    _tables(points, here)
    _single_stream()


def _line(name: str, errors: LogErrors, points: Measured | None = None, labels: np.ndarray | None = None) -> None:
    cells = []
    for metric in METRICS:
        middle, tail = median_and_tail(errors.absolute(metric))
        cells.append(f"{100 * middle:8.1f} /{100 * tail:5.0f} ")
    print(f"{name:52}" + "".join(cells))
    if points is not None and labels is not None:
        found = [coverage(points.groups, getattr(errors, metric), labels) for metric in METRICS]
        print(
            f"{'   covered by the 90 % interval / its width':52}"
            + "".join(f"{100 * share:8.1f} /{100 * width:5.0f} " for share, width in found)
        )


def _stored_lines() -> None:
    report = json.loads((COEFFICIENTS / f"{CURRENT_VERSION}.json").read_text(encoding="utf-8"))["report"]
    for key, name in (
        ("family_left_out", "one model family left out"),
        ("accelerator_left_out", "one accelerator left out"),
    ):
        cells = report["error_percent_median_and_90th"][key]
        print(f"{name:52}" + "".join(f"{cells[m][0]:8.1f} /{cells[m][1]:5.0f} " for m in METRICS))
        cells = report["coverage_and_width_percent"][key]
        print(
            f"{'   covered by the 90 % interval / its width':52}"
            + "".join(f"{cells[m][0]:8.1f} /{cells[m][1]:5.0f} " for m in METRICS)
        )


def _tables(points: Measured, errors: LogErrors) -> None:
    models = measured_models()
    concurrent = np.asarray(points.load.concurrent)
    by: Mapping[str, Callable[[int], str]] = {
        "engine": lambda i: str(points.engines[i]),
        "accelerator": lambda i: str(points.systems[i]),
        "model": lambda i: str(points.families[i]),
        "model class": lambda i: "mixture of experts" if models[str(points.families[i])].experts else "dense",
        "weights": lambda i: points.rows[i]["wprec"],
        "requests in flight": lambda i: (
            "1-8" if concurrent[i] <= 8 else "9-32" if concurrent[i] <= 32 else "33 and more"
        ),
        "prompt / answer": lambda i: "long prompt" if points.rows[i]["isl"] > points.rows[i]["osl"] else "long answer",
    }
    for title, label_of in by.items():
        print(f"\nby {title}")
        labels = [label_of(i) for i in range(len(points))]
        for label in sorted(set(labels)):
            chosen = np.array([x == label for x in labels])
            part = LogErrors(
                tpot=errors.tpot[chosen],
                ttft=errors.ttft[chosen],
                throughput=errors.throughput[chosen],
                refused=errors.refused[chosen],
            )
            _line(f"   {label} ({int(chosen.sum())})", part)


def _single_stream() -> None:
    points = single_stream_points()
    models = {p.model: _features(p.model) for p in points}
    found = log_errors(points, models, _accelerators({p.accelerator for p in points}), load_coefficients())
    print("\none request at a time, dense models, never fitted: median error and bias, %")
    for key in sorted({(p.accelerator, p.engine, p.tensor_parallel) for p in points}):
        part = found[[(p.accelerator, p.engine, p.tensor_parallel) == key for p in points]]
        name = f"   {key[0]}, {key[1]}, {key[2]} accelerator(s) ({len(part)})"
        print(f"{name:72}{100 * np.median(np.abs(np.expm1(part))):8.1f}{100 * np.expm1(np.median(part)):+8.1f}")


def _features(name: str):
    return model_features(parse_config(json.loads((CONFIGS / f"{name}.json").read_text(encoding="utf-8")), name=name))


def _accelerators(slugs: Iterable[str]) -> dict[str, Accelerator]:
    """The few data-sheet figures that a single stream needs, from the seed catalogue."""
    wanted, found = set(slugs), {}
    with (ROOT / "catalog" / "data" / "accelerators.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["slug"] in wanted:
                memory = int(float(row["memory_gb"]) * 1e9)
                found[row["slug"]] = Accelerator(
                    slug=row["slug"],
                    name=row["name"],
                    vendor=Vendor.NVIDIA,
                    kind=DeviceKind.GPU,
                    memory_bytes=memory,
                    usable_memory_bytes=memory,
                    bandwidth_bytes_per_s=float(row["memory_bandwidth_gb_s"]) * 1e9,
                    flops_per_s={Rate.BF16: float(row["bf16_tflops"]) * 1e12},
                    compute_capability=row["compute_capability"],
                    memory_type=row["memory_type"],
                    scale_up_bytes_per_s=float(row["scale_up_gb_s_bidirectional"] or 0) * 0.5e9 or None,
                )
    return found


if __name__ == "__main__":
    main()
