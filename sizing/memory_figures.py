"""The parts of a memory answer as a table prints them: label, value, formula, the same with numbers, source."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from sizing import figures

PER_TOKEN = ("token", "window_bounds")
SMALLEST_GB_BYTES = 1e7


def figure_row(figure: Mapping[str, Any]) -> dict[str, str]:
    """One figure of a localised result (`memory_figures`)."""
    value = float(figure["value_bytes"])
    small = figure["name"] in PER_TOKEN or abs(value) < SMALLEST_GB_BYTES
    shown = figures.with_unit(figures.number(value), _("bytes")) if small else figures.gigabytes(value, 2)
    return {
        "label": str(figure["label"]),
        "value": shown,
        "formula": str(figure["formula"]),
        "numbers": str(figure["numbers"]),
        "source": source_words(str(figure["source"])),
    }


def source_words(source: str) -> str:
    """The source of a figure; rules of our own by their words."""
    words = {
        "usable_memory_rule": _("no driver reports it: the smallest share of the printed capacity in any report"),
        "processor_memory_rule": _("one 64 GB module per channel, a tenth left to the system"),
        "processor_memory_need": _(
            "the smallest module per channel that holds model and caches; 72 GB and a tenth left to the system"
        ),
        "config.json": _("the model's config.json"),
    }
    return words.get(source, source)
