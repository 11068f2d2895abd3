"""Columns of prices by quantity, and prices that stand for a hundred or a thousand pieces."""

import re
from collections.abc import Sequence

TIER = "tier:"  # a role "tier:10" is the price from ten pieces
BREAK, STEP = "break:", "step:"  # "break:2" holds the quantity from which the price in "step:2" is to be paid
STEPS_MAX = 20
_PRICE = r"(?:(?:net(?:to)?|unit|staffel|ek|vk|e)?[ -]?(?:preis\w*|price)|ek|net(?:to)?|staffel|cost)"
_PIECES = r"(?:stk|st(?:ü|ue)ck|st|pcs?|pieces|ea|each|units?)"
_TAIL = r"(?:[ ,(]*(?:net(?:to)?|eur|usd|chf|gbp|€|\$)\)?)*"
_FORMS = (
    rf"(?:{_PRICE}[ :]*)?(?:ab|from|qty|menge|>=|≥|break)[ :]*(\d{{1,6}})[ .]*(?:{_PIECES})?\.?",
    rf"(?:{_PRICE}[ :(]*)?(?:qty )?(\d{{1,6}})[ ]*(?:\+|und mehr|or more|& up|and up)[ ]*(?:{_PIECES})?\.?\)?",
    rf"(?:{_PRICE}[ :(]*)?(?:qty )?(\d{{1,6}})[ ]*(?:-|–|bis|to)[ ]*\d{{1,6}}[ ]*(?:{_PIECES})?\.?\)?",
    rf"(?:{_PRICE}[ :/(]*)?(\d{{1,6}})[ ]*{_PIECES}\.?\)?",
)
_TIERS = tuple(re.compile(rf"^{form}{_TAIL}$") for form in _FORMS)
_PER = re.compile(r"(?:\bje\b|\bper\b|\bpro\b|/)\s*(10|100|1\.?000)\b(?![.,]\d)")
_UNIT_OF_PRICE = re.compile(
    rf"^(?:je|per|pro|für|for)?\s*(\d{{1,3}}(?:[.,' ]?000)?|\d{{1,6}})\s*(?:{_PIECES}|m|meter|kg|l)?\.?$"
)
_SEVERAL_PIECES = re.compile(rf"^(?:je|per|pro|à)?\s*(\d{{1,3}}[.,' ]?000|\d{{2,6}})\s*{_PIECES}\.?$")
_PACK = re.compile(r"\b(?:preis|price)\w* ?(?:je|per|pro|/) ?(?:ve|vpe|pack\w*|verpackungseinheit)\b")
_BREAK = re.compile(
    r"^(?:(?:price|preis|qty|quantity|mengen?|staffel)[ -]?)?"
    r"(?:breaks?|staffel(?:menge)?|qty|quantity|menge|ab menge|min qty)"
    r"(?: (?:qty|quantity|menge))? ?(\d{1,2})$"
)
_STEP = re.compile(rf"^{_PRICE}(?: (?:eur|usd|chf|gbp))? ?(\d{{1,2}})(?: (?:eur|usd|chf|gbp))?$")
PRICE_UNIT_MAX = 100_000
PER_PACK = -1  # prices of a column that stand for a pack, whose size another column tells


def tier_of(header: str) -> int:
    """From which quantity the prices of a column hold, 0 for a column that names none."""
    text = " ".join(header[:100].replace("\u00a0", " ").casefold().split())
    for pattern in _TIERS:
        found = pattern.match(text)
        if found and int(found[1]) > 0:
            return int(found[1])
    return 0


def numbered_pairs(headers: Sequence[str]) -> dict[int, str]:
    """Roles by place of columns in numbered pairs, "Qty Break 2" beside "Price 2": the first pair is the price.

    A number alone ("Qty 10") names a quantity; only where a price bears the same number is it one of a pair.
    """
    texts = [" ".join(re.sub(r"[^a-z0-9äöü]+", " ", header[:100].casefold()).split()) for header in headers]
    breaks = {int(found[1]): at for at, text in enumerate(texts) if (found := _BREAK.match(text))}
    steps = {int(found[1]): at for at, text in enumerate(texts) if (found := _STEP.match(text))}
    paired = sorted(number for number in breaks.keys() & steps.keys() if 0 < number <= STEPS_MAX)
    if not paired or paired != list(range(1, len(paired) + 1)):
        return {}
    roles = {breaks[1]: "min_qty", steps[1]: "price"}
    for number in paired[1:]:
        roles |= {breaks[number]: f"{BREAK}{number}", steps[number]: f"{STEP}{number}"}
    return roles


def per_of(header: str) -> int:
    """For how many pieces the prices of a column stand: "Preis je 100" is 100, "Preis je VE" is PER_PACK."""
    words = header[:100].casefold()
    if _PACK.search(words):
        return PER_PACK
    found = _PER.search(words)
    return int(found[1].replace(".", "")) if found else 1


def read_price_unit(cell: str) -> int | None:
    """For how many pieces the price of a row stands; 1 for an empty cell, None for one that cannot be read."""
    text = " ".join(cell[:100].casefold().split())
    if not text or text in ("each", "stk", "stück", "st", "pcs", "ea", "stk."):
        return 1
    found = _UNIT_OF_PRICE.match(text)
    if found is None:
        return None
    value = int(re.sub(r"[.,' ]", "", found[1]))
    return value if 0 < value <= PRICE_UNIT_MAX else None


def read_selling_unit(cell: str) -> int | None:
    """For how many pieces a price by this unit stands: "100 St" is 100, "Stk" is 1.

    None for a bare number, and for the C (hundred) and M (thousand) of electrical trade: M is a metre elsewhere.
    """
    if not cell:
        return 1
    text = " ".join(cell[:100].split())
    if text in ("C", "M", "CPC", "MPC") or (text.isdecimal() and text != "1"):
        return None
    found = _SEVERAL_PIECES.match(text.casefold())
    return int(re.sub(r"[.,' ]", "", found[1])) if found else 1
