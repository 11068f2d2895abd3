"""The step of the model: a worked sum, properties, and agreement with its scalar twin."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizing.core.model.features import model_features
from sizing.core.points import Placement, Points, points_of
from sizing.core.roofline import smooth_max, step
from sizing.core.simulate.clock import clock_of
from tests.sizing.core.serving import LLAMA_8B, architecture, coefficients

AT = coefficients().step
GPT_OSS = "openai__gpt-oss-120b"
DEEPSEEK = "deepseek-ai__DeepSeek-V3"


def placed(name: str = LLAMA_8B, **changes: float) -> Points:
    one = np.ones(1)
    figures = {
        "bandwidth": 3.35e12,
        "attention_flops": 989.4e12,
        "dense_flops": 989.4e12,
        "experts_flops": 989.4e12,
        "bf16_flops": 989.4e12,
        "link": 450e9,
        "stage_link": 450e9,
        "tensor": 1.0,
        "pipeline": 1.0,
        "data": 1.0,
        "attention_bytes": 2.0,
        "dense_bytes": 2.0,
        "experts_bytes": 2.0,
        "embedding_bytes": 2.0,
        "kv_bytes": 2.0,
        "block_scaled": 0.0,
        "overhead_factor": 1.0,
        "step_factor": 1.0,
        "collective_latency_s": float("nan"),
    }
    placement = Placement(**{key: value * one for key, value in {**figures, **changes}.items()})
    return points_of(model_features(architecture(name)), placement)


def step_s(points: Points, decoding: float, context: float, prefill: float = 0.0, earlier: float = 0.0) -> float:
    found = step(
        points,
        AT,
        decoding=np.array([decoding]),
        verified_tokens=np.ones(1),
        context_tokens=np.array([context]),
        prefill_tokens=np.array([prefill]),
        prefill_context=np.array([earlier]),
    )
    return float(found.total_s[0])


def test_one_sequence_reads_every_weight_once() -> None:
    # Llama-3.1-8B: 32 layers of 218,103,808 weights and a head of 128,256 x 4,096, 2 bytes each
    bytes_read = 2 * (32 * 218_103_808 + 128_256 * 4096)
    # 32 layers x 8 heads x 128 x 2 (K and V) x 2 bytes x 1,000 tokens
    cache_read = 131_072 * 1000
    reading = bytes_read / (0.90 * 3.35e12) + cache_read / (0.85 * 3.35e12)
    overhead = 32 * AT.layer_overhead_s + AT.sequence_overhead_s
    assert step_s(placed(), 1, 1000) == pytest.approx(reading + overhead, rel=0.02)


def test_a_large_batch_is_bound_by_arithmetic() -> None:
    tokens = 8192
    flops = 2 * tokens * 32 * 218_103_808
    at_peak = flops / 989.4e12
    assert step_s(placed(), 0, 0, tokens) > at_peak / AT.compute_efficiency


@given(x=st.floats(1e-9, 1.0), y=st.floats(1e-9, 1.0))
def test_the_smooth_maximum_lies_between_maximum_and_sum(x: float, y: float) -> None:
    found = float(smooth_max(np.array(x), np.array(y), AT.overlap_exponent))
    assert max(x, y) * (1 - 1e-12) <= found <= (x + y) * (1 + 1e-12)


FASTER = ("bandwidth", "attention_flops", "dense_flops", "experts_flops", "bf16_flops", "link", "stage_link")


WORK = st.tuples(st.integers(0, 512), st.integers(1, 100_000), st.integers(1, 16_384))
SPLIT = st.fixed_dictionaries({"tensor": st.sampled_from([1.0, 2.0, 8.0]), "pipeline": st.sampled_from([1.0, 2.0])})
FIGURES = {"bandwidth": 3.35e12, "link": 450e9, "stage_link": 450e9}


@pytest.mark.parametrize("name", [LLAMA_8B, GPT_OSS, DEEPSEEK])
@pytest.mark.parametrize("resource", FASTER)
@given(factor=st.floats(1.0, 20.0), work=WORK, split=SPLIT)
@settings(max_examples=25, deadline=None)
def test_more_of_a_resource_never_slows_a_step(
    name: str, resource: str, factor: float, work: tuple[int, int, int], split: dict[str, float]
) -> None:
    decoding, context, prefill = work
    more = {resource: FIGURES.get(resource, 989.4e12) * factor}
    slow = step_s(placed(name, **split), decoding, context, prefill, context / 2)
    fast = step_s(placed(name, **split, **more), decoding, context, prefill, context / 2)
    assert fast <= slow * (1 + 1e-12)


@given(decoding=st.integers(1, 500), context=st.integers(1, 50_000), more=st.integers(1, 50))
@settings(max_examples=50, deadline=None)
def test_more_work_never_takes_less_time(decoding: int, context: int, more: int) -> None:
    points = placed(GPT_OSS, tensor=2.0)
    base = step_s(points, decoding, context)
    assert step_s(points, decoding + more, context) >= base
    assert step_s(points, decoding, context + more) >= base
    assert step_s(points, decoding, context, float(more), context / 2) >= base


@pytest.mark.parametrize("name", [LLAMA_8B, GPT_OSS, DEEPSEEK])
@given(
    decoding=st.integers(0, 300),
    context=st.integers(1, 60_000),
    prefill=st.integers(1, 16_384),
    pipeline=st.sampled_from([1.0, 4.0]),
)
@settings(max_examples=40, deadline=None)
def test_the_scalar_clock_tells_the_same_time(
    name: str, decoding: int, context: int, prefill: int, pipeline: float
) -> None:
    points = placed(name, tensor=4.0, pipeline=pipeline)
    clock = clock_of(points, AT)
    whole = clock.step_s(decoding, context, prefill, context / 3)
    columns = step_s(points, decoding / pipeline, context, prefill / pipeline, context / 3)
    assert whole == pytest.approx(columns, rel=1e-9)


def test_a_window_bounds_what_a_long_context_reads() -> None:
    points = placed(GPT_OSS)
    narrow = replace(points, window_tokens=np.array([128.0]))
    wide = replace(points, window_tokens=np.array([np.inf]))
    assert step_s(narrow, 64, 100_000) < step_s(wide, 64, 100_000)


def test_one_token_touches_only_its_own_experts() -> None:
    points = placed(GPT_OSS)  # 4 of 128 experts
    touched = -np.expm1(points.expert_log_miss)
    assert touched == pytest.approx(4 / 128)
    assert -np.expm1(512 * points.expert_log_miss) == pytest.approx(1.0, abs=1e-6)
