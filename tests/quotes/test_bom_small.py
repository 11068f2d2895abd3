"""Desktops and edge units get what suits them, and memory modules suit the processor."""

import pytest

from quotes.bom import PartClass
from tests.quotes.bom_world import configured, shipped


def lines(result, part_class: PartClass):
    return [line for line in result.lines if line.part_class is part_class]


def test_a_small_unit_takes_the_port_on_its_board_and_one_boot_drive() -> None:
    box = configured("nvidia-rtx-2000-ada", 1, 1, chassis="aaeon-maxer-5100")

    (adapter,) = lines(box, PartClass.NIC)
    assert (adapter.included, adapter.reason.code) == (True, "bom_reason_nic_on_board")
    assert [line.quantity for line in lines(box, PartClass.STORAGE)] == [1, 1]
    assert lines(box, PartClass.STORAGE)[1].part == ""  # nobody states its bays, so no U.2 drive is chosen for it


def test_a_load_beyond_the_port_on_the_board_buys_an_adapter() -> None:
    busy = configured("nvidia-rtx-2000-ada", 1, 1, chassis="aaeon-maxer-5100", model_bytes=400e9)

    assert not lines(busy, PartClass.NIC)[0].included


def test_a_rack_server_keeps_its_adapter_and_mirrored_pair() -> None:
    server = configured("nvidia-l40s", 4, 1, chassis="dell-poweredge-r760xa")

    assert lines(server, PartClass.NIC)[0].reason.code.startswith("bom_reason_nic")
    assert not lines(server, PartClass.NIC)[0].included
    assert lines(server, PartClass.STORAGE)[0].reason.code == "bom_reason_boot"


def test_two_linked_desktops_need_a_cable_and_no_switch() -> None:
    pair = configured("nvidia-dgx-spark-gb10", 2, 1, chassis="nvidia-dgx-spark", replica_spans_nodes=True)

    assert pair.servers == 2
    assert lines(pair, PartClass.SWITCH) == lines(pair, PartClass.TRANSCEIVER) == []
    assert [line.quantity for line in lines(pair, PartClass.CABLE) if line.reason.code == "bom_reason_direct_link"] == [
        1
    ]


def test_without_a_stated_form_a_rack_server_goes_first() -> None:
    chosen = configured("nvidia-l40s", 1, 1).chassis

    assert shipped().chassis_by_slug[chosen].category == "rackmount"


@pytest.mark.parametrize("accelerator", ["nvidia-l40s", "nvidia-h200-nvl-141gb", "nvidia-rtx-pro-6000-blackwell-se"])
def test_modules_are_of_the_processors_generation_and_a_slower_one_is_said(accelerator: str) -> None:
    chosen = configured(accelerator, 2, 1)
    cpu = next(line for line in chosen.lines if line.part_class is PartClass.CPU)
    memory = lines(chosen, PartClass.RAM)[0]
    processor = shipped().processors_by_slug[cpu.part]
    part = next((each for each in shipped().components[PartClass.RAM] if each.slug == memory.part), None)

    stated = f"{part.specs} {part.model}" if part else memory.name
    assert processor.memory_type in stated
    slower = part is not None and f"DDR5-{processor.memory_speed_mts}" not in stated and "-4800" in stated
    assert any(note.code == "bom_memory_slower" for note in chosen.warnings) == (
        slower and processor.memory_speed_mts > 4800
    )


def test_a_box_known_from_a_filing_takes_cards_only_where_one_was_filed() -> None:
    kinds = {
        slug: {mount.kind.value for mount in shipped().chassis_by_slug[slug].mounts}
        for slug in ("connecttech-forge-carrier-agx201", "dell-poweredge-xr5610", "firefly-rk3588s", "thundercomm-rb6")
    }

    assert kinds == {
        "connecttech-forge-carrier-agx201": {"integrated"},
        "dell-poweredge-xr5610": {"pcie"},
        "firefly-rk3588s": set(),
        "thundercomm-rb6": set(),
    }
    carrier = configured("nvidia-rtx-a6000", 1, 1, chassis="connecttech-forge-carrier-agx201")
    assert not carrier.buildable
