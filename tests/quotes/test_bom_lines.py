"""Lines beside the servers: fabric of two tiers, outlets, cooling, management, spare parts, each with its reason."""

from dataclasses import replace

import pytest
from django.utils import translation

from quotes.bom import BomLine, BomResult, Procurement, UnknownRule
from quotes.configure.lines_fabric import Tiers, tiers_of
from quotes.configure.rules import rules_from_records
from quotes.cost import Policy
from sizing.core.values import Message
from sizing.messages import SINGULAR, render
from tests.quotes.bom_world import SITE, configured, rules

# What a buildable configuration needs, by the code of the reason that the line carries.
DEMANDED = {
    "chassis": "bom_reason_chassis",
    "accelerators": "bom_reason_accelerators_board",
    "processors": "bom_reason_cpu",
    "memory": "bom_reason_memory",
    "boot storage": "bom_reason_boot",
    "model storage": "bom_reason_drives",
    "front-end adapter": "bom_reason_nic",
    "cable to the switch": "bom_reason_uplink",
    "out-of-band": "bom_reason_out_of_band",
    "scale-out fabric": "bom_reason_fabric",
    "switches": "bom_reason_switch",
    "optics": "bom_reason_optics",
    "fabric cables": "bom_reason_fabric_cables",
    "cords": "bom_reason_cords",
    "outlets": "bom_reason_outlets",
    "rails": "bom_reason_rails",
    "uninterruptible supply": "bom_reason_ups",
    "remote management": "bom_reason_management",
    "fleet management": "bom_reason_fleet",
    "software licence": "bom_reason_licence_option",
    "spare parts": "bom_reason_spares",
    "integration and validation": "bom_reason_integration",
    "support": "bom_reason_support",
}


def line(result: BomResult, code: str) -> BomLine:
    return next(each for each in result.lines if each.reason.code == code)


@pytest.fixture(scope="module")
def fabric() -> BomResult:
    """Four servers of eight modules, one replica over all of them, with every wish of the buyer."""
    procurement = Procurement(currency="USD", chassis="dell-poweredge-xe9680", uninterruptible_supply=True)
    return configured("nvidia-h100-sxm5-80gb", 28, 1, procurement=procurement)


@pytest.mark.parametrize("part", sorted(DEMANDED))
def test_each_part_of_a_buildable_configuration_is_a_line_with_its_reason(fabric: BomResult, part: str) -> None:
    found = [each for each in fabric.lines if each.reason.code == DEMANDED[part]]
    assert found, part
    for each in found:
        assert render(each.reason) != each.reason.code
        assert each.quantity > 0


def test_supplies_say_what_they_carry(fabric: BomResult) -> None:
    supplies = next(each for each in fabric.lines if each.part_class == "psu")
    assert supplies.quantity == 24
    assert supplies.reason.code.startswith("bom_supply_")


@pytest.mark.parametrize(
    ("links", "tiers"),
    [
        (64, Tiers(ports=64, leaves=1, spines=0, uplinks=0)),
        # 65 links: 3 leaves with 32 ports down; 3 x 32 = 96 uplinks need 2 spines of 64 ports
        (65, Tiers(ports=64, leaves=3, spines=2, uplinks=96)),
        (2048, Tiers(ports=64, leaves=64, spines=32, uplinks=2048)),
        (2049, Tiers(ports=64, leaves=0, spines=0, uplinks=0)),
    ],
)
def test_a_second_tier_follows_from_the_ports(links: int, tiers: Tiers) -> None:
    assert tiers_of(links, 64) == tiers


def test_two_tiers_are_bought_with_their_optics_and_cables() -> None:
    # 12 servers x 8 modules = 96 links: 3 leaves, 96 uplinks, 2 spines; 96 + 96 cables
    result = configured("nvidia-h100-sxm5-80gb", 96, 1, chassis="dell-poweredge-xe9680")
    assert line(result, "bom_reason_switch_leaves").quantity == 3
    assert line(result, "bom_reason_switch_spines").quantity == 2
    assert line(result, "bom_reason_fabric_cables").quantity == 192
    # both ends of 96 links in cages of two ports
    assert line(result, "bom_reason_optics_uplinks").quantity == 96


