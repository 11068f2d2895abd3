"""Flags of a sizing's option and of the quote made from it: the same, under the organisation's own records too."""

from collections.abc import Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.accounts.choices import Role
from config.accounts.models import Organisation, User
from quotes import clearances
from quotes.bom import BomLine, OriginFact, PartClass
from quotes.compliance.lists import load_lists
from quotes.models import NameClearance, Quote, QuotePolicy
from quotes.own_records import records_of
from quotes.proofs import Upload
from quotes.services import create_quote
from quotes.telecom_statements import Said, record_statement
from sizing import pipeline, priced, result
from sizing.core.values import Message, Money
from sizing.models import SizingOption, SizingRun, Workload
from sizing.requests import read_request
from tests.quotes.conftest import make_user
from tests.quotes.test_life import current
from tests.quotes.test_party_lists import in_use, sam_file

PDF = Upload(name="letter.pdf", content=b"%PDF-1.7 letter")
MAKERS = ("Norvane", "Hikvison GmbH", "Castellan")
REQUEST: dict[str, Any] = {
    "kind": "llm_serving",
    "model": {"id": "meta-llama/Llama-3.1-8B-Instruct"},
    "traffic": {"input_tokens": 512, "output_tokens": 128, "concurrent_requests": 8},
    "deployment": {"accelerator": "nvidia-h100-sxm5-80gb", "count": 8, "engine": "vllm"},
    "procurement": {"buyer_type": "us_federal_civilian"},
}

type Flags = dict[tuple[str, str], tuple[str | None, str]]


def line(number: str, part_class: PartClass, maker: str, mpn: str) -> BomLine:
    words = Message("bom_part", {})
    return BomLine(line=number, kind="base", part_class=part_class, manufacturer=maker, mpn=mpn, part="",
                   description=words, quantity=1, reason=words)  # fmt: skip


def bill(today: str) -> list[BomLine]:
    """A server, a memory module of a doubtful maker, an accelerator with a letter, a service."""
    proved = OriginFact(slug="x", country="TW", grade="A", evidence="manufacturer_letter", as_of=today)
    return [
        line("1.1", PartClass.SYSTEM, "Norvane", "NV-1"),
        line("1.2", PartClass.RAM, "Hikvison GmbH", "DIMM-1"),
        replace(line("1.3", PartClass.ACCELERATOR, "Castellan", "CA-1"), origin=proved),
        replace(line("1.4", PartClass.NIC, "Castellan", "CN-1"), origin=replace(proved, evidence="", grade="B")),
        replace(line("2.1", PartClass.SERVICE, "Norvane", ""), kind="service"),
        replace(line("2.2", PartClass.SOFTWARE, "Norvane", ""), kind="licence"),
    ]


def option_of(lines: Iterable[BomLine], organisation: Organisation | None) -> list[dict[str, Any]]:
    """The bill of an option as a run of that organisation stores it."""
    today, built = timezone.localdate(), SimpleNamespace(lines=list(lines))
    records = pipeline.records_of(organisation, today)
    lists = load_lists(today)
    market = SimpleNamespace(
        request=read_request(REQUEST, today=today),
        as_of=today,
        records=records,
        lists=records.lists(lists, MAKERS) if records else lists,
        screened={},
    )
    unknown = Money(amount=None, currency="USD", basis="unknown", source="", as_of="")
    screening = priced._screening(built, unknown, market)  # type: ignore[arg-type]
    return result._bom(SimpleNamespace(bom=built, screening=screening))  # type: ignore[arg-type]


def quoted(bom: list[dict[str, Any]], organisation: Organisation, user: User) -> Quote:
    workload = Workload.objects.create(organisation=organisation, name="w", kind="llm_serving", request=REQUEST)
    run = SizingRun.objects.create(
        workload=workload, organisation=organisation, state="done", as_of=timezone.localdate(), result={},
    )  # fmt: skip
    option = SizingOption.objects.create(run=run, rank=1, accelerator="x", data={"bom": bom})
    return create_quote(option=option, user=user, organisation=organisation)


