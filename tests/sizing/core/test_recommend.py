"""Whole answers: options, rejections, pins, order and repeatability."""

import json
from dataclasses import asdict, replace

import pytest

from sizing.core.candidate import Recommendation
from sizing.core.errors import Cancelled, InvalidDeployment, InvalidWorkload
from sizing.core.grid import Combination, grid_of, plan_of
from sizing.core.layouts import layouts
from sizing.core.model.features import model_features
from sizing.core.recommend import recommend
from sizing.core.request import CoreCatalogue, CoreRequest
from sizing.core.search import carried
from sizing.core.values import Basis, State
from sizing.core.workload import LengthMix, Pinned, Site, Targets
from tests.sizing.core import serving
from tests.sizing.core.serving import B200, H100, H200, L4, LLAMA_8B, MI300X, REFUSED, VLLM

AT = serving.coefficients()
DEEPSEEK = "deepseek-ai__DeepSeek-V3"
GPT_OSS = "openai__gpt-oss-120b"


def answer(request: CoreRequest | None = None, catalogue: CoreCatalogue | None = None) -> Recommendation:
    return recommend(request or serving.request(), catalogue or serving.catalogue(), coefficients=AT)


def test_every_accelerator_is_an_option_or_a_rejection() -> None:
    found = answer(catalogue=serving.catalogue(H100, H200, B200, MI300X, L4))
    offered = {o.deployment.accelerator.slug for o in found.options}
    refused = [r.accelerator for r in found.rejected]
    assert offered | set(refused) == {a.slug for a in (H100, H200, B200, MI300X, L4)}
    assert not offered & set(refused)
    assert len(refused) == len(set(refused))


def test_options_carry_the_load_within_the_limits() -> None:
    for option in answer().options:
        speed = option.performance
        assert speed.ttft_ms["p95"].value <= 1000
        assert speed.tpot_ms["p95"].value <= 50
        assert option.max_concurrent_requests_per_replica * option.deployment.replicas >= 64
        assert option.headroom >= 0
        assert option.speed_verdict.state in (State.OK, State.CAUTION)


def test_intervals_hold_the_value_and_percentiles_stand_in_order() -> None:
    for option in answer().options:
        for by in (option.performance.ttft_ms, option.performance.tpot_ms, option.performance.e2e_ms):
            assert by["p50"].value <= by["p95"].value <= by["p99"].value
            assert all(e.low < e.value < e.high for e in by.values())


def test_unmeasured_hardware_has_wider_intervals_and_says_so() -> None:
    found = {o.deployment.accelerator.slug: o for o in answer(catalogue=serving.catalogue(H100, MI300X)).options}
    measured, other = found[H100.slug], found[MI300X.slug]

    def width(option: object) -> float:
        mean = option.performance.tpot_ms["mean"]  # type: ignore[attr-defined]
        return mean.high / mean.low

    assert width(other) > width(measured)
    assert measured.performance.tpot_ms["mean"].basis is Basis.CALIBRATED
    assert other.performance.tpot_ms["mean"].basis is Basis.FORMULA
    assert "speed_device_not_measured" in {m.code for m in other.warnings}


def test_equal_requests_give_equal_bytes() -> None:
    texts = [json.dumps(asdict(answer()), default=str, sort_keys=True) for _ in range(2)]
    assert texts[0] == texts[1]


def test_the_order_of_the_catalogue_does_not_matter() -> None:
    one = answer(catalogue=serving.catalogue(H100, H200, B200))
    other = answer(catalogue=serving.catalogue(B200, H200, H100))
    assert [o.deployment for o in one.options] == [o.deployment for o in other.options]


def test_more_requests_need_more_replicas() -> None:
    counts = []
    for concurrent in (16, 128, 1024):
        request = serving.request(traffic=serving.traffic(concurrent))
        counts.append(answer(request, serving.catalogue(H100)).options[0].deployment.accelerators_total)
    assert counts == sorted(counts)
    assert counts[-1] > counts[0]


