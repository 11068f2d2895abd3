"""The audit trail: a chain that only grows."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from catalog.models import Accelerator, BomRule, Component, Part, Processor, Server
from config.accounts.audit import first_broken_event, record_event
from config.accounts.audit_words import event_view
from config.accounts.models import AuditEvent
from tests.factories import make_membership

pytestmark = pytest.mark.django_db


def record(**parts: object) -> AuditEvent:
    return record_event(**{"action": "change", "object_kind": "price", "object_id": 7} | parts)  # type: ignore[arg-type]


def test_each_event_names_the_hash_of_the_one_before() -> None:
    first, second, third = record(), record(), record()

    assert first.previous_hash == ""
    assert second.previous_hash == first.hash
    assert third.previous_hash == second.hash
    assert first_broken_event() is None


def test_an_event_reads_back_as_it_was_hashed() -> None:
    member = make_membership()
    record(
        actor=member.user,
        organisation=member.organisation,
        before={"unit_price": Decimal("28499.00"), "on": date(2026, 11, 30), "share": 1e20, "text": "Größe"},
        after={"nested": [1, 2.5, None, {"at": timezone.now()}]},
        reason="Mail vom 30.11.",
    )

    assert first_broken_event() is None
    assert AuditEvent.objects.get().before == {
        "unit_price": "28499.00",
        "on": "2026-11-30",
        "share": "1e+20",
        "text": "Größe",
    }


@pytest.mark.parametrize("change", ["UPDATE accounts_auditevent SET reason = 'x'", "DELETE FROM accounts_auditevent"])
def test_the_database_refuses_to_change_an_event(change: str) -> None:
    record()

    with pytest.raises(DatabaseError, match="never changed or removed"), transaction.atomic():
        connection.cursor().execute(change)

    assert AuditEvent.objects.get().reason == ""


def test_the_database_refuses_a_fork_of_the_chain() -> None:
    first = record()
    record()

    with pytest.raises(IntegrityError, match="audit_chain_has_no_fork"), transaction.atomic():
        AuditEvent.objects.create(
            action="x", object_kind="x", object_id="x", at=timezone.now(), previous_hash=first.hash, hash="f" * 64
        )


def test_an_event_altered_behind_the_triggers_back_is_found() -> None:
    record()
    altered = record(after={"unit_price": "1.00"})
    record()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE accounts_auditevent DISABLE TRIGGER audit_is_append_only")
        cursor.execute('UPDATE accounts_auditevent SET after = \'{"unit_price": "2.00"}\' WHERE id = %s', [altered.pk])
        cursor.execute("ALTER TABLE accounts_auditevent ENABLE TRIGGER audit_is_append_only")

    assert first_broken_event() == altered


def test_a_removed_event_is_found() -> None:
    record()
    removed, after = record(), record()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE accounts_auditevent DISABLE TRIGGER audit_is_append_only")
        cursor.execute("DELETE FROM accounts_auditevent WHERE id = %s", [removed.pk])
        cursor.execute("ALTER TABLE accounts_auditevent ENABLE TRIGGER audit_is_append_only")

    assert first_broken_event() == after


def test_an_event_vanishes_with_the_change_that_failed() -> None:
    with transaction.atomic():
        record()
        transaction.set_rollback(True)

    assert not AuditEvent.objects.exists()


def test_every_row_of_the_catalogue_that_people_edit_has_a_word() -> None:
    for model in (Accelerator, Processor, Server, Component, Part, BomRule):
        event = record(action="edit", object_kind=model._meta.model_name)

        assert event_view(event).code == ""
