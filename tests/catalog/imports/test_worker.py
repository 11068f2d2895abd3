"""Large imports in a real worker: in one piece or not at all, whoever dies, whoever else imports."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from django.db import connection
from django.utils import timezone

from catalog import import_jobs, tasks
from catalog.choices import ImportState
from catalog.import_execute import is_draft
from catalog.models import ImportBatch, LeadTimeObservation, Part, PriceObservation, Supplier
from catalog.versions import LOCK_KEY
from config.accounts.models import AuditEvent, Organisation, User
from tests.catalog.rows import make_organisation, make_user
from tests.processes import Worker, wait_until

LIMIT_S = 120
ROWS = 6_000
WAITS = "NOT granted AND relation IS NOT NULL"
HOLDS_CATALOGUE = f"locktype = 'advisory' AND (classid::bigint << 32) + objid::bigint = {LOCK_KEY}"


@pytest.fixture
def buyer(worker: Worker) -> tuple[Organisation, User]:
    return make_organisation(), make_user()


def price_list(*, cents: int) -> bytes:
    head = "Herstellernummer;Bezeichnung;Preis;Lieferzeit"
    lines = [f"NW-{number:05d};Teil {number};{number + 1},{cents} EUR;6-8 Wochen" for number in range(ROWS)]
    return "\n".join((head, *lines)).encode()


def read_list(buyer: tuple[Organisation, User], *, supplier: str, cents: int = 50) -> ImportBatch:
    """A large price list that the worker has read and that waits for its commit."""
    organisation, user = buyer
    batch = import_jobs.start_import(
        organisation=organisation, actor=user, name="list.csv", data=price_list(cents=cents), supplier=supplier
    )
    wait_until(lambda: is_draft(again(batch)), limit_s=LIMIT_S, what="reading of the file")
    return again(batch)


def again(batch: ImportBatch) -> ImportBatch:
    return ImportBatch.objects.get(pk=batch.pk)


def is_done(*batches: ImportBatch) -> bool:
    return all(again(batch).state == ImportState.DONE for batch in batches)


def stored() -> tuple[int, int, int, int]:
    tables = (Part, PriceObservation, LeadTimeObservation, Supplier)
    return tuple(table._default_manager.count() for table in tables)  # type: ignore[return-value]


def locks(condition: str) -> int:
    """Locks in the tests' database that fulfil a condition."""
    here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM pg_locks WHERE {here} AND {condition}")
        return int(cursor.fetchone()[0])


@contextmanager
def lead_times_locked() -> Iterator[None]:
    other = connection.copy()
    with closing(other):
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("LOCK TABLE catalog_leadtimeobservation IN SHARE MODE")
        yield
        other.rollback()


def test_a_worker_killed_while_committing_leaves_nothing_and_the_next_one_finishes(
    buyer: tuple[Organisation, User], worker: Worker
) -> None:
    batch = read_list(buyer, supplier="Nordwerk")
    before = stored()
    with lead_times_locked():  # parts and prices are written when the worker comes to them
        import_jobs.commit(batch, actor=buyer[1])
        wait_until(lambda: locks(WAITS) == 1, limit_s=LIMIT_S, what="import in the middle of its commit")
        assert again(batch).message["code"] == "import_stage_write"
        worker.kill()
    wait_until(lambda: locks(HOLDS_CATALOGUE) == 0, limit_s=LIMIT_S, what="end of the lost worker's session")
    assert stored() == before
    assert again(batch).state == ImportState.RUNNING
    assert not AuditEvent.objects.filter(action="commit_import").exists()

    ImportBatch.objects.filter(pk=batch.pk).update(lease_expires_at=timezone.now())  # instead of waiting for it
    worker.ensure()
    tasks.sweep_imports()
    wait_until(lambda: is_done(batch), limit_s=LIMIT_S, what="import after the kill")
    assert stored() == (ROWS, ROWS, ROWS, 1)
    assert AuditEvent.objects.filter(action="commit_import").count() == 1
    tasks.apply_import(batch.pk)  # delivered once more
    assert stored() == (ROWS, ROWS, ROWS, 1)


def test_a_worker_killed_while_undoing_takes_nothing_out_and_the_next_one_finishes(
    buyer: tuple[Organisation, User], worker: Worker
) -> None:
    batch, before = read_list(buyer, supplier="Nordwerk"), stored()
    import_jobs.commit(batch, actor=buyer[1])
    wait_until(lambda: is_done(batch), limit_s=LIMIT_S, what="import")
    with lead_times_locked():
        import_jobs.undo(again(batch), actor=buyer[1])
        wait_until(lambda: locks(WAITS) == 1, limit_s=LIMIT_S, what="undo in the middle of its work")
        assert again(batch).message["code"] == "import_stage_undo"
        worker.kill()
    wait_until(lambda: locks(HOLDS_CATALOGUE) == 0, limit_s=LIMIT_S, what="end of the lost worker's session")
    assert stored() == (ROWS, ROWS, ROWS, 1)
    assert again(batch).undone_at is None

    ImportBatch.objects.filter(pk=batch.pk).update(lease_expires_at=timezone.now())  # instead of waiting for it
    worker.ensure()
    tasks.sweep_imports()
    wait_until(lambda: is_done(batch), limit_s=LIMIT_S, what="undo after the kill")
    assert again(batch).undone_at is not None
    assert stored() == before
    tasks.apply_import(batch.pk)  # delivered once more
    assert AuditEvent.objects.filter(action="undo_import", actor=buyer[1]).count() == 1


def test_a_connection_that_breaks_while_committing_leaves_nothing_and_the_import_is_taken_up_again(
    buyer: tuple[Organisation, User],
) -> None:
    batch = read_list(buyer, supplier="Nordwerk")
    before = stored()
    with lead_times_locked():
        import_jobs.commit(batch, actor=buyer[1])
        wait_until(lambda: locks(WAITS) == 1, limit_s=LIMIT_S, what="import in the middle of its commit")
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE {WAITS}")
    wait_until(lambda: locks(HOLDS_CATALOGUE) == 0, limit_s=LIMIT_S, what="end of the broken session")
    assert stored() == before
    ImportBatch.objects.filter(pk=batch.pk).update(lease_expires_at=timezone.now())  # instead of waiting for it
    tasks.sweep_imports()
    wait_until(lambda: is_done(batch), limit_s=LIMIT_S, what="import after the break")
    assert stored() == (ROWS, ROWS, ROWS, 1)
    assert AuditEvent.objects.filter(action="commit_import").count() == 1


def test_two_imports_at_once_share_their_parts_and_lose_nothing(buyer: tuple[Organisation, User]) -> None:
    first, second = (read_list(buyer, supplier=name, cents=cents) for name, cents in (("Erste", 10), ("Zweite", 20)))
    for batch in (first, second):
        import_jobs.commit(batch, actor=buyer[1])
    wait_until(lambda: is_done(first, second), limit_s=LIMIT_S, what="both imports")
    assert stored() == (ROWS, 2 * ROWS, 2 * ROWS, 2)
    assert {len(again(batch).result["made_parts"]) for batch in (first, second)} == {0, ROWS}
    assert again(first).progress == again(second).progress == 1


def test_the_same_file_twice_at_once_is_stored_once(buyer: tuple[Organisation, User]) -> None:
    first, second = read_list(buyer, supplier="Nordwerk"), read_list(buyer, supplier="Nordwerk")
    for batch in (first, second):
        import_jobs.commit(batch, actor=buyer[1])
    wait_until(lambda: is_done(first, second), limit_s=LIMIT_S, what="both imports")
    assert stored() == (ROWS, ROWS, ROWS, 1)
