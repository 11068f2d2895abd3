"""Lists of the API: strict parameters, cursors over a moving table, sparse fields, filters."""

import itertools

import pytest
from django.db import DataError
from pytest_django import DjangoAssertNumQueries

from catalog.models import Accelerator
from tests.catalog.rows import make_accelerator, make_part, make_price
from tests.config.api.calls import Caller, visitor

pytestmark = pytest.mark.django_db


@pytest.fixture
def anyone() -> Caller:
    return visitor()


def make_accelerators(count: int) -> list[Accelerator]:
    """Half of them with equal names, so that the key has to break ties."""
    return [
        make_accelerator(slug=f"a{index:03}", name=f"Card {index // 2}", tdp_w=None if index % 3 else 100.0 + index)
        for index in range(count)
    ]


def slugs(answer: object) -> list[str]:
    return [row["slug"] for row in answer.json()["results"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize("order", ["name", "-name", "tdp_w", "-tdp_w"])
def test_following_next_shows_every_row_once_and_previous_leads_back(anyone: Caller, order: str) -> None:
    make_accelerators(23)

    pages, address = [], f"accelerators?limit=5&order={order}&fields=slug"
    while address:
        answer = anyone.get(address)
        pages.append(slugs(answer))
        last, address = answer, answer.json()["next"]
    back = [pages[-1]]
    while previous := last.json()["previous"]:
        last = anyone.get(previous)
        back.insert(0, slugs(last))

    assert [len(page) for page in pages] == [5, 5, 5, 5, 3]
    assert len(set(itertools.chain(*pages))) == 23
    assert back == pages


def test_unknown_figures_stand_last_whatever_the_order(anyone: Caller) -> None:
    make_accelerators(6)

    for order in ("tdp_w", "-tdp_w"):
        found = [row["tdp_w"] for row in anyone.get(f"accelerators?order={order}").json()["results"]]
        assert found[2:] == [None] * 4
        assert None not in found[:2]


def test_rows_that_arrive_in_between_are_neither_doubled_nor_lost(anyone: Caller) -> None:
    part = make_part()
    before = {str(make_price(part).public_id) for _ in range(12)}

    seen, address = [], "prices?limit=3&fields=id"
    while address:
        answer = anyone.get(address).json()
        seen += [row["id"] for row in answer["results"]]
        make_price(part)
        address = answer["next"]

    assert len(seen) == len(set(seen))
    assert before <= set(seen)


def test_a_page_that_follows_deleted_rows_goes_on_where_they_were(anyone: Caller) -> None:
    made = make_accelerators(6)
    following = anyone.get("accelerators?limit=3&order=name").json()["next"]

    Accelerator.objects.filter(pk__in=[made[1].pk, made[2].pk]).delete()

    assert slugs(anyone.get(following)) == ["a003", "a004", "a005"]


def test_the_total_is_counted_only_when_asked_for(anyone: Caller) -> None:
    make_accelerators(3)

    assert "total" not in anyone.get("accelerators?limit=1").json()
    assert anyone.get("accelerators?limit=1&total=true").json()["total"] == 3


@pytest.mark.parametrize(
    ("query", "parameter", "code"),
    [
        ("memory_gb__get=80", "memory_gb__get", "unknown_parameter"),
        ("page=2", "page", "unknown_parameter"),
        ("format=json", "format", "unknown_parameter"),
        ("limit=0", "limit", "invalid"),
        ("limit=201", "limit", "invalid"),
        ("limit=²", "limit", "invalid"),
        ("limit=5&limit=6", "limit", "repeated"),
        ("cursor=invented", "cursor", "invalid"),
        ("order=secret", "order", "invalid"),
        ("total=1", "total", "invalid"),
        ("fields=slug,prize", "fields", "unknown_field"),
        ("fields=", "fields", "unknown_field"),
        ("memory_gb__gte=many", "memory_gb__gte", "invalid"),
        ("memory_gb__gte=1e400", "memory_gb__gte", "max_value"),
        ("memory_gb=NaN", "memory_gb", "invalid"),
        ("status=unheard", "status", "invalid_choice"),
        ("supports_fp8=yes", "supports_fp8", "invalid"),
        ("q=%00", "q", "invalid"),
        ("fields=slug%00", "fields", "invalid"),
    ],
)
def test_a_wrong_parameter_is_an_error_that_names_it(anyone: Caller, query: str, parameter: str, code: str) -> None:
    answer = anyone.get(f"accelerators?{query}")

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["code"] == "bad_parameter"
    assert (parameter, code) in [(error["parameter"], error["code"]) for error in answer.json()["errors"]]


def test_a_cursor_of_another_order_is_refused(anyone: Caller) -> None:
    make_accelerators(3)
    cursor = anyone.get("accelerators?limit=1&order=name").json()["next"].partition("cursor=")[2].partition("&")[0]

    assert anyone.get(f"accelerators?cursor={cursor}&order=-tdp_w").status_code == 400


def test_details_take_no_list_parameters(anyone: Caller) -> None:
    make_accelerator()

    assert anyone.get("accelerators/nvidia-h100-sxm5-80gb?limit=5").status_code == 400
    assert anyone.get("accelerators/nvidia-h100-sxm5-80gb?fields=name").json() == {"name": "H100"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("memory_gb__gte=100", ["big"]),
        ("memory_gb__lte=80", ["nvidia-h100-sxm5-80gb"]),
        ("name__ic=GLACIER", ["big"]),
        ("slug__in=big,nvidia-h100-sxm5-80gb", ["big", "nvidia-h100-sxm5-80gb"]),
        ("vendor=NVIDIA&supports_fp8=true", ["nvidia-h100-sxm5-80gb"]),
        ("q=glacier 300", ["big"]),
    ],
)
def test_filters_narrow_by_their_lookups(anyone: Caller, query: str, expected: list[str]) -> None:
    make_accelerator()
    make_accelerator(slug="big", vendor="ACME", name="Glacier 300", memory_gb=288.0)

    assert sorted(slugs(anyone.get(f"accelerators?{query}"))) == expected


def test_a_list_asks_as_many_queries_for_many_rows_as_for_one(
    anyone: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for index in range(8):
        make_price(make_part(f"part-{index}", mpn=f"M-{index}", accelerator=make_accelerator(slug=f"a{index}")))

    for address, count in (("accelerators", 2), ("prices", 1), ("parts", 1), ("parts?total=true", 2)):
        with django_assert_num_queries(count):
            assert anyone.get(address).status_code == 200


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("created_at__lte=0379-06-17T02:02:22%2B19:57", 200),
        ("created_at__gte=3075-09-09T02:43:11.758006-18:01", 200),
        ("created_at__gte=0001-01-01T00:00:00%2B12:00", 400),
        ("created_at__gte=yesterday", 400),
        ("observed_on__gte=30.11.2026", 400),
    ],
)
def test_times_of_any_zone_are_understood(anyone: Caller, query: str, status: int) -> None:
    assert anyone.get(f"prices?{query}").status_code == status


def test_a_value_that_the_database_cannot_hold_is_the_callers(anyone: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    def beyond(*_args: object) -> None:
        raise DataError

    monkeypatch.setattr("catalog.api.views.AcceleratorViewSet.rows", beyond)
    answer = anyone.get("accelerators")

    assert (answer.status_code, answer.json()["code"]) == (400, "out_of_range")
