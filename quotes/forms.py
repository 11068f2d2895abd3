"""What people type on quote pages. Numbers may be typed in either decimal style."""

from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from quotes.choices import LineKind, OpenKind
from quotes.models import Quote, QuoteLine

MAX_DIGITS = 14


class TypedDecimal(forms.CharField):
    """A decimal in either style: 1,234.56 or 1.234,56; one lone sign before three digits is asked back."""

    def __init__(self, *, low: Decimal | None = None, high: Decimal | None = None, **kwargs: Any) -> None:
        self.low, self.high = low, high
        super().__init__(max_length=40, **kwargs)
        self.widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}

    def clean(self, value: Any) -> Decimal | None:
        text = super().clean(value)
        if not text:
            return None
        amount = parsed(text)
        if amount is None or abs(amount) >= Decimal(10) ** MAX_DIGITS:
            raise forms.ValidationError(_("Enter a number, for example 1234.56."), code="number")
        if (self.low is not None and amount < self.low) or (self.high is not None and amount > self.high):
            raise forms.ValidationError(_("Enter a number in the range that is allowed here."), code="range")
        return amount


def parsed(text: str) -> Decimal | None:
    """The number in `text`, None where it is none. With one kind of sign, the last one is the decimal point.

    "1.234,5" and "1,234.5" read the same; "1,234,567" and "1.234.567" are grouped.
    """
    bare = text.strip().replace("\u00a0", "").replace(" ", "").replace("'", "").replace("\u2212", "-")
    comma, point = bare.rfind(","), bare.rfind(".")
    if comma >= 0 and point >= 0:
        group = "," if point > comma else "."
        bare = bare.replace(group, "").replace(",", ".")
    elif bare.count(",") > 1 or bare.count(".") > 1:
        bare = bare.replace(",", "").replace(".", "")
    else:
        bare = bare.replace(",", ".")
    try:
        amount = Decimal(bare)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None


