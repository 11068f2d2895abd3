"""One quote, many formats, one set of figures: page, PDF, XLSX, CSV, JSON, openTRANS and UBL agree to the cent."""

import io
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings

from config.accounts.models import Organisation, User
from quotes.content import content_of
from quotes.document import QuoteDocument, build_document, document_of
from quotes.exports.csv import csv
from quotes.exports.json import json
from quotes.exports.opentrans import opentrans
from quotes.exports.pdf import pdf
from quotes.exports.ubl import ubl
from quotes.exports.xlsx import xlsx
from quotes.models import QuoteRevision
from tests.quotes import readback, schemas
from tests.quotes.random_offers import Offer, offers, stored

QUICK, FULL, IN_OFFICE = 20, 1_000, 30
RELAXED = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>"""


def without_results(workbook: bytes) -> bytes:
    """The workbook with every stored result of a formula set to a wrong one."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as read, zipfile.ZipFile(out, "w") as written:
        for entry in read.infolist():
            part = read.read(entry)
            if entry.filename.startswith("xl/worksheets/"):
                part = re.sub(rb"</f><v>[^<]*</v>", b"</f><v>77777</v>", part)
            written.writestr(entry, part)
    return out.getvalue()


def expected(document: QuoteDocument) -> readback.Figures:
    """What was printed, added up here."""
    rows = [row for section in document.sections for row in section.rows]
    counted = [row for row in rows if not (row.outside or row.included or row.price_open)]
    printed = {row.number: readback.typed(row.extended, document) for row in counted}
    sums = document.content["totals"]
    assert sum(printed.values(), Decimal(0)) == Decimal(sums["net"])
    return readback.of_json(json(document))


def agree(document: QuoteDocument) -> None:
    """Every machine format says the same; the PDF holds each printed amount."""
    right = expected(document)
    workbook = xlsx(document)
    for figures in (
        readback.of_csv(csv(document)),
        readback.of_ubl(ubl(document)),
        readback.of_opentrans(opentrans(document)),
        readback.of_xlsx(workbook, document),
        readback.recomputed(workbook, document),
    ):
        assert figures.lines == right.lines
        assert figures.net in (None, right.net)
        assert (figures.tax or Decimal(0)) in (Decimal(0), right.tax)
        assert figures.gross in (None, right.gross)
        assert figures.payable_early in (None, right.payable_early)
    assert readback.recomputed(workbook, document).payable_early == right.payable_early
    assert schemas.faults(ubl(document), schemas.UBL) == schemas.faults(opentrans(document), schemas.OPENTRANS) == []
    text = readback.pdf_text(pdf(document))
    for amount in printed_amounts(document):
        assert amount in text, amount


def printed_amounts(document: QuoteDocument) -> Iterable[str]:
    for section in document.sections:
        yield section.subtotal.replace("\u00a0", " ")
        yield from (row.extended.replace("\u00a0", " ") for row in section.rows if row.extended)
    yield from (row.amount.replace("\u00a0", " ") for row in document.totals)


def page_agrees(client: Client, revision: QuoteRevision) -> None:
    """The page shows the document's own amounts, line by line and total by total."""
    document = document_of(revision, language=revision.quote.language)
    page = client.get(revision.quote.get_absolute_url(), HTTP_ACCEPT_LANGUAGE=revision.quote.language).content.decode()
    shown = readback.page_lines(page)
    for section in document.sections:
        for row in section.rows:
            if row.extended:
                assert row.extended in shown[row.number]
    subtotals = [section.subtotal for section in document.sections]
    wanted = [amount.replace("\u00a0", " ") for amount in (*subtotals, *(row.amount for row in document.totals))]
    assert readback.page_totals(page) == wanted


def check(offer: Offer, client: Client, organisation: Organisation, user: User) -> None:
    with transaction.atomic():
        revision = stored(offer, organisation, user)
        agree(document_of(revision))
        page_agrees(client, revision)
        transaction.set_rollback(True)


def test_random_quotes_agree_in_every_format(client: Client, organisation: Organisation, planner: User) -> None:
    client.force_login(planner)

    @settings(RELAXED, max_examples=QUICK)
    @given(offer=offers())
    def agrees(offer: Offer) -> None:
        check(offer, client, organisation, planner)

    agrees()


@pytest.mark.full
def test_a_thousand_random_quotes_agree_in_every_format(
    client: Client, organisation: Organisation, planner: User
) -> None:
    client.force_login(planner)

    @settings(RELAXED, max_examples=FULL)
    @given(offer=offers())
    def agrees(offer: Offer) -> None:
        check(offer, client, organisation, planner)

    agrees()


@pytest.mark.full
def test_an_office_program_works_out_the_same_totals(organisation: Organisation, planner: User, tmp_path: Path) -> None:
    documents: list[QuoteDocument] = []

    @settings(RELAXED, max_examples=IN_OFFICE)
    @given(offer=offers())
    def write(offer: Offer) -> None:
        with transaction.atomic():
            content = content_of(stored(offer, organisation, planner))
            documents.append(build_document(content, language=offer.language))
            transaction.set_rollback(True)

    write()
    assert len(documents) >= IN_OFFICE
    for number, document in enumerate(documents):
        (tmp_path / f"{number}.xlsx").write_bytes(without_results(xlsx(document)))
    office = next(filter(None, map(shutil.which, ("soffice", "libreoffice"))), None)
    assert office is not None, "LibreOffice Calc is missing: .ci/find-libreoffice installs it"
    profile = tmp_path / "profile" / "user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(ALWAYS_RECALCULATE, encoding="utf-8")
    command = [office, "--headless", f"-env:UserInstallation={profile.parent.as_uri()}", "--convert-to", "xlsx"]
    made = tmp_path / "recalculated"
    files = sorted(map(str, tmp_path.glob("*.xlsx")))
    subprocess.run([*command, "--outdir", str(made), *files], check=True, capture_output=True, timeout=600)
    for number, document in enumerate(documents):
        figures, right = readback.of_xlsx((made / f"{number}.xlsx").read_bytes(), document), expected(document)
        assert figures.lines == right.lines
        assert (figures.net, figures.gross, figures.payable_early) == (right.net, right.gross, right.payable_early)
