"""The life of a quote: made from an option, edited, approved by somebody else, locked, revised, closed."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Organisation, User
from quotes.choices import QuoteState
from quotes.content import check_value, content_of
from quotes.document_tasks import keep_documents
from quotes.errors import NotAllowed, OpenItems, QuoteError, StaleEdit, WrongState
from quotes.line_order import move_line
from quotes.models import ApprovalRule, Quote, QuoteLine, QuoteRevision, ScreeningFinding
from quotes.open_items import open_items_of
from quotes.services import add_line, create_quote, edit_line, edit_quote, remove_line
from quotes.transitions import (
    approve,
    close,
    decide,
    expire_due,
    lock,
    revise,
    send_back,
    submit,
)
from tests.quotes.conftest import make_option, make_user

FIELDS = {
    "buyer_name": "Federal Materials Research Office",
    "request_number": "FMRO-RFQ-27-0018",
    "contract_vehicle": "MAS contract 47QEXAMPLE1",
    "special_item_numbers": "33411",
    "payment_days": 30,
    "delivery_terms": "FOB destination",
    "warranty": "36 months",
    "terms_acceptance": "Accepted as solicited.",
    "section_889_statement": "The offeror does not provide and does not use covered equipment.",
}


def fill(quote: Quote, user: User) -> Quote:
    """Every mandatory field, so that only lines and findings can be open."""
    edit_quote(quote=quote, changes=FIELDS, user=user, version=current(quote).version)
    QuoteLine.objects.filter(revision=current(quote)).update(schedule="33411")
    return Quote.objects.get(pk=quote.pk)


def current(quote: Quote) -> QuoteRevision:
    return QuoteRevision.objects.select_related("quote__organisation").get(current_of=quote)


def settle(quote: Quote, user: User) -> None:
    """A recorded reason for everything that may stand by one."""
    for item in open_items_of(current(quote)):
        if item.stops_lock and item.about:
            line = QuoteLine.objects.filter(revision=current(quote), number=item.line).first()
            decide(quote=quote, about=item.about, reason="Listed for the buyer.", user=user, line=line, rule=item.rule)


def locked(quote: Quote, planner: User, approver: User) -> QuoteRevision:
    quote = fill(quote, planner)
    settle(quote, approver)
    submit(quote=quote, user=planner)
    approve(quote=quote, user=approver, version=current(quote).version)
    return lock(quote=quote, user=approver, verify_base="https://kvote.example/quotes/verify/")


def test_an_option_becomes_a_priced_and_screened_draft(quote: Quote) -> None:
    revision = current(quote)
    assert quote.number == f"Q-{timezone.localdate().year}-0001"
    assert (quote.buyer_type, quote.currency, quote.region, quote.tax_treatment) == (
        "us_gsa_mas", "USD", "us", "federal_buyer",
    )  # fmt: skip
    # 68,808 + 21,356 + 8,720 + 18,063.36 + 13,708 + 672 + 4,900 + 9,600 = 145,827.36, rail kit open
    assert revision.total_net == Decimal("145827.36")
    assert revision.open_lines == 1
    assert revision.lines.get(number="1.1").unit_net == Decimal("8601.00")
    flags = {f.rule for f in revision.findings.filter(line__number="2.1", regime="TAA")}
    assert flags == {"TAA-003"}
    assert AuditEvent.objects.filter(action="quote.create", object_id=str(quote.public_id)).count() == 1


def test_numbers_run_per_organisation_and_year(quote: Quote, organisation: Organisation, planner: User) -> None:
    second = create_quote(option=make_option(organisation), user=planner, organisation=organisation)
    other = Organisation.objects.create(name="Other", country="US")
    theirs = create_quote(option=make_option(None), user=make_user("kim", other), organisation=other)
    assert [quote.number[-4:], second.number[-4:], theirs.number[-4:]] == ["0001", "0002", "0001"]


def test_an_option_of_another_organisation_cannot_be_quoted(organisation: Organisation, planner: User) -> None:
    other = Organisation.objects.create(name="Other")
    with pytest.raises(NotAllowed, match="quote_other_organisation"):
        create_quote(option=make_option(other), user=planner, organisation=organisation)


def test_a_viewer_cannot_make_a_quote(organisation: Organisation) -> None:
    viewer = make_user("vera", organisation, Role.VIEWER)
    with pytest.raises(NotAllowed, match="quote_role_missing"):
        create_quote(option=make_option(organisation), user=viewer, organisation=organisation)


def test_a_discount_moves_price_line_and_total(quote: Quote, planner: User) -> None:
    line = current(quote).lines.get(number="1.3")
    edit_line(line=line, changes={"discount_pct": Decimal("3.33")}, user=planner, version=line.version)
    line.refresh_from_db()
    assert line.unit_net == Decimal("2107.41")  # 2,180.00 less 3.33 % = 2,107.406
    # 4 x (2,180.00 - 2,107.41) = 290.36 less than before
    assert current(quote).total_net == Decimal("145537.00")


def test_a_price_typed_in_closes_an_open_line_with_todays_date(quote: Quote, planner: User) -> None:
    line = current(quote).lines.get(number="1.5")
    edit_line(line=line, changes={"unit_net": Decimal("120.00")}, user=planner, version=line.version)
    line.refresh_from_db()
    assert (line.price_state, line.price_kind, line.price_date) == ("firm", "manual", timezone.localdate())
    assert current(quote).open_lines == 0


def test_a_change_on_an_old_version_is_refused_and_nothing_lost(quote: Quote, planner: User) -> None:
    line = current(quote).lines.get(number="1.3")
    edit_line(line=line, changes={"quantity": Decimal(6)}, user=planner, version=1)
    with pytest.raises(StaleEdit, match="quote_line_changed_meanwhile"):
        edit_line(line=line, changes={"quantity": Decimal(2)}, user=planner, version=1)
    line.refresh_from_db()
    assert line.quantity == 6


def test_only_named_fields_of_a_line_can_change(quote: Quote, planner: User) -> None:
    line = current(quote).lines.get(number="1.3")
    with pytest.raises(QuoteError, match="quote_field_fixed"):
        edit_line(line=line, changes={"revision_id": 1}, user=planner, version=1)
    with pytest.raises(ValidationError, match="above 0"):
        edit_line(line=line, changes={"quantity": Decimal(0)}, user=planner, version=1)


def test_lines_can_be_added_moved_and_removed(quote: Quote, planner: User) -> None:
    fields = {"section": "2", "kind": "service", "description": "Cabling", "quantity": 1, "unit_net": Decimal("90.50")}
    line = add_line(revision=current(quote), fields=fields, user=planner)
    assert line.number == "2.3"
    move_line(line=line, steps=-9, user=planner)
    order = list(current(quote).lines.values_list("number", flat=True))
    assert order[7:10] == ["2.3", "2.1", "2.2"]
    remove_line(line=line, user=planner, version=line.version)
    assert current(quote).lines.count() == 12


def test_a_line_with_an_alternative_stays(quote: Quote, planner: User) -> None:
    line = current(quote).lines.get(number="1.4")
    with pytest.raises(QuoteError, match="quote_line_has_alternative"):
        remove_line(line=line, user=planner, version=line.version)


def test_nobody_approves_their_own_quote(quote: Quote, organisation: Organisation, planner: User) -> None:
    planner.memberships.update(role=Role.ADMINISTRATOR)
    submit(quote=quote, user=planner)
    with pytest.raises(NotAllowed, match="quote_own_approval"):
        approve(quote=quote, user=planner, version=current(quote).version)


def test_a_threshold_asks_for_two_people(
    quote: Quote, organisation: Organisation, planner: User, approver: User
) -> None:
    ApprovalRule.objects.create(organisation=organisation, total_from=0, currency="USD", approvals_needed=1)
    ApprovalRule.objects.create(organisation=organisation, total_from=100_000, currency="USD", approvals_needed=2)
    submit(quote=quote, user=planner)
    version = current(quote).version
    approve(quote=quote, user=approver, version=version)
    approve(quote=quote, user=approver, version=version)
    assert current(quote).state == QuoteState.IN_REVIEW
    approve(quote=quote, user=make_user("sam", organisation, Role.APPROVER), version=version)
    assert current(quote).state == QuoteState.APPROVED


@pytest.mark.parametrize("act", ["lock", "approve", "accept", "revise"])
def test_a_wrong_change_names_the_allowed_next_states(quote: Quote, approver: User, act: str) -> None:
    acts = {
        "lock": lambda: lock(quote=quote, user=approver),
        "approve": lambda: approve(quote=quote, user=approver, version=1),
        "accept": lambda: close(quote=quote, state=QuoteState.ACCEPTED, user=approver),
        "revise": lambda: revise(quote=quote, user=approver),
    }
    with pytest.raises(WrongState) as refused:
        acts[act]()
    assert refused.value.allowed == ("in_review",)


def test_a_quote_in_review_cannot_be_edited_until_it_is_sent_back(quote: Quote, planner: User, approver: User) -> None:
    submit(quote=quote, user=planner)
    line = current(quote).lines.get(number="1.3")
    with pytest.raises(WrongState):
        edit_line(line=line, changes={"quantity": Decimal(6)}, user=planner, version=1)
    with pytest.raises(QuoteError, match="quote_reason_missing"):
        send_back(quote=quote, user=approver, reason=" ")
    send_back(quote=quote, user=approver, reason="Quantity is wrong.")
    edit_line(line=line, changes={"quantity": Decimal(6)}, user=planner, version=1)


def test_locking_is_refused_with_the_list_of_what_is_open(quote: Quote, planner: User, approver: User) -> None:
    submit(quote=quote, user=planner)
    approve(quote=quote, user=approver, version=current(quote).version)
    with pytest.raises(OpenItems) as refused:
        lock(quote=quote, user=approver)
    codes = {item.message.code for item in refused.value.items}
    assert {"open_field", "open_price", "open_lead_time", "open_finding"} <= codes
    assert current(quote).state == QuoteState.APPROVED


def test_a_stale_price_stops_the_lock(quote: Quote, planner: User, approver: User) -> None:
    old = timezone.localdate() - timedelta(days=31)
    QuoteLine.objects.filter(revision=current(quote), number="1.1").update(price_date=old)
    items = [item for item in open_items_of(current(quote)) if item.message.code == "open_price_stale"]
    assert [(item.line, item.message.params["age_days"], item.stops_lock) for item in items] == [("1.1", 31, True)]


def test_a_locked_revision_has_a_check_value_over_its_content(quote: Quote, planner: User, approver: User) -> None:
    revision = locked(quote, planner, approver)
    stored = QuoteRevision.objects.get(pk=revision.pk)
    assert stored.state == QuoteState.LOCKED
    assert stored.content_hash == check_value(stored.content)
    assert stored.content["totals"]["open_lines"] == ["1.5"]
    assert {entry["by"] for entry in stored.content["decisions"]} == {"Taylor"}


def test_margin_and_supplier_never_enter_the_content(quote: Quote, planner: User, approver: User) -> None:
    QuoteLine.objects.filter(revision=current(quote)).update(unit_cost=Decimal("4711.17"))
    text = str(locked(quote, planner, approver).content)
    assert "4711" not in text
    assert "Secret" not in text


FROZEN_WRITES = {
    "content": "UPDATE quotes_quoterevision SET content_hash = repeat('0', 64)",
    "back to draft": "UPDATE quotes_quoterevision SET state = 'draft'",
    "delete revision": "DELETE FROM quotes_quoterevision",
    "line": "UPDATE quotes_quoteline SET unit_net = 1",
    "delete line": "DELETE FROM quotes_quoteline",
    "move line": "UPDATE quotes_quoteline SET position = position + 1",
    "finding": "UPDATE quotes_screeningfinding SET flag = 'pass'",
    "decision": "DELETE FROM quotes_decision",
    "new line": "INSERT INTO quotes_quoteline SELECT (line).* FROM (SELECT l FROM quotes_quoteline l LIMIT 1) x(line)",
}


@pytest.mark.parametrize("name", FROZEN_WRITES)
def test_sql_cannot_change_a_locked_revision(quote: Quote, planner: User, approver: User, name: str) -> None:
    revision = locked(quote, planner, approver)
    refused = pytest.raises(DatabaseError, match=r"cannot (change|be deleted|go)|make a new revision")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(FROZEN_WRITES[name])
    assert check_value(QuoteRevision.objects.get(pk=revision.pk).content) == revision.content_hash


def test_the_orm_cannot_change_a_locked_revision(quote: Quote, planner: User, approver: User) -> None:
    revision = locked(quote, planner, approver)
    line = revision.lines.first()
    assert line is not None
    line.quantity = Decimal(99)
    for write in (
        line.save,
        revision.lines.all().delete,
        lambda: QuoteLine.objects.filter(pk=line.pk).update(quantity=1),
        lambda: ScreeningFinding.objects.filter(revision=revision).update(flag="pass"),
        lambda: QuoteRevision.objects.filter(pk=revision.pk).update(issued_on="2020-01-01"),
    ):
        with pytest.raises(DatabaseError, match=r"cannot change|make a new revision"), transaction.atomic():
            write()


def test_a_new_revision_replaces_the_locked_one(quote: Quote, planner: User, approver: User) -> None:
    first = locked(quote, planner, approver)
    second = revise(quote=Quote.objects.get(pk=quote.pk), user=planner)
    assert (second.number, second.state, second.lines.count()) == (2, QuoteState.DRAFT, first.lines.count())
    assert QuoteRevision.objects.get(pk=first.pk).state == QuoteState.LOCKED
    quote = Quote.objects.get(pk=quote.pk)
    settle(quote, approver)
    submit(quote=quote, user=planner)
    approve(quote=quote, user=approver, version=current(quote).version)
    lock(quote=quote, user=approver)
    assert QuoteRevision.objects.get(pk=first.pk).state == QuoteState.SUPERSEDED
    assert content_of(current(quote))["quote"]["replaces"]["revision"] == 1


def test_a_locked_quote_is_accepted_once(quote: Quote, planner: User, approver: User) -> None:
    locked(quote, planner, approver)
    close(quote=quote, state=QuoteState.ACCEPTED, user=planner)
    with pytest.raises(WrongState) as refused:
        close(quote=quote, state=QuoteState.DECLINED, user=planner)
    assert refused.value.allowed == ()


@pytest.mark.parametrize("zone_and_hours", [("UTC", 0), ("Pacific/Honolulu", 10), ("Pacific/Kiritimati", -14)])
def test_a_quote_holds_to_the_end_of_its_last_day_where_the_seller_sits(
    quote: Quote, planner: User, approver: User, monkeypatch: pytest.MonkeyPatch, zone_and_hours: tuple[str, int]
) -> None:
    zone, hours = zone_and_hours  # from midnight of UTC to that of the zone
    until = locked(quote, planner, approver).valid_until()
    assert until is not None
    Organisation.objects.filter(pk=quote.organisation_id).update(time_zone=zone)
    over = datetime.combine(until + timedelta(days=1), time(), tzinfo=UTC) + timedelta(hours=hours)
    monkeypatch.setattr(timezone, "now", lambda: over - timedelta(seconds=1))
    assert expire_due() == 0
    monkeypatch.setattr(timezone, "now", lambda: over)
    assert expire_due() == 1


def test_an_expired_quote_is_marked_and_cannot_be_accepted(quote: Quote, planner: User, approver: User) -> None:
    revision = locked(quote, planner, approver)
    after = timezone.localdate() + timedelta(days=31)
    assert expire_due(today=after - timedelta(days=1)) == 0
    assert expire_due(today=after) == 1
    assert QuoteRevision.objects.get(pk=revision.pk).state == QuoteState.EXPIRED
    with pytest.raises(WrongState):
        close(quote=quote, state=QuoteState.ACCEPTED, user=planner)


def test_a_finding_can_only_be_decided_by_an_approver(quote: Quote, planner: User) -> None:
    line = current(quote).lines.get(number="2.1")
    with pytest.raises(NotAllowed):
        decide(quote=quote, about="finding", reason="Fine.", user=planner, line=line, rule="TAA-003")


def test_an_approval_does_not_count_again_after_the_quote_was_sent_back(
    quote: Quote, organisation: Organisation, planner: User, approver: User
) -> None:
    ApprovalRule.objects.create(organisation=organisation, total_from=0, currency="USD", approvals_needed=2)
    submit(quote=quote, user=planner)
    approve(quote=quote, user=approver, version=current(quote).version)
    send_back(quote=quote, user=planner, reason="One more look.")
    submit(quote=quote, user=planner)
    approve(quote=quote, user=make_user("sam", organisation, Role.APPROVER), version=current(quote).version)
    assert current(quote).state == QuoteState.IN_REVIEW


def test_after_approval_only_approvers_record_decisions(quote: Quote, planner: User, approver: User) -> None:
    submit(quote=quote, user=planner)
    approve(quote=quote, user=approver, version=current(quote).version)
    line = current(quote).lines.get(number="1.5")
    with pytest.raises(NotAllowed):
        decide(quote=quote, about="price", reason="Asked.", user=planner, line=line)
    decide(quote=quote, about="price", reason="Asked.", user=approver, line=line)


def test_tax_by_rate_gives_every_line_the_sellers_rate(quote: Quote, organisation: Organisation, planner: User) -> None:
    Organisation.objects.filter(pk=organisation.pk).update(country="DE")
    fresh = Quote.objects.select_related("organisation").get(pk=quote.pk)
    edit_quote(quote=fresh, changes={"tax_treatment": "by_rate"}, user=planner, version=current(quote).version)
    totals = content_of(current(quote))["totals"]
    # 145,827.36 x 19 % = 27,707.1984
    assert (totals["taxes"][0]["amount"], totals["gross"]) == ("27707.20", "173534.56")


def test_locking_has_the_documents_made_once(
    quote: Quote, planner: User, approver: User, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        revision = locked(quote, planner, approver)
    assert callbacks
    keep_documents(revision.pk)
    keep_documents(revision.pk)
    kept = {file.format: file.file.sha256 for file in revision.files.all()}
    assert set(kept) == {"pdf", "xlsx"}


def test_a_kept_document_cannot_be_exchanged(quote: Quote, planner: User, approver: User) -> None:
    revision = locked(quote, planner, approver)
    keep_documents(revision.pk)
    with pytest.raises(DatabaseError, match="cannot change"), transaction.atomic():
        revision.files.update(language="de")
