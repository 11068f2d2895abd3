"""What an accelerator would add to an option that runs on processors alone."""

from collections.abc import Sequence
from dataclasses import replace

from sizing.core.candidate import Candidate
from sizing.core.hardware import DeviceKind
from sizing.core.kinds.candidate import KindCandidate
from sizing.core.values import Message, Param


def on_processors(option: Candidate | KindCandidate) -> bool:
    """True where the option needs no accelerator."""
    return option.deployment.accelerator.kind is DeviceKind.CPU


def with_additions(options: Sequence[KindCandidate]) -> list[KindCandidate]:
    """Options on processors say which smallest accelerator option carries more, and how much more."""
    others = [o for o in options if not on_processors(o)]
    return [_with_addition(o, others) if others and on_processors(o) else o for o in options]


def _with_addition(option: KindCandidate, others: Sequence[KindCandidate]) -> KindCandidate:
    more = [other for other in others if other.headroom > option.headroom]
    if not more:
        return replace(option, warnings=(*option.warnings, Message("kind_accelerator_adds_nothing", {})))
    best = min(more, key=fewest_first)
    params: dict[str, Param] = {
        "accelerator": best.deployment.accelerator.name,
        "devices": best.deployment.accelerators_total,
        "times": (1.0 + best.headroom) / (1.0 + option.headroom),
        "power_w": best.power_w.value,
    }
    return replace(option, warnings=(*option.warnings, Message("kind_accelerator_adds", params)))


def fewest_first(candidate: KindCandidate) -> tuple[int, float, str]:
    """Key of the order by devices in total, then power, then slug."""
    power = candidate.power_w.value
    slug = candidate.deployment.accelerator.slug
    return (candidate.deployment.accelerators_total, power if power is not None else float("inf"), slug)
