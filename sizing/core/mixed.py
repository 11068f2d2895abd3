"""Different accelerators in one replica: refused, with what the weakest of them would hold in their place.

Ranks of one collective wait for the slowest, and every rank gets an equal share of weights and cache, so a
mixed replica holds and does what as many of the weakest do. No engine splits unevenly on its own.
"""

from collections.abc import Callable
from dataclasses import replace

from sizing.core.candidate import Recommendation, Rejection
from sizing.core.errors import InvalidDeployment
from sizing.core.hardware import Accelerator
from sizing.core.request import CoreCatalogue, CoreRequest
from sizing.core.values import Message, Param
from sizing.core.workload import Pinned


def mixed_refused(
    request: CoreRequest, catalogue: CoreCatalogue, sized: Callable[[CoreRequest], Recommendation]
) -> Recommendation:
    """One rejection that names the weakest accelerator, and as its fix the same count of it where that serves.

    `sized` answers a request. Raises InvalidDeployment for an accelerator that the catalogue lacks.
    """
    pinned = request.pinned or Pinned()
    known = {each.slug: each for each in catalogue.accelerators}
    missing = next((slug for slug, _ in pinned.accelerators if slug not in known), None)
    if missing is not None:
        raise InvalidDeployment("pinned_accelerator_unknown", "/deployment/accelerators", value=missing)
    devices = [known[slug] for slug, _ in pinned.accelerators]
    total = sum(count for _, count in pinned.accelerators)
    weakest = min(devices, key=lambda each: (each.usable_memory_bytes, each.bandwidth_bytes_per_s, each.slug))
    found = sized(replace(request, pinned=replace(pinned, accelerators=(), accelerator=weakest.slug, count=total)))
    message = _reason(devices, weakest)
    if found.options:
        fix = Message("fix_weakest", {"count": total, "device": weakest.name})
        refused = Rejection(accelerator=weakest.slug, message=message, cheapest_fix=fix, fixes=(fix,))
    else:
        first = found.rejected[0]
        refused = replace(first, accelerator=weakest.slug, message=message)
    return replace(found, options=(), rejected=(refused,))


def _reason(devices: list[Accelerator], weakest: Accelerator) -> Message:
    names: dict[str, Param] = {"names": " + ".join(dict.fromkeys(each.name for each in devices))}
    if len({each.vendor for each in devices}) > 1:
        return Message("accelerators_of_several_makers", names)
    gb: Param = weakest.usable_memory_bytes / 1e9
    return Message("accelerators_mixed", names | {"weakest": weakest.name, "usable_gb": gb})
