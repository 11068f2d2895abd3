"""Errors of the models for vision, diffusion, speech and embedding on the packaged points.

Run: python benchmarks/kinds_accuracy.py [--refit] [--write]

Tables per family: in sample, with one device left out, with one model left out (--refit only), coverage of
the 90 % intervals, and the published MLPerf rates beside the model's.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from sizing.core.kinds.fitted import DeviceFactor, KindCoefficients  # noqa: E402
from sizing.kinds.fitting import FREE, band_of, fit_family, left_out, log_errors  # noqa: E402
from sizing.kinds.load import CURRENT_VERSION, DATA, SEEN, load_kind_coefficients  # noqa: E402
from sizing.kinds.points import Point, catalogue_ids, of_family, points, predicted, rows  # noqa: E402

GOALS = {"vision": 0.20, "diffusion": 0.25, "asr": 0.25, "tts": 0.25, "embedding": 0.25}
SOURCES = {
    "vision": "MLPerf Inference 3.0 to 6.0 (ResNet-50, RetinaNet) and Ultralytics YOLOv5 tables",
    "vision_eager": "NVIDIA DeepLearningExamples and Ultralytics YOLOv5, eager PyTorch",
    "embedding": "MLPerf Inference 3.0 to 6.0 (BERT-large)",
    "diffusion": "MLPerf Inference 4.1 to 6.0 (SDXL, Wan 2.2) and x-stable-diffusion",
    "asr": "MLPerf Inference 5.1 and 6.0 (Whisper), insanely-fast-whisper",
    "asr_ggml": "whisper.cpp bench-all",
    "tts": "NVIDIA DeepLearningExamples (FastPitch, HiFi-GAN, Tacotron 2, WaveGlow)",
}
DEVICES = {
    "nvidia": DeviceFactor(time=1.0, band=1.5, source="device not measured for this kind"),
    "nvidia-old": DeviceFactor(time=1.0, band=2.0, source="Volta and Turing: few measured points"),
    "edge": DeviceFactor(time=1.0, band=1.8, source="edge modules: MLPerf rows of Jetson AGX Orin"),
    "cpu": DeviceFactor(time=1.0, band=2.0, source="processors: MLPerf rows with INT8 on AMX alone"),
    "amd": DeviceFactor(
        time=1.35, band=1.75, source="MLPerf Inference 5.1, Llama-2-70B: MI325X needs 1.35 times what its sheet says"
    ),
    "intel-gddr": DeviceFactor(
        time=1.2,
        band=2.0,
        source="MLPerf Inference 6.0, Whisper in 4 bits on Arc Pro B60: 0.83 times what its sheet says in 16 bits; "
        "language rows 1.2 times",
    ),
    "intel": DeviceFactor(time=2.0, band=2.5, source="assumption from language rows of Gaudi and Arc"),
    "other": DeviceFactor(time=1.5, band=2.5, source="assumption: no measured point of this maker"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--refit", action="store_true", help="fit anew instead of reading the shipped file")
    parser.add_argument("--write", action="store_true", help="with --refit: write the coefficients file")
    options = parser.parse_args()
    coefficients = _refitted() if options.refit else load_kind_coefficients()
    if options.write:
        _write(coefficients)
    print(f"{len(points())} points of {len(rows())} rows; the others name why they are left out\n")
    head = ("points", 7), ("median", 9), ("p90", 8), ("covered", 9), ("band", 7), ("model", 7), ("goal", 7)
    print(f"{'family':14}" + "".join(f"{name:>{width}}" for name, width in head))
    for family in FREE:
        _line(family, coefficients)
    _published(coefficients)


def _refitted() -> KindCoefficients:
    base = KindCoefficients(version=CURRENT_VERSION, fits={}, devices=DEVICES)
    for family in FREE:
        seen = of_family(family)
        fitted = fit_family(family, seen, base)
        unseen = left_out(family, seen, base, lambda point: point.device.slug)
        models = left_out(family, seen, base, lambda point: point.model)
        band = band_of(seen, fitted.errors)
        fit = replace(
            fitted.fit,
            band=round(band, 3),
            band_unseen=round(max(band, band_of(seen, unseen)), 3),
            band_model=_of_unseen_models(seen, models, band),
            measured_devices=frozenset(point.device.slug for point in seen),
            measured_models=catalogue_ids(seen),
            source=SOURCES[family],
        )
        base = replace(base, fits={**base.fits, family: fit})
        print(f"{family}: device left out {_median(unseen)}, model left out {_median(models)}")
    return _with_assumed(base)


ONE_MODEL = 1.5
"""Interval of other networks where points are of a single one, so that none can be left out (assumption)."""


def _of_unseen_models(seen: Sequence[Point], errors: np.ndarray, band: float) -> float:
    known = errors[~np.isnan(errors)]
    return round(max(band, band_of(seen, errors) if len(known) else ONE_MODEL), 3)


def _with_assumed(base: KindCoefficients) -> KindCoefficients:
    """Families without a packaged point: recommendation by the fit of encoders, tabular models as they are shipped."""
    wide = replace(base.fits["embedding"], band=2.0, band_unseen=2.0, band_model=2.0, measured_devices=frozenset(),
                   measured_models=frozenset(),
                   source="assumption: no packaged point of recommendation models")  # fmt: skip
    shipped = load_kind_coefficients().fits["tabular"]
    return replace(base, fits={**base.fits, "recommendation": wide, "tabular": shipped})


def _write(coefficients: KindCoefficients) -> None:
    stored: dict[str, Any] = {"version": coefficients.version, "fits": {}, "devices": {}}
    for family, fit in coefficients.fits.items():
        numbers = asdict(fit)
        stored["fits"][family] = {
            key: float(f"{value:.5g}") if isinstance(value, float) else value for key, value in numbers.items()
        } | {name: sorted(getattr(fit, name)) for name in SEEN}
    stored["devices"] = {name: asdict(factor) for name, factor in coefficients.devices.items()}
    path = DATA / "coefficients" / f"{CURRENT_VERSION}.json"
    path.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def _line(family: str, coefficients: KindCoefficients) -> None:
    seen = of_family(family)
    fit = coefficients.fit(family)
    errors = np.abs(log_errors(seen, family, fit, coefficients))
    share = np.abs(np.expm1(log_errors(seen, family, fit, coefficients)))
    covered = float(np.mean(errors <= np.log(fit.band) + 1e-9))
    goal = f"{GOALS[family]:.0%}" if family in GOALS else "-"
    print(
        f"{family:14}{len(seen):7}{np.median(share):9.1%}{np.quantile(share, 0.9):8.0%}{covered:9.1%}"
        f"{fit.band:7.2f}{fit.band_model:7.2f}{goal:>7}"
    )


def _median(errors: np.ndarray) -> str:
    known = errors[~np.isnan(errors)]
    return f"{np.median(np.abs(np.expm1(known))):.1%}" if len(known) else "-"


def _published(coefficients: KindCoefficients) -> None:
    """MLPerf-style scenarios: median published rate per device beside the model's."""
    table: dict[tuple[str, str, str], list[Point]] = defaultdict(list)
    for point in points():
        if point.row["source_group"].startswith("mlperf"):
            table[(point.model, point.scenario, point.device.slug)].append(point)
    title = "MLPerf, rate per device (Whisper, printed in tokens: windows)"
    print(f"\n{title:62}{'n':>4}{'published':>12}{'model':>12}{'ratio':>8}")
    for key, group in sorted(table.items()):
        published = float(np.median([point.items_per_s for point in group]))
        ours = float(np.median([predicted(point, coefficients) for point in group]))
        print(f"{' '.join(key):62}{len(group):4}{published:12.4g}{ours:12.4g}{ours / published:8.2f}")


if __name__ == "__main__":
    main()
