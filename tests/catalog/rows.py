"""Plain factories for catalogue rows; a test says only what it is about."""

from datetime import date
from decimal import Decimal
from typing import Any

from catalog.choices import PartKind, PriceKind, StockState
from catalog.models import Accelerator, LeadTimeObservation, Part, PriceObservation, Supplier
from config.accounts.models import Organisation, User

TODAY = date(2026, 11, 30)

H100_SXM = {
    "slug": "nvidia-h100-sxm5-80gb",
    "vendor": "NVIDIA",
    "name": "H100",
    "variant": "SXM5 80GB",
    "form_factor": "SXM5",
    "memory_gb": 80.0,
    "memory_type": "HBM3",
    "memory_bandwidth_gb_s": 3350.0,
    "fp32_dense_tflops": 67.0,
    "bf16_dense_tflops": 989.4,
    "fp8_dense_tflops": 1978.9,
    "int8_dense_tops": 1978.9,
    "tdp_w": 700.0,
    "scale_up_link": "NVLink 4",
    "scale_up_gb_s_bidirectional": 900.0,
    "compute_capability": "9.0",
    "supports_fp8": True,
    "supports_int8": True,
}
"""The data sheet's figures: 3.35 TB/s, 700 W, FP8 1979 dense (3958 is with sparsity)."""


def make_organisation(name: str = "Nordlicht") -> Organisation:
    return Organisation.objects.create(name=name)


def make_user(name: str = "ada") -> User:
    return User.objects.create_user(username=name, email=f"{name}@example.org", password=None)


def make_accelerator(**fields: Any) -> Accelerator:
    return Accelerator.objects.create(**{**H100_SXM, **fields})


def make_part(slug: str = "h100", **fields: Any) -> Part:
    return Part.objects.create(**{"slug": slug, "kind": PartKind.ACCELERATOR, "manufacturer": "NVIDIA", **fields})


def make_supplier(name: str = "Rechenwerk", **fields: Any) -> Supplier:
    return Supplier.objects.create(name=name, **fields)


def price(part: Part | None = None, **fields: Any) -> PriceObservation:
    """An unsaved offer: 30,000 USD, street, seen today, new."""
    values: dict[str, Any] = {
        "unit_price": Decimal(30000),
        "currency": "USD",
        "kind": PriceKind.STREET,
        "observed_on": TODAY,
        "valid_from": fields.get("observed_on", TODAY),
        **fields,
    }
    return PriceObservation(part=part, **values)


def make_price(part: Part, **fields: Any) -> PriceObservation:
    row = price(part, **fields)
    row.save()
    return row


def lead_time(part: Part | None = None, **fields: Any) -> LeadTimeObservation:
    """An unsaved statement: six to ten weeks, typically eight, seen today."""
    values: dict[str, Any] = {
        "weeks_low": Decimal(6),
        "weeks_typical": Decimal(8),
        "weeks_high": Decimal(10),
        "state": StockState.LEAD_TIME,
        "observed_on": TODAY,
        **fields,
    }
    return LeadTimeObservation(part=part, **values)


def make_lead_time(part: Part, **fields: Any) -> LeadTimeObservation:
    row = lead_time(part, **fields)
    row.save()
    return row
