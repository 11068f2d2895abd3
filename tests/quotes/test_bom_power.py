"""Power of a server and its supplies: published worked examples, with the sums written out."""

import pytest

from quotes.bom import SupplyChoice, SupplyScheme
from quotes.configure.power import PowerParts, check_supplies, choose_supplies, node_power, supply_output_w
from sizing.core.values import State
from sizing.core.workload import Site
from tests.quotes.bom_world import configured, rules


def parts(**watts: float) -> PowerParts:
    return PowerParts(**({"accelerators_w": 0.0, "processors_w": 0.0} | watts))


def test_two_cards_and_a_processor_overload_a_490_w_supply() -> None:
    # 290 + 170 + 135 = 595 W before fans and conversion, on 490 W.
    power = node_power(parts(accelerators_w=290 + 170, processors_w=135), rules())
    check = check_supplies(
        power.dc_max_w, rated_w=490, scheme=SupplyScheme(carrying=1, spare=0), voltage_v=230, rules=rules()
    )
    assert power.dc_max_w == pytest.approx(595 * 1.1)
    assert check.verdict.state is State.FAIL
    assert check.problem is not None
    assert check.problem.message.params["left_w"] == 490


def test_eight_600_w_cards_in_an_xe7740_need_6_9_kw_dc_and_7_3_kw_ac() -> None:
    # 8x600 + 2x350 + 32x10 + 8x20 drives + 2x40 adapters + 200 board = 6,260; x 1.10 = 6,886; / 0.95 = 7,248
    power = node_power(
        parts(accelerators_w=8 * 600, processors_w=2 * 350, memory_w=320, drives_w=160, adapters_w=80, board_w=200),
        rules(),
    )
    assert power.dc_max_w == pytest.approx(6886)
    assert power.dc_max_w == pytest.approx(6900, rel=0.02)
    assert power.max_w == pytest.approx(7300, rel=0.02)
    check = check_supplies(
        power.dc_max_w, rated_w=3200, scheme=SupplyScheme(carrying=4, spare=4), voltage_v=230, rules=rules()
    )
    assert check.verdict.state is State.OK
    assert check.verdict.message.params["left_w"] == 12_800


def test_eight_h200_on_three_2800_w_supplies_stand_at_99_9_percent_and_warn() -> None:
    # 8x700 + 2x350 + 32x10 + 8x20 + 10x40 + board 200 + baseboard 250 = 7,630; x 1.10 = 8,393 of 8,400 W
    power = node_power(
        parts(accelerators_w=8 * 700, processors_w=2 * 350, memory_w=320, drives_w=160, adapters_w=400, board_w=450),
        rules(),
    )
    check = check_supplies(
        power.dc_max_w, rated_w=2800, scheme=SupplyScheme(carrying=3, spare=3), voltage_v=230, rules=rules()
    )
    assert check.verdict.state is State.CAUTION
    assert check.verdict.message.code == "bom_supply_edge"
    assert check.verdict.message.params["used_pct"] == 99.9
    assert check.problem is None


def test_eight_b200_need_11_kw_as_the_vendor_models_it() -> None:
    # 8x1000 + 2x350 + 320 + 8x20 + 10x40 + 450 = 10,030; x 1.10 = 11,033
    power = node_power(
        parts(accelerators_w=8000, processors_w=700, memory_w=320, drives_w=160, adapters_w=400, board_w=450),
        rules(),
    )
    assert power.dc_max_w == pytest.approx(11_000, rel=0.02)
    assert power.max_w == pytest.approx(11_600, rel=0.02)


def test_four_l40s_on_two_redundant_2400_w_supplies_are_refused_in_an_sr675() -> None:
    pinned = SupplyChoice(rated_w=2400, scheme=SupplyScheme(carrying=1, spare=1))
    result = configured("nvidia-l40s", 4, 1, chassis="lenovo-thinksystem-sr675-v3", supplies=pinned)
    assert [problem.message.code for problem in result.problems] == ["bom_supply_overload"]
    assert result.problems[0].remedy.code == "bom_larger_supply"
    assert result.power.state is State.FAIL
    assert not result.buildable


def test_a_large_supply_gives_less_below_220_v() -> None:
    assert supply_output_w(3200, 208, rules()) == pytest.approx(2900)
    assert supply_output_w(3200, 230, rules()) == 3200
    assert supply_output_w(2000, 208, rules()) == 2000


def test_a_large_supply_does_not_run_on_120_v() -> None:
    assert supply_output_w(3200, 120, rules()) is None
    assert supply_output_w(800, 120, rules()) == 800
    check = check_supplies(1000, rated_w=2400, scheme=SupplyScheme(carrying=1, spare=1), voltage_v=120, rules=rules())
    assert check.problem is not None
    assert check.problem.message.code == "bom_supply_voltage"


def test_the_smallest_size_that_carries_without_warning_is_taken() -> None:
    scheme = SupplyScheme(carrying=1, spare=1)
    check = choose_supplies(
        1900, sizes_w=(800, 1300, 2000, 2700, 3200), count=2, scheme=scheme, voltage_v=230, rules=rules()
    )
    # 1,900 of 2,000 W is 95 %: above the edge, so the next size.
    assert check.rated_w == 2700
    tight = choose_supplies(3160, sizes_w=(2700, 3200), count=2, scheme=scheme, voltage_v=230, rules=rules())
    assert (tight.rated_w, tight.verdict.state) == (3200, State.CAUTION)


