"""Quotes through the API: made, changed under If-Match, moved through their states, read as documents."""

import base64
import hashlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from config.accounts.choices import Role
from config.accounts.models import Membership, Organisation, User
from quotes.models import Quote, QuoteRevision
from quotes.services import create_quote
from tests.config.api.calls import Caller, caller, visitor
from tests.factories import make_token
from tests.quotes.conftest import make_option, make_user
from tests.quotes.test_life import fill, settle

pytestmark = pytest.mark.django_db
PROBLEM = "application/problem+json"


def program(user: User) -> Caller:
    member = Membership.objects.get(user=user)
    return Caller(make_token(member)[1], member)


@pytest.fixture
def planning(planner: User) -> Caller:
    return program(planner)


@pytest.fixture
def approving(approver: User) -> Caller:
    return program(approver)


@pytest.fixture
def address(quote: Quote) -> str:
    return f"quotes/{quote.public_id}"


def etag(who: Caller, address: str) -> str:
    return str(who.get(address)["ETag"])


def step(who: Caller, address: str, name: str, body: Any = None) -> Any:
    return who.post(f"{address}/{name}", body, if_match=etag(who, address))


def locked(quote: Quote, planning: Caller, approving: Caller) -> str:
    """The address of the quote, complete and locked."""
    assert planning.member is not None
    assert approving.member is not None
    fill(quote, planning.member.user)
    settle(quote, approving.member.user)
    address = f"quotes/{quote.public_id}"
    assert step(planning, address, "submit").status_code == 200
    assert step(approving, address, "approve").status_code == 200
    answer = step(approving, address, "lock")
    assert (answer.status_code, answer.json()["state"]) == (200, "locked")
    return address


def test_an_option_becomes_a_quote(organisation: Organisation, planning: Caller) -> None:
    option = make_option(organisation)

    answer = planning.post("quotes", {"run": str(option.run.public_id), "rank": 1})

    made = answer.json()
    assert answer.status_code == 201
    assert answer["Location"].endswith(f"/api/v1/quotes/{made['id']}")
    assert (made["state"], made["revision"], made["allowed_states"]) == ("draft", 1, ["in_review"])
    assert made["open_lines"] == 1
    assert planning.get(answer["Location"]).json() == made
    assert answer["ETag"] == etag(planning, answer["Location"])


def test_a_visitors_run_can_be_quoted_by_whoever_holds_its_secret(planning: Caller) -> None:
    option = make_option(None)

    assert planning.post("quotes", {"run": option.run.secret, "rank": 1}).status_code == 201


@pytest.mark.parametrize(("run", "rank", "pointer"), [("own", 9, "/rank"), ("foreign", 1, "/run"), ("none", 1, "/run")])
def test_a_run_or_option_that_is_not_there_is_named(
    organisation: Organisation, planning: Caller, run: str, rank: int, pointer: str
) -> None:
    runs = {
        "own": lambda: str(make_option(organisation).run.public_id),
        "foreign": lambda: str(make_option(Organisation.objects.create(name="Other")).run.public_id),
        "none": lambda: str(uuid4()),
    }

    answer = planning.post("quotes", {"run": runs[run](), "rank": rank})

    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)


def test_the_list_holds_the_organisations_quotes_and_filters(address: str, planning: Caller) -> None:
    assert len(planning.get("quotes").json()["results"]) == 1
    assert planning.get("quotes?state=locked").json()["results"] == []
    assert planning.get("quotes?state=draft&q=inference service&fields=number").json()["results"][0].keys() == {
        "number"
    }
    assert planning.get("quotes?stat=draft").status_code == 400


def test_a_stranger_finds_nothing_and_a_visitor_must_sign_in(address: str) -> None:
    stranger = caller(Role.ADMINISTRATOR)
    part = ["", "/lines", "/documents", "/documents/pdf", "/screening", "/open-items", "/revisions/1"]

    assert stranger.get("quotes").json()["results"] == []
    assert {stranger.get(address + name).status_code for name in part} == {404}
    assert stranger.patch(address, {"title": "x"}, if_match="*").status_code == 404
    assert stranger.post(f"{address}/submit", if_match="*").status_code == 404
    assert {visitor().get(address + name).status_code for name in part} == {401}


def test_a_token_of_another_organisation_of_the_same_person_finds_nothing(address: str, planner: User) -> None:
    elsewhere = caller(Role.ADMINISTRATOR, user=planner)

    assert elsewhere.get("quotes").json()["results"] == []
    assert elsewhere.get(address).status_code == 404


def test_a_change_needs_the_version_that_was_read(address: str, planning: Caller) -> None:
    read = etag(planning, address)

    missing = planning.patch(address, {"buyer_name": "Fort Example"})
    first = planning.patch(address, {"buyer_name": "Fort Example"}, if_match=read)
    stale = planning.patch(address, {"buyer_name": "Somebody else"}, if_match=read)

    assert [answer.status_code for answer in (missing, first, stale)] == [428, 200, 412]
    assert [answer.json()["code"] for answer in (missing, stale)] == ["precondition_required", "stale"]
    assert stale["ETag"] == first["ETag"] == etag(planning, address) != read
    assert planning.get(address).json()["buyer_name"] == "Fort Example"


