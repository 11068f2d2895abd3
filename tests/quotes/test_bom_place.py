"""Limits of a place away from a computer room: what is known to fit, what is known not to, what nobody states."""

from dataclasses import replace

import pytest

from quotes.bom import BomResult
from quotes.configure.edge import asked_traits, known_traits, traits_in
from quotes.messages_bom import FEATURES, WORDS
from sizing.core.values import State
from sizing.core.workload import Site
from sizing.messages import render
from tests.quotes.bom_world import SITE, configured, shipped

EDGE = replace(SITE, form_factors=("industrial_edge",))


def placed(chassis: str, accelerator: str = "nvidia-l4", **limits: object) -> BomResult:
    return configured(accelerator, 1, 1, chassis=chassis, site=replace(SITE, **limits))


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("wall/closet mount, COM port, front service, dust filters", {"wall", "serial", "dust"}),
        ("short-depth; optional COM port bracket (4Z17A80446); no built-in serial; tamper option", set()),
        ("fanless; PoE", {"fanless", "poe"}),
        ("CAN bus (one port via virtual COM), dual DisplayPort, rugged", {"can"}),
        ("RS-232", {"serial"}),
        ("MIL-STD-810H", {"mil_std_810"}),
        ("", set()),
    ],
)
def test_only_what_a_text_states_is_a_trait(text: str, traits: set[str]) -> None:
    assert traits_in(text) == traits


def test_a_server_with_fans_is_known_not_to_be_fanless() -> None:
    assert known_traits("rackmount", "", ("air",)) == (frozenset({"rack"}), frozenset({"fanless", "wall", "din_rail"}))
    assert known_traits("industrial_edge", "", ()) == (frozenset(), frozenset())


@pytest.mark.parametrize(
    ("chassis", "limits", "state"),
    [
        ("supermicro-sys-e403-14b-frn2t", {"mounting": "wall"}, State.OK),
        ("supermicro-sys-e403-14b-frn2t", {"ports": ("RS-232",), "environment": ("dust",)}, State.OK),
        ("supermicro-sys-e403-14b-frn2t", {"ports": ("CAN",)}, State.UNKNOWN),
        ("supermicro-sys-e403-14b-frn2t", {"environment": ("fanless",)}, State.FAIL),
        ("dell-poweredge-xr7620", {"environment": ("MIL-STD-810",)}, State.UNKNOWN),
        ("dell-poweredge-r470", {"mounting": "wall mount"}, State.FAIL),
        ("dell-poweredge-r470", {"ports": ("M12 coupling",)}, State.UNKNOWN),
    ],
)
def test_mounting_ports_and_protection_are_judged(chassis: str, limits: dict[str, object], state: State) -> None:
    result = placed(chassis, rack_units=84, **limits)
    judged = result.rack
    assert (judged.state if judged.message.code.startswith("bom_edge") else State.OK) == state
    assert (state is State.FAIL) == any(p.message.code == "bom_edge_missing" for p in result.broken_limits)


def test_a_place_for_a_fanless_box_with_poe_gets_one_that_is_known_to_be_it() -> None:
    site = replace(EDGE, environment=("fanless",), ports=("PoE",))
    result = configured("nvidia-jetson-agx-orin-64gb", 1, 1, site=site)
    chassis = shipped().chassis_by_slug[result.chassis or ""]
    assert {"fanless", "poe"} <= chassis.traits


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({"min_ambient_c": -10.0}, "bom_ambient_low"),
        ({"min_ambient_c": 5.0}, ""),
        ({"max_ambient_c": 50.0}, "bom_ambient_high"),
        ({"dc_input_v": 24.0}, "bom_input_wrong"),
        ({"cooling_kw": 0.2}, "bom_heat_high"),
        ({"volts": 230.0, "amps": 0.5}, "bom_feed_short"),
        ({"max_power_w": 100.0}, "bom_site_power_short"),
    ],
)
def test_a_broken_limit_is_an_error_with_its_remedy(limits: dict[str, object], code: str) -> None:
    result = placed("supermicro-sys-e403-14b-frn2t", **limits)
    assert [problem.message.code for problem in result.broken_limits] == ([code] if code else [])
    for problem in result.broken_limits:
        assert render(problem.remedy) != problem.remedy.code


@pytest.mark.parametrize(
    ("chassis", "limit_kg", "state", "code"),
    [
        ("supermicro-as-8125gs-tnmr2", 100.0, State.OK, "bom_weight_ok"),
        ("supermicro-as-8125gs-tnmr2", 70.0, State.FAIL, "bom_weight_high"),
        ("cisco-ucs-c885a-m8", 500.0, State.UNKNOWN, "bom_weight_unknown"),
    ],
)
def test_weight_is_judged_where_it_is_known(chassis: str, limit_kg: float, state: State, code: str) -> None:
    accelerator = "amd-mi300x" if chassis.startswith("super") else "nvidia-h200-sxm5-141gb"
    result = configured(accelerator, 8, 1, chassis=chassis, site=replace(SITE, max_weight_kg=limit_kg))
    found = result.rack
    if state is State.OK:
        assert found.state is State.OK
    else:
        assert (found.state, found.message.code) == (state, code)


def test_heat_is_stated_in_watts_and_btu() -> None:
    result = placed("dell-poweredge-r470", cooling_kw=50.0)
    tight = placed("dell-poweredge-r470", cooling_kw=0.3)
    message = tight.broken_limits[0].message
    assert message.code == "bom_heat_high"
    assert message.params["btu_per_h"] == pytest.approx(int(message.params["needed"] or 0) * 3.412142, rel=0.01)
    assert result.cooling.state is State.OK


def test_traits_have_names_and_a_word_that_nobody_knows_stays_as_typed() -> None:
    site = Site(mounting="Wall", ports=("CAN", "PoE", "RS-485", "5G", "M12 coupling"), environment=("vibration",))
    assert asked_traits(site) == ("wall", "can", "poe", "serial", "cellular", "m12 coupling", "vibration")
    assert set(asked_traits(site)) - set(FEATURES) == {"m12 coupling"}
    result = placed("dell-poweredge-r470", ports=("CAN",))
    assert render(result.rack.message) == "The place asks for: CAN bus. Whether PowerEdge R470 has it is not known."
    assert all(str(words) for words in WORDS.values())


def test_a_server_known_from_builds_alone_hangs_in_its_rack() -> None:
    chassis = shipped().chassis_by_slug
    assert "wall" in chassis["dell-poweredge-r750xa"].lacks
    assert chassis["dell-pro-max-with-gb10"].category == "compact"