def test_unknown_redundancy_is_never_taken_as_enough() -> None:
    check = choose_supplies(5000, sizes_w=(3000,), count=4, scheme=None, voltage_v=230, rules=rules())
    assert check.verdict.state is State.UNKNOWN
    assert check.verdict.message.params["needed"] == 2


def test_unknown_redundancy_fails_where_all_supplies_together_carry_too_little() -> None:
    check = choose_supplies(13_000, sizes_w=(3000,), count=4, scheme=None, voltage_v=230, rules=rules())
    assert check.verdict.state is State.FAIL


def test_more_load_never_needs_less_power() -> None:
    small = node_power(parts(accelerators_w=500, processors_w=200), rules())
    large = node_power(parts(accelerators_w=600, processors_w=200), rules())
    assert large.max_w > small.max_w
    assert large.typical_w > small.typical_w
    assert small.idle_w < small.typical_w < small.max_w


def test_two_h100_nvl_draw_about_what_was_measured() -> None:
    # Measured: 1,382 W at the wall for a server with two H100 NVL.
    result = configured("nvidia-h100-nvl-94gb", 2, 1, chassis="lenovo-thinksystem-sr650a-v4")
    assert result.power_typical_w.value == pytest.approx(1382, rel=0.1)


def test_heat_is_the_power_in_other_units() -> None:
    result = configured("nvidia-l40s", 1, 4, chassis="dell-poweredge-r760xa")
    assert result.heat_btu_per_h.value == pytest.approx(result.power_max_w.value * 3.412142)


def test_site_power_that_nobody_stated_is_unknown() -> None:
    result = configured("nvidia-h200-sxm5-141gb", 8, 1, chassis="dell-poweredge-xe9680", site=Site(volts=230))
    assert result.power.state is State.UNKNOWN
    assert result.power.message.code == "bom_site_power_not_stated"


@pytest.mark.parametrize(
    ("site", "state", "code"),
    [
        (Site(volts=230, max_power_w=5000), State.FAIL, "bom_site_power_short"),
        (Site(volts=230, amps=32, feeds=1), State.FAIL, "bom_feed_short"),  # 7,360 W
        (Site(volts=230, amps=32, feeds=2), State.FAIL, "bom_feed_short"),  # one of two may fail: 7,360 W
        (Site(volts=230, amps=32, feeds=3), State.OK, "bom_supply_ok"),  # two of three: 14,720 W
        (Site(volts=400, amps=16, feeds=2), State.OK, "bom_supply_ok"),  # three phases: sqrt(3) x 400 x 16 = 11,085 W
        (Site(volts=208, amps=40, feeds=2), State.FAIL, "bom_feed_short_continuous"),  # 80 % of 8,320 W = 6,656 W
        (Site(volts=208, amps=60, feeds=2), State.OK, "bom_supply_ok"),  # 80 % of 12,480 W = 9,984 W
        (Site(volts=230, max_power_w=8000), State.CAUTION, "bom_site_power_ok"),
    ],
)
def test_site_limits_decide_the_power_verdict(site: Site, state: State, code: str) -> None:
    # XE9680 with 8 H100: 7.8 kW at the wall, supplies at 77 % of 9,600 W.
    result = configured("nvidia-h100-sxm5-80gb", 8, 1, chassis="dell-poweredge-xe9680", site=site)
    assert (result.power.state, result.power.message.code) == (state, code)


def test_supplies_for_the_mains_hang_between_a_phase_and_neutral() -> None:
    # 200-240 V units of a 400 V room see 231 V; those of a 480 V room see 277 V.
    verdicts = {
        volts: configured(
            "nvidia-h100-sxm5-80gb", 8, 1, chassis="nvidia-dgx-h100", site=Site(volts=volts, max_power_w=20_000)
        ).power
        for volts in (400.0, 480.0)
    }
    assert verdicts[400.0].state is not State.FAIL
    assert verdicts[480.0].message.code == "bom_input_wrong"


def test_each_card_above_the_power_of_its_slot_gets_a_cable() -> None:
    result = configured("nvidia-l40s", 1, 4, chassis="dell-poweredge-r760xa")
    cables = [line for line in result.lines if line.reason.code == "bom_reason_card_power"]
    assert [(line.quantity, line.reason.params["tdp_w"]) for line in cables] == [(4, 350)]
    small = configured("nvidia-l4", 1, 4, chassis="dell-poweredge-r760xa")  # 72 W come from the slot
    assert not [line for line in small.lines if line.reason.code == "bom_reason_card_power"]


@pytest.mark.parametrize(
    ("accelerator", "chassis", "site", "code"),
    [
        ("nvidia-h100-sxm5-80gb", "dell-poweredge-xe9680", Site(volts=230, feeds=2), "bom_reason_cords"),
        ("nvidia-h100-sxm5-80gb", "dell-poweredge-xe9680", Site(volts=230, feeds=1), "bom_reason_cords_feeds"),
        ("nvidia-dgx-spark-gb10", "nvidia-dgx-spark", Site(volts=120, feeds=1), "bom_reason_cords_wall"),
        ("nvidia-gb200-nvl72", "nvidia-gb200-nvl72", Site(volts=400, feeds=2), "bom_reason_rack_feeds"),
        ("nvidia-jetson-agx-orin-64gb", "aaeon-boxer-8641ai", Site(dc_input_v=24), "bom_reason_dc_lead"),
    ],
)
def test_cords_fit_the_place(accelerator: str, chassis: str, site: Site, code: str) -> None:
    result = configured(accelerator, 1, 1, chassis=chassis, site=site)
    assert [line.reason.code for line in result.lines if line.part_class == "power_cord"] == [code]
