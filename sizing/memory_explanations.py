"""Memory of one accelerator, opened: each part of its bar, and each figure with formula, numbers and source."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from sizing import figures
from sizing.charts import memory_parts, part_words
from sizing.explanation_parts import Explanation, SumRow
from sizing.memory_figures import figure_row
from sizing.presentation import OptionView

BEGINS = "mem-"
# Parts of the bar -> the figures that add up to it
MADE_OF = {
    "weights": ("weights",),
    "activation": ("sampler", "activations"),
    "runtime": ("runtime", "collectives", "encoder"),
}
OF_BAR = ("weights", "kv", "activation", "runtime")


def memory_explanation(option: OptionView, key: str) -> Explanation | None:
    """The explanation of `mem-free` or another part of the bar, or of a figure such as `mem-figure-token`."""
    name = key.removeprefix(BEGINS)
    if name == key:
        return None
    if name.startswith("figure-"):
        return _of_figure(option, key, name.removeprefix("figure-"))
    if not (option.data.get("memory_per_accelerator") or {}).get("usable_bytes"):
        return None
    if name == "free":
        return _free(option, key)
    return _of_part(option, key, name) if name in OF_BAR else None


def _figures(option: OptionView) -> dict[str, Mapping[str, Any]]:
    return {str(figure["name"]): figure for figure in option.data.get("memory_figures") or []}


def _of_figure(option: OptionView, key: str, name: str) -> Explanation | None:
    found = _figures(option).get(name)
    if found is None:
        return None
    row = figure_row(found)
    return Explanation(
        key=key, title=row["label"], text=row["value"], rule=row["formula"],
        rows=[SumRow(label=row["numbers"], value=row["value"])] if row["numbers"] else [], source=row["source"],
    )  # fmt: skip


def _of_part(option: OptionView, key: str, name: str) -> Explanation:
    """One part of the bar as the sum of its figures; the cache as the filled share of its pool."""
    value = figures.gigabytes(memory_parts(option)[name] * 1e9)
    if name == "kv":
        rule, rows = _("pool of the KV cache × the share of it that the stated load fills"), _cache_rows(option)
    else:
        rule, rows = _("the sum of its parts"), _part_rows(option, MADE_OF[name])
    return Explanation(
        key=key, title=_("%(part)s, per accelerator") % {"part": part_words()[name]}, text=value, rule=rule, rows=rows,
        total=value, source=_source(),
    )  # fmt: skip


def _part_rows(option: OptionView, names: tuple[str, ...]) -> list[SumRow]:
    known = _figures(option)
    rows: list[SumRow] = []
    for name in names:
        if name in known:
            row, url = figure_row(known[name]), f"{option.url}?why=mem-figure-{name}"
            rows.append(SumRow(label=row["label"], term="+" if rows else "", value=row["value"], url=url))
    return rows


def _cache_rows(option: OptionView) -> list[SumRow]:
    pool = float((option.data.get("memory_per_accelerator") or {}).get("kv_pool_bytes") or 0)
    share = ((option.data.get("utilisation") or {}).get("kv") or {}).get("value")
    url = f"{option.url}?why=mem-figure-pool" if "pool" in _figures(option) else ""
    rows = [SumRow(label=_("Pool of the KV cache"), value=figures.gigabytes(pool), url=url)]
    if share is not None:
        filled = figures.percent(min(1.0, float(share)))
        url = f"{option.url}?why=kv"
        rows.append(SumRow(label=_("Utilisation of the KV cache"), term="×", value=filled, url=url))
    return rows


def _free(option: OptionView, key: str) -> Explanation:
    """What is left of the usable memory at the stated load."""
    memory, split = option.data["memory_per_accelerator"], memory_parts(option)
    usable_url = f"{option.url}?why=mem-figure-usable" if "usable" in _figures(option) else ""
    rows = [SumRow(label=_("Usable memory"), value=figures.gigabytes(memory["usable_bytes"]), url=usable_url)]
    rows += [
        SumRow(
            label=part_words()[name], term=figures.MINUS, value=figures.gigabytes(split[name] * 1e9),
            url=f"{option.url}?why={BEGINS}{name}",
        )
        for name in OF_BAR
    ]  # fmt: skip
    value = figures.gigabytes(split["free"] * 1e9)
    return Explanation(
        key=key, title=_("Memory free per accelerator"), text=value,
        rule=_("usable memory − weights − KV cache at the stated load − activations − runtime"), rows=rows, total=value,
        source=_source(),
    )  # fmt: skip


def _source() -> str:
    return _("Memory of the option: formula, numbers and source of each part stand in its table of memory.")
