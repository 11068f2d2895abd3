"""What each term of the step model earns: refits without it. Run: python benchmarks/ablation.py [TERM ...]

Prints median errors of time per token and time to first token in sample and with one model family left out at a
time, in per cent, as the table in docs/method.md states them.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from sizing.calibration.errors import errors_of, left_out, median_and_tail  # noqa: E402
from sizing.calibration.fit import fit, predict  # noqa: E402
from sizing.calibration.measured import Measured, measured, serving_rows  # noqa: E402
from sizing.calibration.models import measured_models  # noqa: E402
from sizing.core.points import ALL_TOUCHED  # noqa: E402

type Change = Callable[[Measured], Measured]


def _points(**columns: float) -> Change:
    def changed(points: Measured) -> Measured:
        values = {name: np.full(len(points), value) for name, value in columns.items()}
        return replace(points, points=replace(points.points, **values))

    return changed


def _load(**columns: float) -> Change:
    def changed(points: Measured) -> Measured:
        values = {name: np.full(len(points), value) for name, value in columns.items()}
        return replace(points, load=replace(points.load, **values))

    return changed


TERMS: Mapping[str, tuple[str, Change]] = {
    "whole": ("the whole model", lambda points: points),
    "experts": ("every expert read in each step", _points(expert_log_miss=ALL_TOUCHED)),
    "layers": ("no overhead per layer", _points(layers=0.0, moe_layers=0.0, mla_layers=0.0, block_scaled_layers=0.0)),
    "cache": ("no reading of caches", _points(cache_read_s=0.0, window_read_s=0.0, state_read_s=0.0)),
    "exchange": ("no exchange between accelerators", _points(exchange_s=0.0, collectives=0.0)),
    "activations": ("no activation traffic", _points(activation_s=0.0, expert_activation_s=0.0)),
    "attention": ("no arithmetic of prefill attention", _points(prefill_attention_s=0.0, prefill_window_s=0.0)),
    "window": ("sliding windows ignored", _points(window_tokens=np.inf)),
    "burst": ("no start burst", _load(burst_share=0.0)),
    "stream": ("stream interval ignored", _load(stream_interval=0.0)),
    "mixed": ("prefill apart taken as mixed", _load(mixed=1.0)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("terms", nargs="*", choices=[[], *TERMS], help="names of the terms; all without")
    names = parser.parse_args().terms or list(TERMS)
    points = measured(serving_rows(), measured_models())
    print("| variant | TPOT in sample | TPOT family left out | TTFT in sample | TTFT family left out |")
    print("|---|---|---|---|---|")
    for name in names:
        words, change = TERMS[name]
        changed = change(points)
        whole = fit(changed)
        here = errors_of(changed, predict(changed, whole.values))
        out = left_out(changed, changed.families, whole)
        cells = [f"{100 * median_and_tail(e.absolute(m))[0]:.1f}" for m in ("tpot", "ttft") for e in (here, out)]
        print(f"| {words} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
