"""Power of accelerators under load and the energy of a million tokens."""

from sizing.core.values import Basis, Estimate

IDLE_SHARE = 0.2
"""Idle draw of a data-centre accelerator over its limit: H100 SXM 70-120 W of 700 W (assumption)."""

MEMORY_BOUND_SHARE = 0.65
"""Draw over limit while memory reads bind: decode on H100 draws about 60-70 % (assumption)."""

LOW_SHARE = 0.75  # of the estimate
JOULES_PER_KWH = 3.6e6


def accelerator_power_w(tdp_w: float | None, *, busy: float, compute: float) -> Estimate:
    """Mean draw of one accelerator.

    `busy` is the share of time in which a step runs, `compute` the share of peak arithmetic
    reached. Idle plus busy x (memory-bound draw + the rest in proportion to arithmetic); never
    above the limit, which is the upper bound of the interval. Unknown without a limit.
    """
    if tdp_w is None:
        return Estimate.unknown("W")
    active = MEMORY_BOUND_SHARE + (1.0 - MEMORY_BOUND_SHARE) * min(compute / 0.6, 1.0)
    share = IDLE_SHARE + (active - IDLE_SHARE) * min(max(busy, 0.0), 1.0)
    value = tdp_w * min(share, 1.0)
    return Estimate(
        value=value, low=value * LOW_SHARE, high=tdp_w, unit="W", basis=Basis.FORMULA, explain="accelerator_power"
    )


def energy_kwh_per_million_tokens(power_w: Estimate, tokens_per_s: Estimate) -> Estimate:
    """kWh that the accelerators draw for a million output tokens; idle time included. No PUE, no host."""
    if power_w.value is None or not tokens_per_s.value or power_w.low is None or power_w.high is None:
        return Estimate.unknown("kWh/Mtok")
    scale = 1e6 / JOULES_PER_KWH
    low_rate = tokens_per_s.low or tokens_per_s.value
    high_rate = tokens_per_s.high or tokens_per_s.value
    return Estimate(
        value=power_w.value / tokens_per_s.value * scale,
        low=power_w.low / high_rate * scale,
        high=power_w.high / low_rate * scale,
        unit="kWh/Mtok",
        basis=Basis.FORMULA,
        explain="energy_per_token",
    )