def flags_of_bom(bom: list[dict[str, Any]]) -> Flags:
    return {
        (entry["line"], regime): (found["flag"], found["rule"])
        for entry in bom
        for regime, found in entry["screening"].items()
    }


def flags_of_quote(quote: Quote) -> Flags:
    rows = current(quote).findings.exclude(line=None).select_related("line")
    return {(row.line.number, row.regime.lower()): (row.flag or None, row.rule) for row in rows if row.line}


def test_an_option_is_flagged_as_its_quote(organisation: Organisation, planner: User, approver: User) -> None:
    """A cleared name, a letter on Section 889, policies, a list of exclusions: each counts in both places."""
    today = timezone.localdate()
    lines = bill(today.isoformat())
    bom = option_of(lines, organisation)
    quote = quoted(bom, organisation, planner)
    before = flags_of_bom(bom)
    assert before == flags_of_quote(quote)
    assert before[("1.2", "s889")] == ("review", "S889-005")
    assert before[("1.3", "taa")] == ("pass", "TAA-002")

    made = clearances.propose(quote=quote, line="1.2", regime="S889", reason="HRB 1 in Jena.", user=planner)
    clearances.confirm(clearance=made, user=approver)
    keeper = make_user("keeper", organisation, Role.CATALOGUE_EDITOR)
    said = Said(firm="Norvane", says="none", stated_on=today, stated_by="Legal")
    record_statement(organisation=organisation, said=said, user=keeper, upload=PDF)
    QuotePolicy.objects.create(organisation=organisation, part_b_represented_on=today, grade_a_only=True)
    in_use(organisation, approver, sam_file("Castellan"), "sam")

    full = option_of(lines, organisation)
    after = flags_of_bom(full)
    assert after == flags_of_quote(quoted(full, organisation, planner))
    assert after[("1.2", "s889")] == ("pass", "S889-007")
    assert after[("1.1", "s889")] == ("pass", "S889-007")
    assert after[("1.4", "taa")] == ("review", "TAA-007")
    assert after[("1.3", "parties")] == ("review", "PARTY-002")
    other = Organisation.objects.create(name="Other", country="DE")
    assert flags_of_bom(option_of(lines, other))[("1.2", "s889")] == ("review", "S889-005")


def test_records_are_read_once_and_change_the_hash_of_a_request(
    organisation: Organisation, planner: User, approver: User
) -> None:
    today = timezone.localdate()
    stated = read_request(REQUEST, today=today)
    plain = pipeline.input_hash(stated, organisation)
    lines = bill(today.isoformat())
    in_use(organisation, approver, sam_file("Castellan"), "sam")
    listed = pipeline.input_hash(stated, organisation)
    with CaptureQueriesContext(connection) as few:
        option_of(lines, organisation)
    quote = quoted(option_of(lines, organisation), organisation, planner)
    made = clearances.propose(quote=quote, line="1.2", regime="S889", reason="HRB 1 in Jena.", user=planner)
    assert pipeline.input_hash(stated, organisation) == listed != plain
    clearances.confirm(clearance=made, user=approver)
    assert pipeline.input_hash(stated, organisation) != listed
    NameClearance.objects.exclude(pk=made.pk).delete()
    more = [replace(each, line=f"{copy}.{each.line}") for copy in range(20) for each in lines]
    with CaptureQueriesContext(connection) as many:
        option_of(more, organisation)
    assert len(many) == len(few)
    assert records_of(organisation, today).key == records_of(organisation, today).key


@pytest.mark.full
def test_options_of_real_runs_are_flagged_as_their_quotes(
    seeded: object, organisation: Organisation, planner: User
) -> None:
    for accelerator in ("nvidia-h100-sxm5-80gb", "nvidia-l40s", "nvidia-h200-sxm5-141gb"):
        stated = {**REQUEST, "deployment": {**REQUEST["deployment"], "accelerator": accelerator}}
        found = pipeline.answer(read_request(stated, today=timezone.localdate()), organisation=organisation)
        assert found["options"]
        for option in found["options"]:
            assert flags_of_bom(option["bom"]) == flags_of_quote(quoted(option["bom"], organisation, planner))
