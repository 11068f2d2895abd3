"""Percentiles of one option from the event simulation."""

from sizing.core.assemble import Chosen, Latencies, at_row, closed_form
from sizing.core.errors import InvalidWorkload
from sizing.core.grid import prefix_tokens
from sizing.core.parallelism import Phases
from sizing.core.simulate.apart import Apart
from sizing.core.simulate.metrics import Outcome
from sizing.core.simulate.option import rules_of, simulate


def simulated_latencies(one: Chosen, outcome: Outcome) -> Latencies:
    """Statistics of a simulation in seconds; in a closed loop spread around the calibrated means.

    The closed form is what was fitted to measured means, so in a closed loop it gives the mean and
    the simulation the shape around it. With open arrivals the queue before the prefill belongs to
    the mean, and only the simulation has it.
    """
    found = {metric: dict(outcome.statistics(metric)) for metric in ("ttft", "tpot", "e2e")}
    if one.grid.request.traffic.concurrent_requests is None:
        return found
    fitted = closed_form(one)[0]
    return {
        metric: {name: value * fitted[metric]["mean"] / by["mean"] for name, value in by.items()}
        for metric, by in found.items()
    }


def run_simulation(one: Chosen, row: int) -> Outcome | None:
    """Simulate row `row` at its load. None where its longest mean request does not fit the cache."""
    grid, request = one.grid, one.grid.request
    prefix = prefix_tokens(request, one.combination(row).engine)
    held = max(float(grid.sequence_bytes[row]), 1e-9)
    mean_tokens = request.traffic.input_tokens.mean + 0.6 * request.traffic.output_tokens.mean  # prefix in each
    phases = one.combination(row).phases
    instances = phases.decode if phases is not None else 1
    pool = float(grid.pool_bytes[row] * grid.ranks[row]) / instances / held * mean_tokens
    rules = rules_of(
        one.points,
        one.load,
        one.state,
        row,
        cap_tokens=pool,
        max_sequences=float(grid.max_sequences[row]) / instances,
        at=one.coefficients,
    )
    try:
        return simulate(
            rules,
            request.traffic,
            one.state,
            row,
            prefix_tokens=prefix,
            replicas=int(one.replicas[row]),
            seed=request.seed,
            apart=_apart(one, row, phases),
        )
    except InvalidWorkload:
        return None


def _apart(one: Chosen, row: int, phases: Phases | None) -> Apart | None:
    """Instances and handover of a replica whose phases run apart, for the simulation."""
    if phases is None:
        return None
    handover_s = at_row(one.load.handover_s, row) / one.grid.request.traffic.input_tokens.mean
    return Apart(prefill=phases.prefill, decode=phases.decode, handover_s_per_token=handover_s)
