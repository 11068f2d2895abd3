"""Eight architectures on three accelerators: sane answers beside published figures, and claims that buyers quote."""

import random
from dataclasses import replace

import pytest

from sizing.core.candidate import Candidate
from sizing.core.hardware import Accelerator
from sizing.core.precision import BF16, FP8, MXFP4, StorageFormat
from sizing.core.recommend import recommend
from sizing.core.simulate.arrivals import lengths
from sizing.core.simulate.engine import closed_loop
from sizing.core.workload import LengthMix, Targets
from tests.sizing.core import serving
from tests.sizing.core.serving import B200, H100, H200, MI300X
from tests.sizing.core.simulate.test_scheduler import CLOCK, rules

AT = serving.coefficients()

# name, format (None: as stored), time per token in ms that 64 requests of 1,024/1,024 tokens may take on 8x H200
SERVED: list[tuple[str, StorageFormat | None, float, float]] = [
    ("deepseek-ai__DeepSeek-V3", FP8, 20, 50),
    ("openai__gpt-oss-120b", None, 4, 12),
    ("Qwen__Qwen3-235B-A22B", FP8, 12, 35),
    ("meta-llama__Meta-Llama-3.1-405B", FP8, 25, 60),
    ("mistralai__Mixtral-8x7B-v0.1", BF16, 5, 15),
    ("Qwen__Qwen3-Next-80B-A3B-Instruct", FP8, 5, 20),
    ("google__gemma-3-27b-it", BF16, 6, 20),
    ("ai21labs__AI21-Jamba-1.5-Mini", BF16, 5, 20),
]


def served(
    name: str, storage: StorageFormat | None, device: Accelerator, *, engine: str = "vllm", **changes: object
) -> Candidate:
    chosen = serving.weights(name, storage)
    if storage is None:
        chosen = replace(chosen, storage=MXFP4, as_stored=True)
    load = serving.traffic(64, 1024, 1024, max_context_tokens=8192)
    pin = serving.pinned(device, count=8, tensor_parallel=8)
    base = {"weights": (chosen,), "traffic": load, "pinned": pin, "targets": Targets(), "simulated_options": 0}
    request = serving.request(name, storage, **{**base, **changes})
    catalogue = serving.catalogue(device, engines=(serving.engine(engine),))
    return recommend(request, catalogue, coefficients=AT).options[0]


@pytest.mark.parametrize(("name", "storage", "low_ms", "high_ms"), SERVED)
def test_a_model_is_served_at_a_plausible_pace(
    name: str, storage: StorageFormat | None, low_ms: float, high_ms: float
) -> None:
    options = [served(name, storage, device) for device in (H200, B200, MI300X)]
    hopper, blackwell, amd = (o.performance.tpot_ms["mean"] for o in options)
    assert low_ms < hopper.value < high_ms
    assert 0.4 * hopper.value < blackwell.value < hopper.value
    assert hopper.value < amd.value < 2 * hopper.value
    assert amd.high / amd.low > hopper.high / hopper.low
    for option in options:
        assert option.performance.ttft_ms["mean"].value < 1500
        assert not option.performance.saturated


