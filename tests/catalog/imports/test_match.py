"""Matching of distributor descriptions: right or asked, never the wrong card."""

import csv
from functools import lru_cache
from pathlib import Path

import pytest

from catalog.imports.match import Matcher, Product, Verdict
from catalog.part_numbers import numbers_of
from tests.catalog.imports.build import DATA

SHIPPED = Path(__file__).resolve().parents[3] / "catalog" / "data"
LINES = list(csv.DictReader((DATA / "distributor_lines.csv").open(encoding="utf-8", newline="")))


def rows(name: str) -> list[dict[str, str]]:
    with (SHIPPED / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@lru_cache(maxsize=1)
def matcher() -> Matcher:
    products = [
        Product(
            slug=row["slug"],
            vendor=row["vendor"],
            name=row["name"],
            variant=row["variant"],
            form_factor=row["form_factor"],
            memory_gb=float(row["memory_gb"]) if row["memory_gb"] else None,
        )
        for row in rows("accelerators.csv")
    ]
    slugs = {product.slug for product in products}
    numbers = (
        (row["slug"] if row["slug"] in slugs else "", row["mpn"], row["oem_part_number"])
        for row in rows("part_numbers.csv")
    )
    return Matcher(products=products, numbers=numbers_of(numbers))


def test_the_set_is_large_and_two_fifths_are_no_accelerators() -> None:
    others = sum(1 for line in LINES if not line["slug"])
    assert len(LINES) >= 1300
    assert others / len(LINES) >= 0.4


def test_precision_and_recall_over_the_set() -> None:
    found = [(line, matcher().match(description=line["description"])) for line in LINES]
    matched = [(line, match) for line, match in found if match.verdict is Verdict.MATCH]
    wrong = [line["description"] for line, match in matched if match.slug != line["slug"]]
    wanted = [line for line in LINES if line["slug"] not in ("", "ask")]
    assert len(wrong) <= 0.01 * len(matched), wrong
    assert len(matched) - len(wrong) >= 0.9 * len(wanted)


@pytest.mark.parametrize(
    "line", [line for line in LINES if line["slug"] == "ask"], ids=lambda line: line["description"]
)
def test_a_line_that_fits_several_cards_is_asked(line: dict[str, str]) -> None:
    match = matcher().match(description=line["description"])
    assert match.verdict is Verdict.ASK
    assert match.candidates


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("NVIDIA H100 PCIe 80GB", "nvidia-h100-pcie-80gb"),
        ("NVIDIA H100 NVL 94GB", "nvidia-h100-nvl-94gb"),
        ("NVIDIA H100 SXM5 80GB", "nvidia-h100-sxm5-80gb"),
    ],
)
def test_the_three_h100_never_merge(text: str, slug: str) -> None:
    assert matcher().match(description=text).slug == slug


@pytest.mark.parametrize(
    "text",
    [
        "NVLink Bridge for H100 NVL",
        "8x NVIDIA H100 SXM5 HGX",
        "NVIDIA AI Enterprise subscription for L40S",
        "Server mit 4x L40S 48GB",
        "Wasserkühler RTX 4090",
        "H100 NVL 188GB",
    ],
)
def test_a_bundle_cable_or_licence_is_not_the_card(text: str) -> None:
    assert matcher().match(description=text).verdict is not Verdict.MATCH


@pytest.mark.parametrize(
    ("number", "step"),
    [("900-21010-0020-000", "exact"), ("900 21010 0020 000", "normalised"), ("UCSC-GPU-H100-NVL=", "exact")],
)
def test_a_part_number_wins_over_words(number: str, step: str) -> None:
    match = matcher().match(mpn=number, description="NVIDIA H100 PCIe 80GB")
    assert (match.slug, match.step) == ("nvidia-h100-nvl-94gb", step)


def test_a_known_number_of_something_else_is_no_card() -> None:
    assert matcher().match(mpn="MQM9700-NS2F", description="H100 NVL 94GB").verdict is Verdict.NOT_A_PRODUCT
