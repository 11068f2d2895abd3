"""181 systems that somebody built and filed: accepted unless the filing contradicts itself."""

import re
from dataclasses import replace
from functools import cache

import pytest

from quotes.bom import Build, SupplyScheme, check_build
from tests.quotes.bom_world import ROOT, configured, rows, rules, shipped

FILED = rows(ROOT / "tests" / "quotes" / "data" / "built_systems.csv")

# What a flag of the file says, and the reason that refuses the row. Flags on wording, on figures of the
# catalogue or on who filed it contradict nothing and have no entry.
REASONS = {
    r"modules make (?!1152)": "bom_build_capacity",
    r"modules make 1152": "bom_build_mixed_modules",
    r"core count": "bom_build_cores",
    r"filed as two processors": "bom_build_sockets",
    r"this card has no NVLink": "bom_build_no_link",
    r"one sixth of the channels": "bom_build_channels",
    r"one 1600 W supply": "bom_supply_edge",
}


# Where only a family is named: its least hungry model (w5-2445, techpowerup.com/cpu-specs/xeon-w5-2445.c3117).
LEAST_W = {"Xeon w5": 175.0}


@cache
def chassis_slugs() -> dict[tuple[str, str], str]:
    return {(chassis.vendor, chassis.model): chassis.slug for chassis in shipped().chassis}


def number(text: str) -> int | None:
    return int(float(text)) if re.fullmatch(r"[\d.]+", text) else None


def stated_gb(text: str) -> float | None:
    """Filed capacity in GB, a TB being 1,024 GB as the file counts; None where the text gives no single figure."""
    match = re.fullmatch(r"([\d.]+)\s*(TB|TiB|T|GB|GiB|G)", text.strip())
    if match is None:
        return None
    return float(match[1]) * (1024 if match[2].startswith("T") else 1)


def build_of(row: dict[str, str]) -> Build:
    slug = row["server_slug"] or chassis_slugs().get((row["vendor"], row["chassis_model"]), "")
    processor = next((cpu for cpu in shipped().processors if row["host_processor"].endswith(cpu.name)), None)
    sockets = number(row["sockets"])
    one_socket = "one-socket" in row["data_flags"]
    chassis = shipped().chassis_by_slug.get(slug)
    if chassis is not None and one_socket:
        chassis = replace(chassis, cpu_sockets=1)
    supply = re.search(r"(\d)x (\d{3,4}) W", row["power_supply"].replace(",", ""))
    channels = processor.memory_channels if processor is not None else 12 if "12-channel" in row["data_flags"] else None
    return Build(
        chassis=chassis if row["accelerator_slug"] not in {"nvidia-gb300-nvl72", "nvidia-vr200-nvl72"} else None,
        accelerator=shipped().accelerators.get(row["accelerator_slug"]),
        count=number(row["accelerators_per_node"]) or 0,
        sockets=sockets,
        processor=processor,
        processor_w=next((watts for name, watts in LEAST_W.items() if name in row["host_processor"]), None),
        cores_per_socket=number(row["cores_per_socket"]),
        cores_stated=number(row["cores_filed"]),
        channels_per_socket=channels,
        memory_modules=number(row["dimm_count"]),
        module_sizes_gb=tuple(float(size) for size in row["dimm_gb"].split("|") if size),
        memory_stated_gb=stated_gb(row["host_memory_filed"]),
        linked="nvlink" in row["accelerator_interconnect"].lower(),
        supply_rated_w=float(supply[2]) if supply and "no redundancy" in row["power_supply"] else None,
        supply_scheme=SupplyScheme(carrying=int(supply[1]), spare=0) if supply else None,
    )


def expected(row: dict[str, str]) -> set[str]:
    return {code for pattern, code in REASONS.items() if re.search(pattern, row["data_flags"])}


@pytest.mark.parametrize("row", FILED, ids=[row["id"] for row in FILED])
def test_a_filed_system_is_accepted_unless_it_contradicts_itself(row: dict[str, str]) -> None:
    problems, _ = check_build(build_of(row), rules())
    assert {problem.message.code for problem in problems} == expected(row)


def test_enough_rows_are_accepted_and_refused_for_the_loop_to_mean_something() -> None:
    refused = [row for row in FILED if expected(row)]
    assert len(FILED) == 181
    assert 35 <= len(refused) <= 60


def known_rows() -> list[dict[str, str]]:
    """Filed rack systems without contradiction whose chassis and accelerator the catalogue knows."""
    return [
        row
        for row in FILED
        if row["category"] in {"hgx", "oam", "pcie", "edge"}
        and row["accelerator_slug"]
        and not expected(row)
        and (build := build_of(row)).chassis is not None
        and build.accelerator is not None
        and build.chassis.mounts[0].kind != "unknown"
        and build.accelerator.mount != "unknown"
    ]


@pytest.mark.parametrize("row", known_rows(), ids=[row["id"] for row in known_rows()])
def test_a_filed_system_is_proposed_again_with_full_channels(row: dict[str, str]) -> None:
    build = build_of(row)
    assert build.chassis is not None
    result = configured(row["accelerator_slug"], 1, build.count, chassis=build.chassis.slug, model_bytes=0.0)
    assert result.chassis == build.chassis.slug
    assert [problem.message.code for problem in result.problems] == []
    memory = next(line for line in result.lines if line.part_class == "ram")
    processor = next(line for line in result.lines if line.part_class == "cpu")
    part = shipped().processors_by_slug.get(processor.part)
    if part is None or part.memory_channels is None or memory.reason.code != "bom_reason_memory":
        return
    assert memory.quantity % (part.memory_channels * processor.quantity) == 0


def test_memory_and_cores_stay_below_the_largest_filed_example_or_say_why() -> None:
    by_chassis: dict[tuple[str, str, int], list[Build]] = {}
    for row in known_rows():
        build = build_of(row)
        assert build.chassis is not None
        by_chassis.setdefault((build.chassis.slug, row["accelerator_slug"], build.count), []).append(build)
    compared = 0
    for (chassis, accelerator, count), builds in by_chassis.items():
        result = configured(accelerator, 1, count, chassis=chassis, model_bytes=0.0)
        memory = next(line for line in result.lines if line.part_class == "ram")
        filed_gb = [build.memory_stated_gb for build in builds if build.memory_stated_gb]
        if memory.reason.code != "bom_reason_memory" or not filed_gb:
            continue
        compared += 1
        params = memory.reason.params
        proposed_gb = memory.quantity / result.servers * float(params["module_gb"] or 0)
        why = max(float(params["computed_gb"] or 0), float(params["floor_gb"] or 0))
        # The next module size above a stated need may be up to twice as large.
        assert proposed_gb <= max(*filed_gb, 2 * why), (chassis, accelerator, proposed_gb, filed_gb)
    assert compared > 25