def test_spare_replicas_are_added_to_those_that_serve() -> None:
    plain = answer().options[0].deployment
    spare = answer(serving.request(site=Site(spare_replicas=1)))
    same = next(o.deployment for o in spare.options if o.deployment.accelerator == plain.accelerator)
    assert same.accelerators_total == same.layout.accelerators * (same.replicas + 1)


def test_an_arrival_rate_gives_the_same_throughput_that_comes_in() -> None:
    request = serving.request(traffic=serving.traffic(None, requests_per_s=5.0))
    option = answer(request, serving.catalogue(H100)).options[0]
    assert option.performance.output_tokens_per_s_total.value == pytest.approx(5.0 * 256, rel=0.01)
    inside = option.performance.e2e_ms["mean"].value / 1000
    flying = option.performance.requests_in_flight_per_replica * option.deployment.replicas
    assert flying == pytest.approx(5.0 * inside, rel=0.02)


def test_a_pinned_deployment_gets_exactly_one_entry() -> None:
    for device, count in ((H100, 1), (H100, 2), (H200, 8)):
        pin = serving.pinned(device, count=count, tensor_parallel=count, engine="vllm")
        found = answer(serving.request(pinned=pin, traffic=serving.traffic(8)))
        assert len(found.options) + len(found.rejected) == 1
        if found.options:
            assert found.options[0].deployment.layout.tensor == count
            assert found.options[0].deployment.accelerators_total == count


def test_a_pinned_count_beyond_one_replica_becomes_replicas() -> None:
    pin = serving.pinned(H200, count=8, tensor_parallel=2)
    option = answer(serving.request(pinned=pin)).options[0]
    assert (option.deployment.layout.tensor, option.deployment.replicas) == (2, 4)


def test_a_pinned_deployment_that_is_too_slow_runs_and_fails_its_speed_verdict() -> None:
    pin = serving.pinned(H100, count=4, tensor_parallel=4)
    found = answer(serving.request(pinned=pin, targets=serving.limits(tpot_mean=0.001)))
    assert found.options[0].speed_verdict.state is State.FAIL
    assert found.options[0].speed_verdict.message.code == "speed_limit_missed"


def test_a_pinned_deployment_that_does_not_fit_is_rejected_with_a_fix() -> None:
    pin = serving.pinned(L4, count=2, tensor_parallel=2)
    found = answer(serving.request(pinned=pin), serving.catalogue(L4))
    assert not found.options
    assert found.rejected[0].code == "does_not_fit"
    assert found.rejected[0].cheapest_fix is not None


def test_a_pinned_layout_that_the_model_cannot_take_names_the_reason() -> None:
    pin = serving.pinned(H100, tensor_parallel=3)
    found = answer(serving.request(pinned=pin))
    assert (len(found.options), [r.code for r in found.rejected]) == (0, ["layout_heads"])


def test_unknown_pins_are_errors() -> None:
    with pytest.raises(InvalidDeployment, match="pinned_accelerator_unknown"):
        answer(serving.request(pinned=Pinned(accelerator="no-such-card")))
    with pytest.raises(InvalidDeployment, match="engine_not_available"):
        answer(serving.request(pinned=serving.pinned(H100, engine="abacus")))


def test_a_limit_that_nothing_keeps_is_named_with_the_limit_that_could_be_kept() -> None:
    found = answer(serving.request(targets=serving.limits(tpot_p95=0.0005)))
    assert not found.options
    for refused in found.rejected:
        assert refused.code == "speed_limit_missed"
        assert refused.cheapest_fix.code == "fix_relax_limit"
        assert refused.cheapest_fix.params["limit_ms"] > 0.5


def test_an_engine_that_does_not_serve_the_format_is_no_option() -> None:
    refusing = serving.engine("vllm", support=lambda device, weights, cache: REFUSED)
    found = answer(serving.request(LLAMA_8B), serving.catalogue(H100, engines=(refusing,)))
    assert [r.code for r in found.rejected] == ["software_not_supported"]


