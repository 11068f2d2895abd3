"""Options on processors alone: which are not larger than needed, and what an accelerator would add to them."""

from collections.abc import Sequence
from dataclasses import replace

from sizing.core.candidate import Candidate
from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.kinds.candidate import KindCandidate
from sizing.core.values import Estimate, Message, Param, State


def on_processors(option: Candidate | KindCandidate) -> bool:
    """True where the option needs no accelerator."""
    return option.deployment.accelerator.kind is DeviceKind.CPU


COMFORTABLE = 1.0  # headroom: twice the load

type Line = tuple[str, float]


def right_sized(options: Sequence[Candidate | KindCandidate]) -> set[str]:
    """Slugs of the smallest processors of each line that carry the load twice; of the largest where none does.

    A line is one maker's processors of equal memory bandwidth: their price rises with their cores, so that a larger
    one is no better answer because its price alone happens to be known.
    """
    lines: dict[Line, list[Candidate | KindCandidate]] = {}
    for option in options:
        if on_processors(option):
            lines.setdefault(_line(option.deployment.accelerator), []).append(option)
    smallest = [min(each, key=_size) for each in lines.values()]
    return {option.deployment.accelerator.slug for option in smallest}


def _line(processors: Accelerator) -> Line:
    return processors.vendor.value, processors.bandwidth_bytes_per_s / max(processors.scale_up_domain, 1)


def _size(option: Candidate | KindCandidate) -> tuple[bool, int, float, float, str]:
    """Comfortable before tight; then fewer sockets, fewer watts, less arithmetic, slug."""
    deployment = option.deployment
    watts, peak = deployment.accelerator.tdp_w, max(deployment.accelerator.flops_per_s.values(), default=0.0)
    comfortable = option.headroom >= COMFORTABLE
    size = (deployment.accelerators_total, watts if watts is not None else float("inf"), peak)
    return (not comfortable, *(size if comfortable else (-size[0], -size[1], -size[2])), deployment.accelerator.slug)


def with_additions[T: (Candidate, KindCandidate)](options: Sequence[T]) -> list[T]:
    """Options on processors say which smallest accelerator option carries more, and how much more."""
    others = [o for o in options if not on_processors(o) and o.feasible]
    return [_with_addition(o, others) if others and on_processors(o) and o.feasible else o for o in options]


def _with_addition[T: (Candidate, KindCandidate)](option: T, others: Sequence[T]) -> T:
    more = [other for other in others if other.headroom > option.headroom and _is_step_up(other, option)]
    if not more:
        return replace(option, warnings=(*option.warnings, Message("kind_accelerator_adds_nothing", {})))
    best = min(more, key=fewest_first)
    params: dict[str, Param] = {
        "accelerator": best.deployment.accelerator.name,
        "devices": best.deployment.accelerators_total,
        "times": (1.0 + best.headroom) / (1.0 + option.headroom),
        "power_w": best.power_w.value,
    }
    code = "kind_accelerator_adds"
    if isinstance(option, Candidate) and isinstance(best, Candidate):
        code = "processors_accelerator_adds"
        params |= {"tpot_ms": _mean_ms(best, "tpot_ms"), "own_tpot_ms": _mean_ms(option, "tpot_ms")}
        params |= {"ttft_ms": _mean_ms(best, "ttft_ms"), "own_ttft_ms": _mean_ms(option, "ttft_ms")}
    return replace(option, warnings=(*option.warnings, Message(code, params)))


STEP_UP = 1.5
"""Times faster per token from which an accelerator is a step up for a language model (planning figure)."""

VOUCHED = (State.OK, State.CAUTION)


def _is_step_up(other: Candidate | KindCandidate, option: Candidate | KindCandidate) -> bool:
    """For a language model: a part of a server that is sold, with software that a source names, and clearly faster."""
    if not isinstance(other, Candidate) or not isinstance(option, Candidate):
        return True
    device = other.deployment.accelerator
    known = other.software_verdict.state in VOUCHED and device.status != "eol" and device.kind is not DeviceKind.EDGE
    fast, slow = _mean_ms(other, "tpot_ms"), _mean_ms(option, "tpot_ms")
    return known and fast is not None and slow is not None and fast * STEP_UP <= slow


def _mean_ms(option: Candidate, metric: str) -> float | None:
    found: Estimate = getattr(option.performance, metric)["mean"]
    return found.value


def fewest_first(candidate: Candidate | KindCandidate) -> tuple[int, float, str]:
    """Key of the order by devices in total, then power, then slug."""
    power = candidate.power_w.value
    slug = candidate.deployment.accelerator.slug
    return (candidate.deployment.accelerators_total, power if power is not None else float("inf"), slug)
