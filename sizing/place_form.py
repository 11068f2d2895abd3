"""Fields on the place, the terms of buying and the hours of a day that every workload form shares."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sizing.numbers import NumberField, read_number

PER_CENT = 100
FORM_FACTORS = [
    ("rackmount", gettext_lazy("Rack server")),
    ("rack_scale", gettext_lazy("Whole rack")),
    ("workstation", gettext_lazy("Workstation")),
    ("tower", gettext_lazy("Tower")),
    ("compact", gettext_lazy("Compact")),
    ("industrial_edge", gettext_lazy("Edge box")),
]
DEVICE_CLASSES = [
    ("accelerator", gettext_lazy("Accelerators in servers")),
    ("processor", gettext_lazy("Processors, no accelerator")),
    ("edge", gettext_lazy("Edge modules and small computers")),
]
MOUNTINGS = [
    ("", gettext_lazy("Unknown")),
    ("rack", gettext_lazy("Rack")),
    ("desk", gettext_lazy("Desk")),
    ("wall", gettext_lazy("Wall")),
    ("din rail", gettext_lazy("DIN rail")),
]
PORTS = [
    ("serial", gettext_lazy("serial port")),
    ("can", gettext_lazy("CAN bus")),
    ("poe", gettext_lazy("PoE ports")),
    ("cellular", gettext_lazy("mobile network")),
]
PROTECTION = [
    ("fanless", gettext_lazy("no fan")),
    ("dust", gettext_lazy("protection against dust")),
    ("shock", gettext_lazy("protection against shock")),
    ("vibration", gettext_lazy("protection against vibration")),
    ("mil-std-810", "MIL-STD-810"),
]
SITE_NUMBERS = (
    "feeds", "volts", "amps", "dc_input_v", "max_kw_per_rack", "cooling_kw", "max_weight_kg", "noise_db",
    "min_ambient_c", "space_per_rack_unit_year",
)  # fmt: skip
CHOSEN = ("form_factors", "ports", "environment", "device_classes")
BUYING_NUMBERS = ("support_years", "write_off_years", "staff_per_year", "integration_weeks", "shipping_weeks")
BUYING_LISTS = ("allowed_vendors", "allowed_regions", "allowed_providers", "excluded_providers")


def _number(label: Any, *, low: float, high: float, **kwargs: Any) -> NumberField:
    return NumberField(label=label, low=low, high=high, required=False, **kwargs)


def _choices(label: Any, choices: list[tuple[str, Any]]) -> forms.MultipleChoiceField:
    widget = forms.CheckboxSelectMultiple
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=widget)


def _names(label: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=300, required=False)


class PlaceForm(forms.Form):
    """What a place offers and asks for, how it is bought, and the load over the day. Nothing here must be filled in."""

    load_profile = forms.CharField(
        label=gettext_lazy("Load over the day"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )
    form_factors = _choices(gettext_lazy("Form"), FORM_FACTORS)
    device_classes = _choices(gettext_lazy("May run on"), DEVICE_CLASSES)
    mounting = forms.ChoiceField(label=gettext_lazy("Mounting"), choices=MOUNTINGS, required=False)
    ports = _choices(gettext_lazy("Ports"), PORTS)
    environment = _choices(gettext_lazy("Protection"), PROTECTION)
    feeds = _number(gettext_lazy("Feeds"), low=1, high=16, whole=True)
    volts = _number(gettext_lazy("Voltage"), low=1, high=1000)
    amps = _number(gettext_lazy("Current of a feed"), low=0.1, high=100_000)
    dc_input_v = _number(gettext_lazy("Direct current"), low=1, high=1000)
    max_kw_per_rack = _number(gettext_lazy("Power of a rack"), low=0.1, high=10_000)
    cooling_kw = _number(gettext_lazy("Heat taken away"), low=0.1, high=1_000_000)
    max_weight_kg = _number(gettext_lazy("Weight carried"), low=1, high=1_000_000)
    noise_db = _number(gettext_lazy("Noise"), low=1, high=200)
    min_ambient_c = _number(gettext_lazy("Coldest air"), low=-60, high=60)
    space_per_rack_unit_year = _number(gettext_lazy("Space, per rack unit and year"), low=0, high=1_000_000)
    allowed_vendors = _names(gettext_lazy("Only these makers"))
    allowed_regions = _names(gettext_lazy("Only these regions"))
    allowed_providers = _names(gettext_lazy("Only these providers"))
    excluded_providers = _names(gettext_lazy("Providers to leave out"))
    support_years = _number(gettext_lazy("Support"), low=1, high=10, whole=True)
    write_off_years = _number(gettext_lazy("Write-off"), low=0.5, high=20)
    residual_pct = _number(gettext_lazy("Value at the end"), low=0, high=95)
    staff_per_year = _number(gettext_lazy("Staff, per year"), low=0, high=1_000_000_000)
    integration_weeks = _number(gettext_lazy("Integration and validation"), low=0, high=52)
    shipping_weeks = _number(gettext_lazy("Shipping"), low=0, high=52)
    uninterruptible_supply = forms.BooleanField(
        label=gettext_lazy("Uninterruptible power supply, please"), required=False
    )

    @property
    def place_choices(self) -> list[forms.BoundField]:
        """The fields of which several answers may be ticked."""
        return [self[name] for name in ("form_factors", "ports", "environment")]

    def clean_load_profile(self) -> list[float] | None:
        """24 or 168 numbers, apart by spaces, semicolons or lines."""
        words = self.cleaned_data["load_profile"].replace(";", " ").split()
        if not words:
            return None
        try:
            values = [float(read_number(word, decimal_sign=".")) for word in words]
        except ArithmeticError:
            raise forms.ValidationError(_("Write numbers with a space between them, for example 0.2 0.5 1.")) from None
        if len(values) not in (24, 168):
            raise forms.ValidationError(_("Give 24 or 168 hourly multipliers, not %(count)d.") % {"count": len(values)})
        return values

    def place_json(self) -> dict[str, Any]:
        """The further keys of `site` that are stated."""
        data = self.cleaned_data
        lists = {name: data.get(name) or None for name in CHOSEN}
        return _stated(
            {name: data.get(name) for name in SITE_NUMBERS} | lists | {"mounting": data.get("mounting") or None}
        )

    def buying_json(self) -> dict[str, Any]:
        """The further keys of `procurement` that are stated."""
        data = self.cleaned_data
        residual = data.get("residual_pct")
        return _stated(
            {name: data.get(name) for name in BUYING_NUMBERS}
            | {name: _listed(data.get(name)) for name in BUYING_LISTS}
            | {
                "residual_share": None if residual is None else residual / PER_CENT,
                "uninterruptible_supply": data.get("uninterruptible_supply") or None,
            }
        )


def _stated(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _listed(text: str | None) -> list[str] | None:
    return [word.strip() for word in (text or "").split(",") if word.strip()] or None


def place_initial(request: Mapping[str, Any]) -> dict[str, Any]:
    """The values of these fields for an earlier request."""
    site, buying = request.get("site") or {}, request.get("procurement") or {}
    profile, residual = (request.get("traffic") or {}).get("load_profile"), buying.get("residual_share")
    names = (*SITE_NUMBERS, *CHOSEN, "mounting")
    values: dict[str, Any] = {name: site.get(name) for name in names}
    values |= {name: buying.get(name) for name in (*BUYING_NUMBERS, "uninterruptible_supply")}
    values |= {name: ", ".join(buying.get(name) or []) for name in BUYING_LISTS}
    values["residual_pct"] = None if residual is None else residual * PER_CENT
    values["load_profile"] = " ".join(f"{value:g}" for value in profile or [])
    return values