# InferenceX, closed loop, 10 prompts per slot, 1,024/1,024 tokens: model, device, format, engine, TP, in flight, family
PUBLISHED = [
    ("deepseek-ai__DeepSeek-V3", H200, FP8, "tensorrt-llm", 8, 64, "deepseek-r1"),
    ("openai__gpt-oss-120b", B200, None, "tensorrt-llm", 8, 64, "gpt-oss-120b"),
    ("meta-llama__Llama-3.1-70B-Instruct", H200, FP8, "vllm", 8, 64, "llama-3.1-70b"),
    ("meta-llama__Llama-3.1-70B-Instruct", B200, FP8, "vllm", 4, 32, "llama-3.1-70b"),
]


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: f"{case[6]}-{case[1].slug}-{case[3]}")
def test_a_published_figure_lies_inside_the_interval(
    case: tuple[str, Accelerator, StorageFormat | None, str, int, int, str],
) -> None:
    name, device, storage, engine, tensor, concurrent, family = case
    measured = sorted(
        point.tpot_s * 1e3
        for point in AT.measured
        if (point.family, point.accelerator, point.engine) == (family, device.slug, engine)
        and (point.accelerators, point.concurrent, point.input_tokens, point.output_tokens)
        == (tensor, concurrent, 1024, 1024)
        and point.weights_format == ("fp4" if storage is None else "fp8")
    )
    assert measured, "the point is packaged"
    option = served(
        name,
        storage,
        device,
        engine=engine,
        traffic=serving.traffic(concurrent, 922, 922, prompts_per_slot=10, max_context_tokens=2048),
        pinned=serving.pinned(device, count=tensor, tensor_parallel=tensor),
    )
    found = option.performance.tpot_ms["mean"]
    assert found.low <= measured[len(measured) // 2] <= found.high


def test_mxfp4_experts_compute_in_sixteen_bits_where_there_are_no_fp4_units() -> None:
    busy = {"traffic": serving.traffic(1000, 4096, 64, max_context_tokens=8192)}
    slow = served("openai__gpt-oss-120b", None, H200, **busy)
    units = serving.accelerator(
        "with-fp4", **{n: getattr(H200, n) for n in ("memory_bytes", "usable_memory_bytes", "bandwidth_bytes_per_s")}
    )
    fast = replace(units, flops_per_s={**H200.flops_per_s, "fp4": 4000e12})
    assert served("openai__gpt-oss-120b", None, fast, **busy).utilisation.compute.value < slow.utilisation.compute.value


def test_h200_over_h100_gains_less_than_the_vendor_claims() -> None:
    # Llama-2-70B FP8, 128/2,048 tokens, batch 64: vendor 1.9, independent 1.4 to 1.6
    name = "meta-llama__Llama-2-70b-hf"
    load = {"traffic": serving.traffic(64, 128, 2048, max_context_tokens=2304)}
    times = [
        served(name, FP8, device, pinned=serving.pinned(device, count=2, tensor_parallel=2), **load)
        for device in (H100, H200)
    ]
    gain = times[0].performance.tpot_ms["mean"].value / times[1].performance.tpot_ms["mean"].value
    assert 1.1 < gain < 1.6


def test_continuous_batching_over_static_gains_two_to_three_times() -> None:
    # Claimed: 2 to 3 times. Answers of very unequal length; a static batch waits for its longest.
    mix, batch = LengthMix(mean=256, p95=600, maximum=768), 32
    running = closed_loop(rules(), concurrent=batch, requests=600, inputs=LengthMix(mean=256), outputs=mix, life_s=5.0)
    source = lengths(mix, random.Random(1))
    tokens, seconds = 0, 0.0
    for _ in range(20):
        answers = [next(source) for _ in range(batch)]
        seconds += CLOCK.step_s(0, 0, 256 * batch, 128)
        seconds += max(answers) * CLOCK.step_s(batch, 256 + max(answers) / 2, 0, 0)
        tokens += sum(answers)
    assert 1.8 < running.tokens_per_s / (tokens / seconds) < 4.0


def test_speculative_decoding_gains_as_far_as_tokens_are_accepted() -> None:
    # Claimed: 1.5 to 2 times. Four drafts with acceptance 0.6 give 1.3 accepted tokens a step.
    plain = served("meta-llama__Llama-3.1-70B-Instruct", FP8, H200, traffic=serving.traffic(4))
    gains = []
    for acceptance in (0.0, 0.6, 0.9):
        pin = serving.pinned(
            H200, count=8, tensor_parallel=8, speculative={"draft_tokens": 4.0, "acceptance": acceptance}
        )
        fast = served("meta-llama__Llama-3.1-70B-Instruct", FP8, H200, pinned=pin, traffic=serving.traffic(4))
        gains.append(plain.performance.tpot_ms["mean"].value / fast.performance.tpot_ms["mean"].value)
    assert gains[0] <= 1.0
    assert 1.5 < gains[1] <= 2.31
    assert gains == sorted(gains)


def test_a_published_run_outweighs_a_support_table_that_does_not_list_it() -> None:
    # gpt-oss-120b ran under TensorRT-LLM on H200 in the packaged points; on an A100 nobody measured it
    chosen = replace(serving.weights("openai__gpt-oss-120b", None), storage=MXFP4, as_stored=True)
    refusing = serving.engine("tensorrt-llm", support=lambda device, weights, cache: serving.REFUSED)
    old = replace(serving.accelerator("nvidia-a100-sxm4-80gb"), compute_capability="8.0")
    request = serving.request("openai__gpt-oss-120b", None, weights=(chosen,), targets=Targets())
    found = recommend(request, serving.catalogue(H200, old, engines=(refusing,)), coefficients=AT)
    assert {o.deployment.accelerator.slug for o in found.options} == {H200.slug}
    assert found.options[0].software_verdict.message.code == "software_measured"
    assert [r.code for r in found.rejected] == ["software_not_supported"]
