"""From an origin text as received to country codes, by a table of aliases and never by guessing."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from quotes.compliance.words import word_set

KINDS = ("ambiguous", "region", "exact")
LABELS_MAX = 8  # "Country of origin: made in ..." has two

_MADE = (
    r"made[ -]in|product of|products of|produce of|manufactured in|produced in|country of origin|country of manufacture"
    r"|place of origin|origin|coo|hergestellt in|produziert in|gefertigt in|produkt aus|erzeugnis aus|ursprungsland"
    r"|herkunftsland|land des ursprungs|ursprung|herkunft|fabrique en|fabrique au|fabrique aux|hecho en|origine"
    r"|pays dorigine|fabricado en|producido en|producto de|origen|fabbricato in|prodotto in|produit en|produit au"
    r"|gemaakt in|geproduceerd in|vervaardigd in|wyprodukowano w|vyrobeno v"
    r"|原产国|原产地|产地|产于|制造国|制造于|原產國|原產地|產地|產於|原産国|원산지"
)
_ASSEMBLED = (
    r"final assembly|finally assembled|assembled|assembly|integrated|integration|configured|configuration"
    r"|endmontage|zusammengebaut|montiert|montage|integriert|konfiguriert|assembliert|组装|組裝"
)
_MADE_PREFIX = re.compile(rf"^(?:{_MADE})(?![a-z])[\s:=–-]*(?:(?:the|der|den|dem|die)\s+)?")
_ASSEMBLED_PREFIX = re.compile(
    rf"^(?:{_ASSEMBLED})(?![a-z])[\s:=–-]*(?:(?:in|at|im|en|于|於)(?![a-z])[\s:]*)?(?:(?:the|den|der)\s+)?"
)
# "Made in Mexico of US and foreign parts": a qualified claim, so what was done there was to put parts together
_PARTS_SUFFIX = re.compile(
    r"[\s(,;:–-]+(?:of|from|with|using|aus|mit|von)\s(?:[^()/;|]*\s)?"
    r"(?:components?|parts|materials|content|teilen|bauteilen|komponenten|materialien)$"
)
_ASSEMBLED_SUFFIX = re.compile(rf"[\s(,;:–-]+(?:{_ASSEMBLED})$")
_HAN_MADE_SUFFIX = re.compile(r"(?:制造|製造|生产|生產|生産|制|製|产|產)$")
_STRONG_SEPARATORS = re.compile(r"\s*[/;|&+]\s*")
_BRACKETED = re.compile(r"([^()]+)\(([^()]+)\)?")  # the closing one may be trimmed already
_CODE_FIRST = re.compile(r"([a-z]{2,3})\s*[-–:]\s*(.+)")
_ALL_SEPARATORS = re.compile(r"\s*[/;,|&+]\s*|\s+(?:and|or|und|oder)\s+")
_NO_WORDS = word_set(
    "na n/a n a none nil null unknown unbekannt unspecified tbd tba tbc tbn ka k a keine angabe not available "
    "not applicable not known not stated not specified see datasheet various varies multiple diverse verschiedene "
    "xx zz xxx zzz ? 0 #n/a n/v mixed folgt - -- --- . x other others sonstige any blank pending offen ohne") | {
    "n a", "k a", "keine angabe", "keine angaben", "nicht angegeben", "nicht bekannt", "not available",
    "not applicable", "not known", "not stated", "not specified", "to be determined", "to be confirmed",
    "various countries", "not provided", "not yet known", "none stated", "see label", "per label", "varies by lot",
    "pending confirmation", "wird nachgereicht",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    kind: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryStatus:
    """How the FAR sees a country: `us`, `designated` or `not_designated`."""

    code: str
    status: str
    dfars_qualifying: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginTables:
    """The alias table under its normalised texts, and the status of each listed code."""

    aliases: Mapping[str, Alias]
    loose: Mapping[str, Alias]  # the same without brackets, commas and hyphens
    countries: Mapping[str, CountryStatus]
    codes: frozenset[str]

    def status(self, code: str) -> str:
        """A country that the list does not name is not designated."""
        country = self.countries.get(code)
        return country.status if country else "not_designated"

    def is_dfars_qualifying(self, code: str) -> bool:
        country = self.countries.get(code)
        return country is not None and country.dfars_qualifying


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What an origin text says. `candidates` is empty where it names no country."""

    raw: str
    normalised: str
    candidates: tuple[str, ...] = ()
    is_blank: bool = False
    is_region: bool = False
    is_assembly: bool = False

    @property
    def shown(self) -> str:
        return "|".join(self.candidates)


@dataclass(slots=True)
class _Parts:
    codes: set[str] = field(default_factory=set)
    is_region: bool = False
    is_assembly: bool = False


