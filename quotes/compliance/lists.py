"""Loads the dated lists that ship with Kvote: files in, one frozen `ScreeningLists` out.

The files lie in `quotes/data/compliance`; `list_versions.csv` says which files make up which version.
Each version carries the SHA-256 of its files, so that a result names exactly what it was made with.
"""

import csv
import hashlib
import re
from collections.abc import Callable, Iterable
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from quotes.compliance.firm_name import normalise
from quotes.compliance.names import ListedName, NameIndex
from quotes.compliance.origin import CountryStatus, OriginTables, aliases_from_rows, loosened
from quotes.compliance.register import Citation, DatedNames, ScreeningLists, Threshold
from quotes.compliance.types import SHIPPED, ListVersion, Regime
from quotes.compliance.words import PLACES

FOLDER = Path(__file__).resolve().parent.parent / "data" / "compliance"

# Han texts that name a firm of the Section 889 list wherever they stand, and the row they name.
_HAN_STRONG = {
    "HW-01": ("华为",),
    "HW-03": ("海思半导体",),
    "ZT-01": ("中兴通讯",),
    "HY-01": ("海能达",),
    "HK-01": ("海康威视",),
    "HK-02": ("萤石网络",),
    "DH-01": ("浙江大华", "大华技术", "大华股份"),
}
# How sellers write some of them in Japanese, Korean, Russian and Arabic: a doubt for a person, as any weak alias.
_OTHER_SCRIPTS = {
    "HW-01": ("ファーウェイ", "화웨이", "هواوي"),
    "ZT-01": ("ЗТЕ", "ЗТИ", "ゼットティーイー"),
    "HY-01": ("Хайтера", "ハイテラ", "하이테라"),
    "HK-01": ("Хиквижн", "Хиквижен", "ハイクビジョン", "하이크비전"),
    "DH-01": ("Дахуа", "ダーファ", "다후아"),
}
_NO_FIRM_RELATIONS = ("open class", "brand", "OEM customer")  # their legal_name column describes, it names nobody
_SHORT_TOKENS = frozenset({"smic", "cxmt", "ymtc"})  # short, but no word of any language
_TOKEN_LETTERS_MIN = 5

type Row = dict[str, str]


def load_lists(quote_date: date | None = None) -> ScreeningLists:
    """The lists in the versions valid on `quote_date` (None: the newest). Cached; treat as read-only.

    A date before the first shipped version takes that first version: its rows carry their own dates.
    """
    return _load(tuple(_version_row(regime, quote_date)["version"] for regime in SHIPPED))


@lru_cache(maxsize=8)
def _load(version_names: tuple[str, ...]) -> ScreeningLists:
    rows = {row["version"]: row for row in _version_rows()}
    chosen = dict(zip(SHIPPED, (rows[name] for name in version_names), strict=True))
    taa, export = _Files(chosen[Regime.TAA]), _Files(chosen[Regime.EXPORT])
    chips, military = _Files(chosen[Regime.S5949]), _Files(chosen[Regime.S1260H])
    chip_rows = _of_list(chips.rows("other_lists"), "S5949-", ("enacted",))
    military_rows = _of_list(military.rows("other_lists"), "S1260H-", ("listed", "not listed by name"))
    return ScreeningLists(
        origins=_origins(taa),
        thresholds=tuple(_thresholds(taa)),
        s889=_s889(_Files(chosen[Regime.S889])),
        s5949=NameIndex(rows=tuple(map(_other_name, chip_rows))),
        s1260h=_dated(military_rows, _other_name),
        export_parties=_dated(_of_list(export.rows("other_lists"), "EL-", ("listed",)), _party_name),
        citations=tuple(_citations()),
        versions={regime: _version(row) for regime, row in chosen.items()},
    )


class _Files:
    """The files of one version, found by their role: `taa_thresholds` is `taa_thresholds*.csv`."""

    def __init__(self, version: Row) -> None:
        self.names = version["files"].split("|")

    def rows(self, role: str) -> list[Row]:
        return _rows(next(name for name in self.names if name.startswith(role)))


def file_sha256(name: str) -> str:
    """SHA-256 of a list file, in hex."""
    return hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()


def _rows(name: str) -> list[Row]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@lru_cache(maxsize=1)
def _version_rows() -> list[Row]:
    return _rows("list_versions.csv")


def _version_row(regime: Regime, quote_date: date | None) -> Row:
    rows = [row for row in _version_rows() if row["regime"] == regime]
    rows.sort(key=lambda row: row["valid_from"])
    if quote_date is None:
        return rows[-1]
    valid = [row for row in rows if not row["valid_from"] or date.fromisoformat(row["valid_from"]) <= quote_date]
    return valid[-1] if valid else rows[0]


def _version(row: Row) -> ListVersion:
    joined = "".join(f"{name}:{file_sha256(name)}\n" for name in row["files"].split("|"))
    return ListVersion(
        version=row["version"],
        sha256=hashlib.sha256(joined.encode()).hexdigest(),
        valid_from=_date(row["valid_from"]),
        valid_to=_date(row["valid_to"]),
        published_on=_date(row["published_on"]),
        source=row["source"],
        verified_by=row["verified_by"],
        last_check=_date(row["last_check"]),
        next_check_due=_date(row["next_check_due"]),
    )


