"""Constraints: what is refused, with which remedy, and what stays unknown."""

from dataclasses import replace

import pytest

from quotes.bom import Chassis, HardwareCatalogue, MountKind, MountOption, Procurement, configure, prepare
from sizing.core.values import State
from sizing.core.workload import Site
from tests.quotes.bom_world import ROOT, SITE, catalogue, configured, request, rules, shipped


def one_chassis(**changes) -> Chassis:
    """A one-socket server for eight cards on an EPYC 9555 (128 lanes)."""
    values = {
        "slug": "test-8x16",
        "vendor": "Test",
        "model": "8x16",
        "category": "rackmount",
        "status": "current",
        "rack_units": 4.0,
        "mounts": (MountOption(kind=MountKind.PCIE, count=8, slot_width=2, max_w=600.0),),
        "max_accelerators": 8,
        "compatible": frozenset({"nvidia-l40s"}),
        "cpu_sockets": 1,
        "cpu_models": ("9555",),
        "dimm_slots": 12,
        "cooling": ("air",),
    }
    return Chassis(**(values | changes))


def with_chassis(chassis: Chassis) -> HardwareCatalogue:
    return replace(catalogue(), chassis=(chassis,))


def on(chassis: Chassis, accelerator: str = "nvidia-l40s", per_replica: int = 1, replicas: int = 8, **changes):
    prepared = prepare(with_chassis(chassis))
    return configure(request(accelerator, per_replica, replicas, chassis=chassis.slug, **changes), prepared, rules())


def test_eight_x16_cards_on_one_128_lane_socket_without_switches_are_refused() -> None:
    # 8x16 cards + 16 adapter + 4 drive = 148 lanes on 128
    result = on(one_chassis(pcie_switched=False))
    assert [problem.message.code for problem in result.problems] == ["bom_lanes_short"]
    params = result.problems[0].message.params
    assert (params["lanes_needed"], params["lanes_given"]) == (148, 128)
    assert result.problems[0].remedy.code == "bom_switched_board"
    assert result.problems[0].remedy.params["fewer"] == 6  # (128 - 20) / 16


def test_eight_x16_cards_pass_on_a_switched_board() -> None:
    result = on(one_chassis(pcie_switched=True))
    assert result.problems == ()
    assert not any("lanes" in warning.code for warning in result.warnings)


def test_lanes_of_a_board_whose_switching_nobody_states_are_a_warning() -> None:
    result = on(one_chassis(pcie_switched=None))
    assert result.problems == ()
    assert "bom_lanes_need_switch" in {warning.code for warning in result.warnings}


def test_a_passive_card_without_qualified_airflow_is_cooling_unknown() -> None:
    result = on(one_chassis(compatible=frozenset()), replicas=1)
    assert result.cooling.state is State.UNKNOWN
    assert result.cooling.message.code == "bom_airflow_unqualified"


def test_a_passive_card_in_a_chassis_of_unknown_cooling_is_unknown() -> None:
    result = on(one_chassis(cooling=()), replicas=1)
    assert result.cooling.state is State.UNKNOWN


def test_an_unlisted_card_with_its_own_fan_is_a_caution() -> None:
    result = on(one_chassis(), accelerator="nvidia-rtx-6000-ada", replicas=1)
    assert result.cooling.state is State.CAUTION


def test_cooling_that_the_site_does_not_state_is_unknown() -> None:
    result = on(one_chassis(), replicas=1, site=replace(SITE, cooling=None))
    assert (result.cooling.state, result.cooling.message.code) == (State.UNKNOWN, "bom_room_not_stated")


def test_a_liquid_only_module_fails_in_an_air_cooled_chassis() -> None:
    result = configured("amd-mi355x", 8, 1, chassis="gigabyte-g893-zx1-aax2")
    assert (result.cooling.state, result.cooling.message.code) == (State.FAIL, "bom_needs_liquid")


def test_a_liquid_cooled_chassis_fails_in_a_room_with_air_only() -> None:
    result = configured("nvidia-b200-hgx-180gb", 8, 1, chassis="supermicro-as-4126gs-nbr-lcc")
    assert (result.cooling.state, result.cooling.message.code) == (State.FAIL, "bom_room_needs_liquid")


@pytest.mark.parametrize(
    ("limit", "ambient", "state"),
    [(35.0, 30.0, State.OK), (35.0, 35.0, State.CAUTION), (25.0, 30.0, State.FAIL), (None, 30.0, State.UNKNOWN)],
)
def test_inlet_temperature(limit: float | None, ambient: float, state: State) -> None:
    result = on(one_chassis(max_ambient_c=limit), replicas=1, site=replace(SITE, max_ambient_c=ambient))
    assert result.cooling.state is state


