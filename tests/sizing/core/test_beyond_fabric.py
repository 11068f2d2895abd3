"""Stages that leave their fabric or server, block-scaled weights, and what a search gives up last."""

from dataclasses import replace

import pytest

from sizing.core.candidate import Candidate, Recommendation
from sizing.core.layouts import Reach, layout_on, reach_of
from sizing.core.model.features import model_features
from sizing.core.parallelism import Layout, layout_problems
from sizing.core.precision import BF16, FP8, Rate
from sizing.core.recommend import recommend
from sizing.core.request import CacheChoice, CoreRequest
from sizing.core.values import Basis, Message, State, Verdict
from sizing.core.workload import Site, Targets
from tests.sizing.core import serving
from tests.sizing.core.serving import B200, H100, L4

DEEPSEEK = "deepseek-ai__DeepSeek-V3"
KIMI = "moonshotai__Kimi-K2-Instruct"
QWEN_FP8 = "Qwen__Qwen3-235B-A22B-FP8"
REAL_H100 = replace(H100, usable_memory_bytes=85_018_882_539)
A6000 = serving.accelerator(
    "nvidia-rtx-a6000",
    memory_bytes=48 * 10**9,
    usable_memory_bytes=51_000_000_000,
    bandwidth_bytes_per_s=768e9,
    flops_per_s={Rate.BF16: 154.8e12},
    compute_capability="8.6",
    memory_type="GDDR6",
    scale_up_bytes_per_s=56.25e9,
    scale_up_domain=2,
    pcie_bytes_per_s=31.5e9,
    tdp_w=300.0,
)


def request(name: str, context: int, **changes: object) -> CoreRequest:
    choice = replace(serving.weights(name, None), as_stored=True)
    return serving.request(
        name,
        **{
            "weights": (choice,),
            "caches": (CacheChoice(slug="bf16", storage=BF16),),
            "traffic": serving.traffic(1, max_context_tokens=context),
            "targets": Targets(),
            **changes,
        },
    )


def answer(asked: CoreRequest, device: object) -> Recommendation:
    return recommend(asked, serving.catalogue(device), coefficients=serving.coefficients())  # type: ignore[arg-type]


def only(found: Recommendation) -> Candidate:
    assert not found.rejected, found.rejected
    assert len(found.options) == 1
    return found.options[0]


def codes(option: Candidate) -> set[str]:
    return {message.code for message in option.warnings}


@pytest.mark.parametrize(
    ("device", "members", "reach"),
    [
        (H100, 8, Reach.FABRIC),
        (H100, 16, Reach.NETWORK),
        (A6000, 2, Reach.FABRIC),
        (A6000, 4, Reach.NODE),
        (A6000, 9, Reach.NETWORK),
        (L4, 1, Reach.FABRIC),
        (L4, 2, Reach.NODE),
    ],
)
def test_reach_is_the_widest_link_of_a_group(device: object, members: int, reach: Reach) -> None:
    assert reach_of(device, members) is reach  # type: ignore[arg-type]


def test_a_search_keeps_stages_inside_a_node_and_a_fixed_layout_may_leave_it() -> None:
    assert layout_on(H100, Layout(tensor=8, pipeline=2))
    assert not layout_on(H100, Layout(tensor=16))
    assert layout_on(H100, Layout(tensor=16), over_network=True)


def test_a_fixed_stage_over_two_servers_is_answered_with_its_network() -> None:
    pinned = serving.pinned(REAL_H100, count=16, tensor_parallel=16)
    found = answer(request(DEEPSEEK, 8192, pinned=pinned), REAL_H100)
    option = only(found)
    assert option.deployment.layout.tensor == 16
    assert "layout_over_network" in codes(option)
    assumed = {a.message.code: a.value for a in found.assumptions}
    assert assumed["assumed_network"] == 400.0  # 50e9 B/s


