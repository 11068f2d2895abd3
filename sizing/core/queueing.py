"""Closed forms of waiting and spread: the first filter of a search and a check on the simulation."""

import numpy as np

from sizing.core.closed_loop import Load, SteadyState
from sizing.core.points import Column

NORMAL_QUANTILES = {"mean": 0.0, "p50": 0.0, "p95": 1.6449, "p99": 2.3263}
SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}


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
    return load.concurrent * state.prefill_work_s / (stages * load.output_tokens * state.tpot_s)


def ttft_quantile_s(state: SteadyState, load: Load, stages: Column, statistic: str, burstiness: float = 1.0) -> Column:
    """Time to first token at `statistic`: the mean, or a wait behind the prefill of others on top of the rest.

    The prefill stage is a queue with utilisation x. A share x of requests waits, and the waits of
    those are about exponential with mean S (1 + burstiness) / (4 (1 - x)); burstiness 1 gives the
    M/D/1 mean. Quantile q of the wait: mean conditional wait x ln(x / (1 - q)), at least 0.
    """
    if statistic == "mean":
        return state.ttft_s
    busy = np.clip(prefill_utilisation(state, load, stages), 0.0, 0.97)
    conditional = state.prefill_work_s * (1.0 + burstiness) / (4.0 * (1.0 - busy))
    wait = conditional * np.maximum(np.log(np.maximum(busy, 1e-9) / (1.0 - SHARES[statistic])), 0.0)
    # a prompt also waits for the step that runs when it comes: up to one decode step more than the mean
    step = state.decode_step_s * (SHARES[statistic] - 0.5)
    return np.asarray(state.ttft_s + wait + step)


def tpot_quantile_s(state: SteadyState, load: Load, statistic: str) -> Column:
    """Time per output token at `statistic`, averaged over one answer.

    The number of steps of an answer that carry the prefill of others is about Poisson with mean
    N = osl f, so the mean over the answer spreads by d sqrt(N) / osl.
    """
    interruptions = load.output_tokens * state.prefill_share
    spread = state.prefill_extra_s * np.sqrt(interruptions) / np.maximum(load.output_tokens, 1.0)
    return np.asarray(state.tpot_s + NORMAL_QUANTILES[statistic] * spread)


def e2e_quantile_s(state: SteadyState, load: Load, stages: Column, statistic: str, burstiness: float = 1.0) -> Column:
    """End-to-end time at `statistic`: mean, plus the spreads of both parts added as independent ones."""
    steps = np.maximum(load.output_tokens - 1.0, 0.0)
    mean = state.ttft_s + steps * state.tpot_s
    if statistic == "mean":
        return np.asarray(mean)
    first = ttft_quantile_s(state, load, stages, statistic, burstiness) - state.ttft_s
    rest = steps * (tpot_quantile_s(state, load, statistic) - state.tpot_s)
    return np.asarray(mean + np.sqrt(first**2 + rest**2))