def test_reading_with_the_present_etag_is_304(address: str, planning: Caller) -> None:
    assert planning.get(address, if_none_match=etag(planning, address)).status_code == 304


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        ({"buyer_nmae": "x"}, "/buyer_nmae", "unknown_field"),
        ({"number": "Q-1"}, "/number", "unknown_field"),
        ({"language": "fr"}, "/language", "invalid_choice"),
        ({"early_payment_pct": "100"}, "", "invalid"),
        ({"title": ""}, "/title", "blank"),
    ],
)
def test_wrong_fields_of_a_quote_are_named(
    address: str, planning: Caller, changes: dict[str, Any], pointer: str, code: str
) -> None:
    answer = planning.patch(address, changes, if_match=etag(planning, address))

    assert answer.status_code == 422
    assert (pointer, code) in [(error["pointer"], error["code"]) for error in answer.json()["errors"]]


def test_lines_are_changed_all_or_none(address: str, planning: Caller) -> None:
    good, bad = {"number": "1.1", "unit_net": "8500.00"}, {"number": "1.2", "quantity": "-3"}

    refused = planning.patch(f"{address}/lines", {"lines": [good, bad]}, if_match=etag(planning, address))
    lines = {line["number"]: line for line in planning.get(f"{address}/lines").json()["results"]}
    assert refused.status_code == 422
    assert lines["1.1"]["unit_net"] == "8601.00"

    done = planning.patch(f"{address}/lines", {"lines": [good]}, if_match=etag(planning, address))
    lines = {line["number"]: line for line in done.json()["results"]}
    assert (done.status_code, lines["1.1"]["unit_net"], lines["1.1"]["price_kind"]) == (200, "8500.00", "manual")


@pytest.mark.parametrize(
    ("line", "pointer", "code"),
    [
        ({"number": "7.7", "quantity": "1"}, "/lines/0/number", "does_not_exist"),
        ({"number": "1.1", "quantity": "many"}, "/lines/0/quantity", "invalid"),
        ({"number": "1.1", "price_state": "firm"}, "/lines/0/price_state", "unknown_field"),
    ],
)
def test_wrong_lines_are_pointed_at(
    address: str, planning: Caller, line: dict[str, str], pointer: str, code: str
) -> None:
    answer = planning.patch(f"{address}/lines", {"lines": [line]}, if_match=etag(planning, address))

    assert [(error["pointer"], error["code"]) for error in answer.json()["errors"]] == [(pointer, code)]


def test_a_line_is_added_and_taken_out(address: str, planning: Caller) -> None:
    new = {"section": "3", "kind": "service", "description": "Training, one day", "quantity": "1", "unit_net": "900"}

    added = planning.post(f"{address}/lines", new, if_match=etag(planning, address))
    numbers = [line["number"] for line in added.json()["results"]]
    assert added.status_code == 201
    assert "3.4" in numbers

    gone = planning.delete(f"{address}/lines/3.4", if_match=added["ETag"])
    assert [line["number"] for line in gone.json()["results"]] == [each for each in numbers if each != "3.4"]
    assert planning.delete(f"{address}/lines/3.4", if_match=gone["ETag"]).status_code == 404


def test_an_impossible_step_names_the_possible_ones(address: str, approving: Caller) -> None:
    answer = step(approving, address, "lock")

    assert (answer.status_code, answer["Content-Type"]) == (409, PROBLEM)
    assert answer.json()["code"] == "quote_wrong_state"
    assert answer.json()["allowed_states"] == ["in_review"]


def test_nobody_approves_their_own_quote_and_roles_hold(
    quote: Quote, address: str, planning: Caller, planner: User
) -> None:
    step(planning, address, "submit")
    assert step(planning, address, "approve").status_code == 403

    Membership.objects.filter(user=planner).update(role=Role.APPROVER)
    own = step(planning, address, "approve")
    assert (own.status_code, own.json()["code"]) == (403, "quote_own_approval")


def test_the_lock_lists_what_is_open(address: str, planning: Caller, approving: Caller) -> None:
    step(planning, address, "submit")
    step(approving, address, "approve")

    answer = step(approving, address, "lock")

    assert (answer.status_code, answer.json()["code"]) == (409, "quote_open_items")
    assert "open_price" in [item["code"] for item in answer.json()["open_items"]]


def test_a_decision_settles_an_open_item(address: str, planning: Caller) -> None:
    body = {"about": "price", "line": "1.5", "reason": "Included by the maker."}

    answer = step(planning, address, "decisions", body)

    assert answer.status_code == 201
    settled = [item for item in answer.json()["results"] if item["line"] == "1.5" and item["about"] == "price"]
    assert settled[0]["decided_by"]
    assert settled[0]["stops_lock"] is False


