"""Words of the glossary in running text, each with its meaning as a tooltip where it first occurs on the page."""

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from config.help.marking import pieces
from sizing import figures

register = template.Library()


@register.simple_tag(takes_context=True)
def with_terms(context: Context, text: object, place: str = "in") -> SafeString:
    """The text, escaped, with its terms explained; use it in paragraphs, never inside a link or a button.

    Each term is explained once on a page; a part that is fetched later names its own `place`, so that ids differ.
    """
    language = "de" if figures.locale() == "de" else "en"
    taken = _taken(context, place)
    parts = []
    for piece in pieces(str(text or ""), language, taken=taken):
        if piece.term is None:
            parts.append(conditional_escape(piece.text))
            continue
        parts.append(
            format_html(
                '<span class="kv-term"><a href="{}#{}" aria-describedby="{id}">{}</a>'
                '<span role="tooltip" id="{id}">{}</span></span>',
                reverse("help:glossary"),
                piece.term.key,
                piece.text,
                piece.term.definition(language),
                id=f"{place}-{piece.term.key}",
            )
        )
    return mark_safe("".join(parts))  # noqa: S308  every part is escaped above


def _taken(context: Context, place: str) -> set[str]:
    """The terms that were explained before on this page, kept with its request."""
    request = context.get("request")
    if request is None:
        return set()
    by_place: dict[str, set[str]] = request.__dict__.setdefault("_terms_taken", {})
    return by_place.setdefault(place, set())
