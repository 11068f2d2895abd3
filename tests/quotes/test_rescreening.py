"""Open quotes are screened again when a list changes; old findings stay, changes become tasks."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.utils import timezone

from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Organisation, User
from quotes import rescreening, tasks
from quotes.compliance import lists
from quotes.compliance.types import Regime
from quotes.errors import NotAllowed, QuoteError
from quotes.models import ApprovalRule, Quote, Rescreening
from quotes.transitions import close, decide, submit
from tests.quotes.conftest import make_user
from tests.quotes.test_life import current, fill, locked

LATE = date(2099, 1, 1)  # every check is overdue


def shown(quote: Quote) -> list[tuple[str, str, str]]:
    return list(current(quote).findings.values_list("line__number", "regime", "flag"))


def test_nothing_changes_while_the_lists_stay(quote: Quote) -> None:
    assert rescreening.rescreen_open_quotes(today=timezone.localdate()) == 0
    row = Rescreening.objects.get()
    assert (row.changes, row.result["2.1|TAA"]) == ([], "fail")
    assert not rescreening.open_tasks().exists()
    rescreening.rescreen_open_quotes(today=timezone.localdate())
    assert Rescreening.objects.count() == 1


def test_an_overdue_check_turns_passes_to_review_and_opens_a_task(quote: Quote) -> None:
    before = shown(quote)
    assert rescreening.rescreen_open_quotes(today=LATE) > 0
    task = rescreening.open_tasks().get()
    assert {"line": "1.7", "regime": "TAA", "before": "pass", "after": "review"} in task.changes
    assert not any(change["after"] == "pass" for change in task.changes)
    assert shown(quote) == before
    assert AuditEvent.objects.filter(action="quote.flags_changed").count() == 1


def test_a_new_list_version_is_noticed_on_a_locked_quote_without_touching_it(
    quote: Quote, planner: User, approver: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    revision = locked(quote, planner, approver)
    findings, value = shown(quote), revision.content_hash
    present = lists.load_lists(timezone.localdate())
    countries = dict(present.origins.countries)
    countries["JP"] = replace(countries["JP"], status="not_designated")
    newer = replace(
        present,
        origins=replace(present.origins, countries=countries),
        versions={**present.versions, Regime.TAA: replace(present.versions[Regime.TAA], version="T2", sha256="f" * 64)},
    )
    rescreening.rescreen_open_quotes()
    monkeypatch.setattr(lists, "load_lists", lambda day=None: newer)
    tasks.rescreen_quotes()
    task = rescreening.open_tasks().get()
    assert task.changes == [{"line": "1.7", "regime": "TAA", "before": "pass", "after": "fail"}]
    assert [entry["version"] for entry in task.lists if entry["regime"] == "TAA"] == ["T2"]
    assert (shown(quote), current(quote).content_hash) == (findings, value)


def test_closed_quotes_are_not_screened_again(quote: Quote, planner: User, approver: User) -> None:
    locked(quote, planner, approver)
    close(quote=quote, state="declined", user=planner)
    rescreening.rescreen_open_quotes(today=LATE)
    assert not Rescreening.objects.exists()


def test_a_task_is_settled_once_with_a_note_by_somebody_of_the_organisation(
    quote: Quote, organisation: Organisation, planner: User
) -> None:
    rescreening.rescreen_open_quotes(today=LATE)
    task = rescreening.open_tasks_for(planner).get()
    stranger = make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR)
    assert not rescreening.open_tasks_for(stranger).exists()
    for user in (stranger, make_user("vera", organisation, Role.VIEWER)):
        with pytest.raises(NotAllowed):
            rescreening.settle(task=task, user=user, note="done")
    with pytest.raises(QuoteError, match="quote_reason_missing"):
        rescreening.settle(task=task, user=planner, note=" ")
    rescreening.settle(task=task, user=planner, note="Asked the maker for a letter.")
    with pytest.raises(QuoteError, match="rescreening_settled_already"):
        rescreening.settle(task=task, user=planner, note="again")
    assert not rescreening.open_tasks().exists()
    assert AuditEvent.objects.filter(action="quote.flags_settled", actor=planner).count() == 1


def test_the_status_of_each_list_says_when_its_check_is_overdue() -> None:
    versions = lists.load_lists(None).versions
    due = versions[Regime.EXPORT].next_check_due
    assert due is not None
    on_time = {status.regime: status.overdue for status in rescreening.list_status(due)}
    late = {status.regime: status.overdue for status in rescreening.list_status(due + timedelta(days=1))}
    assert (on_time[Regime.EXPORT], late[Regime.EXPORT], late[Regime.TAA]) == (False, True, False)


def test_nobody_decides_about_a_finding_of_their_own_quote(quote: Quote, organisation: Organisation) -> None:
    own = make_user("ada", organisation, Role.ADMINISTRATOR)
    type(current(quote)).objects.filter(pk=current(quote).pk).update(created_by=own)
    line = current(quote).lines.get(number="2.1")
    with pytest.raises(NotAllowed, match="quote_own_decision"):
        decide(quote=quote, about="finding", reason="It is fine.", user=own, line=line, rule="TAA-003")
    other = make_user("ben", organisation, Role.APPROVER)
    decide(quote=quote, about="finding", reason="Listed for the buyer.", user=other, line=line, rule="TAA-003")
    assert current(quote).findings.get(line=line, regime="TAA").flag == "fail"


def test_a_failing_quote_needs_a_second_person_even_where_no_approval_is_asked(quote: Quote, planner: User) -> None:
    ApprovalRule.objects.create(organisation=quote.organisation, currency="USD", total_from=0, approvals_needed=0)
    fill(quote, planner)
    assert submit(quote=quote, user=planner).state == "in_review"
