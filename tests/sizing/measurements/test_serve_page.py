"""The page "Serve and measure" through the client."""

import pytest
import yaml
from django.test import Client

from sizing.models import SizingOption
from tests.sizing import sample_result
from tests.sizing.test_recipes import option as recipe_option
from tests.sizing.test_views import done_run, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(client: Client) -> str:
    run = done_run()
    row = SizingOption.objects.get(run=run, rank=1)
    row.data = row.data | {"engine_settings": recipe_option()["engine_settings"]}
    row.data["performance"]["requests_in_flight_per_replica"] = 50.0
    row.save()
    return f"{row.get_absolute_url()}serve/"


def test_the_page_shows_recipe_plan_and_that_quality_is_not_verified(client: Client, address: str) -> None:
    page = text_of(client.get(address))
    assert "vllm serve meta-llama/Llama-3.3-70B-Instruct" in page
    assert "--max-model-len 131072" in page
    assert "vllm bench serve" in page
    assert "Quality not verified" in page
    assert "50 requests in flight" in page


def test_page_and_api_name_the_same_loads_to_measure_first(client: Client, address: str) -> None:
    page = text_of(client.get(address))
    german = text_of(client.get(address, headers={"Accept-Language": "de"}))
    key = address.split("/")[2]
    plan = client.get(f"/api/v1/sizing-runs/{key}/options/1/benchmark-plan").json()
    first = {step["concurrency"] for step in plan["steps"] if step["measure_first"]}
    assert len(first) == 2
    for count in first:
        assert f"{count} requests in flight: measure first" in page
        assert f"{count} gleichzeitige Anfragen: zuerst messen" in german
    assert 0.0 < plan["uncertainty_left"] < 0.5


def test_the_option_page_links_to_it(client: Client, address: str) -> None:
    assert f'href="{address}"' in text_of(client.get(address.removesuffix("serve/")))


def test_files_of_the_recipe_download(client: Client, address: str) -> None:
    answer = client.get(f"{address}compose.yaml")
    assert answer["Content-Disposition"] == 'attachment; filename="compose.yaml"'
    assert "replica-0" in yaml.safe_load(answer.content)["services"]
    assert [part["kind"] for part in yaml.safe_load_all(client.get(f"{address}kubernetes.yaml").content)] == [
        "Deployment",
        "Service",
    ]
    assert client.get(f"{address}benchmark.sh").content.startswith(b"#!/bin/sh")
    assert client.get(f"{address}nothing.txt").status_code == 404


def test_an_engine_without_a_recipe_says_so(client: Client, address: str) -> None:
    SizingOption.objects.filter(rank=1).update(data=sample_result.option(1, engine="nim"))
    page = text_of(client.get(address))
    assert "Kvote has no recipe for this engine" in page
    assert client.get(f"{address}compose.yaml").status_code == 404


def test_a_stranger_does_not_see_it(client: Client, address: str) -> None:
    key = address.split("/")[2]
    assert client.get(address.replace(key, "0" * 22)).status_code == 404
