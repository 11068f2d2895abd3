"""Prefill and decode on accelerators of their own."""

from dataclasses import replace

import numpy as np
import pytest

from sizing.core.assemble import chosen_rows
from sizing.core.candidate import Candidate
from sizing.core.closed_loop import steady_state
from sizing.core.errors import InvalidDeployment
from sizing.core.grid import grid_of
from sizing.core.parallelism import Phases
from sizing.core.recommend import combinations, recommend
from sizing.core.search import carried
from sizing.core.simulated import run_simulation
from tests.sizing.core import serving
from tests.sizing.core.serving import H100, LLAMA_8B
from tests.sizing.core.test_closed_loop import AT, load
from tests.sizing.core.test_roofline import placed


def answered(phases: Phases | None, count: int, concurrent: float = 64, **changes: object) -> Candidate:
    pin = serving.pinned(H100, count=count, tensor_parallel=1, engine="vllm", phases=phases)
    wanted = serving.request(LLAMA_8B, traffic=serving.traffic(concurrent, 2048, 256), pinned=pin, **changes)
    found = recommend(wanted, serving.catalogue(H100), coefficients=AT)
    return found.options[0]


def test_decoding_is_never_interrupted_by_prompts_of_others() -> None:
    # the same two accelerators: two of both phases, or one of each
    together, apart = answered(None, 2), answered(Phases(prefill=1, decode=1), 2)
    assert apart.deployment.accelerators_total == together.deployment.accelerators_total == 2
    assert _tail(apart) < 1.05
    assert _tail(together) > _tail(apart)


def _tail(candidate: Candidate) -> float:
    """99th percentile of the time per token over its mean."""
    tpot = candidate.performance.tpot_ms
    assert candidate.performance.simulated
    return (tpot["p99"].value or 0.0) / (tpot["mean"].value or 1.0)


@pytest.mark.parametrize(("prefill", "decode", "concurrent"), [(1, 1, 16), (1, 2, 16), (2, 2, 64)])
def test_the_simulation_agrees_with_the_closed_form_below_saturation(
    prefill: int, decode: int, concurrent: float
) -> None:
    phases = Phases(prefill=prefill, decode=decode)
    closed = answered(phases, phases.instances, concurrent, simulated_options=0).performance
    run = _simulated_means(phases, concurrent)
    assert not closed.saturated
    assert run["tpot"] * 1e3 == pytest.approx(closed.tpot_ms["mean"].value, rel=0.05)
    assert run["ttft"] * 1e3 == pytest.approx(closed.ttft_ms["mean"].value, rel=0.25)


def _simulated_means(phases: Phases, concurrent: float) -> dict[str, float]:
    pin = serving.pinned(H100, count=phases.instances, tensor_parallel=1, engine="vllm", phases=phases)
    wanted = serving.request(LLAMA_8B, traffic=serving.traffic(concurrent, 2048, 256), pinned=pin)
    result = carried(grid_of(wanted, [H100], combinations(wanted, serving.catalogue(H100))[:1], AT), AT)
    outcome = run_simulation(chosen_rows(result, np.zeros(1, dtype=np.intp), np.ones(1), AT), 0)
    assert outcome is not None
    return {metric: outcome.statistics(metric)["mean"] for metric in ("ttft", "tpot")}


def test_a_replica_holds_what_its_decoding_instances_hold() -> None:
    one, three = answered(Phases(prefill=1, decode=1), 2), answered(Phases(prefill=1, decode=3), 4)
    assert three.kv_tokens_per_replica == 3 * one.kv_tokens_per_replica
    assert three.deployment.accelerators_per_replica == 4


def test_more_prefill_instances_never_worsen_the_first_token() -> None:
    at = {
        "mixed": np.zeros(1),
        "decode_instances": np.full(1, 2.0),
        "handover_s": np.full(1, 0.005),
    }
    first = [
        steady_state(
            placed(LLAMA_8B), load(np.array([256.0]), 4096.0, prefill_instances=np.full(1, float(n)), **at), AT
        )
        for n in (1, 2, 4, 8)
    ]
    times = [float(state.ttft_s[0]) for state in first]
    assert times == sorted(times, reverse=True)
    assert times[0] > 2 * times[-1]


def test_a_round_takes_at_least_the_prefill_work_of_all_requests() -> None:
    # asymptotic bound of a closed network: C S / servers
    loaded = load(
        np.array([256.0]),
        4096.0,
        64.0,
        mixed=np.zeros(1),
        prefill_instances=np.ones(1),
        decode_instances=np.full(1, 4.0),
    )
    state = steady_state(placed(LLAMA_8B), loaded, AT)
    assert state.ttft_s[0] + 63 * state.tpot_s[0] >= 0.97 * 256 * state.prefill_work_s[0]


def test_the_handover_is_named_with_how_busy_prefill_is() -> None:
    note = next(m for m in answered(Phases(prefill=1, decode=1), 2).warnings if m.code == "speed_phases_apart")
    # 2 x 32 layers x 8 heads x 128 bytes of an FP8 cache = 65,536 bytes a token, over 450 GB/s of NVLink
    assert note.params["handover_ms"] == pytest.approx(2048 * 65_536 / 450e9 * 1e3, rel=1e-6)
    busy = note.params["busy_percent"]
    assert isinstance(busy, float)
    assert 0 < busy <= 100


def test_an_engine_that_keeps_phases_together_is_refused() -> None:
    pin = serving.pinned(H100, count=2, tensor_parallel=1, engine="lmdeploy", phases=Phases(prefill=1, decode=1))
    catalogue = serving.catalogue(H100, engines=(serving.engine("lmdeploy"),))
    with pytest.raises(InvalidDeployment) as refused:
        recommend(replace(serving.request(LLAMA_8B), pinned=pin), catalogue, coefficients=AT)
    assert refused.value.code == "engine_keeps_phases_together"
