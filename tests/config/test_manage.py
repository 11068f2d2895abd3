"""What `manage.py` says when the database is not ready."""

import pytest
from django.db import DataError, OperationalError, connection, transaction

from manage import missing_tables_named


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "advice"),
    [("SELECT 1 FROM nowhere", "lacks tables"), ("SELECT nothing FROM catalog_aimodel", "lacks columns")],
)
def test_an_unprepared_database_ends_a_command_in_advice(query: str, advice: str) -> None:
    with pytest.raises(SystemExit, match=advice), missing_tables_named(), transaction.atomic():
        connection.cursor().execute(query)


def test_a_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(SystemExit, match="does not answer"), missing_tables_named():
        raise OperationalError("couldn't get a connection after 30.00 sec")


@pytest.mark.django_db
def test_any_other_error_of_the_database_keeps_its_traceback() -> None:
    with pytest.raises(DataError), missing_tables_named(), transaction.atomic():
        connection.cursor().execute("SELECT 1 / 0")
