"""Supplier lines to products: exact number, normalised number, then the description, precision before recall.

A description names a product only where its model, memory and form leave exactly one, and nothing in
it speaks of a cable, a licence, a system or several pieces. Everything else is asked or left alone.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from catalog.imports.match_text import MEMORY, SXM, Text, plain_text, read_text
from catalog.imports.match_words import (
    ARCHITECTURES,
    BOARD_SERIES,
    FOR_A_SYSTEM,
    GPU_WORDS,
    MODEL_STOP_WORDS,
    NOT_A_CARD,
    OR_ANOTHER,
    OTHER_PRODUCT_ENDINGS,
    QUALIFIERS,
    SPEC_WORDS,
    TRAILING_WORDS,
    VENDOR_WORDS,
    WITH_ACCESSORY,
)
from catalog.part_numbers import normalise_mpn

THRESHOLD = 0.7
SHORT_ALONE = 0.45  # the score of "A40" where nothing else speaks of a card: a phone, a projector, a label tape
NUMBER_LETTERS_MIN = 6
_SEVERAL = re.compile(
    r"(?<![a-z0-9])(\d{1,2}) ?(?:x|×|st(?:ü|ue)ck|pcs)(?= ?[a-z])"
    r"|\b(?:pack|set|lot|box) of (\d{1,3})\b|\b(?:qty|menge|anzahl) (\d{1,3})\b"
    r"|\b(\d{1,2})[- ]?(?:way|gpus?|fach|pack|stk|st(?:ü|ue)ck|pcs|pieces|er[- ]?(?:pack|set))\b"
)
_WITHIN = re.compile(r"\b(?:with|mit|w|incl|inkl|including|inklusive|avec|plus|featuring|powered by)\b")
_FOR = re.compile(r"\b(?:for|für|fuer|per|pour|voor)\b")
_FOREIGN_LETTERS_MIN = 3
_REMARK_LETTERS_MAX = 5  # of one unknown word behind a card that all else confirms: "CTO", "PULL"
_CONFIRMED = 0.8
_CARD_WORDS = VENDOR_WORDS | GPU_WORDS | ARCHITECTURES | QUALIFIERS | SPEC_WORDS | BOARD_SERIES
_CUT_OFF_WORDS = frozenset(word for word in _CARD_WORDS if not NOT_A_CARD.search(word))
_CUT_OFF_AT = 36  # exports cut descriptions at 40, 50 or 60 signs, in the middle of a word
_SYSTEM_CODE = re.compile(r"(?!fp\d)[a-z]{1,3}\d{3,4}[a-z]{0,2}")
_DESIGNATION = re.compile(r"\b([a-z]{1,2}) ?(\d{3,4}[a-z]?)\b")  # of the maker: T5000, HL-325L
_WITH_LICENCE = re.compile(rf"{_WITHIN.pattern}(?: \S+){{0,4}}? (?:nvaie\S*|(?:nvidia )?ai enterprise)\b.*$")


class Verdict(StrEnum):
    MATCH = "match"
    ASK = "ask"
    NOT_A_PRODUCT = "not_a_product"  # a cable, licence, system or bundle for one
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A product of the catalogue as its data sheet names it."""

    slug: str
    vendor: str
    name: str
    variant: str
    form_factor: str
    memory_gb: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    verdict: Verdict
    slug: str = ""
    step: str = ""
    score: float = 0.0
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """What a description must hold to name a product."""

    product: Product
    core: tuple[str, ...]  # consecutive words
    also: frozenset[str]  # words anywhere
    form: str
    memories: frozenset[int]
    edition: str
    is_designation: bool = False  # known by "HL-325L" instead of by its name

    @property
    def is_short(self) -> bool:
        return len(self.core) == 1 and len(self.core[0]) <= 3


