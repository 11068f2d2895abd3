"""Formulas of one line as MathML: symbols with indices, numbers and signs, which screen readers read as mathematics."""

import re

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

_TOKEN = re.compile(
    r"(?P<power>[⁰¹²³⁴-⁹⁻]+)|(?P<number>\d+(?:\.\d+)?)|(?P<symbol>[^\W\d_⁰¹²³⁴-⁹][^\W_⁰¹²³⁴-⁹]*(?:_\w+)?)|(?P<sign>\S)"
)
_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789−")


def mathml(text: str) -> SafeString:
    """The formula as an element; what is no symbol, number or power stays an operator as it is written."""
    parts: list[SafeString] = []
    for token in _TOKEN.finditer(text):
        if token["power"] and parts:
            parts[-1] = format_html("<msup>{}<mn>{}</mn></msup>", parts[-1], token["power"].translate(_POWERS))
        else:
            parts.append(_element(token))
    row = format_html_join("", "{}", ((part,) for part in parts))
    return format_html('<math display="block" tabindex="0"><mrow>{}</mrow></math>', row)


def _element(token: re.Match[str]) -> SafeString:
    if token["number"]:
        return format_html("<mn>{}</mn>", token["number"])
    if not token["symbol"]:
        return format_html("<mo>{}</mo>", token[0])
    name, _index, index = token["symbol"].partition("_")
    if not index:
        return format_html("<mi>{}</mi>", name)
    return format_html("<msub><mi>{}</mi><mtext>{}</mtext></msub>", name, index.replace("_", " "))
