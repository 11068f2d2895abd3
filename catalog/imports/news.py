"""What receivers of an organisation hear of its imports, written in the transaction of their end."""

from catalog.models import ImportBatch
from config.webhooks.choices import EventType
from config.webhooks.events import emit


def report_import(event: EventType, batch: ImportBatch) -> None:
    data = {"id": str(batch.public_id), "state": str(batch.state), "file": batch.file_name}
    emit(event, organisation=batch.organisation, data=data)
