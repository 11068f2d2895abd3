"""Judgements on memory and speed, each with its margin and reason."""

from collections.abc import Sequence

from sizing.core.candidate import Performance
from sizing.core.memory import MemoryPlan
from sizing.core.units import GB, MS_PER_S
from sizing.core.values import Estimate, Message, State, Verdict
from sizing.core.workload import Target, Targets

TIGHT_MEMORY_SHARE = 0.05
"""Below this share of the budget left beside the longest request, engine updates may stop the start (assumption)."""


def memory_verdict(plan: MemoryPlan, cap: float, concurrent: float, *, conceded: Sequence[Message] = ()) -> Verdict:
    """Whether the replica starts, holds the longest request and all requests in flight.

    Caution where it does so only after a concession, whose first message is then the reason.
    """
    if not plan.fits:
        short = plan.short_bytes or plan.context_short_bytes
        return Verdict(
            state=State.FAIL, margin=plan.margin, message=Message("memory_does_not_fit", {"short_gb": short / GB})
        )
    held = {"sequences": int(cap), "wanted": concurrent, "pool_gb": plan.kv_pool_bytes / GB}
    if concurrent > cap:
        return Verdict(state=State.FAIL, margin=cap / concurrent - 1.0, message=Message("memory_holds_too_few", held))
    margin = min(plan.margin, 1.0 - concurrent / cap)
    if conceded:
        return Verdict(state=State.CAUTION, margin=margin, message=conceded[0])
    if plan.margin < TIGHT_MEMORY_SHARE or concurrent > 0.9 * cap:
        return Verdict(state=State.CAUTION, margin=margin, message=Message("memory_tight", held))
    return Verdict(state=State.OK, margin=margin, message=Message("memory_holds_all", held))


def speed_verdict(performance: Performance, targets: Targets) -> Verdict:
    """The tightest limit. Caution where the value keeps it and the upper end of its interval does not."""
    if performance.saturated:
        return Verdict(state=State.FAIL, margin=None, message=Message("speed_saturated"))
    worst: tuple[float, Target, Estimate] | None = None
    for limit in targets.limits:
        found = estimate_for(performance, limit)
        if found.value is None:
            continue
        margin = 1.0 - found.value / (limit.limit_s * MS_PER_S)
        if worst is None or margin < worst[0]:
            worst = (margin, limit, found)
    missed = _rate_missed(performance, targets)
    if missed is not None and (worst is None or missed.margin is None or missed.margin < worst[0]):
        return missed
    if worst is None:
        return Verdict(state=State.UNKNOWN, margin=None, message=Message("speed_no_limit_stated"))
    margin, limit, found = worst
    params = {
        "metric": limit.metric,
        "percentile": limit.percentile,
        "value_ms": found.value,
        "limit_ms": limit.limit_s * MS_PER_S,
        "high_ms": found.high,
    }
    if margin < 0.0:
        return Verdict(state=State.FAIL, margin=margin, message=Message("speed_limit_missed", params))
    if found.high is not None and found.high > limit.limit_s * MS_PER_S:
        return Verdict(state=State.CAUTION, margin=margin, message=Message("speed_limit_kept_not_surely", params))
    return Verdict(state=State.OK, margin=margin, message=Message("speed_limit_kept", params))


def _rate_missed(performance: Performance, targets: Targets) -> Verdict | None:
    wanted, rate = targets.output_tokens_per_s, performance.output_tokens_per_s_total.value
    if wanted is None or rate is None or rate >= wanted:
        return None
    message = Message("speed_token_rate_missed", {"tokens_per_s": rate, "wanted_tokens_per_s": wanted})
    return Verdict(state=State.FAIL, margin=rate / wanted - 1.0, message=message)


def estimate_for(performance: Performance, limit: Target) -> Estimate:
    """The estimate that a limit is about."""
    columns = {"ttft": performance.ttft_ms, "tpot": performance.tpot_ms, "e2e": performance.e2e_ms}
    return columns[limit.metric][limit.percentile]
