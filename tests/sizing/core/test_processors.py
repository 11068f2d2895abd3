"""Language models on processors: the arithmetic of a step, the memory that is bought, and what is refused."""

from dataclasses import replace

import pytest

from sizing.calibration.load import load_coefficients
from sizing.core.candidate import Candidate, Recommendation
from sizing.core.devices import profile_slug
from sizing.core.engines import engine_memory
from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.kinds.additions import with_additions
from sizing.core.model.features import model_features, weight_bytes
from sizing.core.precision import BF16, Rate, StorageFormat
from sizing.core.recommend import recommend
from sizing.core.request import CacheChoice, CoreCatalogue, CoreRequest, EngineChoice, WeightChoice
from sizing.core.values import State
from sizing.core.workload import LengthMix, Pinned, Target, Targets, Traffic
from tests.sizing.core.serving import H100, LLAMA_8B, LLAMA_70B, SUPPORTED, architecture

GB = 10**9
GGUF_Q4_K_M = StorageFormat(slug="gguf_q4_k_m", bytes_per_value=4.89 / 8, compute=Rate.BF16, weight_only=True)
"""Mean bits of a weight with its scales in Llama 3.1 8B files (llama.cpp, tools/quantize/README.md)."""


def socket(slug: str = "amd-epyc-9555", *, bandwidth: float = 614.4e9, **changes: object) -> Accelerator:
    """One EPYC 9555: 12 x DDR5-6400, 64 cores at 3.2 GHz, 128 BF16 and 64 FP32 operations a cycle and core."""
    base: dict[str, object] = {
        "slug": slug,
        "name": slug,
        "vendor": Vendor.AMD,
        "kind": DeviceKind.CPU,
        "memory_bytes": 12 * 64 * GB,
        "usable_memory_bytes": 12 * 58 * GB,
        "bandwidth_bytes_per_s": bandwidth,
        "flops_per_s": {Rate.BF16: 64 * 3.2e9 * 128, Rate.FP32: 64 * 3.2e9 * 64},
        "architecture": "Zen 5",
        "scale_up_domain": 2,
        "tdp_w": 360.0,
    }
    return Accelerator(**{**base, **changes})  # type: ignore[arg-type]


def engine(slug: str = "llama-cpp") -> EngineChoice:
    return EngineChoice(slug=slug, version="", support=lambda *_: SUPPORTED, memory=engine_memory(slug))


def found(
    *processors: Accelerator,
    accelerators: tuple[Accelerator, ...] = (),
    model: str = LLAMA_8B,
    storage: StorageFormat = GGUF_Q4_K_M,
    tpot_s: float | None = 0.15,
    pinned: Pinned | None = None,
    concurrent: float = 1.0,
    tokens: tuple[int, int] = (16, 64),
) -> Recommendation:
    features = model_features(architecture(model))
    weights = WeightChoice(slug=storage.slug, storage=storage, weights=weight_bytes(architecture(model), storage))
    limits = (Target(metric="tpot", percentile="mean", limit_s=tpot_s),) if tpot_s else ()
    request = CoreRequest(
        model=features,
        weights=(weights,),
        caches=(CacheChoice(slug="bf16", storage=BF16),),
        traffic=Traffic(
            input_tokens=LengthMix(mean=tokens[0]),
            output_tokens=LengthMix(mean=tokens[1]),
            concurrent_requests=concurrent,
            max_context_tokens=4096,
        ),
        targets=Targets(limits=limits),
        pinned=pinned,
        simulated_options=0,
    )
    catalogue = CoreCatalogue(accelerators=accelerators, engines=(engine(),), processors=processors)
    return recommend(request, catalogue, coefficients=load_coefficients())


def only(answer: Recommendation) -> Candidate:
    assert len(answer.options) == 1, answer.rejected
    return answer.options[0]


def tpot_ms(option: Candidate) -> float:
    value = option.performance.tpot_ms["mean"].value
    assert value is not None
    return value


def test_8b_in_4_bits_reads_its_weights_once_a_token() -> None:
    # Llama 3.1 8B at Q4_K_M: 4.6 GB of layers and head are read for every token.
    # 12 x DDR5-6400 = 614.4 GB/s printed, 0.72 x 0.9 = 0.648 of it reached: 398 GB/s
    # overhead: 32 layers x 60.3 us x 2.6 = 5.0 ms
    architecture_8b = architecture(LLAMA_8B)
    each = weight_bytes(architecture_8b, GGUF_Q4_K_M)
    features = model_features(architecture_8b)
    read = features.attention_parameters * each.attention + features.dense_parameters * each.dense
    read += features.lm_head_parameters * each.embedding
    assert read == pytest.approx(4.6e9, rel=0.05)
    expected_ms = read / (0.648 * 614.4e9) * 1e3 + 32 * 60.2709e-6 * 2.6 * 1e3
    assert expected_ms == pytest.approx(16.6, rel=0.05)
    assert tpot_ms(only(found(socket()))) == pytest.approx(expected_ms, rel=0.03)


def test_two_sockets_are_1_6_times_one() -> None:
    one = only(found(socket(), model=LLAMA_70B, tpot_s=None, pinned=Pinned(accelerator="amd-epyc-9555", count=1)))
    two = only(
        found(
            socket(),
            model=LLAMA_70B,
            tpot_s=None,
            pinned=Pinned(accelerator="amd-epyc-9555", count=2, tensor_parallel=2),
        )
    )
    overhead_ms = 80 * 60.2709e-6 * 2.6 * 1e3
    assert two.deployment.layout.tensor == 2
    assert (tpot_ms(one) - overhead_ms) / (tpot_ms(two) - overhead_ms) == pytest.approx(1.6, rel=0.02)