def test_a_locked_revision_refuses_writes_and_makes_way_for_the_next(
    quote: Quote, planning: Caller, approving: Caller
) -> None:
    address = locked(quote, planning, approving)

    write = planning.patch(address, {"title": "x"}, if_match=etag(planning, address))
    assert (write.status_code, write.json()["code"]) == (409, "quote_wrong_state")
    assert planning.get(f"{address}/revisions/1").json()["check_value"]

    revised = step(planning, address, "revisions")
    assert (revised.status_code, revised.json()["revision"], revised.json()["state"]) == (201, 2, "draft")
    assert planning.patch(address, {"title": "R2"}, if_match=revised["ETag"]).status_code == 200


def test_a_locked_quote_is_accepted_once(quote: Quote, planning: Caller, approving: Caller) -> None:
    address = locked(quote, planning, approving)

    assert step(planning, address, "accept").json()["state"] == "accepted"
    again = step(planning, address, "decline")
    assert (again.status_code, again.json()["allowed_states"]) == (409, [])


def test_documents_carry_their_digest_and_stay_the_same(quote: Quote, planning: Caller, approving: Caller) -> None:
    address = locked(quote, planning, approving)
    formats = planning.get(f"{address}/documents").json()["results"]
    assert {each["format"] for each in formats} >= {"pdf", "xlsx", "csv", "json"}

    for each in formats:
        first, again = planning.get(each["href"]), planning.get(each["href"], accept=each["content_type"])
        digest = base64.b64encode(hashlib.sha256(first.content).digest()).decode()
        assert first["Content-Type"] == each["content_type"]
        assert first["Repr-Digest"] == f"sha-256=:{digest}:"
        assert "immutable" in first["Cache-Control"]
        assert first.content == again.content


def test_a_draft_is_exported_as_one_and_not_kept(address: str, planning: Caller) -> None:
    answer = planning.get(f"{address}/documents/json")

    assert json.loads(answer.content)["state"] == "draft"
    assert "immutable" not in answer["Cache-Control"]
    assert planning.get(f"{address}/documents/docx").status_code == 404
    assert planning.get(f"{address}/documents/json?language=fr").status_code == 400


def test_screening_shows_every_finding_with_its_words(address: str, planning: Caller) -> None:
    found = planning.get(f"{address}/screening").json()

    assert {regime["regime"] for regime in found["regimes"]} >= {"TAA", "S889"}
    assert {finding["flag"] for finding in found["findings"]} & {"unknown", "fail", "pass", "review"}
    assert all(" " in finding["reason"] for finding in found["findings"] if finding["flag"] == "fail")


def test_anybody_can_verify_a_document_and_learns_no_more(quote: Quote, planning: Caller, approving: Caller) -> None:
    address = locked(quote, planning, approving)
    exported = json.loads(planning.get(f"{address}/documents/json").content)
    anyone = visitor()

    assert anyone.get(f"verify/{exported['check_value'][:12]}").json()["outcome"] == "match"
    assert anyone.post("verify", exported).json()["number"] == quote.number
    exported["content"]["buyer"]["name"] = "Mallory"
    assert anyone.post("verify", exported).json()["outcome"] == "changed"
    assert anyone.get("verify/000000000000").json() == {
        "outcome": "unknown", "check_value": "000000000000", "number": None, "revision": None, "seller": None,
        "locked_at": None, "state": None,
    }  # fmt: skip


def test_a_share_link_is_shown_once_and_only_for_locked_revisions(
    quote: Quote, planning: Caller, approving: Caller
) -> None:
    draft = step(planning, f"quotes/{quote.public_id}", "share-links", {"days": 7})
    assert (draft.status_code, draft.json()["code"]) == (422, "quote_share_draft")

    made = step(planning, locked(quote, planning, approving), "share-links", {"days": 7})
    assert made.status_code == 201
    assert visitor().get(made.json()["address"]).status_code == 200


def test_a_retried_submit_is_done_once(address: str, planning: Caller) -> None:
    read = etag(planning, address)

    first = planning.post(f"{address}/submit", if_match=read, idempotency_key="s-1")
    again = planning.post(f"{address}/submit", if_match=read, idempotency_key="s-1")

    assert (first.status_code, again.status_code) == (200, 200)
    assert first.content == again.content


def test_a_list_asks_as_many_queries_for_many_quotes_as_for_one(
    organisation: Organisation, planner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    who = program(planner)
    for _ in range(3):
        create_quote(option=make_option(organisation), user=planner, organisation=organisation)
    who.get("quotes")

    with django_assert_num_queries(2):
        assert len(who.get("quotes").json()["results"]) == 3


@pytest.mark.django_db(transaction=True)
def test_of_two_writers_with_one_etag_exactly_one_wins() -> None:
    organisation = Organisation.objects.create(name="Ridgeline", country="US")
    planner = make_user("jordan", organisation)
    quote = create_quote(option=make_option(organisation), user=planner, organisation=organisation)
    who, address = program(planner), f"quotes/{quote.public_id}"
    read = etag(who, address)
    barrier = threading.Barrier(2)

    def write(title: str) -> int:
        barrier.wait()
        try:
            return int(Caller(who.key).patch(address, {"title": title}, if_match=read).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(write, ["one", "two"]))

    assert sorted(codes) == [200, 412]
    assert QuoteRevision.objects.get().quote.title in ("one", "two")
