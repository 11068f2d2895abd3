"""Waiting in front of devices that take batches: what a p95 limit leaves of the capacity."""

from math import log

MOST_BUSY = 0.9  # planned utilisation above this leaves no room for the hour that is busier than stated
P95_TAIL = 0.05


def wait_p95_s(service_s: float, utilisation: float, servers: int) -> float:
    """p95 of the wait before service with Poisson arrivals and constant service time; infinite when full.

    The share of arrivals that wait is about u^(sqrt(2 (c + 1)) - 1) of c servers (Sakasegawa), and their
    waits are about exponential with mean S / (2 c (1 - u)). One server: the M/D/1 mean of Pollaczek and
    Khinchine, u S / (2 (1 - u)).
    """
    if utilisation >= 1.0:
        return float("inf")
    if utilisation <= 0.0:
        return 0.0
    waiting = utilisation ** ((2.0 * (servers + 1)) ** 0.5 - 1.0)
    if waiting <= P95_TAIL:
        return 0.0
    return service_s / (2.0 * servers * (1.0 - utilisation)) * log(waiting / P95_TAIL)


def replicas_for(
    demand_per_s: float, capacity_per_s: float, service_s: float, *, limit_p95_s: float | None, most: int
) -> int | None:
    """Fewest devices that carry the demand and keep the limit; None where even `most` do not.

    `capacity_per_s` is that of one device, `service_s` the time of one batch on it. Utilisation stays below
    MOST_BUSY even without a limit.
    """
    if limit_p95_s is not None and service_s > limit_p95_s:
        return None
    count = max(1, int(-(-demand_per_s // (capacity_per_s * MOST_BUSY))))
    while count <= most:
        busy = demand_per_s / (capacity_per_s * count)
        late = limit_p95_s is not None and service_s + wait_p95_s(service_s, busy, count) > limit_p95_s
        if not late:
            return count
        count += max(1, count // 16)
    return None