def test_leaving_the_fabric_costs_time_and_certainty() -> None:
    inside = only(answer(request(DEEPSEEK, 8192, pinned=serving.pinned(B200, count=8, tensor_parallel=8)), B200))
    bridged = replace(B200, scale_up_domain=2)
    outside = only(answer(request(DEEPSEEK, 8192, pinned=serving.pinned(bridged, count=8, tensor_parallel=8)), bridged))
    near, far = inside.performance.tpot_ms["mean"], outside.performance.tpot_ms["mean"]
    assert far.value > 1.1 * near.value
    assert far.high / far.low > near.high / near.low
    assert far.basis is Basis.FORMULA
    assert "layout_over_pcie" in codes(outside)
    assert "layout_over_pcie" not in codes(inside)


def test_four_bridged_cards_reach_the_published_pace() -> None:
    """Llama-3.1-70B BF16 on four RTX A6000: 16 to 17 tokens/s at one request (vllm issue 11147, 2024-12)."""
    pinned = serving.pinned(A6000, count=4, tensor_parallel=4)
    asked = request(serving.LLAMA_70B, 8192, pinned=pinned)
    tpot = only(answer(asked, A6000)).performance.tpot_ms["mean"]
    assert tpot.low <= 1000 / 17
    assert tpot.high >= 1000 / 16
    assert 1000 / tpot.value == pytest.approx(16.5, rel=0.15)


def test_stored_blocks_are_never_cut() -> None:
    # 1536 / 8 = 192 is no multiple of 128: vllm issue 17569; with experts spread each stays whole
    features = model_features(serving.architecture(QWEN_FP8))
    assert features.stored_weight_block == 128
    wrong = layout_problems(features, Layout(tensor=8), weight_block=128)
    assert [p.code for p in wrong] == ["layout_expert_width"]
    assert not layout_problems(features, Layout(tensor=8, expert=8), weight_block=128)
    found = answer(request(QWEN_FP8, 8192, pinned=serving.pinned(REAL_H100, count=8, tensor_parallel=8)), REAL_H100)
    assert only(found).deployment.layout.expert == 8
    fixed = serving.pinned(REAL_H100, count=8, tensor_parallel=8, expert_parallel=1)
    refused = answer(request(QWEN_FP8, 8192, pinned=fixed), REAL_H100)
    assert [r.code for r in refused.rejected] == ["layout_expert_width"]


def test_dense_layers_in_blocks_are_never_cut_either() -> None:
    # Qwen3-32B-FP8: 25600 / 16 = 1600 = 12.5 blocks of 128
    features = model_features(serving.architecture("Qwen__Qwen3-32B-FP8"))
    wrong = layout_problems(features, Layout(tensor=16), weight_block=128)
    assert [p.code for p in wrong] == ["layout_dense_width"]
    assert wrong[0].params["valid"].startswith("1, 2, 4, 5, 8")  # type: ignore[union-attr]
    assert not layout_problems(features, Layout(tensor=16))


def test_weights_converted_at_start_may_be_cut_anywhere() -> None:
    converted = serving.request(
        QWEN_FP8, FP8, pinned=serving.pinned(REAL_H100, count=8, tensor_parallel=8, expert_parallel=1)
    )
    assert only(answer(converted, REAL_H100)).deployment.layout.expert == 1


def test_a_raised_fraction_is_tried_before_a_refusal_and_says_so() -> None:
    """Kimi-K2 FP8 for 128k on cards of 80 GB: 16 are the maker's smallest unit (vLLM recipes, Kimi-K2)."""
    asked = request(KIMI, 131_072, pinned=serving.pinned(REAL_H100), traffic=serving.traffic(4, 8192, 1024))
    asked = replace(asked, traffic=replace(asked.traffic, max_context_tokens=131_072))
    option = only(answer(asked, REAL_H100))
    assert option.deployment.accelerators_per_replica == 16
    assert option.deployment.memory_utilisation > 0.9
    assert option.memory_verdict.state is State.CAUTION
    assert option.memory_verdict.message.code == "memory_fraction_raised"
    assert option.memory.fits


def test_nothing_is_conceded_where_the_usual_settings_start() -> None:
    option = only(answer(request(KIMI, 8192, pinned=serving.pinned(B200)), B200))
    assert option.deployment.memory_utilisation == 0.9
    assert option.deployment.kv_format == "bf16"
    assert not codes(option) & {"memory_fraction_raised", "memory_cache_format_smaller"}


