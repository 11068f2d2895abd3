"""What a person types about the catalogue: prices, lead times, corrections, and what to compare."""

import math
from typing import Any

from django import forms
from django.forms import ModelForm
from django.utils.translation import gettext_lazy as _

from catalog.models import (
    Accelerator,
    BomRule,
    ExchangeRate,
    LeadTimeObservation,
    PriceObservation,
    Processor,
    Server,
    Supplier,
)
from catalog.selectors import suppliers
from config.accounts.models import Organisation

MOST_COMPARED = 6


class SupplierField(forms.CharField):
    """A supplier by name; one that is not known yet is made when the form is saved."""

    def __init__(self) -> None:
        super().__init__(max_length=100, label=_("Supplier"))


def day_input() -> forms.DateInput:
    """A browser's date field takes the ISO form alone, in every language."""
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class _OfferForm(ModelForm):  # type: ignore[type-arg]
    supplier_name = SupplierField()

    def __init__(self, *args: Any, organisation: Organisation, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.organisation = organisation
        for field in self.fields.values():
            kind = "form-select" if isinstance(field.widget, forms.Select) else "form-control"
            field.widget.attrs.setdefault("class", kind)

    def supplier(self) -> Supplier:
        """The organisation's supplier of that name, made where it does not exist."""
        name = self.cleaned_data["supplier_name"].strip()
        known = suppliers(self.organisation).filter(name__iexact=name).order_by("organisation_id").first()
        return known or Supplier.objects.create(organisation=self.organisation, name=name)


class PriceForm(_OfferForm):
    """An offer for one part, as the supplier states it."""

    class Meta:
        model = PriceObservation
        fields = [
            "unit_price",
            "currency",
            "tax_basis",
            "kind",
            "min_quantity",
            "pack_size",
            "minimum_order",
            "observed_on",
            "valid_to",
            "supplier_sku",
            "quote_number",
            "source_title",
            "source_url",
            "notes",
        ]
        widgets = {
            "observed_on": day_input(),
            "valid_to": day_input(),
            "notes": forms.Textarea(attrs={"rows": 2}),
        }

    def clean_currency(self) -> str:
        return str(self.cleaned_data["currency"]).upper()


class LeadTimeForm(_OfferForm):
    """What a supplier says about delivery or stock of one part."""

    class Meta:
        model = LeadTimeObservation
        fields = [
            "state",
            "weeks_low",
            "weeks_typical",
            "weeks_high",
            "stock_count",
            "promised_on",
            "observed_on",
            "source_title",
            "source_url",
            "notes",
        ]
        widgets = {
            "observed_on": day_input(),
            "promised_on": day_input(),
            "notes": forms.Textarea(attrs={"rows": 2}),
        }


class RateForm(ModelForm):  # type: ignore[type-arg]
    """What one unit of a currency costs in another, on a day, by a source."""

    class Meta:
        model = ExchangeRate
        fields = ["base_currency", "quote_currency", "rate", "as_of", "source_title", "source_url"]
        widgets = {"as_of": day_input()}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["source_title"].required = True
        for field in self.fields.values():
            field.widget.attrs.setdefault("class", "form-control")

    def clean_base_currency(self) -> str:
        return str(self.cleaned_data["base_currency"]).upper()

    def clean_quote_currency(self) -> str:
        return str(self.cleaned_data["quote_currency"]).upper()


class _CorrectionForm(ModelForm):  # type: ignore[type-arg]
    """Figures of one row. A change names its reason; an unusual one is confirmed."""

    reason = forms.CharField(label=_("Reason and source of the change"), max_length=300)
    confirmed = forms.BooleanField(
        label=_("Keep unusual figures: I have checked them against the source."), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            if name != "confirmed":
                kind = "form-select" if isinstance(field.widget, forms.Select) else "form-control"
                field.widget.attrs.setdefault("class", kind)

    def changes(self) -> dict[str, Any]:
        """The fields that differ from the stored row."""
        return {name: self.cleaned_data[name] for name in self.changed_data if name not in {"reason", "confirmed"}}


class AcceleratorForm(_CorrectionForm):
    class Meta:
        model = Accelerator
        fields = [
            "status",
            "form_factor",
            "slot_width",
            "memory_gb",
            "memory_type",
            "memory_bandwidth_gb_s",
            "fp32_dense_tflops",
            "tf32_dense_tflops",
            "fp16_dense_tflops",
            "bf16_dense_tflops",
            "fp8_dense_tflops",
            "fp4_dense_tflops",
            "int8_dense_tops",
            "int4_dense_tops",
            "tdp_w",
            "configurable_tdp_min_w",
            "mig_max_instances",
            "scale_up_link",
            "scale_up_gb_s_bidirectional",
            "scale_up_domain_size",
            "pcie_gen",
            "pcie_lanes",
            "compute_capability",
            "source_title",
            "source_url",
            "source_date",
            "notes",
        ]


class ServerForm(_CorrectionForm):
    class Meta:
        model = Server
        fields = [
            "status",
            "rack_units",
            "accelerator_mount",
            "max_accelerators",
            "cpu_sockets",
            "cpu_families",
            "dimm_slots",
            "max_ram_gb",
            "ram_type",
            "drive_bays",
            "nic_pcie_slots",
            "psu_count",
            "psu_watts",
            "psu_redundancy",
            "input_voltage",
            "cooling",
            "max_ambient_c",
            "op_temp_range_c",
            "weight_kg",
            "max_system_power_w",
            "country_of_origin",
            "source_title",
            "source_url",
            "source_date",
            "notes",
        ]


class ProcessorForm(_CorrectionForm):
    class Meta:
        model = Processor
        fields = [
            "status",
            "socket",
            "max_sockets",
            "cores",
            "threads",
            "base_ghz",
            "boost_ghz",
            "l3_mb",
            "memory_channels",
            "memory_type",
            "memory_speed_mts",
            "memory_bandwidth_gb_s",
            "pcie_gen",
            "pcie_lanes",
            "tdp_w",
            "source_title",
            "source_url",
            "source_date",
            "notes",
        ]


class NumbersField(forms.CharField):
    """Numbers, one a line."""

    def clean(self, value: Any) -> list[float]:
        lines = [line.strip().replace(",", ".") for line in super().clean(value).splitlines() if line.strip()]
        try:
            return [_plain(float(line)) for line in lines]
        except ValueError:
            raise forms.ValidationError(_("Write one number a line, for example 0.25.")) from None


class WordsField(forms.CharField):
    """Words, one entry a line."""

    def clean(self, value: Any) -> list[str]:
        return [line.strip() for line in super().clean(value).splitlines() if line.strip()]


def _plain(number: float) -> float:
    """A whole number without its point, so that an unchanged value stays the stored one."""
    if not math.isfinite(number):
        raise ValueError(number)
    return int(number) if number.is_integer() else number


class BomRuleForm(_CorrectionForm):
    """One rule of the configurator: its value, effect and source."""

    class Meta:
        model = BomRule
        fields = ["value", "kind", "source_title", "source_url", "source_date", "notes"]
        widgets = {"notes": forms.Textarea(attrs={"rows": 2})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["confirmed"]
        self.fields["source_title"].required = True
        self.fields["source_date"].required = True
        self.fields["value"] = self._value_field()
        self.initial["value"] = self._as_text()

    def _value_field(self) -> forms.Field:
        rule: BomRule = self.instance
        label = _("Value")
        if not rule.is_list:
            widget = forms.NumberInput(attrs={"class": "form-control", "step": "any"})
            return forms.FloatField(label=label, help_text=rule.unit, min_value=rule.least, widget=widget)
        area = forms.Textarea(attrs={"class": "form-control", "rows": len(rule.items) + 1})
        return (WordsField if rule.is_words else NumbersField)(label=label, help_text=rule.unit, widget=area)

    def _as_text(self) -> Any:
        rule: BomRule = self.instance
        return "\n".join(f"{item}" for item in rule.items) if rule.is_list else rule.value

    def clean_value(self) -> Any:
        value = self.cleaned_data["value"]
        return _plain(value) if isinstance(value, float) else value

    def clean(self) -> dict[str, Any]:
        """A rule has bounds of its own, so there is nothing unusual to confirm."""
        return {**(super().clean() or {}), "confirmed": False}
