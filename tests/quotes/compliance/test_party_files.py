"""The two files of listed parties, as their publishers write them, and what blocks their activation."""

from collections.abc import Callable
from datetime import date

import pytest

from quotes.compliance.party_files import (
    ListedParty,
    UnreadableFile,
    read_consolidated,
    read_exclusions,
    staging_fault,
)

CSL_HEAD = (
    "_id,source,entity_number,type,programs,name,title,addresses,federal_register_notice,start_date,end_date,"
    "standard_order,license_requirement,license_policy,call_sign,vessel_type,gross_tonnage,gross_registered_tonnage,"
    "vessel_flag,vessel_owner,remarks,source_list_url,alt_names,citizenships,dates_of_birth,nationalities,"
    "places_of_birth,source_information_url,ids"
)
SAM_HEAD = (
    '"Classification","Name","Prefix","First","Middle","Last","Suffix","Address 1","Address 2","Address 3",'
    '"Address 4","City","State / Province","Country","Zip Code","Open Data Flag","Blank (Deprecated)",'
    '"Unique Entity ID","Exclusion Program","Excluding Agency","CT Code","Exclusion Type","Additional Comments",'
    '"Active Date","Termination Date","Record Status","Cross-Reference","SAM Number","CAGE","NPI","Creation_Date"'
)


def row(head: str, **cells: str) -> str:
    names = [name.strip('"') for name in head.split(",")]
    return ",".join('"' + cells.get(name, "") + '"' for name in names)


def csl(*rows: str) -> bytes:
    return "\n".join((CSL_HEAD, *rows)).encode()


def sam(*rows: dict[str, str]) -> bytes:
    return "\r\n".join((SAM_HEAD, *(row(SAM_HEAD, **cells) for cells in rows))).encode("utf-8-sig")


def test_firms_of_the_consolidated_list_with_their_other_names_and_dates() -> None:
    listed = csl(
        row(
            CSL_HEAD, _id="a1", source="Entity List (EL)", name="Norvane Trading", alt_names="Norvane; NVT  Ltd",
            start_date="2022-12-19",
        ),
        row(CSL_HEAD, _id="a2", source="SDN", type="Individual", name="DOE, John"),
        row(CSL_HEAD, _id="a3", source="SDN", type="Entity", name="Castellan", end_date="2026-01-31"),
    )  # fmt: skip
    first, second = read_consolidated(listed)
    assert first == ListedParty(
        entity_id="a1",
        source="Entity List (EL)",
        name="Norvane Trading",
        aliases=("Norvane", "NVT Ltd"),
        listed_from=date(2022, 12, 19),
        listed_to=None,
    )
    assert (second.name, second.listed_to) == ("Castellan", date(2026, 1, 31))


def test_firms_of_the_exclusions_with_american_dates() -> None:
    firm = {
        "Classification": "Firm",
        "Name": "Vantrel, Inc.",
        "Exclusion Type": "Prohibition/Restriction",
        "Active Date": "03/09/2024",
        "Termination Date": "Indefinite",
        "SAM Number": "S4MR1",
    }
    person = {"Classification": "Individual", "Name": "", "Last": "Doe", "SAM Number": "S4MR2"}
    (found,) = read_exclusions(sam(firm, person, {**firm, "Classification": "Vessel"}))
    assert (found.entity_id, found.name, found.source) == ("S4MR1", "Vantrel, Inc.", "Prohibition/Restriction")
    assert (found.listed_from, found.listed_to) == (date(2024, 3, 9), None)


@pytest.mark.parametrize("read", [read_consolidated, read_exclusions])
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "party_file_column_missing"),
        (b"name\nx\n", "party_file_column_missing"),
        (b"\xff\xfe", "party_file_not_utf8"),
    ],
)
def test_another_file_is_refused(read: Callable[[bytes], object], content: bytes, code: str) -> None:
    with pytest.raises(UnreadableFile, match=code):
        read(content)


def test_a_date_that_cannot_be_read_is_named_with_its_line() -> None:
    with pytest.raises(UnreadableFile, match="party_file_date") as error:
        read_consolidated(csl(row(CSL_HEAD, _id="a1", name="Norvane", start_date="19.12.2022")))
    assert error.value.message.params == {"line": "2", "value": "19.12.2022"}


@pytest.mark.parametrize(
    ("rows", "active", "code"),
    [
        (0, None, "party_file_empty"),
        (0, 100, "party_file_empty"),
        (100, None, None),
        (80, 100, None),
        (79, 100, "party_file_row_change"),
        (120, 100, None),
        (121, 100, "party_file_row_change"),
    ],
)
def test_an_empty_file_or_a_fifth_more_or_less_blocks(rows: int, active: int | None, code: str | None) -> None:
    party = ListedParty(entity_id="x", source="", name="X", aliases=(), listed_from=None, listed_to=None)
    fault = staging_fault((party,) * rows, active_rows=active)
    assert (fault.code if fault else None) == code
