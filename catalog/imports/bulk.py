"""Many new rows at once through COPY: several times faster than INSERT, with the same constraints."""

from collections.abc import Collection
from typing import cast

from django.db import connection, models
from django.utils import timezone
from psycopg import sql


def insert_rows[T: models.Model](model: type[T], rows: Collection[T]) -> None:
    """Store new rows and give each its key. Only for models whose fields are plain values and links.

    Fields that set themselves to the present moment take one moment for all rows. Constraints and
    triggers hold as for any insert; defaults are the model's.
    """
    if not rows:
        return
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    moments = {field.attname for field in fields if getattr(field, "auto_now_add", False)}
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, len(rows)],
        )
        for row, (key,) in zip(rows, cursor.fetchall(), strict=True):
            row.pk = key
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(model._meta.db_table),
            sql.SQL(", ").join(sql.Identifier(str(field.column)) for field in fields),
        )
        names = [field.attname for field in fields]
        with cursor.copy(statement) as copy:
            for row in rows:
                values = [now if name in moments else cast("object", getattr(row, name)) for name in names]
                copy.write_row(values)
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias
