"""Counts and ratios of an option, opened: requests and tokens held at once, output for each watt and rack unit."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from sizing import figures
from sizing.explanation_parts import Explanation, SumRow
from sizing.presentation import OptionView


def count_explanation(option: OptionView, request: Mapping[str, Any], key: str) -> Explanation | None:
    """The explanation of one count, or None where `key` names none or the option lacks it."""
    build = COUNTS.get(key)
    return build(option) if build else None


def capacity(option: OptionView) -> Explanation | None:
    each, replicas = option.data.get("max_concurrent_requests_per_replica"), int(option.data.get("replicas") or 1)
    if each is None or option.capacity is None:
        return None
    return Explanation(
        key="capacity",
        title=_("Requests held at once, in total"),
        text=figures.number(option.capacity),
        rule=_("per replica the smaller of what the KV cache holds and what the engine admits, times the replicas"),
        rows=[
            SumRow(label=_("Requests per replica"), value=figures.number(each)),
            SumRow(label=_("Replicas"), term="×", value=figures.number(replicas)),
        ],
        total=figures.number(option.capacity),
        source=_("Memory of the option: formula, numbers and source of each part stand in its table of memory."),
    )


def tokens_held(option: OptionView) -> Explanation | None:
    tokens = option.data.get("kv_tokens_per_replica")
    if tokens is None:
        return None
    pool = (option.data.get("memory_per_accelerator") or {}).get("kv_pool_bytes")
    rows = [SumRow(label=_("KV cache per accelerator"), value=figures.gigabytes(pool))] if pool is not None else []
    return Explanation(
        key="tokens",
        title=_("Tokens held per replica"),
        text=figures.number(tokens),
        rule=_("KV cache of an accelerator over the bytes of a token there, in whole blocks, times the copies"),
        rows=rows,
        total=figures.with_unit(figures.number(tokens), _("tokens")),
        source=_("Memory of the option: formula, numbers and source of each part stand in its table of memory."),
    )


def per_watt(option: OptionView) -> Explanation | None:
    power = (option.power or {}).get("value")
    if power is None:
        return None
    below = SumRow(label=_("Power draw"), term="/", value=figures.watts(power), url=f"{option.url}?why=draw")
    return _ratio(option, "per_w", _("Output per watt"), below)


def per_rack_unit(option: OptionView) -> Explanation | None:
    units = option.data.get("rack_units")
    if units is None:
        return None
    below = SumRow(label=_("Height"), term="/", value=figures.with_unit(figures.figure(units), _("U")))
    return _ratio(option, "per_rack_unit", _("Output per rack unit"), below)


def _ratio(option: OptionView, key: str, title: str, below: SumRow) -> Explanation | None:
    """Output of the option over one other figure of it."""
    value = option.efficiency.get(key)
    if value is None:
        return None
    output = (option.throughput or {}).get("value")
    shown = "" if output is None else figures.with_unit(figures.figure(output), _("tokens/s"))
    above = SumRow(label=_("Output in total"), value=shown, url=f"{option.url}?why=throughput")
    return Explanation(
        key=key,
        title=title,
        text=figures.figure(value),
        rule=_("what the option puts out over what it takes"),
        rows=[above, below] if shown else [below],
        total=figures.figure(value),
        source=_("The two figures above, each with its own source."),
    )


COUNTS: dict[str, Callable[[OptionView], Explanation | None]] = {
    "capacity": capacity,
    "tokens": tokens_held,
    "per_w": per_watt,
    "per_rack_unit": per_rack_unit,
}
