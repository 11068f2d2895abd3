"""Many rows at once: COPY for new ones, one UPDATE for closed ones; several times faster than row by row."""

import re
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import connection, models
from django.utils import timezone
from psycopg import sql

BLOCK_LETTERS = 200_000
_SPECIAL = re.compile(r"[\\\b\f\n\r\t\v]")
_ESCAPES = {"\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
NULL = "\\N"


def reserve_keys(model: type[models.Model], count: int) -> list[int]:
    """That many keys from the model's sequence, ascending; nobody else gets them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH named AS MATERIALIZED (SELECT pg_get_serial_sequence(%s, 'id')::regclass AS sequence)"
            " SELECT nextval(sequence) FROM named, generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return [key for (key,) in cursor.fetchall()]


def insert_rows(
    model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]], *, same: Mapping[str, Any]
) -> None:
    """Store new rows: `rows` holds the values of the attributes `names`, `same` those that all rows share.

    What neither names has the model's default; a default that is computed is computed for each row.
    Constraints and triggers hold as for any insert. Attributes are named as in the table ("part_id").
    """
    fields = {field.attname: field for field in model._meta.concrete_fields if not field.generated}
    computed = [name for name in fields.keys() - {*names, *same} if _is_computed(fields[name])]
    makers: list[Callable[[], Any]] = [fields[name].default for name in computed]
    rest = [name for name in fields if name not in names and name not in computed and name != "id"]
    tail = "".join(f"\t{_text(same[name] if name in same else _default(fields[name]))}" for name in rest) + "\n"
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table),
        sql.SQL(", ").join(sql.Identifier(str(fields[name].column)) for name in (*names, *computed, *rest)),
    )
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        block: list[str] = []
        letters = 0
        for values in rows:
            line = (
                "\t".join(
                    [_WRITERS.get(type(value), _other)(value) for value in (*values, *[make() for make in makers])]
                )
                + tail
            )
            block.append(line)
            letters += len(line)
            if letters > BLOCK_LETTERS:
                copy.write("".join(block))
                block, letters = [], 0
        copy.write("".join(block))


def close_rows(model: type[models.Model], ends: Iterable[tuple[int, date | None, int | None]]) -> None:
    """Set end and successor of each row by its key, in one statement; None takes both back."""
    rows = list(ends)
    if not rows:
        return
    statement = sql.SQL(
        "UPDATE {} AS kept SET valid_to = ended.valid_to, superseded_by_id = ended.successor"
        " FROM unnest(%s::bigint[], %s::date[], %s::bigint[]) AS ended (key, valid_to, successor)"
        " WHERE kept.id = ended.key"
    ).format(sql.Identifier(model._meta.db_table))
    with connection.cursor() as cursor:
        cursor.execute(statement, [list(column) for column in zip(*rows, strict=True)])


def delete_rows(model: type[models.Model], column: str, values: Sequence[int]) -> None:
    """Delete rows by one column, in one statement; what refers to them is the database's to judge."""
    if not values:
        return
    statement = sql.SQL("DELETE FROM {} WHERE {} = ANY(%s::bigint[])").format(
        sql.Identifier(model._meta.db_table), sql.Identifier(column)
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [list(values)])


def _is_computed(field: "models.Field[Any, Any]") -> bool:
    return field.has_default() and callable(field.default)


def _default(field: "models.Field[Any, Any]") -> Any:
    return timezone.now() if getattr(field, "auto_now_add", False) else field.get_default()


def _text(value: Any) -> str:
    """A value in COPY's text form."""
    return _WRITERS.get(type(value), _other)(value)


def _other(value: Any) -> str:
    return _letters(str(value))


def _letters(value: str) -> str:
    if value.isprintable() and "\\" not in value:
        return value
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], value)


_WRITERS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _value: NULL,
    str: _letters,
    bool: lambda value: "t" if value else "f",
    int: str,
    date: date.isoformat,
    Decimal: lambda value: format(value, "f"),
    uuid.UUID: str,
}