def _origins(files: _Files) -> OriginTables:
    alias_rows = files.rows("origin_aliases")
    aliases = aliases_from_rows((row["normalised_text"], row["kind"], row["candidates"]) for row in alias_rows)
    countries: dict[str, CountryStatus] = {}
    for row in files.rows("taa_designated_countries"):
        code = row["iso_alpha2"]
        qualifying = row["dfars_qualifying_country"] == "yes"
        countries[code] = CountryStatus(code=code, status=row["status"], dfars_qualifying=qualifying)
    codes = {code for alias in aliases.values() for code in alias.candidates}
    return OriginTables(aliases=aliases, loose=loosened(aliases), countries=countries, codes=frozenset(codes))


def _thresholds(files: _Files) -> Iterable[Threshold]:
    for row in files.rows("taa_thresholds"):
        if row["agreement"] == "WTO GPA":
            yield Threshold(
                contract_type=row["contract_type"],
                value_usd=Decimal(row["threshold_usd"]),
                valid_from=date.fromisoformat(row["valid_from"]),
                valid_to=_date(row["valid_to"]),
                verified=row["verified"] == "yes",
            )


def _citations() -> Iterable[Citation]:
    for row in _rows("citations.csv"):
        yield Citation(
            rule_id=row["rule_id"],
            valid_from=_date(row["valid_from"]),
            valid_to=_date(row["valid_to"]),
            text=row["citation"],
        )


def _s889(files: _Files) -> NameIndex:
    cleared = tuple(row["text"] for row in files.rows("cleared_names"))
    return NameIndex(rows=tuple(map(_s889_name, files.rows("ndaa889_entities"))), cleared_han=cleared)


def _s889_name(row: Row) -> ListedName:
    named = not row["relation"].startswith(_NO_FIRM_RELATIONS)
    return ListedName(
        entity_id=row["entity_id"],
        group=row["group"],
        legal_names=_legal_names(row["legal_name"]) if named else (),
        strong_aliases=_listed(row["strong_aliases"]),
        weak_aliases=(*_listed(row["weak_aliases"]), *_OTHER_SCRIPTS.get(row["entity_id"], ())),
        native_names=(row["native_name"],) if row["native_name"] else (),
        han_strong=_HAN_STRONG.get(row["entity_id"], ()),
        strong_tokens=_listed(row["strong_token"]),
        may_fail=row["hit_flag"] == "fail",
        row_hash=_row_hash(row),
    )


def _other_name(row: Row) -> ListedName:
    """A row without strong and weak columns: one-word aliases of five letters or more are strong tokens."""
    aliases = _listed(row["aliases"])
    words = [normalise(alias) for alias in aliases]
    tokens = [word for word in words if word.isascii() and word.isalnum() and _is_token(word)]
    separate = re.findall(r"US company ([A-Z][\w-]+ \w+ Inc)", row["relevance_to_ai_hardware"])
    return ListedName(
        entity_id=row["row_id"],
        group=row["entity_or_rule"],
        legal_names=_legal_names(row["entity_or_rule"]),
        strong_aliases=aliases,
        han_strong=tuple(alias for alias in aliases if not alias.isascii() and (len(alias) >= 3 or alias == "华为")),
        strong_tokens=tuple(dict.fromkeys(tokens)),
        separate_firms=tuple(separate),
        may_fail=not row["status_on_2026_11_30"].startswith("not listed"),
        row_hash=_row_hash(row),
    )


def _party_name(row: Row) -> ListedName:
    """Entity List rows bundle several firms in one text, so only their aliases name anybody."""
    return ListedName(
        entity_id=row["row_id"],
        group=row["entity_or_rule"],
        legal_names=(),
        strong_aliases=_listed(row["aliases"]),
        strong_tokens=tuple(normalise(a) for a in _listed(row["aliases"]) if _is_token(normalise(a))),
        row_hash=_row_hash(row),
    )


def _is_token(word: str) -> bool:
    return " " not in word and (len(word) >= _TOKEN_LETTERS_MIN or word in _SHORT_TOKENS)


def _of_list(rows: list[Row], prefix: str, states: tuple[str, ...]) -> list[Row]:
    return [
        row
        for row in rows
        if row["row_id"].startswith(prefix) and row["aliases"] and row["status_on_2026_11_30"].startswith(states)
    ]


def _dated(rows: list[Row], make: Callable[[Row], ListedName]) -> DatedNames:
    return DatedNames(
        index=NameIndex(rows=tuple(make(row) for row in rows)),
        listed_from={row["row_id"]: _date(row["valid_from"]) for row in rows},
    )


def _legal_names(text: str) -> tuple[str, ...]:
    """The firm names in a legal-name cell: brackets that hold no place are remarks, `;` and ` / ` separate."""
    bare = re.sub(r"\(([^)]*)\)", _keep_place, text)
    return tuple(part.strip() for part in re.split(r";| / ", bare) if part.strip())


def _keep_place(match: re.Match[str]) -> str:
    return match.group() if all(word in PLACES for word in normalise(match.group(1)).split()) else ""


def _listed(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split("|") if part.strip())


def _row_hash(row: Row) -> str:
    return hashlib.sha256("\x1f".join(f"{key}={row[key]}" for key in sorted(row)).encode()).hexdigest()


def _date(text: str) -> date | None:
    return date.fromisoformat(text) if text else None
