"""Prices, lead times, rental rates, tariffs and exchange rates of the shipped data."""

from datetime import date
from decimal import Decimal
from pathlib import Path

from django.utils.text import slugify

from catalog.choices import Condition, StockState, TaxBasis
from catalog.models import CloudRate, EnergyTariff, ExchangeRate, LeadTimeObservation, PriceObservation, Supplier
from catalog.seed.files import SeedLine, Values, keyed, read, values_of
from catalog.seed.parts import NO_PARTS, Catalogue
from catalog.seed.report import SeedReport, UnknownName
from catalog.seed.sync import append, sync

TAX_BASIS = {
    "excl VAT": TaxBasis.EXCL_VAT,
    "excl sales tax": TaxBasis.EXCL_SALES_TAX,
    "unstated": TaxBasis.UNSTATED,
}


def load_prices(data_dir: Path, report: SeedReport, catalogue: Catalogue) -> None:
    """Price observations; tariffs of electricity and exchange rates go to tables of their own."""
    lines = list(keyed(read("prices", data_dir), "price"))
    goods = [line for _, line in lines if line["category"] not in NO_PARTS]
    names = sorted({line["seller"] for line in goods if line["seller"]})
    suppliers = sync(Supplier, ({"name": name, "seed_key": slugify(name)} for name in names), report)
    prices: list[Values] = []
    tariffs: list[Values] = []
    rates: list[Values] = []
    for key, line in lines:
        if line["category"] == "electricity":
            tariffs.append(_tariff(key, line, report))
        elif line["category"] == "fx":
            rates.append(_exchange_rate(key, line))
        else:
            prices.append(_price(key, line, report, catalogue, suppliers))
    append(PriceObservation, prices, report)
    sync(EnergyTariff, tariffs, report, delete_left=True)
    sync(ExchangeRate, rates, report, delete_left=True)


def _price(
    key: str, line: SeedLine, report: SeedReport, catalogue: Catalogue, suppliers: dict[str, Supplier]
) -> Values:
    part = catalogue.part_of(line["item_slug"], line["mpn"], line["category"])
    if part is None:
        raise LookupError(f"{line.file} line {line.number}: no part for {line['item_slug']}")
    renamed = {"price": "unit_price", "price_kind": "kind", "unit": "price_unit", "source_date": "observed_on"}
    values = values_of(PriceObservation, line, report, rename=renamed)
    supplier = suppliers.get(slugify(line["seller"]))
    return {
        **values,
        "part_id": part.pk,
        "supplier_id": supplier.pk if supplier else None,
        "tax_basis": TAX_BASIS[line["tax_basis"]],
        "condition": Condition.USED if "(used)" in line["item_name"] else Condition.UNKNOWN,
        "source_date": line["source_date"],
        "valid_from": values["observed_on"],
        "seed_key": key,
    }


def _tariff(key: str, line: SeedLine, report: SeedReport) -> Values:
    renamed = {
        "item_slug": "slug",
        "item_name": "name",
        "price": "price_per_kwh",
        "price_high": "price_per_kwh_high",
        "source_date": "as_of",
    }
    values = values_of(EnergyTariff, line, report, rename=renamed)
    return {
        **values,
        "tax_basis": TAX_BASIS[line["tax_basis"]],
        "source_date": line["source_date"],
        "seed_key": key,
    }


def _exchange_rate(key: str, line: SeedLine) -> Values:
    """`fx-eur-usd` is how many USD one EUR costs."""
    _, base, quote = line["item_slug"].upper().split("-")
    return {
        "base_currency": base,
        "quote_currency": quote,
        "rate": Decimal(line["price"]),
        "as_of": date.fromisoformat(line["source_date"]),
        "confidence": line["confidence"],
        "notes": line["notes"],
        "source_title": line["source_title"],
        "source_url": line["source_url"],
        "source_date": line["source_date"],
        "seed_key": key,
    }


def load_lead_times(data_dir: Path, report: SeedReport, catalogue: Catalogue) -> None:
    renamed = {"class": "goods_class", "as_of": "observed_on", "original_wording_unit": "original_unit"}
    rows = []
    for key, line in keyed(read("lead_times", data_dir), "lead"):
        part = catalogue.part_of(line["item_slug"]) if line["item_slug"] else None
        values = values_of(LeadTimeObservation, line, report, rename=renamed)
        rows.append(
            {
                **values,
                "part_id": part.pk if part else None,
                "state": StockState.LEAD_TIME,
                "source_date": line["as_of"],
                "seed_key": key,
            }
        )
    append(LeadTimeObservation, rows, report)


def load_cloud_rates(data_dir: Path, report: SeedReport, catalogue: Catalogue) -> None:
    rows = []
    for key, line in keyed(read("cloud_rates", data_dir), "rate"):
        accelerator = catalogue.accelerators.get(line["accelerator_slug"])
        if line["accelerator_slug"] and accelerator is None:
            report.unknown.append(UnknownName(line.file, line.number, "accelerator_slug", line["accelerator_slug"]))
        values = values_of(CloudRate, line, report, rename={"gpu_or_model": "offer", "source_date": "as_of"})
        rows.append(
            {
                **values,
                "accelerator_id": accelerator.pk if accelerator else None,
                "source_date": line["source_date"],
                "seed_key": key,
            }
        )
    sync(CloudRate, rows, report, delete_left=True)
