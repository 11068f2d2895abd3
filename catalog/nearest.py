"""Names near a wrong one: same maker and series before a chance likeness of letters."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

LEAST = 0.55
_WORDS = re.compile(r"[^0-9a-z.]+")


def nearest_names(wanted: str, known: Iterable[str], *, count: int = 3) -> list[str]:
    """At most `count` of the known names, nearest first; ties in the order of the alphabet.

    Each word of the wanted name meets the word that shares its longest beginning, so that "h1000" is nearer to
    "nvidia-h100-pcie-80gb" than to "hailo-10h". Names that share little are left out.
    """
    words = _split(wanted)
    scored = sorted((-_likeness(wanted.casefold(), words, name), name) for name in known)
    return [name for score, name in scored[:count] if -score >= LEAST]


def _likeness(wanted: str, words: Sequence[str], name: str) -> float:
    others = _split(name)
    if not words or not others:
        return 0.0
    letters = sum(map(len, words))
    shared = sum(len(word) * max(_beginning(word, other) for other in others) for word in words) / letters
    return 0.8 * shared + 0.2 * SequenceMatcher(None, wanted, name.casefold()).ratio()


def _beginning(one: str, other: str) -> float:
    """How much of two words is their common beginning, 0..1; a slip inside a word counts a little less."""
    length = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    length = min(len(one), len(other)) if length is None else length
    return max(2 * length / (len(one) + len(other)), 0.9 * SequenceMatcher(None, one, other).ratio() ** 2)


def _split(name: str) -> list[str]:
    return [word for word in _WORDS.split(name.casefold()) if word]
