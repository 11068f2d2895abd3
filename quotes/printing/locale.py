"""Amounts, dates and quantities as the reader of a document writes them, equal on every machine."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from quotes.choices import GERMAN_SPEAKING, Region
from quotes.pricing import minor_digits

NBSP = "\u00a0"
MINUS = "\u2212"
EN_DASH = "\u2013"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
DAYS_PER_WEEK = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Language, country and paper of one document."""

    language: str
    region: str
    currency: str

    @property
    def tag(self) -> str:
        """BCP 47 tag, "de-AT"."""
        german = self.region.upper() if self.region in GERMAN_SPEAKING else "DE"
        return f"de-{german}" if self.language == "de" else "en-US" if self.region == Region.US else "en-GB"

    @property
    def is_us(self) -> bool:
        return self.region == Region.US

    @property
    def din_letter(self) -> bool:
        """Whether page 1 has the address window of DIN 5008."""
        return self.region in GERMAN_SPEAKING

    @property
    def paper(self) -> str:
        return "us-letter" if self.is_us else "a4"

    @property
    def lead_in_days(self) -> bool:
        return self.is_us

    @property
    def symbol(self) -> str:
        """How a column head names the currency: the code, in German the sign of the euro."""
        return "€" if self.language == "de" and self.currency == "EUR" else self.currency

    @property
    def _marks(self) -> tuple[str, str]:
        if self.language != "de":
            return ",", "."
        return ("'", ".") if self.region == Region.CH else (".", ",")

    def number(self, value: Decimal | float | int | str, digits: int | None = None) -> str:
        """Grouped, with `digits` decimals or as many as the value has; U+2212 as minus."""
        amount = Decimal(str(value))
        if digits is not None:
            amount = amount.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
        group, point = self._marks
        whole, _dot, fraction = format(abs(amount), ",f").partition(".")
        text = whole.replace(",", group) + (point + fraction if fraction else "")
        return (MINUS if amount < 0 else "") + text

    def count(self, value: Decimal | float | int | str) -> str:
        """A count without zeros after the point: 200 for 200.0, 1.5 for 1.50."""
        return self.number(_plain(str(value)))

    def figure(self, value: float) -> str:
        """A measured or estimated figure with two or three significant digits."""
        size = abs(value)
        digits = 0 if size >= 10 else 1 if size >= 1 else 2
        return self.number(value, digits)

    def amount(self, value: str | Decimal, currency: str = "") -> str:
        """Bare amount with at least the digits of the minor unit."""
        amount = Decimal(value)
        exponent = amount.as_tuple().exponent
        shown = -exponent if isinstance(exponent, int) else 0
        return self.number(amount, max(minor_digits(currency or self.currency), shown))

    def money(self, value: str | Decimal) -> str:
        """Amount with its currency in the reader's order."""
        bare, symbol = self.amount(value), _SYMBOLS.get(self.currency, self.currency)
        sign, bare = (MINUS, bare[1:]) if bare.startswith(MINUS) else ("", bare)
        if self.language == "de" and self.region not in (Region.AT, Region.CH):
            return f"{sign}{bare}{NBSP}{symbol}"
        if self.language == "de" or symbol == self.currency:
            return f"{sign}{symbol}{NBSP}{bare}"
        return f"{sign}{symbol}{bare}"

    def signed(self, value: str | Decimal) -> str:
        """A difference: always with its sign."""
        amount = Decimal(value)
        return ("+" if amount > 0 else "") + self.amount(amount)

    def percent(self, value: str | Decimal) -> str:
        return f"{self.count(value)}{NBSP}%"

    def date(self, value: str | date | None) -> str:
        """Day, or the word unknown."""
        if not value:
            return pgettext("document", "unknown")
        day = date.fromisoformat(value[:10]) if isinstance(value, str) else value
        if self.language == "de":
            return f"{day.day:02}.{day.month:02}.{day.year}"
        return f"{day.day}{NBSP}{_MONTHS[day.month - 1]} {day.year}"

    def moment(self, value: str, time_zone: str) -> str:
        """Day, time and zone of an ISO moment in the seller's zone."""
        local = datetime.fromisoformat(value).astimezone(ZoneInfo(time_zone))
        clock = f"{local:%H:%M}{NBSP}{local.tzname()}"
        return f"{self.date(local.date())}, {clock}"

    def lead(self, lead: dict[str, Any] | None) -> str:
        """A lead time as range in the document's unit, without the unit; "" where unknown, "≥" without upper end."""
        if not lead or lead.get("typical") is None:
            return ""
        ends = [lead.get("low") or lead["typical"], lead.get("high") or lead["typical"]]
        shown = list(dict.fromkeys(self.lead_figure(end) for end in ends))
        return ("≥" + NBSP if lead.get("at_least") else "") + EN_DASH.join(shown)

    def lead_figure(self, weeks: str | float | Decimal | None) -> str:
        """Weeks, or days where the reader counts days ARO (rounded up: never promised too early)."""
        value = Decimal(str(weeks))
        if self.lead_in_days:
            days = value * DAYS_PER_WEEK
            return self.number(-(-days // 1), 0)
        return self.number(_plain(value.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)))

    def duration(self, weeks: float | str) -> str:
        """A delivery time with its unit."""
        value = Decimal(str(weeks))
        if self.lead_in_days:
            return _("%(days)s days") % {"days": self.lead_figure(value)}
        if value == 1:
            return _("1 week")
        return _("%(weeks)s weeks") % {"weeks": self.lead_figure(value)}

    def join(self, parts: Sequence[str]) -> str:
        return ", ".join(part for part in parts if part)


def _plain(value: str | Decimal) -> Decimal:
    """Without trailing zeros after the point."""
    amount = Decimal(value)
    return amount.quantize(Decimal(1)) if amount == amount.to_integral_value() else amount.normalize()
