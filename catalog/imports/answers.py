"""What a person has answered about a file, read strictly: an unknown key is an error that names it."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from catalog.imports.columns import ROLE_OF
from catalog.imports.numbers import STYLES
from catalog.imports.tiers import BREAK, STEP, STEPS_MAX, TIER

ROLES = frozenset(ROLE_OF.values())
QUANTITY_MAX = 1_000_000
CHOICES = {
    "number_style": STYLES,
    "date_order": ("dmy", "mdy"),
    "hidden_rows": ("include", "skip"),
    "tax_basis": ("excl_vat", "incl_vat", "excl_sales_tax", "unstated"),
    "implied_decimals": ("0", "2", "3", "4"),
    "price_kind": ("offer", "own", "contract", "list"),
}
TEXTS = ("currency", "price_column", "delimiter", "encoding", "sheet", "lead_time_unit")
LEAD_TIME_UNITS = ("day", "week", "month", "working")


class BadAnswers(ValueError):
    """Answers that cannot be used; `code` and `params` are worded by `catalog.messages_import`."""

    def __init__(self, code: str, **params: str | int | None) -> None:
        self.code = code
        self.params = params
        super().__init__(f"{code} {params}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Empty where nothing was answered. `columns` gives the role of each column from the left."""

    number_style: str = ""
    date_order: str = ""
    currency: str = ""
    price_column: str = ""
    hidden_rows: str = ""
    tax_basis: str = ""
    implied_decimals: str = ""
    price_kind: str = ""
    delimiter: str = ""
    encoding: str = ""
    sheet: str = ""
    lead_time_unit: str = ""
    columns: tuple[str, ...] = ()
    header_row: int | None = None
    confirmed_lines: frozenset[int] = frozenset()

    @property
    def price_scale(self) -> Decimal:
        """What a price is multiplied by: two implied decimals are hundredths."""
        return Decimal(1).scaleb(-int(self.implied_decimals or 0))


def read_answers(stated: object) -> Answers:
    """Answers from parsed JSON. Raises BadAnswers naming the key that is wrong."""
    if not isinstance(stated, Mapping):
        raise BadAnswers("import_answers_not_an_object")
    known = {*CHOICES, *TEXTS, "columns", "header_row", "confirmed_lines"}
    for key in stated:
        if key not in known:
            raise BadAnswers("import_unknown_answer", key=str(key)[:50])
    values = {key: _text(key, stated[key]) for key in (*CHOICES, *TEXTS) if stated.get(key) is not None}
    for key, allowed in CHOICES.items():
        if values.get(key, "") not in ("", *allowed):
            raise BadAnswers("import_bad_answer", key=key, allowed=", ".join(allowed))
    currency = values.get("currency", "")
    if currency and not (len(currency) == 3 and currency.isascii() and currency.isupper()):
        raise BadAnswers("import_bad_answer", key="currency", allowed="EUR, CHF, USD")
    if values.get("lead_time_unit", "") not in ("", *LEAD_TIME_UNITS):
        raise BadAnswers("import_bad_answer", key="lead_time_unit", allowed=", ".join(LEAD_TIME_UNITS))
    return Answers(
        **values,
        columns=_roles(stated.get("columns")),
        header_row=_whole("header_row", stated.get("header_row")),
        confirmed_lines=_lines(stated.get("confirmed_lines")),
    )


def _text(key: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadAnswers("import_bad_answer", key=key, allowed="text")
    return str(value)


def _roles(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(role, str) and _is_role(role) for role in value):
        raise BadAnswers("import_bad_answer", key="columns", allowed=", ".join(sorted(ROLES)))
    return tuple(value)


def _is_role(role: str) -> bool:
    """A role of a column, "" for none; "tier:100" is a price by quantity, "break:2" and "step:2" belong together."""
    kind, colon, number = role.partition(":")
    limit = {TIER: QUANTITY_MAX, BREAK: STEPS_MAX, STEP: STEPS_MAX}.get(kind + colon, 0)
    return role == "" or role in ROLES or (number.isascii() and number.isdecimal() and 0 < int(number) <= limit)


def _whole(key: str, value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadAnswers("import_bad_answer", key=key, allowed="0, 1, 2, …")
    return value


def _lines(value: object) -> frozenset[int]:
    if value is None:
        return frozenset()
    if not isinstance(value, list) or not all(isinstance(line, int) and not isinstance(line, bool) for line in value):
        raise BadAnswers("import_bad_answer", key="confirmed_lines", allowed="[2, 3, …]")
    return frozenset(value)
