"""The table of options: columns that can be left out, and the whole table as a file."""

import csv
import io

import pytest
from django.test import Client

from catalog.columns import chosen_columns, column_choice
from sizing.option_columns import COLUMNS
from tests.sizing.test_views import done_run, text_of

pytestmark = pytest.mark.django_db


def test_nothing_asked_for_or_nothing_known_shows_every_column() -> None:
    assert chosen_columns(COLUMNS, []) == tuple(COLUMNS)
    assert chosen_columns(COLUMNS, ["nonsense"]) == tuple(COLUMNS)
    assert chosen_columns(COLUMNS, ["weeks", "price"]) == ("price", "weeks")
    assert not column_choice(COLUMNS, []).changed
    assert [each.key for each in column_choice(COLUMNS, ["price"]).columns if each.shown] == ["price"]


def test_columns_that_are_not_chosen_are_not_in_the_table(client: Client) -> None:
    address = done_run().get_absolute_url()
    page = text_of(client.get(f"{address}?columns=price&columns=power", headers={"HX-Target": "options"}))
    assert '<th scope="col" class="kv-num">Net</th>' in page
    assert ">Decides</th>" not in page
    assert 'value="weeks">' in page
    assert 'value="price" checked>' in page
    assert ">Decides</th>" in text_of(client.get(address))


def test_the_file_holds_every_option_with_plain_numbers(client: Client) -> None:
    run = done_run()
    answer = client.get(f"{run.get_absolute_url()}?format=csv&sort=weeks&columns=price")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "kvote-options-" in answer["Content-Disposition"]
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0][:3] == ["Rank", "Maker", "Hardware"]
    assert len(rows) == 1 + run.options.count()
    soonest = dict(zip(rows[0], rows[1], strict=True))
    assert (soonest["Net price"], soonest["Currency"], soonest["Weeks p50"]) == ("71900.00", "EUR", "3")
    unknown = dict(zip(rows[0], rows[3], strict=True))
    assert unknown["Weeks p50"] == ""
