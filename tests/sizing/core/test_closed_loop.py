"""The steady state of a fixed number of requests in flight."""

from dataclasses import replace

import numpy as np
import pytest

from sizing.core.closed_loop import Load, SteadyState, steady_state
from tests.sizing.core.serving import LLAMA_8B, coefficients
from tests.sizing.core.test_roofline import placed

AT = coefficients()


def load(concurrent: np.ndarray, inputs: float = 1024.0, outputs: float = 256.0, **changes: np.ndarray) -> Load:
    one = np.ones(1)
    base = Load(
        concurrent=concurrent,
        input_tokens=inputs * one,
        output_tokens=outputs * one,
        cached_tokens=0.0 * one,
        burst_share=0.0 * one,
        extra_in_flight=0.0 * one,
        cap=1e9 * one,
        budget_tokens=8192.0 * one,
        stream_interval=0.0 * one,
        mixed=one,
        tokens_per_step=one,
        verified_tokens=one,
    )
    return replace(base, **changes)


def solved(concurrent: float, **changes: float) -> SteadyState:
    lengths = {key: changes.pop(key) for key in ("inputs", "outputs") if key in changes}
    columns = {key: np.array([value]) for key, value in changes.items()}
    return steady_state(placed(LLAMA_8B), load(np.array([concurrent]), **lengths, **columns), AT)


def test_a_single_request_is_not_interrupted_by_its_own_prompt() -> None:
    state = solved(1.0)
    assert state.tpot_s[0] == pytest.approx(state.decode_step_s[0])


def test_one_long_prompt_at_a_time_waits_for_nobody() -> None:
    # 32,768 tokens in, 16 out: computing the prompt takes nearly all of the time, and there is no queue
    state = solved(1.0, inputs=32_768.0, outputs=16.0)
    assert not state.saturated[0]
    assert (state.queue_s[0], state.prefill_busy[0]) == (0.0, 0.0)


def test_a_round_of_long_prompts_computes_each_of_them_once() -> None:
    state = solved(8.0, inputs=32_768.0, outputs=128.0)
    round_s = state.ttft_s[0] + 128 * state.tpot_s[0]
    alone = solved(1.0, inputs=32_768.0, outputs=128.0)
    alone_s = alone.ttft_s[0] + 128 * alone.tpot_s[0]
    assert round_s == pytest.approx(alone_s + 7 * state.prefill_work_s[0], rel=0.15)


def test_arrivals_faster_than_prompts_are_computed_saturate() -> None:
    columns = {"inputs": 32_768.0, "outputs": 16.0}
    assert not solved(64.0, **columns).saturated[0]
    assert solved(64.0, open_arrivals=1.0, **columns).saturated[0]


def test_throughput_follows_littles_law() -> None:
    state = solved(32.0)
    per_request = state.ttft_s + 255 * state.tpot_s
    assert state.tokens_per_s[0] == pytest.approx(32 * 256 / per_request[0])


def test_more_requests_in_flight_never_get_faster() -> None:
    concurrent = np.arange(1.0, 400.0)
    state = steady_state(placed(LLAMA_8B), load(concurrent), AT)
    assert np.all(np.diff(state.tpot_s) > -1e-12)
    assert np.all(np.diff(state.ttft_s) > -1e-12)


def test_fewer_tokens_never_take_longer() -> None:
    long_first = [solved(64.0, inputs=tokens).ttft_s[0] for tokens in (4096.0, 2048.0, 512.0, 1.0)]
    assert long_first == sorted(long_first, reverse=True)
    whole = []
    for tokens in (4096.0, 1024.0, 128.0):
        state = solved(16.0, outputs=tokens)
        whole.append(state.ttft_s[0] + (tokens - 1) * state.tpot_s[0])
    assert whole == sorted(whole, reverse=True)


def test_the_start_burst_counts_only_where_a_benchmark_makes_one() -> None:
    steady, burst = solved(64.0), solved(64.0, burst_share=0.05)
    assert burst.burst_s[0] == pytest.approx(0.05 * 64 * burst.prefill_work_s[0])
    assert steady.burst_s[0] == 0.0
    assert burst.ttft_s[0] > steady.ttft_s[0]


def test_requests_beyond_the_cache_wait_and_the_state_says_so() -> None:
    state = solved(128.0, cap=64.0)
    assert state.admitted[0] == 64.0
    assert bool(state.saturated[0])
    assert state.over_s[0] == pytest.approx(0.9 * 256 * state.tpot_s[0])
    assert not bool(solved(64.0, cap=64.0).saturated[0])


def test_a_sweep_has_a_knee_and_growing_time_to_first_token() -> None:
    # 5,000 tokens in, 500 out on one H100 with room for 160 sequences
    concurrent = np.array([1.0, 5.0, 25.0, 50.0, 100.0, 150.0, 200.0, 250.0])
    state = steady_state(placed(LLAMA_8B), load(concurrent, 5000.0, 500.0, cap=np.array([160.0])), AT)
    gains = np.diff(state.tokens_per_s) / np.diff(concurrent)
    assert np.all(np.diff(gains) < 1e-9), "each further request must add less"
    assert gains[-1] < 0.03 * gains[0], "throughput stops growing past the knee"
    assert np.all(np.diff(state.ttft_s) > 0)
    before, beyond = state.ttft_s[5] - state.ttft_s[4], state.ttft_s[7] - state.ttft_s[6]
    assert beyond > 5 * before, "past the cache the wait for a slot dominates"


def test_accepted_draft_tokens_shorten_the_time_per_token() -> None:
    plain, drafted = solved(4.0), solved(4.0, tokens_per_step=2.5, verified_tokens=4.0)
    gain = plain.tpot_s[0] / drafted.tpot_s[0]
    assert 2.0 < gain <= 2.5, "verification costs something, never more than it saves at a small batch"
    busy = solved(512.0).tpot_s[0] / solved(512.0, tokens_per_step=2.5, verified_tokens=4.0).tpot_s[0]
    assert busy < gain, "a busy accelerator pays for verified tokens"


def test_separate_prefill_stalls_decoding_for_the_whole_prompt() -> None:
    mixed, separate = solved(32.0), solved(32.0, mixed=0.0)
    assert separate.prefill_extra_s[0] > mixed.prefill_extra_s[0]


def test_pipeline_stages_share_the_batch() -> None:
    flat = steady_state(placed(LLAMA_8B), load(np.array([64.0])), AT)
    staged = steady_state(placed(LLAMA_8B, pipeline=2.0), load(np.array([64.0])), AT)
    # a token passes all layers either way; with two stages each microbatch is half as large
    assert staged.tpot_s[0] < flat.tpot_s[0]
    assert staged.tpot_s[0] > 0.5 * flat.tpot_s[0]