class QuoteForm(forms.ModelForm):  # type: ignore[type-arg]
    """Parties, reference, terms and document settings of a draft."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    class Meta:
        model = Quote
        fields = [
            "title", "buyer_type", "buyer_name", "buyer_contact", "buyer_salutation", "buyer_street",
            "buyer_postal_code", "buyer_city", "buyer_country", "buyer_vat_id", "customer_number", "deliver_to",
            "request_number", "request_date", "contract_vehicle", "special_item_numbers", "seller_contact",
            "seller_phone", "seller_email", "language", "region", "tax_treatment", "valid_until", "binding",
            "payment_days", "early_payment_pct", "early_payment_days", "delivery_terms", "shipping", "warranty",
            "place_of_performance", "jurisdiction", "terms_acceptance", "section_889_statement", "contract_start",
            "acquisition_value_usd", "set_aside", "taa_by_contract", "cover_letter", "intro", "notes",
        ]  # fmt: skip
        widgets = {
            "request_date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "valid_until": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "contract_start": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "cover_letter": forms.Textarea(attrs={"rows": 8}),
            "intro": forms.Textarea(attrs={"rows": 3}),
            "notes": forms.Textarea(attrs={"rows": 3}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            kind = "form-select" if isinstance(field, forms.ChoiceField) else "form-control"
            kind = "form-check-input" if isinstance(field, forms.BooleanField) else kind
            if name != "version":
                field.widget.attrs.setdefault("class", kind)
                # what the person saw travels with the form, so that only what they typed counts as a change
                field.show_hidden_initial = not self.is_bound or self.add_initial_prefix(name) in self.data

    def changes(self) -> dict[str, Any]:
        """The changed fields with their new values."""
        return {name: self.cleaned_data[name] for name in self.changed_data if name != "version"}

    def refuse_unseen(self) -> bool:
        """Whether a typed field holds something else by now than the person saw; each then says what is stored.

        The form takes the stored values as seen, so that sending it again is a choice made in knowledge of both.
        """
        data, found = dict(self.data.items()), False
        for name in self.changed_data:
            bound = self[name]
            stored = self.initial.get(name)
            if not bound.field.show_hidden_initial:
                continue
            seen = bound.field.hidden_widget().value_from_datadict(self.data, self.files, bound.html_initial_name)
            if bound.field.has_changed(stored, seen):
                shown = "" if stored is None else str(stored)
                self.add_error(name, _("stored meanwhile: %(value)s") % {"value": shown or "–"})
                data[bound.html_initial_name] = shown
                found = True
        self.data = data
        return found

    @property
    def says_what_was_seen(self) -> bool:
        """Whether the form came with the values that the person saw."""
        return self.add_initial_prefix("title") in self.data


class LineForm(forms.Form):
    """The cells of one line in the editing table. An empty unit price leaves the price open."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    quantity = TypedDecimal(low=Decimal("0.001"), label=_("Quantity"))
    list_price = TypedDecimal(required=False, low=Decimal(0), label=_("List price"))
    discount_pct = TypedDecimal(required=False, low=Decimal(0), high=Decimal(100), label=_("Discount in per cent"))
    unit_net = TypedDecimal(required=False, label=_("Unit price, net"))
    lead_typical_weeks = TypedDecimal(required=False, low=Decimal(0), high=Decimal(520), label=_("Lead time in weeks"))
    origin_raw = forms.CharField(required=False, max_length=200, label=_("Origin as received"))
    unit_cost = TypedDecimal(required=False, low=Decimal(0), label=_("Unit cost, ours alone"))
    schedule = forms.CharField(required=False, max_length=30, label=_("Schedule item or “open market”"))

    def __init__(
        self, data: Any = None, *, line: QuoteLine, initial: dict[str, Any], hidden: frozenset[str] = frozenset()
    ) -> None:
        self.line = line
        super().__init__(data, prefix=str(line.public_id), initial=initial)
        for name in hidden:
            del self.fields[name]
        for name, field in self.fields.items():
            if name != "version":
                field.widget.attrs |= {
                    "class": "form-control",
                    "aria-label": f"{field.label}, {line.number}",
                    "data-column": name,
                }

    @property
    def is_sent(self) -> bool:
        """Whether the row was sent: a script leaves out rows that nobody touched."""
        return self.is_bound and self.add_prefix("version") in self.data

    @property
    def is_stale(self) -> bool:
        """Whether the line was saved since the row was read. Of a valid row only."""
        return self.is_sent and self.cleaned_data["version"] != self.line.version

    def changes(self) -> dict[str, Any]:
        """Cells that differ from the stored line."""
        values = {name: self.cleaned_data[name] for name in self.fields if name != "version"}
        return {name: value for name, value in values.items() if value != getattr(self.line, name)}


class NewLineForm(forms.Form):
    """A further line."""

    section = forms.RegexField(r"^\d{1,3}$", label=_("Section"), initial="1")
    kind = forms.ChoiceField(choices=LineKind.choices, label=_("Kind"), initial=LineKind.SERVICE)
    description = forms.CharField(max_length=500, label=_("Description"))
    manufacturer = forms.CharField(max_length=200, required=False, label=_("Manufacturer"))
    mpn = forms.CharField(max_length=100, required=False, label=_("Part number"))
    alternative_to = forms.CharField(max_length=20, required=False, label=_("Alternative to line"))
    quantity = TypedDecimal(low=Decimal("0.001"), label=_("Quantity"), initial="1")
    unit_net = TypedDecimal(required=False, label=_("Unit price, net"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.setdefault(
                "class", "form-select" if isinstance(field, forms.ChoiceField) else "form-control"
            )


class DiscountForm(forms.Form):
    percent = TypedDecimal(low=Decimal("0.01"), high=Decimal(100), label=_("Discount on the whole, in per cent"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["percent"].widget.attrs |= {"class": "form-control"}


class ReasonForm(forms.Form):
    reason = forms.CharField(max_length=2000, required=False)


class DecisionForm(forms.Form):
    """A recorded reason why an open item may stand."""

    about = forms.ChoiceField(choices=OpenKind.choices)
    line = forms.CharField(max_length=20, required=False)
    rule = forms.CharField(max_length=40, required=False)
    reason = forms.CharField(max_length=2000)


class ShareForm(forms.Form):
    days = forms.IntegerField(min_value=1, max_value=365)


class VerifyForm(forms.Form):
    """A check value, or an exported JSON file, or both."""

    value = forms.CharField(max_length=100, required=False, label=_("Check value"))
    file = forms.FileField(required=False, label=_("Exported JSON file"))
