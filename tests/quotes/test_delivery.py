"""Delivery: the slowest line decides, age counts, unknown is never shown as available."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotes.bom import BomLine, LeadTime, LeadTimeFact, PartClass
from quotes.configure.leads import combine, lead_time_of
from quotes.delivery import (
    DeliveryTerms,
    Substitute,
    date_after,
    next_critical,
    plan_delivery,
    substitute_effects,
)
from sizing.core.values import Message, Money, State
from tests.quotes.bom_world import AS_OF, configured, rules, shipped

ORDER = date(2026, 11, 30)
TERMS = DeliveryTerms(order_date=ORDER, integration_weeks=1.0, shipping_weeks=1.5)


def lead(low: float, typical: float, high: float, **changes) -> LeadTime:
    return LeadTime(**({"low": low, "typical": typical, "high": high, "source": "test", "as_of": AS_OF} | changes))


def line(number: str, lead_time: LeadTime | None, **changes) -> BomLine:
    values = {
        "line": number,
        "kind": "base",
        "part_class": PartClass.NIC,
        "manufacturer": "",
        "mpn": "",
        "part": f"part-{number}",
        "name": f"Part {number}",
        "description": Message("bom_part_nic", {"name": number}),
        "quantity": 2,
        "reason": Message("bom_reason_nic", {}),
        "lead": lead_time,
    }
    return BomLine(**(values | changes))


def fact(**changes) -> LeadTimeFact:
    values = {"part_class": PartClass.SYSTEM, "slug": "x", "as_of": AS_OF, "source": "test", "confidence": "B"}
    return LeadTimeFact(**(values | changes))


LINES = (
    line("1.1", lead(8, 10, 12)),
    line("1.2", lead(4, 6, 20)),
    line("1.3", lead(1, 2, 3)),
)


def test_the_longest_line_decides_and_nothing_is_added_up() -> None:
    # p50: max(10, 6, 2) + 1 + 1.5 = 12.5; p90: max(12, 20, 3) + 2.5 = 22.5
    plan = plan_delivery(LINES, TERMS)
    assert (plan.weeks_p50, plan.weeks_p90) == (12.5, 22.5)
    assert (plan.deciding_line, plan.deciding_line_p90) == ("1.1", "1.2")
    assert plan.complete
    assert plan.message.code == "delivery_decided_by"


def test_dates_count_from_the_order() -> None:
    plan = plan_delivery(LINES, TERMS)
    # 12.5 weeks = 87.5 days, rounded up to 88
    assert plan.date_p50 == ORDER + timedelta(days=88)
    assert plan.date_p90 == ORDER + timedelta(days=158)
    assert date_after(ORDER, 10.0) == ORDER + timedelta(days=70)


def test_a_line_without_lead_time_makes_the_delivery_incomplete() -> None:
    plan = plan_delivery((*LINES, line("1.4", None)), TERMS)
    assert not plan.complete
    assert plan.unknown_lines == ("1.4",)
    assert plan.weeks_p50 == 12.5
    assert plan.message.code == "delivery_at_least"


def test_nothing_known_is_unknown_and_never_now() -> None:
    plan = plan_delivery((line("1.1", None),), TERMS)
    assert (plan.weeks_p50, plan.date_p50, plan.deciding_line) == (None, None, None)
    assert plan.verdict.state is State.UNKNOWN


def test_options_services_and_included_parts_do_not_decide() -> None:
    others = (
        line("1.4", lead(50, 60, 70), kind="option"),
        line("1.5", None, kind="service"),
        line("1.6", None, included=True),
        line("1.7", None, ships_with="1.1"),
    )
    plan = plan_delivery((*LINES, *others), TERMS)
    assert (plan.weeks_p50, plan.complete) == (12.5, True)


def test_an_open_upper_end_is_at_least() -> None:
    plan = plan_delivery((line("1.1", lead(1, 1, 1, at_least=True)),), TERMS)
    assert not plan.complete


@pytest.mark.parametrize(
    ("weeks", "state", "code"),
    [
        (30, State.OK, "delivery_in_time"),
        (20, State.CAUTION, "delivery_tight"),
        (10, State.FAIL, "delivery_too_late"),
    ],
)
def test_needed_by(weeks: int, state: State, code: str) -> None:
    terms = DeliveryTerms(
        order_date=ORDER, integration_weeks=1.0, shipping_weeks=1.5, needed_by=ORDER + timedelta(weeks=weeks)
    )
    verdict = plan_delivery(LINES, terms).verdict
    assert (verdict.state, verdict.message.code) == (state, code)


def test_an_incomplete_delivery_can_fail_but_is_never_in_time() -> None:
    lines = (*LINES, line("1.4", None))
    for weeks, state in ((30, State.UNKNOWN), (10, State.FAIL)):
        terms = DeliveryTerms(
            order_date=ORDER, integration_weeks=1.0, shipping_weeks=1.5, needed_by=ORDER + timedelta(weeks=weeks)
        )
        assert plan_delivery(lines, terms).verdict.state is state


def test_the_next_line_decides_when_the_first_is_at_hand() -> None:
    effect = next_critical(LINES, TERMS)
    assert effect is not None
    # 10 -> 6 weeks
    assert (effect.line, effect.weeks_p50, effect.weeks_saved, effect.next_line) == ("1.1", 8.5, 4.0, "1.2")


def test_substitutes_show_weeks_money_and_performance() -> None:
    present = line("1.1", lead(8, 10, 12), unit_price=Money(amount=100, currency="USD"), quantity=3)
    lines = (present, *LINES[1:])
    faster = Substitute(
        line="1.1",
        part="b",
        name="B",
        lead=lead(1, 3, 5),
        unit_price=Money(amount=130, currency="USD"),
        performance_share=0.9,
    )
    unknown = Substitute(line="1.1", part="a", name="A", lead=None, unit_price=Money(amount=1, currency="USD"))
    foreign = Substitute(line="1.1", part="c", name="C", lead=lead(7, 8, 9), unit_price=Money(amount=1, currency="EUR"))
    effects = substitute_effects(lines, TERMS, (unknown, foreign, faster))
    assert [effect.part for effect in effects] == ["b", "c", "a"]
    # Line 1.2 with 6 weeks decides instead: 10 - 6 = 4 weeks; 3 x 30 more
    assert effects[0].weeks_saved == 4.0
    assert effects[0].next_line == "1.2"
    assert effects[0].price_difference is not None
    assert effects[0].price_difference.amount == 90
    assert effects[1].weeks_saved == 2.0
    assert effects[1].price_difference is None
    assert (effects[2].weeks_p50, effects[2].weeks_saved) == (None, None)


def test_the_newest_observation_counts_most() -> None:
    old = fact(weeks_low=36, weeks_high=52, as_of="2023-11-30")
    new = fact(weeks_low=8, weeks_high=12)
    both = combine((old, new), as_of=AS_OF, rules=rules())
    assert both is not None
    assert both.typical == pytest.approx(10, abs=0.1)
    assert both.as_of == AS_OF


def test_two_observations_of_one_day_are_averaged() -> None:
    both = combine((fact(weeks_low=8, weeks_high=12), fact(weeks_low=10, weeks_high=18)), as_of=AS_OF, rules=rules())
    assert both is not None
    assert (both.low, both.typical, both.high) == (9, 12, 15)


def test_a_half_life_halves_the_weight() -> None:
    # 90 days old: weight 1/2. (1 x 10 + 1/2 x 16) / 1.5 = 12
    both = combine((fact(weeks_typical=10), fact(weeks_typical=16, as_of="2026-09-01")), as_of=AS_OF, rules=rules())
    assert both is not None
    assert both.typical == pytest.approx(12)


def test_an_observation_older_than_180_days_is_widened() -> None:
    fresh = combine((fact(weeks_low=8, weeks_high=12, as_of="2026-06-03"),), as_of=AS_OF, rules=rules())  # 180 days
    aged = combine((fact(weeks_low=8, weeks_high=12, as_of="2025-12-05"),), as_of=AS_OF, rules=rules())  # 360 days
    assert fresh is not None
    assert aged is not None
    assert (fresh.low, fresh.high) == (8, 12)
    # twice the limit: twice the range, 10 - 4 and 10 + 4
    assert (aged.low, aged.typical, aged.high) == (6, 10, 14)


def test_a_single_figure_has_a_spread_too() -> None:
    one = combine((fact(weeks_typical=20),), as_of=AS_OF, rules=rules())
    assert one is not None
    assert (one.low, one.typical, one.high) == (15, 20, 25)


def test_no_observation_is_unknown() -> None:
    assert combine((), as_of=AS_OF, rules=rules()) is None
    assert combine((fact(),), as_of=AS_OF, rules=rules()) is None


@given(
    st.lists(
        st.tuples(st.floats(0, 50), st.floats(0, 50), st.dates(date(2022, 1, 1), date(2026, 11, 30))),
        min_size=1,
        max_size=6,
    )
)
def test_low_typical_and_high_stay_in_order(observations: list[tuple[float, float, date]]) -> None:
    facts = [fact(weeks_low=min(a, b), weeks_high=max(a, b), as_of=day.isoformat()) for a, b, day in observations]
    found = combine(facts, as_of=AS_OF, rules=rules())
    assert found is not None
    assert 0 <= found.low <= found.typical + 1e-9
    assert found.typical <= found.high + 1e-9


def test_an_item_with_its_own_statement_does_not_use_that_of_its_class() -> None:
    found = lead_time_of(
        "nvidia-h100-nvl-94gb", PartClass.ACCELERATOR, vendor="NVIDIA", as_of=AS_OF, prepared=shipped(), rules=rules()
    )
    assert found is not None
    assert (found.typical, found.for_class) == (2, False)


def test_class_statements_on_processors_hold_for_their_maker_only() -> None:
    weeks = {}
    for vendor in ("Intel", "AMD", "Ampere"):
        found = lead_time_of("", PartClass.CPU, vendor=vendor, as_of=AS_OF, prepared=shipped(), rules=rules())
        weeks[vendor] = None if found is None else found.typical
    assert weeks == {"Intel": 26, "AMD": 9, "Ampere": None}


def test_a_statement_on_data_centre_cards_says_nothing_about_a_desktop_card() -> None:
    desktop = configured("nvidia-rtx-6000-ada", 1, 1, chassis="hp-z8-fury-g5")
    rack = configured("nvidia-l40s", 1, 1, chassis="dell-poweredge-r760xa")
    leads = [next(item for item in result.lines if item.part_class == "gpu").lead for result in (desktop, rack)]
    assert leads[0] is None
    assert leads[1] is not None
    assert leads[1].for_class


def test_delivery_of_a_shipped_configuration_names_what_is_unknown() -> None:
    result = configured("nvidia-l40s", 1, 4, chassis="dell-poweredge-r760xa")
    plan = plan_delivery(result.lines, TERMS)
    # data-centre accelerators: 36 to 52 weeks, stated on the day itself
    assert plan.deciding_line == next(item.line for item in result.lines if item.part_class == "gpu")
    assert plan.weeks_p50 == 44 + 2.5
    assert plan.weeks_p90 == 52 + 2.5
    assert not plan.complete
    assert next(item.line for item in result.lines if item.part_class == "nic") in plan.unknown_lines


def test_removing_a_lead_time_never_makes_a_delivery_complete() -> None:
    result = configured("nvidia-h100-nvl-94gb", 2, 1)
    before = plan_delivery(result.lines, TERMS)
    for position, item in enumerate(result.lines):
        if item.lead is None or item.kind != "base" or item.included:
            continue
        without = [*result.lines[:position], line(item.line, None), *result.lines[position + 1 :]]
        after = plan_delivery(without, TERMS)
        assert not after.complete
        assert len(after.unknown_lines) == len(before.unknown_lines) + 1


def test_a_complete_system_waits_for_its_accelerators() -> None:
    result = configured("nvidia-b200-hgx-180gb", 8, 1, chassis="nvidia-dgx-b200")
    plan = plan_delivery(result.lines, TERMS)
    # B200: 17 to 43 weeks, 35 typical; the system itself would take 8 to 12
    assert plan.weeks_p50 == 35 + 2.5
    assert plan.deciding_line == next(item.line for item in result.lines if item.part_class == "gpu")


def test_a_statement_on_servers_says_nothing_about_a_desktop_system() -> None:
    desktop = configured("nvidia-dgx-spark-gb10", 1, 1, chassis="nvidia-dgx-spark")
    assert desktop.lines[0].lead is None
    assert plan_delivery(desktop.lines, TERMS).weeks_p50 is None