def test_a_fixed_count_is_judged_as_it_stands() -> None:
    """Llama-3.1-405B FP8 on eight H100 does not hold 128k tokens in 16 bits (vllm issue 6746)."""
    name = "meta-llama__Llama-3.1-405B-Instruct-FP8"
    fixed = serving.pinned(REAL_H100, count=8, tensor_parallel=8)
    small = (CacheChoice(slug="fp8", storage=FP8),)
    found = answer(request(name, 131_072, pinned=fixed, smaller_caches=small), REAL_H100)
    assert [r.code for r in found.rejected] == ["does_not_fit"]
    assert found.rejected[0].cheapest_fix is not None


def test_an_eight_bit_cache_is_tried_before_a_larger_replica_where_the_request_leaves_it_open() -> None:
    tight = replace(REAL_H100, usable_memory_bytes=83_000_000_000)
    stated = request(KIMI, 131_072, pinned=serving.pinned(tight, memory_utilisation=0.95))
    larger = only(answer(stated, tight))
    assert (larger.deployment.accelerators_per_replica, larger.deployment.kv_format) == (32, "bf16")
    open_cache = replace(stated, smaller_caches=(CacheChoice(slug="fp8", storage=FP8),))
    option = only(answer(open_cache, tight))
    assert (option.deployment.accelerators_per_replica, option.deployment.kv_format) == (16, "fp8")
    assert option.memory_verdict.message.code == "memory_cache_format_smaller"
    assert option.memory_verdict.state is State.CAUTION


def test_an_excluded_maker_is_refused_by_name_in_any_case() -> None:
    asked = serving.request(excluded_vendors=("Nvidia",))
    found = recommend(asked, serving.catalogue(H100, serving.MI300X), coefficients=serving.coefficients())
    assert {o.deployment.accelerator.slug for o in found.options} == {"amd-mi300x"}
    assert [(r.accelerator, r.code) for r in found.rejected] == [(H100.slug, "vendor_excluded")]
    alone = answer(replace(asked, pinned=serving.pinned(H100, count=4)), H100)
    assert not alone.options
    assert [r.code for r in alone.rejected] == ["vendor_excluded"]


def test_software_that_a_source_vouches_for_goes_first() -> None:
    unknown = Verdict(state=State.UNKNOWN, margin=None, message=Message("software_unknown"))
    doubtful = serving.engine("sglang", support=lambda device, weights, cache: unknown)
    catalogue = serving.catalogue(H100, engines=(doubtful, serving.engine("vllm")))
    found = recommend(serving.request(), catalogue, coefficients=serving.coefficients())
    assert found.options[0].deployment.engine == "vllm"


def test_more_accelerators_are_proposed_in_stages_inside_a_node() -> None:
    """Llama-4-Maverick in 16 bits: 40 heads do not divide by 16, two stages of eight do."""
    name = "meta-llama__Llama-4-Maverick-17B-128E-Instruct"
    fixed = serving.pinned(REAL_H100, count=8, tensor_parallel=8)
    refused = answer(request(name, 8192, pinned=fixed), REAL_H100).rejected[0]
    assert refused.code == "does_not_fit"
    assert refused.cheapest_fix is not None
    assert refused.cheapest_fix.code == "fix_more_accelerators_stages"
    split = {key: refused.cheapest_fix.params[key] for key in ("accelerators", "tensor", "pipeline")}
    assert split == {"accelerators": 16, "tensor": 8, "pipeline": 2}
    assert refused.fixes[0] == refused.cheapest_fix


def test_a_stated_network_decides_what_a_stage_over_servers_waits_for() -> None:
    tpot = {}
    for gbit_s, kind in ((100.0, "ethernet"), (400.0, None), (800.0, "infiniband")):
        site = Site(network_gbit_s_per_accelerator=gbit_s, network=kind)
        pin = serving.pinned(serving.H100, count=16, tensor_parallel=16, engine="vllm")
        wanted = serving.request("meta-llama__Meta-Llama-3.1-405B", pinned=pin, site=site)
        found = recommend(wanted, serving.catalogue(serving.H100), coefficients=serving.coefficients())
        tpot[gbit_s] = found.options[0].performance.tpot_ms["mean"].value
        assert not any(each.field.startswith("site.network") for each in found.assumptions)
    assert tpot[100.0] > tpot[400.0] > tpot[800.0]
