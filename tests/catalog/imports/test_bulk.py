"""Bulk writing: every letter arrives as it stood in the file, and observations are only ever closed."""

import re
from datetime import date

import pytest
from django.db import IntegrityError, connection, transaction

from catalog.imports.apply import commit_import
from catalog.imports.bulk import close_rows
from catalog.models import ImportBatch, Part, PriceObservation
from tests.catalog.imports.build import TODAY, read

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("text", ["\\N", "C:\\temp\\new", "\\.", "Maß 3½″ “quoted”", "100 % 'ok'", "back\\", "a\\tb"])
def test_descriptions_and_numbers_keep_every_letter(text: str) -> None:
    found = read(f"mpn;description;price;currency\nX{text}-1;{text};1,50;EUR\n".encode())
    commit_import(
        found, batch=ImportBatch(file_name=f"{text}.csv"), organisation=None, supplier="S", actor=None, today=TODAY
    )
    part = Part.objects.get()
    price = PriceObservation.objects.get()
    assert (part.mpn, part.description) == (f"X{text}-1", text)
    assert (price.item_name, price.source_title) == (text, f"{text}.csv")


def test_a_number_with_a_line_break_and_a_tab_inside_keeps_both() -> None:
    commit_import(
        read(b'mpn;description;price;currency\n"A\t1\n2";Karte;1,50;EUR\nB-1;Kabel;2,50;EUR\n'),
        batch=ImportBatch(),
        organisation=None,
        supplier="S",
        actor=None,
        today=TODAY,
    )
    assert set(Part.objects.values_list("mpn", flat=True)) == {"A\t1\n2", "B-1"}


def test_each_row_has_an_identifier_and_a_moment_of_its_own_kind() -> None:
    commit_import(
        read(b"mpn;price;currency\nA-1;1,50;EUR\nB-1;2,50;EUR\n"),
        batch=ImportBatch(),
        organisation=None,
        supplier="S",
        actor=None,
        today=TODAY,
    )
    rows = list(PriceObservation.objects.order_by("pk"))
    assert len({row.public_id for row in rows}) == 2
    assert {row.public_id.version for row in rows} == {7}
    assert len({row.created_at for row in rows}) == 1


def test_closing_sets_the_end_and_nothing_else_can_be_changed() -> None:
    commit_import(
        read(b"mpn;price;currency\nA-1;1,50;EUR\nA-1;2,50;USD\n"),
        batch=ImportBatch(),
        organisation=None,
        supplier="S",
        actor=None,
        today=TODAY,
    )
    old, new = PriceObservation.objects.order_by("pk")
    before = PriceObservation.objects.filter(pk=old.pk).values().get()
    close_rows(PriceObservation, [(old.pk, date(2026, 12, 31), new.pk)])
    after = PriceObservation.objects.filter(pk=old.pk).values().get()
    assert after == before | {"valid_to": date(2026, 12, 31), "superseded_by_id": new.pk}
    close_rows(PriceObservation, [(old.pk, None, None)])
    assert PriceObservation.objects.filter(pk=old.pk).values().get() == before
    for change in ("unit_price = 9", "currency = 'GBP'", "item_name = 'x'", "import_line = NULL"):
        refused = pytest.raises(IntegrityError, match="only be superseded")
        with refused, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE catalog_priceobservation SET {change} WHERE id = %s", [old.pk])


@pytest.mark.parametrize("table", ["catalog_priceobservation", "catalog_leadtimeobservation"])
def test_every_column_but_those_of_closing_is_guarded(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal", [table]
        )
        guards = cursor.fetchall()
        columns = {column.name for column in connection.introspection.get_table_description(cursor, table)}
    assert len(guards) == 1
    guarded = set(re.findall(r"old\.(\w+)", guards[0][0]))
    assert guarded == columns - {"valid_to", "superseded_by_id", "is_outlier"}