@pytest.mark.parametrize(
    ("site", "state", "code"),
    [
        (Site(rack_units=42), State.OK, "bom_rack_ok"),
        (Site(rack_units=4), State.CAUTION, "bom_rack_ok"),
        (Site(rack_units=3), State.FAIL, "bom_rack_short"),
        (Site(), State.UNKNOWN, "bom_rack_not_stated"),
        (Site(rack_units=42, max_w_per_rack_unit=100), State.FAIL, "bom_density_high"),
        (Site(rack_units=42, max_kw_per_rack=0.5), State.FAIL, "bom_per_rack_high"),
    ],
)
def test_rack_limits(site: Site, state: State, code: str) -> None:
    result = on(one_chassis(), replicas=1, site=site)
    assert (result.rack.state, result.rack.message.code) == (state, code)


def test_unknown_height_never_fits() -> None:
    result = on(one_chassis(rack_units=None), replicas=1)
    assert (result.rack.state, result.rack_units) == (State.UNKNOWN, None)


def test_a_single_width_card_above_75_w_is_refused_in_75_w_places() -> None:
    narrow = one_chassis(mounts=(MountOption(kind=MountKind.PCIE, count=16, slot_width=1, max_w=75.0),))
    result = on(narrow, accelerator="nvidia-rtx-pro-4500-blackwell-se", replicas=1)
    assert result.chassis is None
    assert [problem.message.code for problem in result.problems] == ["bom_slot_power"]
    assert result.problems[0].message.params["needed_w"] == 165


def test_a_dual_width_card_is_refused_in_single_width_places() -> None:
    narrow = one_chassis(mounts=(MountOption(kind=MountKind.PCIE, count=8, slot_width=1),))
    result = on(narrow, replicas=1)
    assert [problem.message.code for problem in result.problems] == ["bom_slot_too_narrow"]
    assert result.problems[0].remedy.code == "bom_choose_wider_slots"


def test_a_bridge_on_a_card_without_connector_is_an_error() -> None:
    result = configured("nvidia-l40s", 2, 1, chassis="dell-poweredge-r760xa", nvlink_bridge=True)
    assert [problem.message.code for problem in result.problems] == ["bom_no_bridge"]


@pytest.mark.parametrize(
    ("accelerator", "per_replica", "chassis", "bridges"),
    [
        ("nvidia-h100-nvl-94gb", 2, "dell-poweredge-xe7740", 1),
        ("nvidia-h100-nvl-94gb", 4, "dell-poweredge-xe7740", 2),  # pairs only
        ("nvidia-h200-nvl-141gb", 2, "dell-poweredge-xe7740", 1),
        ("nvidia-h200-nvl-141gb", 4, "dell-poweredge-xe7740", 1),  # one four-way bridge
        ("nvidia-h200-nvl-141gb", 8, "dell-poweredge-xe7740", 2),
        ("nvidia-l40s", 4, "dell-poweredge-xe7740", 0),
    ],
)
def test_bridges_join_pairs_or_fours(accelerator: str, per_replica: int, chassis: str, bridges: int) -> None:
    result = configured(accelerator, per_replica, 1, chassis=chassis)
    assert sum(line.quantity for line in result.lines if line.part_class == "nvlink_bridge") == bridges


def test_a_replica_that_may_not_span_servers_is_refused_where_no_server_holds_it() -> None:
    result = configured("nvidia-l40s", 16, 1, chassis="dell-poweredge-xe7740", replica_spans_nodes=False)
    assert [problem.message.code for problem in result.problems] == ["bom_replica_too_large"]


def test_fewer_than_two_cores_for_each_card_are_refused() -> None:
    # 40 cards x 2 = 80 cores, one EPYC 9555 has 64
    wide = one_chassis(
        mounts=(MountOption(kind=MountKind.PCIE, count=40, slot_width=2),), max_accelerators=40, pcie_switched=True
    )
    result = on(wide, replicas=40)
    assert [problem.message.code for problem in result.problems] == ["bom_few_cores"]
    twenty = on(wide, replicas=20)  # 40 of 64 cores are enough to build, 120 would be the guide
    assert twenty.problems == ()
    assert "bom_few_cores" in {warning.code for warning in twenty.warnings}


@pytest.mark.parametrize(("cards", "codes"), [(2, []), (3, ["bom_desktops_linked"])])
def test_desktops_are_linked_in_pairs_only(cards: int, codes: list[str]) -> None:
    result = configured("nvidia-dgx-spark-gb10", cards, 1, chassis="nvidia-dgx-spark")
    assert [problem.message.code for problem in result.problems] == codes


def test_a_maker_that_the_buyer_excludes_is_never_chosen() -> None:
    first = configured("nvidia-l40s", 4, 1)
    vendor = next(line for line in first.lines if line.part_class == "system").manufacturer
    second = configured("nvidia-l40s", 4, 1, procurement=Procurement(currency="USD", excluded_vendors=(vendor,)))
    assert next(line for line in second.lines if line.part_class == "system").manufacturer != vendor