def normalise(text: str) -> str:
    """NFKC, case folded, Latin accents, dots and apostrophes dropped, blanks squeezed, edges trimmed."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    kept = (
        folded
        if folded.isascii() and folded.isprintable()
        else "".join(
            _plain(sign) for sign in folded if unicodedata.category(sign) not in ("Cf", "Cc") or sign.isspace()
        )
    )
    kept = re.sub(r"[.'’‘`´ʼ′\"“”]", "", kept)
    return " ".join(kept.split()).strip(" ,;:()[]-–!*")


def resolve(text: str, tables: OriginTables) -> Origin:
    """The countries that `text` may mean.

    The whole text is looked up first, then without its label ("made in"), then in its parts. One
    part that is not in the table leaves the whole text unresolved.
    """
    normalised = normalise(text)
    if is_filler(text):
        return Origin(raw=text, normalised=normalised, is_blank=True)
    stripped, is_assembly = _without_labels(normalised, tables)
    if not stripped or stripped in _NO_WORDS:
        return Origin(raw=text, normalised=normalised, is_blank=True, is_assembly=is_assembly)
    whole = _lookup(stripped, tables) or _same_twice(stripped, tables)
    if whole is not None:
        return Origin(
            raw=text,
            normalised=stripped,
            candidates=whole.candidates,
            is_region=whole.kind == "region",
            is_assembly=is_assembly,
        )
    parts = _split(stripped, tables)
    if parts is None:
        return Origin(raw=text, normalised=stripped, is_assembly=is_assembly)
    return Origin(
        raw=text,
        normalised=stripped,
        candidates=tuple(sorted(parts.codes)),
        is_region=parts.is_region,
        is_assembly=is_assembly or parts.is_assembly,
    )


def is_filler(text: str) -> bool:
    """Whether a text says nothing: empty, or filler such as "n/a"."""
    said = normalise(text)
    return not said or said in _NO_WORDS


def resolve_destination(text: str, tables: OriginTables) -> str:
    """The one ISO code a destination names, or "" where it names none or several.

    A bare two-letter code is read as ISO: a destination CH is Switzerland.
    """
    code = text.strip().upper()
    if len(code) == 2 and code in tables.codes:
        return code
    found = resolve(text, tables)
    return found.candidates[0] if len(found.candidates) == 1 and not found.is_region else ""


def aliases_from_rows(rows: Iterable[tuple[str, str, str]]) -> dict[str, Alias]:
    """The alias table from (text, kind, candidates joined by |); the first kind in KINDS order wins."""
    table: dict[str, Alias] = {}
    for text, kind, candidates in sorted(rows, key=lambda row: KINDS.index(row[1])):
        table.setdefault(normalise(text), Alias(kind=kind, candidates=tuple(filter(None, candidates.split("|")))))
    return table


def loosened(table: Mapping[str, Alias]) -> dict[str, Alias]:
    """The same table with signs, "St.", "&" and "the" written one way; texts that would collide are left out."""
    loose: dict[str, Alias] = {}
    clashes: set[str] = set()
    for text, alias in table.items():
        key = _loose(text)
        if key in loose and loose[key] != alias:
            clashes.add(key)
        loose.setdefault(key, alias)
    return {key: alias for key, alias in loose.items() if key not in clashes}


@lru_cache(maxsize=4096)
def _plain(sign: str) -> str:
    """The sign without accents if it is Latin; Han, kana, Hangul and Cyrillic stay as they are."""
    if sign.isascii() or not unicodedata.name(sign, "").startswith(("LATIN", "COMBINING")):
        return sign
    return "".join(part for part in unicodedata.normalize("NFD", sign) if unicodedata.category(part) != "Mn")


def _without_labels(text: str, tables: OriginTables) -> tuple[str, bool]:
    is_assembly = False
    for _label in range(LABELS_MAX):
        if not text or _lookup(text, tables) is not None:
            break
        shorter = _MADE_PREFIX.sub("", text, count=1)
        if shorter == text:
            shorter = _HAN_MADE_SUFFIX.sub("", text, count=1)
        if shorter == text:
            shorter = _ASSEMBLED_SUFFIX.sub("", _ASSEMBLED_PREFIX.sub("", text, count=1), count=1)
            shorter = _PARTS_SUFFIX.sub("", shorter, count=1)
            is_assembly = is_assembly or shorter != text
        if shorter == text:
            break
        text = shorter.strip(" ,;:()[]-–")
    if text.startswith("the ") and _lookup(text, tables) is None:
        text = text[4:]
    return text, is_assembly


def _lookup(text: str, tables: OriginTables) -> Alias | None:
    return tables.aliases.get(text) or tables.loose.get(_loose(text))


def _loose(text: str) -> str:
    blank = " ".join(re.sub(r"[(),\-–]", " ", text).replace("&", " and ").split())
    blank = re.sub(r"^(?:st|ste) ", "saint ", blank.removeprefix("the ").removesuffix(" the"))
    return re.sub(r"\b([a-z]) (?=[a-z]\b)", r"\1", blank)  # "p r china" as "pr china"


def _split(text: str, tables: OriginTables) -> _Parts | None:
    """Union of the parts, split first at signs that stand in no country name, then at commas and words."""
    found = _Parts()
    strong = [part for part in _STRONG_SEPARATORS.split(text) if part]
    for part in strong:
        if _add(part, found, tables):
            continue
        pieces = [piece for piece in _ALL_SEPARATORS.split(part) if piece]
        if not pieces or not all(_add(piece, found, tables) for piece in pieces):
            return None
    return found if strong else None


def _same_twice(text: str, tables: OriginTables) -> Alias | None:
    """What "Vietnam (VN)" or "VN - Vietnam" names: the same twice, or one of the two more precisely."""
    named = _BRACKETED.fullmatch(text) or _CODE_FIRST.fullmatch(text)
    if named is None:
        return None
    outer, inner = (_lookup(part.strip(" ,;:-–"), tables) for part in named.groups())
    if outer is None or inner is None or "region" in (outer.kind, inner.kind):
        return None
    both = set(outer.candidates) & set(inner.candidates)
    if not both or both not in (set(outer.candidates), set(inner.candidates)):
        return None
    return Alias(kind="exact" if len(both) == 1 else "ambiguous", candidates=tuple(sorted(both)))


def _add(piece: str, found: _Parts, tables: OriginTables) -> bool:
    """Add what one piece names; False where the table does not know it."""
    bare, is_assembly = _without_labels(piece.strip(" ,()"), tables)
    alias = _lookup(bare, tables) or _same_twice(bare, tables)
    if alias is None:
        return False
    found.codes.update(alias.candidates)
    found.is_region = found.is_region or alias.kind == "region"
    found.is_assembly = found.is_assembly or is_assembly
    return True