def test_a_fabric_beyond_two_tiers_stays_open() -> None:
    result = configured("nvidia-h100-sxm5-80gb", 2056, 1, chassis="dell-poweredge-xe9680")
    switch = line(result, "bom_reason_switch_beyond")
    assert (switch.part, switch.is_open) == ("", True)


def test_outlets_are_counted_by_feed() -> None:
    # 8 supplies in 4+4: four outlets of C19 on each of two feeds; one unit of 24 outlets each
    outlets = line(configured("nvidia-l40s", 1, 8, chassis="dell-poweredge-xe7740"), "bom_reason_outlets")
    assert (outlets.kind, outlets.quantity) == ("option", 2)
    assert outlets.reason.params == {"outlets": 8, "feeds": 2, "per_feed": 4, "plug": "C19"}


@pytest.mark.parametrize(
    ("cooling", "kind", "code"),
    [(None, "base", "bom_reason_cooling_unit"), ("liquid", "option", "bom_reason_cooling_unit_there")],
)
def test_liquid_servers_need_a_cooling_unit_unless_the_site_has_one(cooling: str | None, kind: str, code: str) -> None:
    site = replace(SITE, cooling=cooling)
    result = configured("nvidia-b200-hgx-180gb", 8, 1, chassis="supermicro-sys-422gs-nbrt-lcc", site=site)
    unit = line(result, code)
    assert unit.kind == kind
    assert unit.quantity == 1


def test_one_server_has_no_console_for_all() -> None:
    codes = {each.reason.code for each in configured("nvidia-l4", 1, 1, chassis="dell-poweredge-r470").lines}
    assert "bom_reason_management" in codes
    assert "bom_reason_fleet" not in codes


def test_spare_parts_are_the_stored_share_and_at_least_one(fabric: BomResult) -> None:
    # 24 supplies and 4 drives at 10 %: 2.4 -> 3 and 0.4 -> 1; 28 of 28 accelerators are in use
    assert line(fabric, "bom_reason_spares").reason.params == {"supplies": 3, "drives": 1, "accelerators": 0}


def test_a_list_of_pairs_without_its_sign_is_no_rule() -> None:
    record = {"id": "x", "value": ["Dell"], "unit": "u", "kind": "value", "source": "s", "date": "2026-11-30"}
    with pytest.raises(UnknownRule):
        rules_from_records([record]).pairs("x")
    assert rules().pairs("fleet_management_licences")["HPE"] == "Compute Ops Management"


@pytest.mark.parametrize(
    ("policy", "allowed"),
    [
        (Policy(allowed_providers=("nebius",)), {"Nebius"}),
        (Policy(excluded_providers=("Nebius",)), {"AWS"}),
        (Policy(allowed_providers=("Nebius",), excluded_providers=("nebius",)), set()),
        (Policy(allowed_regions=("US-EAST-1",)), {"AWS"}),
        (Policy(on_premises_only=True), set()),
    ],
)
def test_providers_and_regions_are_limits(policy: Policy, allowed: set[str]) -> None:
    offers = {"Nebius": "", "AWS": "us-east-1"}
    assert {name for name, region in offers.items() if policy.allows(name, region)} == allowed


def test_one_of_a_thing_is_worded_in_the_singular() -> None:
    one = Message("bom_reason_cords", {"outlets": 1})
    assert render(one) == "One cord for the power supply: one outlet."
    assert "8 outlets" in render(Message("bom_reason_cords", {"outlets": 8}))
    wrong = Message("request_invalid", {"count": 1})
    assert render(wrong) == "The request cannot be sized: one wrong field, named under errors."
    english = {code: str(words) for code, (_counted, words) in SINGULAR.items()}
    with translation.override("de"):
        assert [code for code, (_counted, words) in SINGULAR.items() if str(words) == english[code]] == []


def test_cords_of_uncounted_supplies_name_no_number() -> None:
    result = configured("nvidia-l4", 1, 1, chassis="dell-poweredge-r7715")
    assert line(result, "bom_reason_cords_open").quantity == 1
    assert line(result, "bom_reason_outlets_open").kind == "option"
