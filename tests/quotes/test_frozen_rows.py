"""What the database itself refuses: comments, files for the buyer and loaded lists stay as they are."""

import pytest
from django.db import IntegrityError, connection, transaction

from config.accounts.models import Organisation, User
from quotes.after import comment
from quotes.attachments import attach
from quotes.models import Comment, PartyList, Quote
from tests.quotes.test_evidence import PDF
from tests.quotes.test_life import current, locked
from tests.quotes.test_party_lists import csl_file, loaded


def refused(statement: str) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except IntegrityError:
        return True
    return False


def test_a_comment_is_neither_changed_nor_deleted(quote: Quote, planner: User) -> None:
    comment(revision=current(quote), user=planner, text="Ask for a letter.")
    assert refused("UPDATE quotes_comment SET text = 'x'")
    assert refused("DELETE FROM quotes_comment")
    with pytest.raises(IntegrityError), transaction.atomic():
        Comment.objects.all().delete()


def test_a_file_for_the_buyer_is_frozen_with_its_revision(quote: Quote, planner: User, approver: User) -> None:
    attach(revision=current(quote), user=planner, name="scope.pdf", content=PDF, for_buyer=True)
    assert refused("UPDATE quotes_attachment SET name = 'x'")
    locked(quote, planner, approver)
    assert refused("DELETE FROM quotes_attachment")
    copied = "INSERT INTO quotes_attachment (public_id, revision_id, file_id, name, for_buyer, added_by_id,"
    copied += " added_by_name, added_at) SELECT gen_random_uuid(), revision_id, file_id, 'y', true, added_by_id,"
    assert refused(f"{copied} added_by_name, added_at FROM quotes_attachment")


def test_a_loaded_list_keeps_its_file(organisation: Organisation, approver: User) -> None:
    loaded(organisation, approver, csl_file("Norvane"))
    assert refused("UPDATE quotes_partylist SET published_on = '2020-01-01'")
    assert refused("DELETE FROM quotes_partylist")
    assert PartyList.objects.get().firms_count == 1