@dataclass(slots=True, kw_only=True)
class Matcher:
    """The catalogue's products and part numbers, prepared for many lines.

    `numbers` maps part numbers to a slug, or to "" for a known number that is no such product.
    """

    products: Sequence[Product]
    numbers: Mapping[str, str] = field(default_factory=dict)
    _by_sign: dict[str, list[_Model]] = field(default_factory=dict)  # under the most telling word of each
    _exact: dict[str, str] = field(default_factory=dict)
    _normalised: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for product in filter(_is_sold_as_card, self.products):
            for model in _models(product):
                self._by_sign.setdefault(_sign(model.core), []).append(model)
        for number, slug in self.numbers.items():
            self._exact[number] = slug
            self._normalised.setdefault(normalise_mpn(number), set()).add(slug)

    def match(self, *, mpn: str = "", description: str = "") -> Match:
        """The product of a line by its number, else by its words; what stays open is asked."""
        found = self._by_number(mpn)
        if found is None:
            found = self._by_number_in(description)
        return found or self._by_description(description or mpn)

    def _by_number(self, mpn: str) -> Match | None:
        number = mpn.strip().removesuffix("=")
        if number in self._exact:
            return _of_number(self._exact[number], "exact")
        slugs = self._normalised.get(normalise_mpn(number), set()) if number else set()
        if len(slugs) == 1:
            return _of_number(next(iter(slugs)), "normalised")
        return Match(verdict=Verdict.ASK, step="normalised", candidates=tuple(sorted(slugs))) if slugs else None

    def _by_number_in(self, description: str) -> Match | None:
        """A known number as a whole word of the description, unless other words say that it is only meant for it."""
        for word in re.split(r"[\s,;()\[\]|]+", description):
            if len(word) >= NUMBER_LETTERS_MIN and any(sign.isdigit() for sign in word):
                found = self._by_number(word)
                if found is not None and found.verdict is Verdict.MATCH:
                    return None if NOT_A_CARD.search(plain_text(description)) else found
        return None

    def _by_description(self, description: str) -> Match:
        lowered = description.casefold()
        likely = [model for sign, models in self._by_sign.items() if sign in lowered for model in models]
        text = read_text(description) if likely else None
        named = _by_designation([model for model in likely if text and _names(text, model)])
        if text is None or not named:
            return Match(verdict=Verdict.NONE)
        family = _most_specific(named)
        candidates = tuple(sorted(model.product.slug for model in family))
        stopped = _stopped(text, named, family)
        if stopped is not None:
            return Match(verdict=stopped, step="description", candidates=candidates)
        fitting = [model for model in family if _fits(text, model)]
        best = max(fitting, key=lambda model: _score(text, model), default=None)
        score = _score(text, best) if best else 0.0
        if best is None or (best.is_short and score <= SHORT_ALONE):
            return Match(verdict=Verdict.NONE, step="description", candidates=candidates)
        if len(fitting) > 1 or score < THRESHOLD or _is_doubtful(text, best, family):
            slugs = tuple(sorted(model.product.slug for model in fitting))
            return Match(verdict=Verdict.ASK, step="description", score=score, candidates=slugs)
        return Match(verdict=Verdict.MATCH, slug=best.product.slug, step="description", score=score)


def _foreign_words(text: Text, model: _Model) -> list[str]:
    """Words that no data sheet of a card holds: perhaps the line is something else about it."""
    known = _CARD_WORDS | set(plain_text(model.product.name).split()) | set(model.core)
    words = _without_what_comes_along(text.plain, [model]).split()
    if words and len(text.plain) >= _CUT_OFF_AT and any(word.startswith(words[-1]) for word in _CUT_OFF_WORDS):
        del words[-1]
    return [word for word in words if word.isalpha() and len(word) >= _FOREIGN_LETTERS_MIN and word not in known]


def _is_bearable(foreign: Sequence[str], text: Text, model: _Model) -> bool:
    """At most one short unknown word, behind the memory, where all else confirms the card."""
    if not foreign:
        return True
    is_one_remark = len(foreign) == 1 and len(foreign[0]) <= _REMARK_LETTERS_MAX
    if not is_one_remark or not text.memories & model.memories or _score(text, model) < _CONFIRMED:
        return False
    before = " ".join(text.words[: text.words.index(foreign[0])])
    return any(int(found[1]) in model.memories for found in MEMORY.finditer(before))


def _stopped(text: Text, named: Sequence[_Model], family: Sequence[_Model]) -> Verdict | None:
    """What a text is that names cards but is none of them, or speaks of several things; None for a card alone."""
    if NOT_A_CARD.search(_without_what_comes_along(text.plain, named)) or _is_several(text, named):
        return Verdict.NOT_A_PRODUCT
    if _stands_behind(_FOR, text, named):
        return Verdict.NOT_A_PRODUCT  # "stand for RTX 5090"
    several_models = len({model.core for model in family}) > 1 or "hgx" in text.words or OR_ANOTHER.search(text.plain)
    if several_models or _WITH_LICENCE.search(text.plain) or _is_within(text, named):
        return Verdict.ASK
    return None


