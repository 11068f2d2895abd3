"""Firm names against a list: strong hits, doubts, and nothing in between.

Only an exact reading of a name (equal core, equal squeezed name, strong token with empty words, listed
Han text) is strong. Edit distance and partial names are doubts that a person settles; they never fail
a line. Scores that ignore words (token set, partial, weighted ratios) decide nothing here.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import DamerauLevenshtein

from quotes.compliance.firm_name import HAN_SIGN, Name, is_empty_word
from quotes.compliance.words import DAHUA_NEEDS, HAN_FILL, HAN_SHELL, HAN_VARIANTS

FUZZY_RATIO_MIN = 92.0
FUZZY_LETTERS_MIN = 8
SQUEEZED_LETTERS_MIN = 7
SHORT_ALIAS_LETTERS_MAX = 4
HAN_SIGNS_MIN = 3
MEMORY_MAX = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedName:
    """One row of a list: a firm with its aliases. `may_fail` false caps every hit at a review."""

    entity_id: str
    group: str
    legal_names: tuple[str, ...]
    strong_aliases: tuple[str, ...]
    weak_aliases: tuple[str, ...] = ()
    native_names: tuple[str, ...] = ()
    han_strong: tuple[str, ...] = ()  # Han texts that are strong wherever they stand
    strong_tokens: tuple[str, ...] = ()
    separate_firms: tuple[str, ...] = ()
    may_fail: bool = True
    row_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameHit:
    row: ListedName
    alias: str
    step: str
    score: float
    strong: bool
    normalised: str


@dataclass(frozen=True, slots=True)
class _Alias:
    row: ListedName
    text: str
    core: tuple[str, ...]

    @property
    def joined(self) -> str:
        return " ".join(self.core)

    @property
    def letters(self) -> int:
        return sum(map(len, self.core))


@dataclass(slots=True)
class NameIndex:
    """The aliases of one list, prepared once. `find` remembers its answers; they never change."""

    rows: tuple[ListedName, ...]
    cleared_han: tuple[str, ...] = ()
    _by_core: dict[str, list[_Alias]] = field(default_factory=dict)
    _by_squeezed: dict[str, list[_Alias]] = field(default_factory=dict)
    _by_first_word: dict[str, list[_Alias]] = field(default_factory=dict)
    _weak_by_first_word: dict[str, list[_Alias]] = field(default_factory=dict)
    _rows_by_token: dict[str, list[ListedName]] = field(default_factory=dict)
    _separate: dict[str, ListedName] = field(default_factory=dict)
    _long: list[_Alias] = field(default_factory=list)  # for the indel ratio
    _long_texts: list[str] = field(default_factory=list)
    _one_edit: dict[str, list[_Alias]] = field(default_factory=dict)  # short or of one word, by first letter
    _by_bare: dict[str, list[_Alias]] = field(default_factory=dict)  # of several words once generic ones are left out
    _by_group: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)  # cores of a group, the longest first
    _memory: dict[str, tuple[NameHit, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        aliases = [
            _Alias(row, text, Name.read(text).tokens)
            for row in self.rows
            for text in (*row.legal_names, *row.strong_aliases)
        ]
        aliases = [alias for alias in aliases if alias.core and not HAN_SIGN.search(alias.joined)]
        short = {alias.core[0] for alias in aliases if len(alias.core) == 1 and _is_short(alias)}
        for alias in aliases:
            self._add_strong(alias, short)
        for row in self.rows:
            self._add_row(row)
        for cores in self._by_group.values():
            cores.sort(key=lambda core: (-len(core), core))

    def find(self, raw: str) -> tuple[NameHit, ...]:
        """Every hit of a name, the gravest first: strong, then doubts; by entity within. Empty: no hit."""
        if raw not in self._memory:
            name = Name.read(raw)
            hits = [] if name.is_blank else [*self._all_latin_hits(name), *self._han_hits(name)]
            if len(self._memory) >= MEMORY_MAX:
                self._memory.clear()
            self._memory[raw] = tuple(_gravest_by_row(hits)) if hits else ()
        return self._memory[raw]

    def _all_latin_hits(self, name: Name) -> Iterable[NameHit]:
        """The hits of the Latin words; doubts only where they stand beside a cleared Han name or are only drawn so."""
        hits = list(self._latin_hits(name)) if name.latin else []
        if name.han and any(cleared in name.han for cleared in self.cleared_han):
            hits = [replace(hit, strong=False) for hit in hits]
        yield from hits
        if name.drawn:
            for hit in self._latin_hits(Name.read(name.drawn)):
                yield replace(hit, step="look_alike", strong=False, normalised=name.core)

    def is_cleared(self, raw: str) -> bool:
        """Whether a name holds a Han name that a reviewer has cleared for everybody."""
        text = Name.read(raw).han
        return any(cleared in text for cleared in self.cleared_han)

    def _add_row(self, row: ListedName) -> None:
        for text in row.weak_aliases:
            alias = _Alias(row, text, Name.read(text).tokens)
            if alias.core and not HAN_SIGN.search(alias.joined):
                self._weak_by_first_word.setdefault(alias.core[0], []).append(alias)
        for token in row.strong_tokens:
            self._rows_by_token.setdefault(token, []).append(row)
            self._by_group.setdefault(row.group, []).append((token,))
        for text in row.separate_firms:
            self._separate[Name.read(text).core] = row

    def _add_strong(self, alias: _Alias, short: set[str]) -> None:
        """Names of four letters or less are read whole or not at all, inside longer aliases too (ZTE USA)."""
        self._by_core.setdefault(alias.joined, []).append(alias)
        self._by_squeezed.setdefault("".join(alias.core), []).append(alias)
        if alias.row.may_fail:
            self._by_group.setdefault(alias.row.group, []).append(alias.core)
        bare = _bare_words(alias.core)
        if 1 < len(bare) < len(alias.core):
            self._by_bare.setdefault(" ".join(bare), []).append(alias)
        if not all(map(is_empty_word, alias.core)):
            self._by_first_word.setdefault(alias.core[0], []).append(alias)
        if not alias.row.may_fail or short & set(alias.core) or _is_short(alias):
            return
        if alias.letters >= FUZZY_LETTERS_MIN:
            self._long.append(alias)
            self._long_texts.append(alias.joined)
        if alias.letters < FUZZY_LETTERS_MIN or len(alias.core) == 1:
            self._one_edit.setdefault(alias.joined[0], []).append(alias)

    def _latin_hits(self, name: Name) -> Iterable[NameHit]:
        core, squeezed = " ".join(name.latin), "".join(name.latin)
        if core in self._separate:
            yield _hit(name, self._separate[core], core, "separate_firm", strong=False)
            return
        for alias in self._by_core.get(core, ()):
            yield _hit(name, alias.row, alias.text, "equal", strong=alias.row.may_fail)
        if len(squeezed) >= SQUEEZED_LETTERS_MIN:
            for alias in self._by_squeezed.get(squeezed, ()):
                yield _hit(name, alias.row, alias.text, "squeezed", strong=alias.row.may_fail)
        for token in dict.fromkeys(name.latin):
            for row in self._rows_by_token.get(token, ()):
                yield self._token_hit(name, token, row)
        yield from self._phrase_hits(name)
        yield from self._weak_hits(name)
        yield from self._fuzzy_hits(name)

    def _token_hit(self, name: Name, token: str, row: ListedName) -> NameHit:
        rest = self._beside(name.latin, (token,), row)
        if token == "dahua":  # noqa: S105 - a common Chinese word, so a name needs one more sign of the firm
            strong = bool(set(rest) & DAHUA_NEEDS) and all(is_empty_word(word) or word in DAHUA_NEEDS for word in rest)
        else:
            strong = all(map(is_empty_word, rest))
        strong = strong and row.may_fail
        return _hit(name, row, token, "token" if strong else "token_and_other_words", strong=strong)

    def _beside(self, words: tuple[str, ...], phrase: tuple[str, ...], row: ListedName) -> tuple[str, ...]:
        """The words beside a phrase that name no firm of the same group: "(SMIC)" after the full name is none."""
        rest = _rest(words, phrase)
        for core in self._by_group.get(row.group, ()):
            rest = _rest(rest, core)
        return rest

    def _phrase_hits(self, name: Name) -> Iterable[NameHit]:
        """A strong alias as whole consecutive words inside a longer name."""
        for alias in _starting(self._by_first_word, name.latin):
            if len(alias.core) >= len(name.latin) or not _contains(name.latin, alias.core):
                continue
            is_long = len(alias.core) > 1
            beside = self._beside(name.latin, alias.core, alias.row)
            strong = alias.row.may_fail and is_long and all(map(is_empty_word, beside))
            # a one-word alias that is the row's strong token has its own step
            if is_long or alias.core[0] not in alias.row.strong_tokens:
                step = "phrase" if strong else "phrase_and_other_words"
                yield _hit(name, alias.row, alias.text, step, strong=strong)

    def _weak_hits(self, name: Name) -> Iterable[NameHit]:
        for alias in _starting(self._weak_by_first_word, name.latin):
            if _contains(name.latin, alias.core) and all(map(is_empty_word, _rest(name.latin, alias.core))):
                yield _hit(name, alias.row, alias.text, "weak_alias", strong=False)

    def _fuzzy_hits(self, name: Name) -> Iterable[NameHit]:
        """Eight letters or more: indel ratio of at least 92. Up to seven, or one word: one edit (a swap included),

        the same first letter, and every other word of the name empty.
        """
        bare = " ".join(_bare_words(name.latin))
        for alias in self._by_bare.get(bare, ()):
            yield _hit(name, alias.row, alias.text, "phrase_and_other_words", strong=False)
        for text in {" ".join(name.latin), bare} - {""}:
            near = process.extract(
                text, self._long_texts, scorer=fuzz.ratio, score_cutoff=FUZZY_RATIO_MIN, limit=None, processor=None
            )
            for _choice, score, at in near:
                if score < 100:
                    alias = self._long[at]
                    yield _hit(name, alias.row, alias.text, "fuzzy", strong=False, score=score)
        for alias in self._one_edit.get(bare[:1], ()):
            if DamerauLevenshtein.distance(bare, alias.joined, score_cutoff=1) == 1:
                score = 100.0 * (1 - 1 / alias.letters)
                yield _hit(name, alias.row, alias.text, "fuzzy", strong=False, score=score)

    def _han_hits(self, name: Name) -> Iterable[NameHit]:
        text = name.han
        for cleared in self.cleared_han:
            text = text.replace(cleared, "")
        if not text:
            return
        for row in self.rows:
            yield from _han_row_hits(name, text, row)


def gravest(hits: Iterable[NameHit]) -> NameHit | None:
    """The hit that weighs most: strong before doubtful, exact before fuzzy, then by row."""
    return min(hits, key=_weight, default=None)


def _bare_words(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if not is_empty_word(word))


def _contains(tokens: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    return any(tokens[at : at + len(phrase)] == phrase for at in range(len(tokens) - len(phrase) + 1))


def _rest(tokens: tuple[str, ...], phrase: tuple[str, ...]) -> tuple[str, ...]:
    for at in range(len(tokens) - len(phrase) + 1):
        if tokens[at : at + len(phrase)] == phrase:
            return tokens[:at] + tokens[at + len(phrase) :]
    return tokens


def _is_short(alias: _Alias) -> bool:
    words = [word for word in alias.core if not is_empty_word(word)] or list(alias.core)
    return sum(map(len, words)) <= SHORT_ALIAS_LETTERS_MAX


def _starting(by_first_word: dict[str, list[_Alias]], tokens: tuple[str, ...]) -> Iterable[_Alias]:
    """The aliases whose first word is one of the tokens."""
    for token in dict.fromkeys(tokens):
        yield from by_first_word.get(token, ())


def _han_row_hits(name: Name, text: str, row: ListedName) -> Iterable[NameHit]:
    for native in row.native_names:
        if native.translate(HAN_VARIANTS) in text:
            yield _hit(name, row, native, "han_legal_name", strong=row.may_fail)
        elif any(core in text for core in _han_cores(native)):
            yield _hit(name, row, native, "han_weak", strong=False)
    for listed in row.han_strong:
        if listed in text:
            yield _hit(name, row, listed, "han_text", strong=row.may_fail and not _starts_inside_word(text, listed))
    for alias in (*row.strong_aliases, *row.weak_aliases):
        simple = "".join(HAN_SIGN.findall(alias.translate(HAN_VARIANTS)))
        if simple and simple not in text and _without_fill(text, "") == _without_fill(simple, "") != "":
            yield _hit(name, row, alias, "han_weak", strong=False)
        if not simple or simple not in text or simple in row.han_strong:
            continue
        is_alone = _without_fill(text, simple) == ""
        if row.may_fail and is_alone and alias in row.strong_aliases:
            yield _hit(name, row, alias, "han_text", strong=True)
        elif is_alone or len(simple) >= HAN_SIGNS_MIN:
            yield _hit(name, row, alias, "han_weak", strong=False)


@lru_cache(maxsize=1_000)
def _han_cores(native: str) -> tuple[str, ...]:
    """A legal name without place and form, and without generic words too, where three signs are left."""
    simple = native.translate(HAN_VARIANTS)
    cores = (_without(simple, HAN_SHELL), _without(simple, HAN_FILL))
    return tuple(core for core in cores if len(core) >= HAN_SIGNS_MIN)


def _without(text: str, words: Iterable[str]) -> str:
    for word in words:
        text = text.replace(word, "")
    return text


def _starts_inside_word(text: str, part: str) -> bool:
    """华为 inside 中华为... belongs to the word 中华."""
    return part == "华为" and "中华为" in text and text.count("华为") == text.count("中华为")


def _without_fill(text: str, alias: str) -> str:
    return _without(text.replace(alias, ""), HAN_FILL)


_STEPS = (
    "separate_firm", "equal", "squeezed", "han_legal_name", "han_text", "token", "phrase", "token_and_other_words",
    "phrase_and_other_words", "weak_alias", "han_weak", "look_alike", "fuzzy",
)  # fmt: skip


def _weight(hit: NameHit) -> tuple[bool, int, float, str, str]:
    return not hit.strong, _STEPS.index(hit.step), -hit.score, hit.row.entity_id, hit.alias


def _gravest_by_row(hits: Iterable[NameHit]) -> list[NameHit]:
    best: dict[str, NameHit] = {}
    for hit in sorted(hits, key=_weight):
        best.setdefault(hit.row.entity_id, hit)
    return list(best.values())


def _hit(name: Name, row: ListedName, alias: str, step: str, *, strong: bool, score: float = 100.0) -> NameHit:
    return NameHit(row=row, alias=alias, step=step, score=score, strong=strong, normalised=name.core)
