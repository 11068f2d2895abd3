"""What is claimed of serving in general, computed for one option: never a fixed multiplier."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np

from sizing.core.assemble import Chosen, at_row
from sizing.core.candidate import Claim
from sizing.core.closed_loop import steady_state
from sizing.core.drafting import prediction_layer
from sizing.core.grid import accepted_of
from sizing.core.placing import placement_of
from sizing.core.points import Points, points_of
from sizing.core.request import PublishedGain
from sizing.core.simulate.arrivals import lengths
from sizing.core.simulate.clock import StepClock, clock_of
from sizing.core.workload import LengthMix

DRAFTED, ACCEPTANCE = 3.0, 0.7
"""Tokens drafted a step, and the chance of each to be accepted: usual for prediction layers (assumption)."""

ACCEPTANCE_RANGE = (0.53, 0.82)
"""Lowest and highest acceptance measured over two tasks and three drafting models (Leviathan et al. 2023, table 2)."""

MAKERS = PublishedGain(
    low=1.5, high=2.0, source="Leviathan et al. 2023 (2 to 3 with small batches); makers of serving software (1.5 to 2)"
)
"""What is claimed where no source on the engine itself was read."""

STATIC_BATCHES = 20
UNEQUAL_P95 = 2.0
"""Where only the mean answer is known: its 95th percentile over the mean, as in chats (assumption)."""


def claims_of(one: Chosen) -> tuple[Claim, ...]:
    """Both claims at the stated load; none where it is saturated or phases run apart. `one` holds a single row."""
    if bool(np.any(one.state.saturated)) or one.combination(0).phases is not None:
        return ()
    drafting = one.points.draft is not None or at_row(one.load.tokens_per_step, 0) > 1.0
    return (_continuous(one),) if drafting else (_continuous(one), _speculative(one))


def _continuous(one: Chosen) -> Claim:
    """Output rate of continuous batching over that of static batches, which wait for their longest answer."""
    answers = unequal(one.grid.request.traffic.output_tokens)
    batch = max(1, round(at_row(one.concurrent, 0)))
    rate = static_rate(
        clock_of(one.points, one.coefficients.step),
        batch=batch,
        prompt_tokens=at_row(one.load.input_tokens, 0),
        answers=lengths(answers, random.Random(one.grid.request.seed)),
    )
    return Claim(
        name="continuous_batching",
        low=2.0,
        high=3.0,
        value=at_row(one.state.tokens_per_s, 0) / rate,
        source="Yu et al.: Orca, OSDI 2022, and makers of serving software after it",
        inputs={"batch": batch, "p95_over_mean": (answers.p95 or answers.maximum or answers.mean) / answers.mean},
    )


def unequal(answers: LengthMix) -> LengthMix:
    """The answers as stated, with a spread where only their mean is."""
    if answers.p95 is None and answers.maximum is None:
        return replace(answers, p95=UNEQUAL_P95 * answers.mean)
    return answers


def static_rate(clock: StepClock, *, batch: int, prompt_tokens: float, answers: Iterator[int]) -> float:
    """Output tokens per second of batches that start together and end with their longest answer."""
    tokens, seconds = 0, 0.0
    for _ in range(STATIC_BATCHES):
        drawn = list(islice(answers, batch))
        longest = max(drawn)
        seconds += clock.step_s(0.0, 0.0, prompt_tokens * batch, prompt_tokens / 2.0)
        seconds += longest * clock.step_s(batch, prompt_tokens + longest / 2.0, 0.0, 0.0)
        tokens += sum(drawn)
    return tokens / seconds


def _speculative(one: Chosen) -> Claim:
    """Time per token without drafts over that with a prediction layer, and over the range of acceptances."""
    layer = points_of(prediction_layer(one.grid.request.model), placement_of(one.grid, one.coefficients))
    low, value, high = (_gain(one, layer, share) for share in (ACCEPTANCE_RANGE[0], ACCEPTANCE, ACCEPTANCE_RANGE[1]))
    claimed = one.combination(0).engine.speculation or MAKERS
    return Claim(
        name="speculative_decoding",
        low=claimed.low,
        high=claimed.high,
        value=value,
        value_low=low,
        value_high=high,
        source=claimed.source,
        inputs={"draft_tokens": DRAFTED, "acceptance_percent": 100.0 * ACCEPTANCE},
    )


def _gain(one: Chosen, layer: Points, acceptance: float) -> float:
    """Times faster per token where the layer drafts and this share of its tokens is accepted."""
    points = replace(one.points, draft=layer, draft_passes=np.asarray(DRAFTED))
    tokens = 1.0 + accepted_of(DRAFTED, acceptance)
    load = replace(one.load, tokens_per_step=np.asarray(tokens), verified_tokens=np.asarray(1.0 + DRAFTED))
    fast = steady_state(points, load, one.coefficients)
    return at_row(one.state.tpot_s, 0) / at_row(fast.tpot_s, 0)