def _is_doubtful(text: Text, best: _Model, family: Sequence[_Model]) -> bool:
    """Whether something in the text speaks against the best card, or leaves a sibling open."""
    if not _is_bearable(_foreign_words(text, best), text, best):
        return True
    return (
        _follows_a_system(text, best)
        or _has_other_slots(text, best)
        or _holds_more(text, best)
        or not _is_settled(text, best, family)
    )


def _sign(core: tuple[str, ...]) -> str:
    return max(core, key=lambda word: (len(word) >= 2, any(letter.isdigit() for letter in word), len(word)))


def _of_number(slug: str, step: str) -> Match:
    return Match(verdict=Verdict.MATCH if slug else Verdict.NOT_A_PRODUCT, slug=slug, step=step, score=1.0)


def _is_sold_as_card(product: Product) -> bool:
    return not re.search(r"cloud|system|rack|tray|superchip", product.form_factor)


def _models(product: Product) -> list[_Model]:
    """The product by its name and by the maker's designation of this variant, where it has one."""
    model = _model(product)
    found = _DESIGNATION.search(plain_text(product.variant))
    if found is None:
        return [model]
    return [model, replace(model, core=tuple(found[0].split()), also=frozenset(), is_designation=True)]


def _by_designation(named: list[_Model]) -> list[_Model]:
    """Without the models that only share the name with one that the text designates."""
    names = {model.product.name for model in named if model.is_designation}
    return [model for model in named if model.is_designation or model.product.name not in names]


def _model(product: Product) -> _Model:
    words = [word for word in plain_text(product.name).split() if word not in MODEL_STOP_WORDS]
    also = frozenset(word for word in words if word in TRAILING_WORDS or word in ARCHITECTURES)
    core = tuple(word for word in words if word not in also)
    optional = {"blackwell"} if "pro" in core else set()
    form_text = f"{product.form_factor} {product.variant}".casefold()
    form = next((found[0].replace(" ", "") for found in [SXM.search(form_text)] if found), "")
    form = form or ("oam" if "oam" in form_text else "pcie" if "pcie" in form_text else "")
    variant = plain_text(product.variant)
    edition = next((word for word in ("maxq", "serveredition", "workstationedition") if word in variant), "")
    return _Model(
        product=product,
        core=core,
        also=also - optional,
        form=form,
        memories=_memories(product),
        edition=edition,
    )


def _memories(product: Product) -> frozenset[int]:
    stated = {int(found[1]) for found in MEMORY.finditer(plain_text(product.variant))}
    return frozenset(stated | ({round(product.memory_gb)} if product.memory_gb else set()))


def _names(text: Text, model: _Model) -> bool:
    """Whether the model's words stand in the text, with nothing behind them that makes it another product."""
    for at in range(len(text.words) - len(model.core) + 1):
        if text.words[at : at + len(model.core)] != model.core:
            continue
        after = text.words[at + len(model.core)] if at + len(model.core) < len(text.words) else ""
        before = text.words[at - 1] if at else ""
        if after in OTHER_PRODUCT_ENDINGS or _is_older(model, before):
            return False
        return model.also - {"nvl"} <= set(text.words)
    return False


def _is_older(model: _Model, before: str) -> bool:
    """Whether the text names the Turing card of the same number; a Quadro RTX A6000 is the RTX A6000."""
    return model.core[0] == "rtx" and before == "quadro" and not model.also and not model.core[1].startswith("a")


def _without_what_comes_along(plain: str, named: Sequence[_Model]) -> str:
    """The text without brackets in the box, a licence with it, and the system that the card is for or was in."""
    for pattern in (_WITH_LICENCE, WITH_ACCESSORY, FOR_A_SYSTEM):
        found = pattern.search(plain)
        before = plain[: found.start()].split() if found else []
        if found and any(_inside(model.core, tuple(before)) for model in named):
            plain = f"{plain[: found.start()]} {plain[found.end() :]}"
    return plain


def _follows_a_system(text: Text, model: _Model) -> bool:
    """Whether a short code of letters and digits stands before the card, as systems are called: "W773", "R760xa"."""
    before = text.plain.partition(" ".join(model.core))[0].split()
    own = [word for word in model.core if any(sign.isdigit() for sign in word)]
    return any(_SYSTEM_CODE.fullmatch(word) and not any(part in word for part in own) for word in before)


