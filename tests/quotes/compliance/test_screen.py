"""Rules of the screening beyond the worked cases: order of rules, ages, roll-up, determinism."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from quotes.compliance.lists import load_lists
from quotes.compliance.screen import Known, roll_up, screen_line, screen_quote
from quotes.compliance.types import (
    Applicability,
    BuyerType,
    Clearance,
    Component,
    Evidence,
    Finding,
    Flag,
    LineType,
    Regime,
    ScreeningContext,
    ScreeningLine,
)

LISTS = load_lists()
DAY = date(2026, 11, 30)
FEDERAL = ScreeningContext(
    quote_date=DAY, buyer_type=BuyerType.FEDERAL_CIVILIAN, acquisition_value_usd=Decimal(500_000), destination="US"
)
DOD = replace(FEDERAL, buyer_type=BuyerType.DOD)
GPU = ScreeningLine(
    line_id="1",
    category="gpu",
    manufacturer="NVIDIA Corporation",
    origin_text="Taiwan",
    origin_evidence=Evidence.LETTER,
    origin_evidence_date=date(2026, 10, 1),
)


def finding(regime: Regime, line: ScreeningLine, context: ScreeningContext = FEDERAL) -> Finding:
    return next(one for one in screen_line(line, context, LISTS) if one.regime is regime)


def rule(regime: Regime, line: ScreeningLine, context: ScreeningContext = FEDERAL) -> tuple[str, str]:
    found = finding(regime, line, context)
    return found.rule_id, found.flag.value if found.flag else ""


@pytest.mark.parametrize(
    ("value", "day", "scope", "test_id"),
    [
        (174_000, date(2025, 6, 1), "applies", "APP-01"),
        (173_999, date(2025, 6, 1), "not_applicable", "APP-02"),
        (182_999, date(2023, 6, 1), "not_applicable", "APP-02"),
        (165_300, date(2028, 6, 1), "undetermined", "APP-05"),
        (182_700, date(2028, 6, 1), "undetermined", "APP-05"),
        (182_701, date(2028, 6, 1), "applies", "APP-01"),
        (165_299, date(2028, 6, 1), "not_applicable", "APP-02"),
        (174_000, date(2031, 6, 1), "undetermined", "APP-05"),
        (500_000, date(2031, 6, 1), "applies", "APP-01"),
        (500_000, date(2020, 6, 1), "undetermined", "APP-05"),
    ],
)
def test_threshold_follows_the_quote_date(value: int, day: date, scope: str, test_id: str) -> None:
    context = replace(FEDERAL, acquisition_value_usd=Decimal(value), quote_date=day)
    found = finding(Regime.TAA, GPU, context)
    assert (found.applicability, found.applicability_id) == (scope, test_id)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"origin_evidence_date": date(2025, 11, 30)}, ("TAA-002", "pass")),
        ({"origin_evidence_date": date(2025, 11, 29)}, ("TAA-008", "review")),
        ({"origin_evidence_date": None}, ("TAA-008", "review")),
        ({"origin_evidence": Evidence.RULING, "origin_evidence_date": date(2015, 1, 1)}, ("TAA-002", "pass")),
        ({"origin_text": "Assembled in China"}, ("TAA-006", "review")),
        ({"origin_text": "China", "transformation_note": "changed in Mexico"}, ("TAA-006", "review")),
        ({"origin_text": "Iran", "transformation_note": "changed"}, ("SRC-001", "fail")),
        ({"origin_text": "Samoa"}, ("TAA-002", "pass")),
        ({"origin_text": "Virgin Islands"}, ("TAA-002", "pass")),
        ({"line_type": LineType.SERVICE, "origin_text": "India"}, ("TAA-009", "fail")),
        ({"line_type": LineType.SERVICE, "origin_text": "Korea"}, ("TAA-009", "unknown")),
        ({"line_type": LineType.SOFTWARE}, ("TAA-002", "pass")),
        ({"line_type": LineType.SOFTWARE, "origin_evidence": Evidence.NONE}, ("TAA-010", "unknown")),
        ({"line_type": LineType.SOFTWARE, "origin_text": "China"}, ("TAA-003", "fail")),
        ({"origin_text": "Atlantis"}, ("TAA-004", "unknown")),
    ],
)
def test_first_matching_origin_rule_answers(changes: dict[str, object], expected: tuple[str, str]) -> None:
    assert rule(Regime.TAA, replace(GPU, **changes)) == expected  # type: ignore[arg-type]


def test_unknown_origin_never_passes_whatever_the_proof() -> None:
    for kind in Evidence:
        for text in ("", "N/A", "Atlantis", "EU", "Korea", "Taiwan, China"):
            line = replace(GPU, origin_text=text, origin_evidence=kind)
            assert finding(Regime.TAA, line).flag is not Flag.PASS


def test_parts_of_adverse_origin_are_a_note_only() -> None:
    line = replace(
        GPU, line_type=LineType.SYSTEM, components=(Component(maker="Foxconn", part_class="psu", origin="CN"),)
    )
    found = finding(Regime.TAA, line)
    assert found.flag is Flag.PASS
    assert [note.code for note in found.notes] == ["TAA-NOTE-PART"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"manufacturer": "Huawei", "category": "network switch"}, ("S889-001", "fail")),
        ({"manufacturer": "Huawei", "category": "server"}, ("S889-003", "review")),
        ({"manufacturer": "Hikvision", "category": "Network Cameras"}, ("S889-002", "fail")),
        ({"manufacturer": "Dahua", "category": "server rack"}, ("S889-003", "review")),
        ({"brand": "ZTE", "category": "modem"}, ("S889-001", "fail")),
        ({"components": (Component(maker="Huawei", part_class="psu"),)}, ("S889-003", "review")),
        ({"components": (Component(maker="ZTE", part_class="nic"),)}, ("S889-004", "fail")),
        ({"components": (Component(maker="Hauwei", part_class="nic"),)}, ("S889-005", "review")),
        ({"manufacturer": "Honor", "category": "switch"}, ("S889-006", "review")),
        ({"line_type": LineType.SERVICE, "manufacturer": "", "supplier": "Huawei Cloud"}, ("S889-010", "fail")),
        ({"line_type": LineType.SERVICE, "category": "installation"}, ("S889-010", "unknown")),
        ({"manufacturer": "N/A", "category": "gpu"}, ("S889-008", "unknown")),
        ({"line_type": LineType.SOFTWARE, "category": "software"}, ("S889-011", "pass")),
        ({"category": "server", "components_complete": True}, ("S889-009", "unknown")),
        (
            {"category": "server", "components_complete": True, "components": (Component(maker="", part_class="nic"),)},
            ("S889-009", "unknown"),
        ),
        (
            {"category": "nic", "s889_evidence": Evidence.LETTER, "s889_evidence_date": date(2025, 11, 30)},
            ("S889-007", "pass"),
        ),
        (
            {"category": "nic", "s889_evidence": Evidence.LETTER, "s889_evidence_date": date(2025, 11, 29)},
            ("S889-009", "unknown"),
        ),
        (
            {"category": "nic", "s889_evidence": Evidence.LETTER, "s889_evidence_date": date(2026, 12, 1)},
            ("S889-009", "unknown"),
        ),
    ],
)
def test_section_889_rules(changes: dict[str, object], expected: tuple[str, str]) -> None:
    assert rule(Regime.S889, replace(GPU, **changes)) == expected  # type: ignore[arg-type]


def test_a_statement_does_not_clear_a_listed_name() -> None:
    line = replace(GPU, manufacturer="Huawei", category="switch", s889_evidence=Evidence.LETTER, s889_evidence_date=DAY)
    assert rule(Regime.S889, line) == ("S889-001", "fail")


def test_strict_policy_fails_a_listed_maker_of_any_goods() -> None:
    line = replace(GPU, manufacturer="HIKSEMI", category="ssd")
    assert rule(Regime.S889, line, replace(FEDERAL, strict_s889=True)) == ("S889-003", "fail")


def test_strict_policy_never_fails_a_doubtful_name() -> None:
    line = replace(GPU, manufacturer="Hauwei", category="switch")
    assert rule(Regime.S889, line, replace(FEDERAL, strict_s889=True)) == ("S889-005", "review")


def test_a_clearance_covers_its_article_for_a_year_and_while_the_row_stands() -> None:
    line = replace(GPU, manufacturer="Dahua Street Electronics", category="gpu", sku="X-1")
    match = finding(Regime.S889, line).match
    assert match is not None
    cleared = Clearance(
        name="dahua street electronics",
        entity_id=match.entity_id,
        subject="X-1",
        cleared_on=date(2025, 11, 30),
        row_hash=match.row_hash,
    )
    others = tuple(
        replace(cleared, entity_id=hit.row.entity_id, row_hash=hit.row.row_hash)
        for hit in LISTS.s889.find("Dahua Street Electronics")
    )
    context = replace(FEDERAL, clearances=others)
    assert rule(Regime.S889, line, context) == ("S889-007", "pass")
    assert rule(Regime.S889, replace(line, sku="X-2"), context)[1] == "review"
    assert rule(Regime.S889, line, replace(context, quote_date=date(2026, 12, 1)))[1] == "review"
    changed = replace(context, clearances=tuple(replace(one, row_hash="other") for one in others))
    assert rule(Regime.S889, line, changed)[1] == "review"


@pytest.mark.parametrize(
    ("start", "maker", "expected"),
    [
        (None, "YMTC", ("S5949-001", "review")),
        (date(2027, 12, 22), "YMTC", ("S5949-001", "review")),
        (date(2027, 12, 23), "YMTC", ("S5949-002", "fail")),
        (date(2027, 12, 23), "长江存储", ("S5949-002", "fail")),
        (date(2027, 12, 23), "Innotorn", ("S5949-001", "review")),
        (date(2027, 12, 23), "Yangtze Memry", ("S5949-001", "review")),
    ],
)
def test_section_5949_starts_on_its_day(start: date | None, maker: str, expected: tuple[str, str]) -> None:
    line = replace(GPU, components=(Component(maker=maker, part_class="nand"),))
    assert rule(Regime.S5949, line, replace(FEDERAL, contract_start=start)) == expected


@pytest.mark.parametrize(
    ("changes", "start", "expected"),
    [
        ({"supplier": "Quectel"}, date(2026, 6, 29), ("S1260H-001", "review")),
        ({"supplier": "Quectel"}, date(2026, 6, 30), ("S1260H-001", "fail")),
        ({"manufacturer": "Inspur"}, date(2027, 6, 29), ("S1260H-002", "review")),
        ({"manufacturer": "Inspur"}, date(2027, 6, 30), ("S1260H-003", "fail")),
        ({"manufacturer": "TeraHop"}, date(2027, 6, 30), ("S1260H-002", "review")),
        ({"manufacturer": "TP-Link Systems Inc."}, date(2027, 6, 30), ("S1260H-002", "review")),
        ({"manufacturer": "Eoptolink"}, date(2027, 6, 30), ("S1260H-006", "pass")),
        ({"manufacturer": "-"}, None, ("S1260H-005", "unknown")),
        ({"components": (Component(maker="CXMT", part_class="dram"),)}, date(2027, 12, 1), ("S1260H-004", "review")),
    ],
)
def test_section_1260h_dates(changes: dict[str, object], start: date | None, expected: tuple[str, str]) -> None:
    assert rule(Regime.S1260H, replace(GPU, **changes), replace(DOD, contract_start=start)) == expected  # type: ignore[arg-type]


def test_a_firm_counts_from_the_day_it_was_listed() -> None:
    line = replace(GPU, manufacturer="Innolight")
    assert rule(Regime.S1260H, line, replace(DOD, quote_date=date(2026, 6, 7))) == ("S1260H-006", "pass")
    assert rule(Regime.S1260H, line, replace(DOD, quote_date=date(2026, 6, 8))) == ("S1260H-002", "review")


@pytest.mark.parametrize(
    ("destination", "eccn", "expected"),
    [
        ("US", "3A090.a", ("EXP-000", "")),
        ("Puerto Rico", "", ("EXP-000", "")),
        ("DE", "4A090.a", ("EXP-001", "review")),
        ("DE", "5A992.z.1", ("EXP-001", "review")),
        ("CH", "5A992.c", ("EXP-005", "pass")),
        ("Germany", "EAR99", ("EXP-005", "pass")),
        ("HK", "EAR99", ("EXP-005", "review")),
        ("DE", "n/a", ("EXP-002", "unknown")),
        ("", "EAR99", ("EXP-004", "unknown")),
        ("Korea", "EAR99", ("EXP-004", "unknown")),
        ("RU", "", ("EXP-003", "fail")),
        ("Belarus", "3A090.a", ("EXP-003", "fail")),
    ],
)
def test_export_hints(destination: str, eccn: str, expected: tuple[str, str]) -> None:
    assert rule(Regime.EXPORT, replace(GPU, eccn=eccn), replace(FEDERAL, destination=destination)) == expected


def test_the_entity_list_concerns_parties_and_only_notes_makers() -> None:
    abroad = replace(FEDERAL, destination="DE", parties=("Loongson Technology",))
    assert rule(Regime.EXPORT, replace(GPU, eccn="EAR99"), abroad) == ("EXP-006", "review")
    found = finding(Regime.EXPORT, replace(GPU, manufacturer="Loongson", eccn="EAR99"), replace(abroad, parties=()))
    assert found.flag is Flag.PASS
    assert [note.code for note in found.notes] == ["EXP-NOTE-MAKER"]


@pytest.mark.parametrize(
    ("dated", "flag"),
    [(None, "unknown"), (date(2025, 11, 30), "pass"), (date(2025, 11, 29), "unknown"), (date(2026, 12, 1), "unknown")],
)
def test_part_b_representation_lasts_twelve_months(dated: date | None, flag: str) -> None:
    result = screen_quote([GPU], replace(FEDERAL, part_b_representation_date=dated), LISTS)
    part_b = next(one for one in result.findings if one.rule_id == "S889-020")
    assert (part_b.flag, part_b.applicability) == (flag, Applicability.APPLIES)
    assert result.roll_ups[Regime.S889].flag == flag


def test_part_b_does_not_flow_down() -> None:
    context = replace(FEDERAL, buyer_type=BuyerType.SUBCONTRACTOR)
    part_b = next(one for one in screen_quote([GPU], context, LISTS).findings if one.rule_id == "S889-020")
    assert part_b.applicability is Applicability.NOT_APPLICABLE


def test_roll_up_shows_all_counts_and_takes_the_gravest() -> None:
    applies, out = Applicability.APPLIES, Applicability.NOT_APPLICABLE
    total = roll_up([(applies, Flag.PASS), (applies, Flag.UNKNOWN), (out, Flag.FAIL), (applies, Flag.REVIEW)])
    assert (total.flag, total.rule_id, total.out_of_scope) == (Flag.REVIEW, "Q-001", 1)
    assert total.counts == {"fail": 0, "review": 1, "unknown": 1, "pass": 1}


def test_roll_up_of_undetermined_lines_stays_undetermined() -> None:
    total = roll_up([(Applicability.UNDETERMINED, Flag.PASS)])
    assert (total.applicability, total.flag, total.rule_id) == (Applicability.UNDETERMINED, Flag.PASS, "Q-002")


def test_a_line_without_a_flag_in_scope_is_unknown() -> None:
    assert roll_up([(Applicability.APPLIES, None), (Applicability.APPLIES, Flag.PASS)]).flag is Flag.UNKNOWN


def test_an_overdue_list_turns_a_pass_into_a_review() -> None:
    late = replace(FEDERAL, screened_on=date(2028, 2, 1))
    found = finding(Regime.TAA, GPU, late)
    assert (found.flag, found.rule_id) == (Flag.REVIEW, "TAA-002")
    assert [note.code for note in found.notes] == ["LIST-OVERDUE"]
    assert finding(Regime.TAA, GPU, replace(FEDERAL, screened_on=DAY)).flag is Flag.PASS


def test_the_same_input_gives_the_same_findings() -> None:
    lines = [GPU, replace(GPU, line_id="2", manufacturer="Huawei", category="switch")]
    first, second = (screen_quote(lines, FEDERAL, LISTS) for _ in range(2))
    assert first == second
    assert first.input_hash != screen_quote(lines[:1], FEDERAL, LISTS).input_hash


def test_a_finding_names_its_list_engine_and_citation() -> None:
    for found in screen_line(GPU, FEDERAL, LISTS):
        assert found.list_version.startswith(f"{found.regime.value}-2026.")
        assert len(found.list_sha256) == 64
        assert found.engine_version
        assert found.citation


def test_two_lines_of_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="one id"):
        screen_quote([GPU, GPU], FEDERAL, LISTS)


def test_findings_kept_between_options_are_those_of_each_alone() -> None:
    lines = [GPU, replace(GPU, line_id="2", origin_text="China"), replace(GPU, line_id="3", manufacturer="Hytera")]
    kept: Known = {}
    for order in (lines, lines[::-1], [replace(line, line_id=f"{line.line_id}b") for line in lines]):
        alone, again = screen_quote(order, FEDERAL, LISTS), screen_quote(order, FEDERAL, LISTS, known=kept)
        assert again.roll_ups == alone.roll_ups
        assert [replace(one, input_hash="") for one in again.findings] == [
            replace(one, input_hash="") for one in alone.findings
        ]
    assert len(kept) == 6
