"""What stands beside an option: neighbours with reasons, accelerators more and fewer, sensitivities."""

from dataclasses import replace

import numpy as np
import pytest

from sizing.core.candidate import Candidate, Neighbour
from sizing.core.grid import grid_of
from sizing.core.recommend import combinations, recommend
from sizing.core.search import FEW_ROWS, carried
from sizing.core.sensitivity import CASES, METRICS
from tests.sizing.core import serving
from tests.sizing.core.serving import H100, H200, LLAMA_8B, LLAMA_70B

AT = serving.coefficients()


def option(name: str = LLAMA_70B, concurrent: float | None = 256, **changes: object) -> Candidate:
    wanted = serving.request(name, traffic=serving.traffic(concurrent), **changes)
    return recommend(wanted, serving.catalogue(H100), coefficients=AT).options[0]


def beside(candidate: Candidate, kind: str) -> Neighbour:
    return next(n for n in candidate.neighbours if n.kind == kind)


def test_an_accelerator_more_idles_where_no_layout_takes_an_odd_one() -> None:
    chosen = option()
    more = beside(chosen, "accelerator_more")
    assert more.message.code in ("accelerator_more_idles", "accelerator_more_idles_until")
    assert (more.accelerators_change, more.capacity_change, more.tpot_change) == (1, 0.0, 0.0)
    assert abs(more.capacity_change or 0.0) <= 0.01


def test_an_accelerator_more_pays_where_replicas_are_single_accelerators() -> None:
    more = beside(option(LLAMA_8B, 512), "accelerator_more")
    assert more.message.code == "accelerator_more_pays"
    assert (more.capacity_change or 0.0) > 0.01


def test_an_accelerator_fewer_misses_the_load() -> None:
    less = beside(option(), "accelerator_less")
    assert less.message.code == "accelerator_less_misses"
    assert 0 < float(less.message.params["share_percent"] or 0) < 100


def test_each_other_kind_of_layout_has_deltas_and_a_reason() -> None:
    chosen = option()
    for kind in {n.kind for n in chosen.neighbours} & {"tensor", "pipeline", "combined", "replicas"}:
        other = beside(chosen, kind)
        if other.replicas:
            assert other.reason is not None
            assert other.tpot_change is not None
        else:
            assert other.message.code == "layout_kind_not_possible"


def test_a_fixed_layout_is_compared_with_the_others_too() -> None:
    pin = serving.pinned(H100, count=8, tensor_parallel=8, engine="vllm")
    chosen = option(pinned=pin)
    pipeline = beside(chosen, "combined")
    assert pipeline.replicas
    assert pipeline.layout.pipeline > 1


def test_phases_apart_stand_beside_several_replicas() -> None:
    chosen = option(LLAMA_8B, 512)
    assert chosen.deployment.replicas > 1
    apart = beside(chosen, "apart")
    assert apart.phases is not None
    assert apart.phases.instances == chosen.deployment.replicas
    assert apart.accelerators_change == 0


def test_sensitivities_name_every_input_and_have_the_sign_of_physics() -> None:
    moved = option().sensitivities
    assert set(moved) == set(METRICS)
    assert set(moved["tpot"]) == {case.name for case in CASES} | {"concurrent"}
    assert moved["tpot"]["bandwidth"] < 0 < moved["tpot"]["weight_bytes"]
    assert moved["ttft"]["compute"] < 0 < moved["ttft"]["input_tokens"]
    assert moved["throughput"]["bandwidth"] > 0
    assert moved["tpot"]["accepted_tokens"] == pytest.approx(0.0)  # no drafts, nothing moves


def test_a_rate_is_an_input_of_open_arrivals() -> None:
    wanted = serving.request(LLAMA_8B, traffic=serving.traffic(None, requests_per_s=4.0))
    moved = recommend(wanted, serving.catalogue(H100), coefficients=AT).options[0].sensitivities
    assert moved["tpot"]["requests_per_s"] > 0


def test_few_rows_are_answered_as_many_are() -> None:
    request = serving.request(traffic=serving.traffic(64))
    many = grid_of(request, [H100, H200], combinations(request, serving.catalogue(H100, H200)), AT)
    many = many.take(np.resize(np.arange(len(many)), FEW_ROWS + len(many)))
    together = carried(many, AT).concurrent
    for row in range(0, len(many), 7):
        alone = carried(many.take(np.array([row])), AT).concurrent[0]
        assert alone == pytest.approx(together[row]), row


def test_headroom_is_not_capped_by_the_stated_load() -> None:
    light, heavy = option(LLAMA_8B, 4), option(LLAMA_8B, 32)
    assert light.deployment.replicas == heavy.deployment.replicas == 1
    assert light.headroom > 4 * heavy.headroom > 0


def test_utilisation_at_the_peak_is_at_least_that_of_the_mean() -> None:
    use = replace(option(LLAMA_8B, 16)).utilisation
    for mean, peak in ((use.compute, use.compute_peak), (use.kv, use.kv_peak), (use.device, use.device_peak)):
        assert (mean.value or 0.0) <= (peak.value or 0.0) + 1e-9
