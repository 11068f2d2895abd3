"""One line in full, and the rules of an organisation: what people type there."""

from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from quotes.choices import LineKind
from quotes.evidence_forms import StyledForm
from quotes.forms import TypedDecimal, parsed
from quotes.models import ApprovalRule, QuoteLine, QuotePolicy


class TiersField(forms.CharField):
    """Quantity breaks as `1: 100.00; 10: 90.00`, in either decimal style."""

    def clean(self, value: Any) -> list[dict[str, str]]:
        text = super().clean(value)
        found = []
        for part in filter(None, (piece.strip() for piece in (text or "").replace("\n", ";").split(";"))):
            quantity, colon, price = part.partition(":")
            amounts = (parsed(quantity), parsed(price)) if colon else (None, None)
            if None in amounts:
                raise forms.ValidationError(_("Write quantity breaks as 1: 100.00; 10: 90.00."), code="tiers")
            found.append(
                {"from": format(amounts[0] or Decimal(0), "f"), "price": format(amounts[1] or Decimal(0), "f")}
            )
        return found


class FullLineForm(StyledForm):
    """Every field of a line besides its prices, which the table holds."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    section = forms.RegexField(r"^\d{1,3}$", label=_("Section"))
    section_title = forms.CharField(max_length=200, required=False, label=_("Section title"))
    kind = forms.ChoiceField(choices=LineKind.choices, label=_("Kind"))
    alternative_to = forms.CharField(max_length=20, required=False, label=_("Alternative to line"))
    included_in = forms.CharField(max_length=20, required=False, label=_("Included in line"))
    description = forms.CharField(max_length=500, label=_("Description"))
    manufacturer = forms.CharField(max_length=200, required=False, label=_("Manufacturer"))
    brand = forms.CharField(max_length=200, required=False, label=_("Brand"))
    mpn = forms.CharField(max_length=100, required=False, label=_("Part number"))
    seller_pn = forms.CharField(max_length=100, required=False, label=_("Our part number"))
    supplier = forms.CharField(
        max_length=200, required=False, label=_("Provider of the service"), help_text=_("For screening, never printed.")
    )
    category = forms.CharField(max_length=40, required=False, label=_("Kind of part, for screening"))
    unit = forms.CharField(max_length=20, label=_("Unit"))
    pack_size = forms.IntegerField(min_value=1, max_value=1_000_000, label=_("Pieces in a pack"))
    minimum_units = forms.IntegerField(min_value=1, max_value=1_000_000, label=_("Minimum order"))
    order_multiple = forms.IntegerField(min_value=1, max_value=1_000_000, label=_("Order multiple"))
    price_tiers = TiersField(
        max_length=1000, required=False, label=_("Quantity breaks"), help_text=_("List prices, as 1: 100.00; 10: 90.00")
    )
    tax_rate_pct = TypedDecimal(required=False, low=Decimal(0), high=Decimal(100), label=_("Tax in per cent"))
    warranty = forms.CharField(max_length=200, required=False, label=_("Warranty"))
    eccn = forms.CharField(max_length=20, required=False, label="ECCN")
    hts = forms.CharField(max_length=20, required=False, label=_("Customs tariff number"))
    unspsc = forms.CharField(max_length=10, required=False, label="UNSPSC")
    eclass = forms.CharField(max_length=12, required=False, label="ECLASS")
    gtin = forms.CharField(max_length=14, required=False, label="GTIN")

    def changes(self, line: QuoteLine) -> dict[str, Any]:
        """The fields that differ from the stored line; the section is moved apart."""
        values = {name: value for name, value in self.cleaned_data.items() if name not in ("version", "section")}
        if not self.has_changed_tiers(line):
            values.pop("price_tiers")
        return {name: value for name, value in values.items() if value != getattr(line, name)}

    def has_changed_tiers(self, line: QuoteLine) -> bool:
        return _amounts(self.cleaned_data["price_tiers"]) != _amounts(line.price_tiers)


def initial_of(line: QuoteLine) -> dict[str, Any]:
    """What the form shows of a stored line."""
    values = {name: getattr(line, name) for name in FullLineForm.base_fields if name != "price_tiers"}
    tiers = "; ".join(f"{tier['from']}: {tier['price']}" for tier in line.price_tiers)
    rate = "" if line.tax_rate_pct is None else format(line.tax_rate_pct.normalize(), "f")
    return {**values, "price_tiers": tiers, "tax_rate_pct": rate}


def _amounts(tiers: list[dict[str, str]]) -> list[tuple[Decimal, Decimal]]:
    try:
        return sorted((Decimal(tier["from"]), Decimal(tier["price"])) for tier in tiers)
    except InvalidOperation:
        return []


class PolicyForm(forms.ModelForm):  # type: ignore[type-arg]
    """How we screen, and what our documents look like and say."""

    class Meta:
        model = QuotePolicy
        fields = [
            "part_b_represented_on", "strict_s889", "grade_a_only", "accent_colour", "cover_letter_en",
            "cover_letter_de", "intro_en", "intro_de", "notes_en", "notes_de",
        ]  # fmt: skip
        widgets = {"part_b_represented_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            is_box = isinstance(field, forms.BooleanField)
            field.widget.attrs.setdefault("class", "form-check-input" if is_box else "form-control")
            if isinstance(field.widget, forms.Textarea):
                field.widget.attrs["rows"] = 4


class RuleForm(forms.ModelForm):  # type: ignore[type-arg]
    """From which total, or below which margin, how many people approve."""

    class Meta:
        model = ApprovalRule
        fields = ["currency", "total_from", "margin_below_pct", "approvals_needed"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.setdefault("class", "form-control")
