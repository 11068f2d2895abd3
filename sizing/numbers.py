"""Form fields for numbers as people type them: 1,200.5 and 1.200,5 work in either language, and so do units."""

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from sizing import figures
from sizing.typed_units import Unit, split_unit

GROUPED = re.compile(r"^[+-]?\d{1,3}([.,])\d{3}(\1\d{3})*$")


def read_number(text: str, *, decimal_sign: str) -> Decimal:
    """The number that a person meant. Raises InvalidOperation where the text is no number.

    With both signs present the last one is the decimal sign. A single sign followed by exactly three
    digits is ambiguous: then `decimal_sign`, the reader's own, decides.
    """
    plain = re.sub(r"[\s\u00a0\u202f'\u2019_]", "", text).replace(figures.MINUS, "-")
    last = max(plain.rfind("."), plain.rfind(","))
    if last < 0:
        return Decimal(plain)
    sign = plain[last]
    other = "," if sign == "." else "."
    grouped = GROUPED.match(plain) is not None
    if grouped and (plain.count(sign) > 1 or sign != decimal_sign):
        return Decimal(plain.replace(sign, ""))
    if plain.count(sign) > 1:
        raise InvalidOperation(plain)
    return Decimal(plain.replace(other, "").replace(sign, "."))


class NumberField(forms.Field):
    """A number between `low` and `high`, both allowed; `whole` refuses fractions. Cleans to int or float.

    With `units` a unit may follow the number ("2000 ms" in a field of seconds); `reading` then says what it came
    to, for the page to show. It is empty where nothing was converted.
    """

    widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})

    def __init__(
        self, *, low: float, high: float, whole: bool = False, units: Unit | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.low, self.high, self.whole, self.units = low, high, whole, units
        self.reading = ""

    def prepare_value(self, value: Any) -> Any:
        """A default in the reader's own style; what a person typed comes back untouched."""
        return plain_text(value) if isinstance(value, int | float | Decimal) else value

    def to_python(self, value: Any) -> int | float | None:
        self.reading = ""
        if value in self.empty_values or not str(value).strip():
            return None
        read = self._read(str(value))
        if not read.is_finite():
            raise ValidationError(_("“%(value)s” is not a number.") % {"value": str(value)[:40]})
        if self.whole and read != int(read):
            raise ValidationError(_("Enter a whole number, without a fraction."))
        return int(read) if self.whole else float(read)

    def _read(self, text: str) -> Decimal:
        """The number in the field's own unit. Raises ValidationError where text or unit cannot be read."""
        number, unit = split_unit(text) if self.units else (text, "")
        sign = "," if figures.locale() == "de" else "."
        if self.whole and not unit:
            sign = ""  # a whole number has no decimal sign: three digits after a sign are thousands
        try:
            read = read_number(number, decimal_sign=sign)
        except InvalidOperation:
            raise ValidationError(_("“%(value)s” is not a number.") % {"value": text[:40]}) from None
        if self.units is None or not unit or not read.is_finite():
            return read
        spelling = self.units.spelling_of(unit)
        if spelling is None:
            words = {"unit": unit[:20], "units": ", ".join(self.units.shown)}
            raise ValidationError(_("“%(unit)s” is no unit of this field. It takes: %(units)s.") % words)
        converted = round(self.units.converted(read, spelling), 9)
        if converted != read:
            self.reading = f"= {figures.with_unit(plain_text(round(float(converted), 6)), self.units.own)}"
        return converted

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value is not None and not self.low <= value <= self.high:
            raise ValidationError(
                _("Enter %(low)s to %(high)s.") % {"low": plain_text(self.low), "high": plain_text(self.high)}
            )


def plain_text(value: int | float | Decimal) -> str:
    """A number with its thousands and no more decimals than it has."""
    exact = Decimal(str(value)).normalize()
    exponent = exact.as_tuple().exponent
    return figures.number(exact, max(0, -exponent) if isinstance(exponent, int) else 0)
