"""Caveats that stand beside the figure they limit, on pages and in documents.

The codes are stable: the JSON export carries them beside the sentences.
"""

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CAVEATS: Mapping[str, str | Promise] = {
    "rates": _("Rates of data sheets are no comparison of throughput."),
    "classes": _("Named roles and classes of requirement are no ranking of products."),
    "weights": _(
        "Weights alone leave out metadata, KV cache and runtime; a size such as 24 GB is no universal minimum."
    ),
    "precision": _(
        "A lower precision needs a check of the answers' quality, and helps only where hardware and engine support it."
    ),
    "conditions": _("Comparisons hold only under equal conditions: model, lengths, load, engine and precision."),
    "memory": _("A rule of thumb for memory is not reliable without the workload: length and load decide."),
    "screening": _("Screening sorts stated facts by rules. It is no certification and no legal advice."),
    "test": _("Test with your own load before buying."),
}


def texts(codes: Iterable[str]) -> tuple[str, ...]:
    """The sentences in the active language."""
    return tuple(str(CAVEATS[code]) for code in codes)
