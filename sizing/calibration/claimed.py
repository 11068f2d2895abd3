"""What buyers are told of accelerators and serving, computed: the table of claims in docs/method.md.

Llama-2-70B in FP8, 128 prompt and 2,048 answer tokens, 64 requests in flight, as NVIDIA's figure for H200 states.
"""

import json
import random
from dataclasses import dataclass, replace

import numpy as np

from sizing.calibration.load import load_coefficients
from sizing.calibration.measured import system_figures
from sizing.calibration.models import CONFIGS
from sizing.core.claims import ACCEPTANCE, DRAFTED, static_rate, unequal
from sizing.core.closed_loop import Load, SteadyState, steady_state
from sizing.core.grid import accepted_of
from sizing.core.model.features import ModelFeatures, model_features
from sizing.core.model.parse import parse_config
from sizing.core.points import Placement, Points, points_of
from sizing.core.simulate.arrivals import lengths
from sizing.core.simulate.clock import clock_of
from sizing.core.workload import LengthMix

MODEL = "meta-llama__Llama-2-70b-hf.json"
DRAFT = "meta-llama__Llama-2-7b-hf.json"
PROMPT, ANSWER, BATCH, TENSOR = 128.0, 2048.0, 64.0, 2.0


@dataclass(frozen=True, slots=True)
class Row:
    """A claim, who makes it, what others measured, and what the step model gives."""

    claim: str
    claimed: str
    others: str
    computed: float


def claims() -> list[Row]:
    """The claims that docs/method.md prints, in fixed order."""
    return [
        Row("H200 over H100, output rate", "1.9 (NVIDIA)", "1.4 to 1.6", h200_over_h100()),
        Row("continuous over static batching, output rate", "2 to 3 (makers of serving software)", "", continuous()),
        Row("speculative decoding with Llama-2-7B, one request", "1.5 to 2 (makers)", "", speculative(1.0)),
        Row("the same with 64 requests in flight", "1.5 to 2 (makers)", "", speculative(BATCH)),
    ]


def h200_over_h100() -> float:
    """Output rate of two H200 over that of two H100."""
    rates = [float(_state(_points(MODEL, name)).tokens_per_s[0]) for name in ("h100_sxm", "h200_sxm")]
    return rates[1] / rates[0]


def continuous() -> float:
    """Output rate of continuous batching over that of static batches on two H100."""
    points, at = _points(MODEL, "h100_sxm"), load_coefficients()
    answers = lengths(unequal(LengthMix(mean=ANSWER)), random.Random(1))
    rate = static_rate(clock_of(points, at.step), batch=int(BATCH), prompt_tokens=PROMPT, answers=answers)
    return float(_state(points).tokens_per_s[0]) / rate


def speculative(concurrent: float) -> float:
    """Time per token without drafts over that with drafts of the small model, on two H100."""
    points = _points(MODEL, "h100_sxm")
    accepted = accepted_of(DRAFTED, ACCEPTANCE)
    drafted = replace(points, draft=_points(DRAFT, "h100_sxm"), draft_passes=np.asarray(DRAFTED))
    plain = _state(points, concurrent=concurrent)
    fast = _state(drafted, concurrent=concurrent, accepted=accepted)
    return float(plain.tpot_s[0] / fast.tpot_s[0])


def _features(name: str) -> ModelFeatures:
    return model_features(parse_config(json.loads((CONFIGS / name).read_text(encoding="utf-8")), name=name))


def _points(name: str, system: str) -> Points:
    figures, one = system_figures()[system], np.ones(1)
    fp8, bf16 = float(figures["flops_per_s"]["fp8"]), float(figures["flops_per_s"]["bf16"])
    return points_of(
        _features(name),
        Placement(
            bandwidth=float(figures["bandwidth_bytes_per_s"]) * one,
            attention_flops=fp8 * one,
            dense_flops=fp8 * one,
            experts_flops=fp8 * one,
            bf16_flops=bf16 * one,
            link=float(figures["link_bytes_per_s"]) * one,
            stage_link=float(figures["link_bytes_per_s"]) * one,
            tensor=TENSOR * one,
            pipeline=one,
            data=one,
            attention_bytes=one,
            dense_bytes=one,
            experts_bytes=one,
            embedding_bytes=2.0 * one,
            kv_bytes=one,
            block_scaled=0.0 * one,
            overhead_factor=one,
            step_factor=one,
            collective_latency_s=np.nan * one,
        ),
    )


def _state(points: Points, *, concurrent: float = BATCH, accepted: float = 0.0) -> SteadyState:
    one = np.ones(1)
    load = Load(
        concurrent=concurrent * one,
        input_tokens=PROMPT * one,
        output_tokens=ANSWER * one,
        cached_tokens=0.0 * one,
        burst_share=0.0 * one,
        extra_in_flight=0.0 * one,
        cap=1024.0 * one,
        budget_tokens=8192.0 * one,
        stream_interval=0.0 * one,
        mixed=one,
        tokens_per_step=(1.0 + accepted) * one,
        verified_tokens=(1.0 + (DRAFTED if accepted else 0.0)) * one,
    )
    return steady_state(points, load, load_coefficients())