def test_a_form_factor_of_the_site_selects_the_chassis() -> None:
    result = configured("nvidia-l4", 1, 1, site=replace(SITE, form_factors=("industrial_edge",)))
    chassis = next(item for item in catalogue().chassis if item.slug == result.chassis)
    assert chassis.category == "industrial_edge"


def test_a_cloud_only_accelerator_has_no_hardware() -> None:
    result = configured("google-tpu-v6e", 1, 1)
    assert (result.chassis, result.problems[0].message.code) == (None, "bom_not_for_sale")


def test_an_announced_server_is_not_chosen() -> None:
    result = configured("nvidia-vr200-nvl72", 72, 1)
    assert result.chassis is None


def test_voltage_that_nobody_stated_is_named() -> None:
    result = configured("nvidia-h200-sxm5-141gb", 8, 1, chassis="dell-poweredge-xe9680", site=replace(SITE, volts=None))
    assert "bom_voltage_not_stated" in {warning.code for warning in result.warnings}


@pytest.mark.parametrize(
    ("site", "state", "code"),
    [
        (replace(SITE, volts=120), State.FAIL, "bom_supply_voltage"),
        (replace(SITE, dc_input_v=240), State.OK, "bom_supply_ok"),
        (replace(SITE, dc_input_v=24), State.FAIL, "bom_input_wrong"),
    ],
)
def test_input_voltage_of_the_site(site: Site, state: State, code: str) -> None:
    # XE7740: 200-240 V AC / 240 V DC; 277 V AC / 336 V DC option
    result = configured("nvidia-l40s", 1, 4, chassis="dell-poweredge-xe7740", site=site)
    assert (result.power.state, result.power.message.code) == (state, code)


def test_direct_current_into_supplies_that_nobody_describes_is_unknown() -> None:
    result = configured("nvidia-l4", 1, 1, chassis="dell-poweredge-xr7620", site=replace(SITE, dc_input_v=48))
    assert result.power.state is State.UNKNOWN


def test_noise_that_no_source_states_is_unknown() -> None:
    result = on(one_chassis(), replicas=1, site=replace(SITE, noise_db=45))
    assert (result.rack.state, result.rack.message.code) == (State.UNKNOWN, "bom_noise_unknown")


def test_fast_adapters_in_a_warm_room_are_a_caution() -> None:
    warm = replace(SITE, max_ambient_c=38)
    slow = on(one_chassis(max_ambient_c=45.0), replicas=1, site=warm)
    fast = on(
        one_chassis(max_ambient_c=45.0), replicas=1, site=warm, requests_per_s=10_000, payload_bytes_per_request=1e6
    )
    assert slow.cooling.state is State.OK
    assert (fast.cooling.state, fast.cooling.message.code) == (State.CAUTION, "bom_ambient_optics")


def test_every_stored_rule_is_read_by_the_code_and_has_a_source() -> None:
    folders = (ROOT / "quotes" / "configure", ROOT / "quotes" / "costing")
    code = "".join(path.read_text() for folder in folders for path in folder.glob("*.py"))
    code += (ROOT / "quotes" / "cost.py").read_text()
    for rule in rules().records.values():
        assert f'"{rule.id}"' in code, rule.id
        assert rule.source
        assert rule.unit
        assert len(rule.date) == 10


@pytest.mark.parametrize("chassis", ["aaeon-maxer-5100", "hp-z8-fury-g5"])
def test_a_passive_card_is_not_offered_in_a_machine_for_a_desk(chassis: str) -> None:
    site = Site(form_factors=("compact", "tower", "workstation"))
    assert configured("nvidia-h200-nvl-141gb", 1, 1, site=site).chassis is None
    pinned = configured("nvidia-h200-nvl-141gb", 1, 1, chassis=chassis)
    assert pinned.chassis in {chassis, None}
    assert pinned.cooling.state is State.UNKNOWN


def test_a_small_case_takes_no_card_hungrier_than_its_maker_lists() -> None:
    # MAXER-5100: eight litres for two RTX 2000 Ada of 70 W each
    assert configured("nvidia-rtx-2000-ada", 1, 2, chassis="aaeon-maxer-5100").problems == ()
    refused = configured("nvidia-rtx-pro-5000-blackwell", 1, 1, chassis="aaeon-maxer-5100")
    assert [problem.message.code for problem in refused.problems] == ["bom_slot_power"]
    assert refused.problems[0].message.params["given_w"] == 70


def test_a_filed_processor_stands_for_smaller_ones_of_its_generation() -> None:
    # The one filing of an R7715 names a 96-core EPYC 9655P of 400 W; one card needs six cores.
    result = configured("nvidia-l4", 1, 1, chassis="dell-poweredge-r7715")
    cpu = next(line for line in result.lines if line.part_class == "cpu")
    assert shipped().processors_by_slug[cpu.part].generation == "EPYC 9005"
    assert (shipped().processors_by_slug[cpu.part].cores or 0) < 96
    assert "bom_cpu_unlisted" in {warning.code for warning in result.warnings}
