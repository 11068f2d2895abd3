"""Which one-byte code page a text without Unicode is written in: Windows, DOS or Macintosh."""

import re

CODE_PAGES = ("cp1252", "cp850", "mac_roman")  # the earlier wins where two read equally well
SAMPLE_BYTES = 200_000
_LETTERS = frozenset("äöüÄÖÜßéèêëàâçîïôûùÉÈÀÇñáíóúåøæÅØÆłńśžšč")
_SIGNS = frozenset("€£§°²³µ×½¼±«»„“”‚‘’–—…•®™©\u00a0´")
_ASCII_LETTER = re.compile(r"[A-Za-z]")


def likeliest_code_page(data: bytes) -> str:
    """The code page under which most bytes above 127 are letters within words, or signs outside them."""
    sample = data[:SAMPLE_BYTES]
    scores = {page: _score(sample, page) for page in CODE_PAGES}
    best = max(CODE_PAGES, key=lambda page: scores[page])
    return best if scores[best] > max(0.5, scores["cp1252"]) else "cp1252"


def _score(sample: bytes, page: str) -> float:
    """The share of signs above 127 that make sense where they stand, 0..1; 0 for a page that lacks one."""
    try:
        text = sample.decode(page)
    except UnicodeDecodeError:
        return 0.0
    high = [at for at, sign in enumerate(text) if sign > "\x7f"]
    return sum(_makes_sense(text, at) for at in high) / len(high) if high else 0.0


def _makes_sense(text: str, at: int) -> bool:
    in_word = bool(_ASCII_LETTER.match(text[at - 1 : at]) or _ASCII_LETTER.match(text[at + 1 : at + 2]))
    between = bool(_ASCII_LETTER.match(text[at - 1 : at]) and _ASCII_LETTER.match(text[at + 1 : at + 2]))
    return (text[at] in _LETTERS and in_word) or (text[at] in _SIGNS and (not between or text[at] in "’´"))