def _has_other_slots(text: Text, model: _Model) -> bool:
    """The two-slot version of a card that the catalogue knows with three is another product."""
    form = model.product.form_factor.casefold()
    is_two_slot = re.search(r"\b(?:dual|2|two)[- ]?slot\b|\bds\b", text.plain)
    return bool(is_two_slot and "triple" in form and "geforce" not in model.product.name.casefold())


def _is_within(text: Text, named: Sequence[_Model]) -> bool:
    """Whether the card is part of something else: words that are no maker or card, then "with", then the card."""
    before = _stands_behind(_WITHIN, text, named)
    return bool(before) and not set(before) & GPU_WORDS


def _stands_behind(connective: re.Pattern[str], text: Text, named: Sequence[_Model]) -> list[str]:
    """The words before a connective that a card's name follows; none where it does not."""
    for found in connective.finditer(text.plain):
        after = text.plain[found.end() :].split()
        while after and (after[0] in VENDOR_WORDS | GPU_WORDS or after[0].isdecimal()):
            del after[0]
        if any(tuple(after[: len(model.core)]) == model.core for model in named):
            return text.plain[: found.start()].split()
    return []


def _most_specific(named: list[_Model]) -> list[_Model]:
    """Of "RTX 4000 Ada" and "RTX 4000 SFF Ada" the one whose words the text holds in full."""
    longest = max(len(model.core) for model in named)
    kept = [model for model in named if len(model.core) == longest]
    cores = {model.core for model in kept}
    covered = [
        model for model in named if model.core not in cores and not any(_inside(model.core, core) for core in cores)
    ]
    return kept + covered


def _inside(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def _is_several(text: Text, named: Sequence[_Model]) -> bool:
    """Two or more pieces. "4x 16GB" and "4 x DisplayPort" count what is on one card."""
    goods = {model.core[0] for model in named} | VENDOR_WORDS | GPU_WORDS
    for found in _SEVERAL.finditer(text.plain):
        if int(next(filter(None, found.groups()))) < 2:
            continue
        following = text.plain[found.end() :].split()
        if not found[1] or (following and following[0] in goods):
            return True
    return False


def _fits(text: Text, model: _Model) -> bool:
    words = set(text.words)
    if (words & QUALIFIERS) - model.also - set(model.core) - {"nvl"}:
        return False
    if ("nvl" in model.also) != ("nvl" in words) and ("nvl" in words or not (text.memories & model.memories)):
        return False
    if text.memories and model.memories and not text.memories & model.memories:
        return False
    stated = text.forms - {"nvl"}
    if stated and model.form and not any(form == model.form or model.form.startswith(form) for form in stated):
        return False
    edition = next((word for word in ("maxq", "serveredition", "workstationedition") if word in words), "")
    return (
        not edition
        or edition == model.edition
        or (edition == "workstationedition" and model.edition == "workstationedition")
    )


def _holds_more(text: Text, model: _Model) -> bool:
    """More memory than the card has speaks of a system around it."""
    return bool(text.memories and model.memories) and max(text.memories) > max(model.memories)


def _is_settled(text: Text, best: _Model, family: Sequence[_Model]) -> bool:
    """Where siblings differ in form, memory or edition, the text must have said which."""
    if best.edition and best.edition not in text.words:
        return False
    siblings = [model for model in family if model is not best and model.core == best.core]
    if "nvl" in best.also and "nvl" in text.words:
        return True
    for sibling in siblings:
        by_memory = text.memories & best.memories and not text.memories & sibling.memories
        by_form = sibling.form != best.form and any(best.form.startswith(form) for form in text.forms - {"nvl"})
        by_words = bool(sibling.also - {"nvl"} - set(text.words)) or bool(best.also - sibling.also - {"nvl"})
        by_nvl = "nvl" in sibling.also and "nvl" not in text.words and (by_memory or "pcie" in text.forms)
        by_edition = best.edition and best.edition != sibling.edition
        if not (by_memory or by_form or by_words or by_edition or (by_nvl and by_memory)):
            return False
    return True


def _score(text: Text, model: _Model) -> float:
    """0..1: the model's own weight plus what else the text confirms."""
    words = set(text.words)
    score = 0.45 if model.is_short else 0.6
    score += 0.2 if text.memories & model.memories else 0.0
    score += 0.15 if any(model.form.startswith(form) for form in text.forms if model.form) else 0.0
    score += 0.1 if words & VENDOR_WORDS else 0.0
    score += 0.1 if words & GPU_WORDS else 0.0
    score += 0.05 if words & ARCHITECTURES else 0.0
    return min(score, 1.0)
