"""Stored names of firms as the matcher of screen-1.3 reads them: further legal forms, "b v" as "bv", Han apart."""

from collections.abc import Iterator
from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from quotes.compliance.firm_name import Name
from quotes.compliance.parties import squeezed

AT_ONCE = 2_000


def read_again(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    listed, stated = apps.get_model("quotes", "PartyName"), apps.get_model("quotes", "TelecomStatement")
    for rows in _batches(listed, "name", "core", "squeezed"):
        changed = []
        for row in rows:
            core = Name.read(row.name).core[:300]
            if core != row.core:
                row.core, row.squeezed = core, squeezed(core)
                changed.append(row)
        listed.objects.bulk_update(changed, ["core", "squeezed"])
    for rows in _batches(stated, "firm", "firm_core"):
        changed = [row for row in rows if row.firm_core != Name.read(row.firm).core[:200]]
        for row in changed:
            row.firm_core = Name.read(row.firm).core[:200]
        stated.objects.bulk_update(changed, ["firm_core"])


def _batches(model: Any, *fields: str) -> Iterator[list[Any]]:
    last = 0
    while rows := list(model.objects.filter(pk__gt=last).order_by("pk").only(*fields)[:AT_ONCE]):
        last = rows[-1].pk
        yield rows


class Migration(migrations.Migration):
    dependencies = [("quotes", "0012_quote_shipping")]

    operations = [migrations.RunPython(read_again, migrations.RunPython.noop)]