def test_a_published_figure_of_two_sockets_lies_in_the_interval() -> None:
    # llama.cpp issue 11744 (2025-02): Llama 3.1 70B F16 on two EPYC 9175F with 16 x DDR5-6400 makes 2.4 tokens/s,
    # 4.31 with memory placed well. 141 GB over 2 x 409.6 x 0.8 x 0.648 GB/s = 332 ms, and 13 ms of overhead: 2.9
    server = socket(
        "amd-epyc-9175f",
        bandwidth=16 * 20e9,
        memory_bytes=8 * 64 * GB,
        flops_per_s={Rate.BF16: 16 * 4.2e9 * 128, Rate.FP32: 16 * 4.2e9 * 64},
    )
    whole = replace(server, bandwidth_bytes_per_s=409.6e9)
    pinned = Pinned(accelerator=server.slug, count=2, tensor_parallel=2)
    for device, tokens_per_s in ((whole, 2.9), (server, 2.27)):  # the second: what 16 cores are taken to draw
        option = only(found(device, model=LLAMA_70B, storage=BF16, tpot_s=None, pinned=pinned))
        estimate = option.performance.tpot_ms["mean"]
        assert estimate.value == pytest.approx(1e3 / tokens_per_s, rel=0.05)
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low < 1e3 / 4.31 < estimate.high
        assert estimate.low < 1e3 / 2.4 < estimate.high


@pytest.mark.parametrize("concurrent", [1.0, 4.0, 16.0])
def test_more_bandwidth_is_never_slower(concurrent: float) -> None:
    pinned = Pinned(accelerator="amd-epyc-9555", count=1)
    paces = [
        tpot_ms(only(found(socket(bandwidth=gb_s * 1e9), tpot_s=None, pinned=pinned, concurrent=concurrent)))
        for gb_s in (204.8, 307.2, 460.8, 614.4, 1200.0)
    ]
    assert paces == sorted(paces, reverse=True)


def test_prompts_take_the_time_of_the_arithmetic() -> None:
    # 4,096 tokens x 2 x 7.0e9 = 57 Tflop over 26.2 Tflop/s x 0.4 x 0.75 = 7.9 Tflop/s: 7.3 s, attention beside
    option = only(found(socket(), tpot_s=None, tokens=(4000, 64), pinned=Pinned(accelerator="amd-epyc-9555", count=1)))
    ttft_ms = option.performance.ttft_ms["mean"].value
    assert ttft_ms is not None
    assert 7_000 < ttft_ms < 10_000


def test_too_little_bandwidth_is_said_in_figures() -> None:
    # 141 GB over 398 GB/s on one socket, 221 ms on two: never 150 ms
    refused = found(socket(), model=LLAMA_70B, storage=BF16)
    assert not refused.options
    (reason,) = refused.rejected
    assert reason.code == "speed_limit_missed"
    assert reason.message.params["metric"] == "tpot"


def test_memory_is_bought_for_the_need() -> None:
    # 5 GB of weights and one request: 12 modules of 16 GB; 141 GB of weights: 12 x 32 GB
    small = only(found(socket(), concurrent=3.0)).deployment.accelerator
    large = only(found(socket(), model=LLAMA_70B, storage=BF16, tpot_s=1.0)).deployment.accelerator
    assert small.memory_bytes == 12 * 16 * GB
    assert small.usable_memory_bytes == round(0.9 * (192 - 72) * GB)
    assert large.memory_bytes == 12 * 32 * GB


def test_the_smallest_of_a_line_answers() -> None:
    def cores(number: int, watts: float) -> Accelerator:
        peak = number * 3e9
        return socket(f"amd-epyc-{number}", flops_per_s={Rate.BF16: peak * 128, Rate.FP32: peak * 64}, tdp_w=watts)

    assert only(found(cores(128, 500.0), cores(48, 300.0), cores(64, 360.0))).deployment.accelerator.slug == (
        "amd-epyc-48"
    )


def test_an_accelerator_adds_in_figures() -> None:
    answer = with_additions(found(socket(), accelerators=(H100,), concurrent=4.0).options)
    own = next(option for option in answer if option.deployment.accelerator.kind is DeviceKind.CPU)
    assert own.speed_verdict.state is State.OK
    added = next(w for w in own.warnings if w.code == "processors_accelerator_adds")
    assert added.params["accelerator"] == H100.name
    assert float(added.params["times"] or 0) > 1.0
    assert float(added.params["tpot_ms"] or 0) < float(added.params["own_tpot_ms"] or 0)
    assert own.power_w.value is None  # part of the server's


def test_matrix_units_and_engine_decide_the_profile() -> None:
    amx = socket(vendor=Vendor.INTEL, flops_per_s={Rate.BF16: 1.6e13, Rate.FP32: 1e12})
    at = load_coefficients()
    assert [profile_slug(device, name, at) for device in (socket(), amx) for name in ("vllm", "llama-cpp")] == [
        "cpu",
        "cpu-llama-cpp",
        "cpu-amx",
        "cpu-amx-llama-cpp",
    ]


def test_sockets_of_one_server_only_and_never_one_after_the_other() -> None:
    single = socket(scale_up_domain=1)
    pinned = Pinned(accelerator=single.slug, count=2, tensor_parallel=2)
    assert not found(single, model=LLAMA_70B, tpot_s=None, pinned=pinned).options
    staged = Pinned(accelerator="amd-epyc-9555", count=2, tensor_parallel=1, pipeline_parallel=2)
    assert not found(socket(), model=LLAMA_70B, tpot_s=None, pinned=staged).options
