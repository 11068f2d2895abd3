"""The memory bar: segments in a fixed order with their place on a scale of per cents."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from sizing import figures
from sizing.charts import part_words

SMALLEST_SHARE = 0.4  # per cent of the bar: a thin segment stays visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One part of the bar. `x` and `width` are per cents with a point, as SVG wants them."""

    key: str
    label: str
    x: str
    width: str
    gb: str
    share: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryBar:
    """The bar and the sentence that a screen reader hears in its place. `limit_x` is set where it overflows.

    `why` begins the addresses of the explanations of its parts; empty where they do not open.
    """

    parts: list[Segment]
    label: str
    limit_x: str = ""
    why: str = ""


def memory_bar(parts_bytes: Mapping[str, float], *, usable_bytes: float, why: str = "") -> MemoryBar:
    """`parts_bytes` names weights, kv, activation and runtime; what is left of `usable_bytes` is free.

    An overfull bar goes on past a limit line, and its last segment says how much is missing.
    """
    words = part_words() | {"over": _("Missing")}
    used = {key: float(parts_bytes.get(key) or 0) for key in ("weights", "kv", "activation", "runtime")}
    total = sum(used.values())
    left = usable_bytes - total
    scale = max(total, usable_bytes)
    sizes = used | ({"free": left} if left >= 0 else {"over": -left})
    segments, at = [], 0.0
    for key, size in sizes.items():
        if key == "over":
            at = usable_bytes / scale * 100
        width = max(size / scale * 100, SMALLEST_SHARE if size > 0 else 0)
        segments.append(
            Segment(
                key=key,
                label=words[key],
                x=f"{at:.2f}",
                width=f"{min(width, 100 - at):.2f}",
                gb=figures.gigabytes(size),
                share=figures.percent(size / usable_bytes),
            )
        )
        at += width
    spoken = ", ".join(f"{segment.label} {segment.gb}" for segment in segments)
    limit = f"{usable_bytes / scale * 100:.2f}" if left < 0 else ""
    label = _("Memory, %(usable)s usable: %(parts)s") % {"usable": figures.gigabytes(usable_bytes), "parts": spoken}
    return MemoryBar(parts=segments, label=label, limit_x=limit, why=why)