def test_saturation_is_said_instead_of_a_time() -> None:
    pin = serving.pinned(H100, count=2, tensor_parallel=2)
    request = serving.request(pinned=pin, traffic=serving.traffic(5000, 4096, 512), targets=Targets())
    option = answer(request).options[0]
    assert option.performance.saturated
    assert option.performance.ttft_ms["p95"].value is None
    assert option.performance.ttft_ms["p95"].basis is Basis.UNKNOWN
    assert option.speed_verdict.message.code == "speed_saturated"


def test_without_limits_speed_is_not_judged() -> None:
    option = answer(serving.request(targets=Targets())).options[0]
    assert option.speed_verdict.state is State.UNKNOWN


def test_progress_is_reported_and_can_cancel() -> None:
    seen: list[tuple[str, int, int]] = []
    recommend(serving.request(), serving.catalogue(), coefficients=AT, progress=lambda *a: seen.append(a))
    assert {stage for stage, _, _ in seen} == {"memory", "speed"}
    assert all(0 <= done <= total for _, done, total in seen)

    def stop(stage: str, done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        recommend(serving.request(), serving.catalogue(), coefficients=AT, progress=stop)


def test_a_shared_prefix_shortens_the_first_token_and_leaves_the_answer() -> None:
    pin = serving.pinned(H200, count=2, tensor_parallel=2)
    times = []
    for prefix in (0, 3000):
        traffic = serving.traffic(16, 4096, 256, shared_prefix_tokens=prefix)
        times.append(answer(serving.request(pinned=pin, traffic=traffic)).options[0].performance)
    assert times[1].ttft_ms["mean"].value < 0.6 * times[0].ttft_ms["mean"].value
    assert times[1].tpot_ms["mean"].value <= times[0].tpot_ms["mean"].value


def test_prefix_caching_can_be_switched_off() -> None:
    traffic = serving.traffic(16, 4096, 256, shared_prefix_tokens=3000)
    on, off = (
        answer(serving.request(pinned=serving.pinned(H200, count=2, prefix_caching=flag), traffic=traffic)).options[0]
        for flag in (None, False)
    )
    assert off.performance.ttft_ms["mean"].value > on.performance.ttft_ms["mean"].value


def test_speculative_decoding_gains_what_was_accepted_less_the_verification() -> None:
    pin = serving.pinned(H200, count=2, tensor_parallel=2)
    plain = answer(serving.request(pinned=pin, traffic=serving.traffic(2))).options[0]
    drafted = replace(pin, speculative={"draft_tokens": 3.0, "accepted_tokens": 1.0})
    fast = answer(serving.request(pinned=drafted, traffic=serving.traffic(2))).options[0]
    gain = plain.performance.tpot_ms["mean"].value / fast.performance.tpot_ms["mean"].value
    assert 1.5 < gain <= 2.0
    assert "speed_speculative_depends_on_acceptance" in {m.code for m in fast.warnings}


def test_the_leading_option_shows_what_stands_beside_it() -> None:
    option = answer(serving.request(traffic=serving.traffic(256))).options[0]
    assert option.performance.simulated
    assert {n.kind for n in option.neighbours} >= {"replica_more"}
    assert len([n for n in option.neighbours if n.kind in ("tensor", "pipeline", "combined", "replicas")]) == 3
    assert [p.distance for p in option.nearest] == sorted(p.distance for p in option.nearest)
    assert option.sensitivity["bandwidth"] <= 0 <= option.sensitivity["concurrent"]
    more = next(n for n in option.neighbours if n.kind == "replica_more")
    assert more.tpot_change <= 0
    assert more.ttft_change <= 0


def test_goodput_is_the_share_that_keeps_the_limits() -> None:
    option = answer().options[0]
    assert 0.9 <= option.performance.goodput <= 1.0


@pytest.mark.parametrize("name", [serving.LLAMA_70B, LLAMA_8B, GPT_OSS, DEEPSEEK])
def test_the_search_divides_memory_as_the_plan_does(name: str) -> None:
    request = serving.request(name, None)
    devices = [L4, H100, H200, B200]
    combos = [
        Combination(
            layout=layout,
            weights=request.weights[0],
            cache=request.caches[0],
            engine=engine,
            budget_tokens=None,
            max_sequences=None,
            memory_utilisation=None,
            stream_interval=0,
        )
        for engine in (VLLM, serving.engine("sglang"), serving.engine("tensorrt-llm"))
        for layout in layouts(request.model, (1, 4, 8))
    ]
    grid = grid_of(request, devices, combos, AT)
    for row in range(len(grid)):
        device, combo = devices[grid.accelerator[row]], combos[grid.combination[row]]
        plan = plan_of(request, device, combo)
        assert grid.pool_bytes[row] == pytest.approx(plan.kv_pool_bytes - plan.short_bytes, abs=2)
        assert (grid.cap[row] >= 1) == (plan.fits and grid.cap[row] > 0)
        assert (grid.pool_bytes[row] > 0 and grid.pool_bytes[row] >= grid.longest_bytes[row] - 2) == plan.fits


def test_what_a_replica_carries_is_the_most_that_keeps_the_limits() -> None:
    request = serving.request(traffic=serving.traffic(2000))
    combos = [
        Combination(
            layout=layout,
            weights=request.weights[0],
            cache=request.caches[0],
            engine=VLLM,
            budget_tokens=None,
            max_sequences=None,
            memory_utilisation=None,
            stream_interval=0,
        )
        for layout in layouts(request.model, (2, 4))
    ]
    result = carried(grid_of(request, [H100, H200], combos, AT), AT)
    assert (result.concurrent >= 0).all()
    looser = replace(request, targets=serving.limits(ttft_p95=2.0, tpot_p95=0.1))
    more = carried(grid_of(looser, [H100, H200], combos, AT), AT)
    assert (more.concurrent >= result.concurrent).all()


def test_requests_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(InvalidWorkload, match="load_not_stated_once"):
        serving.request(traffic=serving.traffic(8, requests_per_s=1.0))
    with pytest.raises(InvalidWorkload, match="load_not_positive"):
        serving.request(traffic=serving.traffic(0))
    with pytest.raises(InvalidWorkload, match="lengths_below_one_token"):
        serving.request(traffic=serving.traffic(1, output_tokens=LengthMix(mean=0)))


def test_layouts_of_a_dense_model_hold_no_expert_or_data_split() -> None:
    found = layouts(model_features(serving.architecture(serving.LLAMA_70B)), (1, 2, 4, 8))
    assert all(layout.expert == layout.data == 1 for layout in found)
    assert {layout.accelerators for layout in found} == {1, 2, 4, 8}
    mixture = layouts(model_features(serving.architecture(DEEPSEEK)), (8,))
    assert any(layout.data == 8 and layout.expert == 8 for layout in mixture)


def test_replicas_are_counted_for_the_busiest_hour() -> None:
    flat, peaked = (
        answer(
            serving.request(traffic=serving.traffic(256, load_profile=profile), simulated_options=0),
            serving.catalogue(H100),
        )
        for profile in ((), (0.2,) * 20 + (3.0,) * 4)
    )
    assert peaked.options[0].deployment.accelerators_total > 2 * flat.options[0].deployment.accelerators_total
    assert "assumed_peak_hour" in {a.message.code for a in peaked.assumptions}
    quiet = serving.request(traffic=serving.traffic(256, load_profile=(0.1, 0.5)), simulated_options=0)
    assert answer(quiet, serving.catalogue(H100)).options[0].deployment == flat.options[0].deployment


def test_options_come_in_the_stated_order() -> None:
    found = answer(catalogue=serving.catalogue(H100, H200, B200, MI300X, L4)).options
    places = [(o.deployment.accelerators_total, o.deployment.accelerator.slug) for o in found]
    assert places == sorted(places)
