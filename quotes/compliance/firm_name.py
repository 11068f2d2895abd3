"""How a firm's name is read: words without legal form, Han signs simplified, other scripts as they look."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from quotes.compliance.words import (
    ABBREVIATIONS,
    DIGITS_AS_LETTERS,
    GENERIC,
    HAN_VARIANTS,
    LEGAL_FORMS,
    LEGAL_PHRASES,
    LOOK_ALIKES,
    PARTICLES,
    PLACES,
    word_set,
)

_BLANK_NAMES = word_set(
    "na n a none nil null unknown unbekannt tbd tba tbc various diverse generic noname no name unspecified oem odm "
    "unbranded other nk ka div verschiedene misc any tbn whitebox"
) | {
    "n a",
    "no name",
    "not available",
    "not known",
    "not specified",
    "not stated",
    "keine angabe",
    "k a",
    "x",
    "oem odm",
    "to be determined",
    "to be confirmed",
    "see bom",
    "see datasheet",
    "white box",
    "third party",
}
_APOSTROPHES = re.compile(r"['’`´ʼ]")
_INITIALS = re.compile(r"\b(\w)\.(?=\w\b)")
_PUNCTUATION = re.compile(r"[^\w]|_")
HAN_SIGN = re.compile(r"[㐀-鿿豈-﫿]")
_HAN_EDGE = re.compile(r"(?<=[㐀-鿿豈-﫿])(?=[^\W㐀-鿿豈-﫿])|(?<=[^\W㐀-鿿豈-﫿])(?=[㐀-鿿豈-﫿])")
_SMALL_L = re.compile(r"(?<=[A-Z])l(?=[A-Z]|\b)")  # drawn like the capital I beside it
_SPELLED = re.compile(r"\b[a-z](?: [a-z])+\b")
_MIXED = re.compile(r"\b(?=\w*[a-z])(?=\w*[0-9])\w+\b")


@dataclass(frozen=True, slots=True)
class Name:
    """A firm name as the matcher reads it."""

    raw: str
    tokens: tuple[str, ...]  # without legal forms
    han: str  # simplified
    latin: tuple[str, ...]  # the tokens without those of Han signs
    drawn: str = ""  # how the name looks where signs of other scripts or digits stand for letters

    @staticmethod
    def read(raw: str) -> "Name":
        return _read(raw)

    @property
    def core(self) -> str:
        return " ".join(self.tokens)

    @property
    def is_blank(self) -> bool:
        return not self.tokens or self.core in _BLANK_NAMES


@lru_cache(maxsize=20_000)
def _read(raw: str) -> Name:
    words = normalise(raw)
    tokens = _core(words.split())
    if words.isascii():
        return Name(raw, tokens, "", tokens, _drawn(raw, words))
    han = "".join(HAN_SIGN.findall(words.translate(HAN_VARIANTS)))
    return Name(raw, tokens, han, tuple(word for word in tokens if not HAN_SIGN.search(word)), _drawn(raw, words))


def _drawn(raw: str, words: str) -> str:
    """The name with each sign of another script, digit inside a word and l among capitals as it looks."""
    shown = _SMALL_L.sub("I", raw)
    is_plain = words.isascii() and shown == raw
    folded = words if is_plain else normalise(unicodedata.normalize("NFKC", shown).translate(LOOK_ALIKES))
    seen = _MIXED.sub(lambda word: word.group().translate(DIGITS_AS_LETTERS), folded)
    return "" if seen == words else seen


def normalise(text: str) -> str:
    """NFKC, case folded, Latin accents dropped, & as and, punctuation as blanks, "z.t.e." and "z t e" as "zte".

    Han signs and other ones are words of their own.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if not folded.isascii():
        folded = "".join(
            _bare(sign) for sign in folded if sign.isspace() or unicodedata.category(sign) not in ("Cf", "Cc")
        )
        folded = _HAN_EDGE.sub(" ", folded)
    kept = _INITIALS.sub(r"\1", folded.replace("&", " and "))
    words = " ".join(_PUNCTUATION.sub(" ", _APOSTROPHES.sub("", kept)).split())
    return _SPELLED.sub(lambda run: run.group().replace(" ", ""), words)


def is_blank(text: str) -> bool:
    """Whether a maker field names nobody: empty, or filler such as "n/a" or "various"."""
    return Name.read(text).is_blank


def _bare(sign: str) -> str:
    if sign.isascii() or not unicodedata.name(sign, "").startswith(("LATIN", "COMBINING")):
        return sign
    return "".join(part for part in unicodedata.normalize("NFD", sign) if unicodedata.category(part) != "Mn")


def _core(words: Iterable[str]) -> tuple[str, ...]:
    words = tuple(ABBREVIATIONS.get(word, word) for word in words)
    kept = words
    for phrase in LEGAL_PHRASES:
        if kept[-len(phrase) :] == phrase:
            kept = kept[: -len(phrase)]
    return tuple(word for word in kept if word not in LEGAL_FORMS) or words


def is_empty_word(word: str) -> bool:
    """Whether a word says nothing on who the firm is: generic, a place, a legal form, a particle."""
    return word in GENERIC or word in PLACES or word in LEGAL_FORMS or word in PARTICLES
