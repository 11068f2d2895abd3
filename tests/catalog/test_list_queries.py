"""The list pages take the same number of queries for a few rows as for many."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog import paging, views
from catalog.seed.report import SeedReport
from catalog.tables import TABLES, Table
from catalog.versions import raise_version

pytestmark = pytest.mark.django_db
MOST_QUERIES = 16


def queries_of(client: Client, url: str) -> tuple[int, int]:
    """Queries, and rows on the page."""
    with CaptureQueriesContext(connection) as queries:
        response = client.get(url)
    return len(queries), len(response.context["rows"])


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_long_page_takes_no_more_queries_than_a_short_one(
    seeded: SeedReport, client: Client, monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    client.get(table.url)  # what the first request of all looks up once
    many, long = queries_of(client, table.url)
    monkeypatch.setattr(views, "PAGE_SIZE", 2)
    few, short = queries_of(client, table.url)
    assert short == 2 < long
    assert many == few <= MOST_QUERIES


def test_an_unfiltered_list_is_counted_once_and_a_filtered_one_twice(seeded: SeedReport, client: Client) -> None:
    for url, counts in (("/catalog/parts/", 1), ("/catalog/parts/?q=H100", 2)):
        with CaptureQueriesContext(connection) as queries:
            response = client.get(url)
        assert sum("COUNT(*)" in query["sql"] for query in queries) == counts
        assert 'search_vector"' not in "".join(query["sql"].partition(" FROM ")[0] for query in queries)
        assert response.context["total"] >= response.context["page"].paginator.count > 0


def test_far_pages_show_the_same_rows_from_kept_keys_until_the_catalogue_changes(
    seeded: SeedReport, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "/catalog/parts/?sort=source_date&page=4"
    fresh = client.get(address)
    monkeypatch.setattr(paging, "FAR_ROWS", 100)

    first = client.get(address)
    with CaptureQueriesContext(connection) as queries:
        again = client.get(address)

    shown = [[row.pk for row in answer.context["page"]] for answer in (fresh, first, again)]
    assert shown[0] == shown[1] == shown[2]
    assert len(shown[0]) == views.PAGE_SIZE
    assert not any("OFFSET" in query["sql"] for query in queries)
    raise_version(reason="test")
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    assert any('"source_date" ASC' in query["sql"] for query in queries)
