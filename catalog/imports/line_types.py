"""What kind of line a row is: base, option, alternative, included; withdrawn or not; no offer at all."""

import re

from catalog.imports.rows import Action, ImportRow

_TYPES = (
    ("alternative", re.compile(r"^alt|ersatz|substitut", re.IGNORECASE)),
    ("option", re.compile(r"^opt|bedarf|eventual", re.IGNORECASE)),
    ("included", re.compile(r"^incl|^inkl|enthalten|kostenlos|free of charge", re.IGNORECASE)),
    ("base", re.compile(r"^base|^haupt|^normal|^standard|^basis", re.IGNORECASE)),
)
_INACTIVE = re.compile(
    r"^d$|discont|auslauf|eol|end of life|inactive|inaktiv|obsolete|gesperrt|nicht mehr|abgek(?:ü|ue)ndigt",
    re.IGNORECASE,
)
_WITHDRAWN = re.compile(
    r"\b(?:auslaufartikel|abgek(?:ü|ue)ndigt|eol|end of life|discontinued|nicht mehr lieferbar)\b", re.IGNORECASE
)
_ACTIVE = re.compile(r"^a$|^active|^aktiv|^available|^lieferbar|^current", re.IGNORECASE)
_CREDIT = re.compile(r"^(?:gutschrift\w*|credit (?:note|memo)|storno\w*|stornierung)\b", re.IGNORECASE)
_CHARGE = re.compile(
    r"^(?:gutschrift\w*|credit\w*|storno\w*|rabatt\w*|discount|rebate|bonus|r(?:ü|ue)ckgabe|retoure|returns?|refund"
    r"|fracht\w*|versand\w*|freight|shipping|porto|zuschlag|surcharge)$",
    re.IGNORECASE,
)


def read_type(row: ImportRow, *, kind: str, remark: str) -> None:
    """Type, status and withdrawal of a line by the words of its columns; a credit or charge is no offer."""
    if _CREDIT.search(row.description) or _CHARGE.search(kind):
        row.set_aside(Action.REJECTED, "row_no_offer", value=(kind or row.description)[:40])
    row.line_type = next((name for name, pattern in _TYPES if pattern.search(kind)), "") if kind else ""
    if _WITHDRAWN.search(remark):
        row.active = False
    if not row.status:
        return
    if _INACTIVE.search(row.status):
        row.active = False
    elif _ACTIVE.search(row.status):
        row.active = True
