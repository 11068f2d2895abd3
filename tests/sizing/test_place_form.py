"""Limits of the place, terms of buying and the load over the day in the workload forms."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalog.seed.report import SeedReport
from sizing.forms import initial_of
from sizing.models import SizingRun
from tests.sizing.test_forms import form

LEAST = {"model": "meta-llama/Llama-3.1-70B-Instruct", "users": "200", "input_tokens": "1200", "output_tokens": "350"}
DAY = " ".join(["0.1"] * 12 + ["1"] * 12)
FILLED: dict[str, Any] = {
    "load_profile": DAY,
    "form_factors": ["industrial_edge"],
    "mounting": "wall",
    "ports": ["can", "poe"],
    "environment": ["fanless"],
    "device_classes": ["processor"],
    "volts": "230",
    "amps": "16",
    "feeds": "2",
    "cooling_kw": "12",
    "min_ambient_c": "-20",
    "allowed_regions": "EU, CH",
    "excluded_providers": "Vast.ai",
    "support_years": "5",
    "residual_pct": "10",
    "staff_per_year": "20000",
    "uninterruptible_supply": "on",
}


def test_what_is_stated_reaches_the_request() -> None:
    typed = form(**FILLED)
    assert typed.is_valid(), typed.errors
    request = typed.request_json()
    assert request["traffic"]["load_profile"] == [0.1] * 12 + [1.0] * 12
    site = request["site"]
    assert (site["volts"], site["amps"], site["feeds"], site["cooling_kw"], site["min_ambient_c"]) == (
        230,
        16,
        2,
        12,
        -20,
    )
    assert (site["form_factors"], site["mounting"], site["ports"], site["environment"]) == (
        ["industrial_edge"],
        "wall",
        ["can", "poe"],
        ["fanless"],
    )
    assert site["device_classes"] == ["processor"]
    buying = request["procurement"]
    assert (buying["allowed_regions"], buying["excluded_providers"]) == (["EU", "CH"], ["Vast.ai"])
    assert (buying["support_years"], buying["residual_share"], buying["staff_per_year"]) == (5, 0.1, 20_000)
    assert buying["uninterruptible_supply"] is True


def test_an_earlier_request_fills_the_form_again() -> None:
    typed = form(**FILLED)
    assert typed.is_valid()
    values = initial_of(typed.request_json())
    again = form(**{name: values[name] for name in FILLED})
    assert again.is_valid(), again.errors
    assert again.request_json() == typed.request_json()


@pytest.mark.parametrize(
    ("profile", "words"),
    [("0.1 0.2", "Give 24 or 168 hourly multipliers, not 2."), ("much", "Write numbers with a space between them")],
)
def test_a_profile_of_another_length_is_refused(profile: str, words: str) -> None:
    typed = form(load_profile=profile)
    assert words in str(typed.errors["load_profile"])


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["/workloads/new/", "/workloads/vision/new/"])
def test_every_form_offers_the_limits(seeded: SeedReport, client: Client, url: str) -> None:
    page = client.get(url, headers={"accept-language": "de"}).content.decode()
    for name in (
        "volts",
        "mounting",
        "ports",
        "allowed_regions",
        "support_years",
        "uninterruptible_supply",
        "load_profile",
    ):
        assert f'name="{name}"' in page
    assert "Was niemand über einen Server angibt, erfüllt keine dieser Vorgaben." in page


@pytest.mark.django_db
def test_a_submitted_form_starts_a_run_with_the_limits(seeded: SeedReport, client: Client) -> None:
    response = client.post(reverse("sizing:workload"), {**LEAST, **FILLED})
    assert response.status_code == 302, response.context["form"].errors
    request = SizingRun.objects.get().request
    assert request["site"]["ports"] == ["can", "poe"]
    assert request["procurement"]["residual_share"] == 0.1
