"""Lists of public facts are kept until the catalogue changes, and never a moment longer."""

import pytest
from pytest_django import DjangoAssertNumQueries
from redis.exceptions import ConnectionError as CacheGone

from catalog import services
from catalog.models import Accelerator
from catalog.seed.report import SeedReport
from tests.config.api.calls import visitor

pytestmark = pytest.mark.django_db
LIST = "accelerators?limit=3"


def test_a_list_read_again_asks_for_the_version_alone(
    seeded: SeedReport, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    anyone = visitor()
    first = anyone.get(LIST)

    with django_assert_num_queries(1):
        again = anyone.get(LIST)

    assert (again.content, again["ETag"]) == (first.content, first["ETag"])
    assert again["Content-Type"] == first["Content-Type"] == "application/json"


def test_a_change_of_the_catalogue_shows_at_once(seeded: SeedReport) -> None:
    anyone = visitor()
    before = anyone.get(LIST)
    slug = before.json()["results"][0]["slug"]

    services.edit(row=Accelerator.objects.get(slug=slug), changes={"power_connector": "seen"}, actor=None)
    after = anyone.get(LIST, if_none_match=before["ETag"])

    assert after.status_code == 200
    assert after.json()["results"][0]["power_connector"] == "seen"


def test_other_addresses_and_languages_are_kept_apart(seeded: SeedReport) -> None:
    anyone = visitor()

    assert len(anyone.get(LIST).json()["results"]) == 3
    assert len(anyone.get("accelerators?limit=2").json()["results"]) == 2
    assert anyone.get("accelerators?limit=0").status_code == 400


def test_without_a_cache_the_list_is_built(seeded: SeedReport, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def get_or_set(self, *_arguments: object, **_options: object) -> None:
            raise CacheGone("down")

    monkeypatch.setattr("catalog.api.kept.cache", Gone())

    assert len(visitor().get(LIST).json()["results"]) == 3
