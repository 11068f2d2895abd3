"""Closed forms of waiting and spread: the first filter of a search and a check on the simulation."""

from dataclasses import dataclass
from math import exp, log

import numpy as np

from sizing.core.closed_loop import Load, SteadyState
from sizing.core.points import Column
from sizing.core.workload import LengthMix, Traffic

NORMAL_QUANTILES = {"mean": 0.0, "p50": 0.0, "p95": 1.6449, "p99": 2.3263}
SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How unevenly requests come and how unequal they are. The default is Poisson and equal lengths."""

    burstiness: float = 1.0  # squared variation of the gaps
    inputs: LengthMix | None = None
    outputs: LengthMix | None = None

    @property
    def squared_variation(self) -> float:
        """Of the prompt lengths, hence of the prefill work."""
        return squared_variation(self.inputs)


EVEN = Spread()


def spread_of(traffic: Traffic) -> Spread:
    """The spread that a request states."""
    return Spread(burstiness=traffic.burstiness, inputs=traffic.input_tokens, outputs=traffic.output_tokens)


def length_sigma(p95_over_mean: float) -> float:
    """Spread of a log-normal whose 95th percentile is that many times its mean: 1.645 s - s^2/2 = ln ratio."""
    z = NORMAL_QUANTILES["p95"]
    return float(max(z - max(z * z - 2.0 * log(p95_over_mean), 0.0) ** 0.5, 0.01))


def length_factor(mix: LengthMix | None, statistic: str) -> float:
    """Length at `statistic` over the mean length: 1 where nothing but the mean is known."""
    if mix is None or statistic == "mean":
        return 1.0
    if mix.p95 is not None and mix.p95 > mix.mean:
        sigma = length_sigma(mix.p95 / mix.mean)
        return float(exp(sigma * NORMAL_QUANTILES[statistic] - sigma * sigma / 2.0))
    if mix.minimum is not None and mix.maximum is not None and mix.maximum > mix.minimum:
        share = (2.0 * SHARES[statistic] - 1.0) * (mix.maximum - mix.mean)
        return float(1.0 + share / mix.mean)
    return 1.0


def squared_variation(mix: LengthMix | None) -> float:
    """Squared coefficient of variation of the lengths; 0 where nothing but the mean is known."""
    if mix is None:
        return 0.0
    if mix.p95 is not None and mix.p95 > mix.mean:
        sigma = length_sigma(mix.p95 / mix.mean)
        return float(exp(sigma * sigma) - 1.0)
    if mix.minimum is not None and mix.maximum is not None:
        return float(((mix.maximum - mix.minimum) / mix.mean) ** 2 / 12.0)
    return 0.0


def md1_wait_s(service_s: float, utilisation: float) -> float:
    """Mean wait before service with Poisson arrivals and constant service time, in seconds.

    W = rho S / (2 (1 - rho)), Pollaczek and Khinchine; infinite from full utilisation on.
    """
    if utilisation >= 1.0:
        return float("inf")
    return utilisation * service_s / (2.0 * (1.0 - utilisation))


def mg1_wait_s(service_s: float, utilisation: float, squared_variation: float) -> float:
    """The same for service times with squared coefficient of variation `squared_variation`."""
    if utilisation >= 1.0:
        return float("inf")
    return utilisation * service_s * (1.0 + squared_variation) / (2.0 * (1.0 - utilisation))


def prefill_utilisation(state: SteadyState, load: Load, stages: Column) -> Column:
    """Share of prefill work in the life of the requests in flight, 0 and above."""
    servers = stages * np.maximum(load.prefill_instances, 1.0)
    return load.concurrent * state.prefill_work_s / (servers * load.output_tokens * state.tpot_s)


def ttft_quantile_s(state: SteadyState, load: Load, stages: Column, statistic: str, spread: Spread = EVEN) -> Column:
    """Time to first token at `statistic`: the mean, or a wait behind the prefill of others on top of the rest.

    The prefill stage is a queue with utilisation x. A share x of requests waits, and the waits of
    those are about exponential with mean S (burst + 1 + cv^2) / (4 (1 - x)); burst 1 and equal
    lengths give the M/D/1 mean. Quantile q of the wait: mean conditional wait x ln(x / (1 - q)), at
    least 0. A longer prompt also computes longer: its own prefill grows with its length.
    """
    if statistic == "mean":
        return state.ttft_s
    wait = _queue_quantile_s(state, load, stages, SHARES[statistic], spread)
    # a prompt also waits for the step that runs when it comes: up to one decode step more than the mean
    step = state.decode_step_s * (SHARES[statistic] - 0.5)
    longer = (length_factor(spread.inputs, statistic) - 1.0) * state.own_s
    return np.asarray(state.ttft_s + wait + step + longer)


def _queue_quantile_s(state: SteadyState, load: Load, stages: Column, share: float, spread: Spread) -> Column:
    """Wait for the prompts of others at quantile `share`, less the mean of it that the state holds.

    In steady production x is the share of a round that others take. In a closed loop the wait ends with the last
    prompt of the others.
    """
    burst = np.asarray(load.burst_share) > 0.0
    busy = np.clip(np.where(burst, prefill_utilisation(state, load, stages), state.prefill_busy), 1e-9, 0.97)
    unevenness = spread.burstiness + 1.0 + spread.squared_variation
    conditional = state.prefill_work_s * unevenness / (4.0 * (1.0 - busy))
    wait = np.maximum(conditional, state.queue_s / busy) * np.maximum(np.log(busy / (1.0 - share)), 0.0)
    last = np.maximum(load.concurrent - 1.0, 0.0) * state.prefill_work_s / stages
    bounded = np.where(burst | (np.asarray(load.open_arrivals) > 0.0), wait, np.minimum(wait, last))
    return np.asarray(bounded - state.queue_s)


def tpot_quantile_s(state: SteadyState, load: Load, statistic: str) -> Column:
    """Time per output token at `statistic`, averaged over one answer.

    The number of steps of an answer that carry the prefill of others is about Poisson with mean
    N = osl f, so the mean over the answer spreads by d sqrt(N) / osl.
    """
    interruptions = load.output_tokens * state.prefill_share
    spread = state.prefill_extra_s * np.sqrt(interruptions) / np.maximum(load.output_tokens, 1.0)
    return np.asarray(state.tpot_s + NORMAL_QUANTILES[statistic] * spread)


def e2e_quantile_s(state: SteadyState, load: Load, stages: Column, statistic: str, spread: Spread = EVEN) -> Column:
    """End-to-end time at `statistic`: mean, plus the spreads of both parts added as independent ones."""
    steps = np.maximum(load.output_tokens - 1.0, 0.0)
    mean = state.ttft_s + steps * state.tpot_s
    if statistic == "mean":
        return np.asarray(mean)
    first = ttft_quantile_s(state, load, stages, statistic, spread) - state.ttft_s
    rest = steps * (tpot_quantile_s(state, load, statistic) - state.tpot_s)
    longer = (length_factor(spread.outputs, statistic) - 1.0) * steps * state.tpot_s
    if statistic == "p50":
        return np.asarray(mean + first + rest + longer)
    return np.asarray(mean + np.sqrt(first**2 + rest**2 + longer**2))
