"""Loading the shipped data: what arrives, what a second run does, what is named as unknown."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.utils import timezone

from catalog.models import (
    Accelerator,
    CatalogNote,
    CatalogVersion,
    CloudRate,
    Component,
    DeviceMemory,
    EnergyTariff,
    ExchangeRate,
    Interconnect,
    LeadTimeObservation,
    NonLlmWorkload,
    Part,
    PriceObservation,
    Processor,
    Server,
    ServingSoftware,
    SoftwareCompatibility,
    StorageFormat,
)
from catalog.seed.load import load_seed
from catalog.seed.report import SeedReport
from tests.catalog.seed.spoil import replace

pytestmark = pytest.mark.django_db


def test_every_record_of_every_file_arrives(seeded: SeedReport) -> None:
    assert {
        "accelerators": Accelerator.objects.count(),
        "memory": DeviceMemory.objects.count(),
        "processors": Processor.objects.count(),
        "components": Component.objects.count(),
        "servers": Server.objects.filter(basis="catalogue").count(),
        "filed servers": Server.objects.filter(basis="filing").count(),
        "conflicts": CatalogNote.objects.count(),
        "links": Interconnect.objects.count(),
        "formats": StorageFormat.objects.count(),
        "software": ServingSoftware.objects.count(),
        "compatibility": SoftwareCompatibility.objects.count(),
        "prices": PriceObservation.objects.count() + EnergyTariff.objects.count() + ExchangeRate.objects.count(),
        "lead times": LeadTimeObservation.objects.count(),
        "rates": CloudRate.objects.count(),
        "workloads": NonLlmWorkload.objects.count(),
    } == {
        "accelerators": 78,
        "memory": 57,
        "processors": 74,
        "components": 124,
        "servers": 122,
        "filed servers": 105,
        "conflicts": 31,
        "links": 38,
        "formats": 49,
        "software": 14,
        "compatibility": 491,
        "prices": 115,
        "lead times": 36,
        "rates": 380,
        "workloads": 113,
    }
    assert seeded.errors == []


@pytest.mark.parametrize(
    ("slug", "facts"),
    [
        (
            "nvidia-h100-sxm5-80gb",
            {
                "memory_gb": 80,
                "memory_type": "HBM3",
                "memory_bandwidth_gb_s": 3350,
                "tdp_w": 700,
                "fp8_dense_tflops": 1978.9,
                "mig_max_instances": 7,
            },
        ),
        ("nvidia-h200-sxm5-141gb", {"memory_gb": 141, "memory_bandwidth_gb_s": 4800}),
        ("nvidia-a100-sxm4-80gb", {"memory_bandwidth_gb_s": 2039, "tdp_w": 400}),
        ("nvidia-l4", {"memory_gb": 24, "memory_bandwidth_gb_s": 300, "tdp_w": 72, "int8_dense_tops": 242}),
        ("amd-mi300x", {"memory_gb": 192, "memory_bandwidth_gb_s": 5300}),
        ("nvidia-l40s", {"tdp_w": 350}),
        ("nvidia-rtx-pro-6000-blackwell-se", {"memory_gb": 96, "memory_type": "GDDR7", "memory_bandwidth_gb_s": 1597}),
    ],
)
def test_published_facts_stand_as_published(seeded: SeedReport, slug: str, facts: dict[str, object]) -> None:
    row = Accelerator.objects.get(slug=slug)
    assert {name: getattr(row, name) for name in facts} == facts
    assert row.source_title
    assert row.verification


def test_an_empty_cell_is_unknown_and_never_zero(seeded: SeedReport) -> None:
    rubin = Accelerator.objects.get(slug="nvidia-vr200-nvl72")
    assert rubin.tdp_w is None
    assert not Accelerator.objects.filter(tdp_w=0).exists()


def test_usable_memory_stands_beside_the_printed_one(seeded: SeedReport) -> None:
    memory = DeviceMemory.objects.get(accelerator__slug="nvidia-h100-sxm5-80gb")
    assert 84e9 < memory.best_bytes < 86e9
    assert memory.source_title


def test_a_second_run_changes_nothing(seeded: SeedReport) -> None:
    version = CatalogVersion.objects.get()
    before = sorted(PriceObservation.objects.values_list("pk", "seed_key"))
    again = load_seed()
    assert not again.changed
    assert again.unchanged["accelerator"] == 78
    assert CatalogVersion.objects.get() == version
    assert sorted(PriceObservation.objects.values_list("pk", "seed_key")) == before


def test_unknown_names_are_listed_and_their_rows_kept(seeded: SeedReport) -> None:
    names = seeded.unknown_names()
    assert names["cloud_rates.csv"] == {"nvidia-a10g-24gb"}
    assert names["servers.csv"] == {
        "nvidia-gb300-desktop-252gb",
        "nvidia-jetson-t4000",
        "nvidia-rtx-2000e-ada-16gb",
        "nvidia-rtx-pro-4500-blackwell-32gb",
    }
    assert "hgx-h200-8gpu-baseboard" in names["prices.csv"]
    assert CloudRate.objects.filter(accelerator_slug="nvidia-a10g-24gb", accelerator=None).exists()
    assert PriceObservation.objects.filter(part__slug="nvidia-rtx-a5000-24gb").exists()


def test_the_price_of_a_rack_does_not_become_the_price_of_one_gpu(seeded: SeedReport) -> None:
    rack = PriceObservation.objects.filter(unit_price__gte=2_000_000)
    assert {row.part.slug for row in rack.select_related("part")} == {"nvidia-gb200-nvl72-system"}
    assert Part.objects.get(slug="nvidia-gb200-nvl72").accelerator is not None
    assert Part.objects.get(slug="nvidia-gb200-nvl72-system").server is not None


def test_numbered_parts_link_to_what_they_are(seeded: SeedReport) -> None:
    kit = Part.objects.get(mpn="NVH100TCGPU-KIT")
    assert kit.manufacturer == "PNY"
    assert kit.accelerator is not None
    assert kit.accelerator.slug == "nvidia-h100-pcie-80gb"
    board = Part.objects.get(mpn="935-24287-0301-000")
    assert (board.kind, board.accelerator) == ("baseboard", None)
    assert Part.objects.exclude(mpn="").filter(mpn_normalised="").count() == 0


def test_used_goods_are_marked(seeded: SeedReport) -> None:
    used = PriceObservation.objects.filter(condition="used")
    assert [row.item_name for row in used] == ["BlueField-3 B3240 (used)"]


def test_the_exchange_rate_and_tariffs_are_no_parts(seeded: SeedReport) -> None:
    rate = ExchangeRate.objects.get()
    assert (rate.base_currency, rate.quote_currency, rate.rate) == ("EUR", "USD", Decimal("1.1403"))
    assert not Part.objects.filter(slug__startswith="electricity").exists()


def test_what_a_person_edited_is_never_touched(seeded: SeedReport, data_dir: Path) -> None:
    Accelerator.objects.filter(slug="nvidia-l4").update(tdp_w=70, edited_at=timezone.now())
    replace(data_dir / "accelerators.csv", "nvidia-l4,NVIDIA,L4", "nvidia-l4,NVIDIA,L4 renamed")
    report = load_seed(data_dir)
    row = Accelerator.objects.get(slug="nvidia-l4")
    assert (row.name, row.tdp_w) == ("L4", 70)
    assert report.kept_edited["accelerator"] == 1


def test_a_corrected_fact_is_updated_and_raises_the_version(seeded: SeedReport, data_dir: Path) -> None:
    replace(data_dir / "accelerators.csv", "nvidia-l4,NVIDIA,L4", "nvidia-l4,NVIDIA,L4 renamed")
    report = load_seed(data_dir)
    assert (report.updated["accelerator"], report.updated["part"]) == (1, 1)  # the part is named after it
    first, second = CatalogVersion.objects.order_by("number")
    assert (first.number, second.number) == (1, 2)
    assert first.content_hash != second.content_hash


def test_a_corrected_price_is_a_new_observation_and_the_old_one_is_closed(seeded: SeedReport, data_dir: Path) -> None:
    replace(data_dir / "prices.csv", ",8095.99,", ",8195.99,")
    report = load_seed(data_dir)
    assert (report.created["priceobservation"], report.closed["priceobservation"]) == (1, 1)
    old = PriceObservation.objects.get(unit_price=Decimal("8095.99"))
    assert old.valid_to == old.observed_on
    assert PriceObservation.objects.get(unit_price=Decimal("8195.99")).valid_to is None
