"""Worked configurations on the shipped catalogue, each line checked against the stored rules."""

from dataclasses import replace

import pytest

from quotes.bom import BomResult, Procurement, configure
from quotes.configure.facts import MountKind
from tests.quotes.bom_world import configured, quantity, request, rules, shipped

# accelerator, per replica, replicas, chassis -> servers, per server, bought, processors, modules, supplies
WORKED = [
    (("nvidia-l4", 1, 1, "lenovo-thinkedge-se455-v3"), (1, 1, 1, 1, None, None)),
    (("nvidia-l4", 1, 6, "lenovo-thinkedge-se455-v3"), (1, 6, 6, 1, None, None)),
    (("nvidia-l4", 1, 1, "dell-poweredge-r470"), (1, 1, 1, 1, 8, None)),
    (("nvidia-l4", 1, 5, "dell-poweredge-r470"), (3, 2, 5, 3, 24, None)),
    (("nvidia-l4", 1, 4, "dell-poweredge-r570"), (1, 4, 4, 1, None, None)),
    (("nvidia-l4", 1, 16, "dell-poweredge-xe7740"), (1, 16, 16, 2, 16, 8)),
    (("nvidia-l4", 1, 17, "dell-poweredge-xe7740"), (2, 9, 17, 4, 32, 16)),
    (("nvidia-l4", 1, 16, "hpe-proliant-compute-dl380a-gen12"), (1, 16, 16, 2, 16, 8)),
    (("nvidia-l4", 2, 3, "supermicro-sys-e403-14b-frn2t"), (3, 2, 6, 3, 24, 6)),
    (("nvidia-l40s", 1, 4, "dell-poweredge-r760xa"), (1, 4, 4, 2, 16, None)),
    (("nvidia-l40s", 2, 3, "dell-poweredge-r760xa"), (2, 4, 6, 4, 32, None)),
    (("nvidia-l40s", 1, 8, "supermicro-sys-421ge-tnrt"), (1, 8, 8, 2, 16, 4)),
    (("nvidia-l40s", 4, 2, "lenovo-thinksystem-sr675-v3"), (1, 8, 8, 2, 24, None)),
    (("nvidia-l40s", 3, 2, "hpe-proliant-compute-dl345-gen12"), (2, 3, 6, 2, 24, None)),
    (("nvidia-l40s", 1, 3, "lenovo-thinksystem-sr655-v3"), (1, 3, 3, 1, 12, None)),
    (("nvidia-h100-pcie-80gb", 2, 2, "dell-poweredge-r760xa"), (1, 4, 4, 2, 16, None)),
    (("nvidia-h100-nvl-94gb", 2, 4, "dell-poweredge-xe7740"), (1, 8, 8, 2, 16, 8)),
    (("nvidia-h100-nvl-94gb", 2, 1, "lenovo-thinksystem-sr650a-v4"), (1, 2, 2, 2, 16, 2)),
    (("nvidia-h200-nvl-141gb", 4, 2, "hpe-proliant-compute-dl380a-gen12"), (1, 8, 8, 2, 16, 8)),
    (("nvidia-h200-nvl-141gb", 4, 2, "dell-poweredge-xe7745"), (1, 8, 8, 2, 24, 8)),
    (("nvidia-h200-nvl-141gb", 2, 2, "msi-cg290-s3063"), (1, 4, 4, 1, None, None)),
    (("nvidia-h200-nvl-141gb", 8, 1, "asus-esc8000a-e13"), (1, 8, 8, 2, 24, 4)),
    (("nvidia-rtx-pro-6000-blackwell-se", 1, 8, "dell-poweredge-xe7740"), (1, 8, 8, 2, 16, 8)),
    (("nvidia-rtx-pro-6000-blackwell-se", 2, 4, "msi-cg480-s5063"), (1, 8, 8, 2, 16, 4)),
    (("nvidia-rtx-pro-6000-blackwell-se", 1, 2, "lenovo-thinksystem-sr650a-v4"), (1, 2, 2, 2, 16, 2)),
    (("nvidia-rtx-pro-6000-blackwell-se", 4, 2, "supermicro-sys-522ga-nrt"), (1, 8, 8, 2, 24, 6)),
    (("nvidia-rtx-pro-6000-blackwell-se", 2, 5, "hpe-proliant-compute-dl380a-gen12"), (2, 6, 10, 4, 32, 16)),
    (("nvidia-h100-sxm5-80gb", 8, 1, "dell-poweredge-xe9680"), (1, 8, 8, 2, 16, 6)),
    (("nvidia-h100-sxm5-80gb", 4, 3, "supermicro-sys-821ge-tnhr"), (2, 8, 16, 4, 32, 12)),
    (("nvidia-h200-sxm5-141gb", 8, 1, "nvidia-dgx-h200"), (1, 8, 8, None, None, 6)),
    (("nvidia-h200-sxm5-141gb", 2, 4, "cisco-ucs-c885a-m8"), (1, 8, 8, 2, 24, None)),
    (("nvidia-b200-hgx-180gb", 8, 1, "supermicro-sys-822gs-nbrt"), (1, 8, 8, 2, 16, 6)),
    (("nvidia-b200-hgx-180gb", 8, 2, "nvidia-dgx-b200"), (2, 8, 16, None, None, 12)),
    (("nvidia-b300-hgx-288gb", 16, 1, "dell-poweredge-xe9780"), (2, 8, 16, 4, 32, 24)),
    (("nvidia-b300-hgx-288gb", 8, 4, "lenovo-thinksystem-sr680a-v4"), (4, 8, 32, 8, 64, 32)),
    (("nvidia-h100-sxm5-80gb", 32, 1, "dell-poweredge-xe9680"), (4, 8, 32, 8, 64, 24)),
    (("nvidia-h200-sxm5-141gb", 16, 2, "hpe-cray-xd670"), (4, 8, 32, 8, 64, None)),
    (("amd-mi300x", 8, 1, "dell-poweredge-xe9680"), (1, 8, 8, 2, 16, 6)),
    (("amd-mi300x", 4, 2, "supermicro-as-8125gs-tnmr2"), (1, 8, 8, 2, 24, 6)),
    (("amd-mi325x", 8, 2, "asus-esc-a8a-e12u"), (2, 8, 16, 4, 48, 12)),
    (("nvidia-gb300-nvl72", 72, 1, "nvidia-gb300-nvl72"), (1, 72, 72, None, None, None)),
    (("nvidia-gb200-nvl72", 8, 3, "nvidia-gb200-nvl72"), (1, 72, 72, None, None, None)),
    (("nvidia-dgx-spark-gb10", 1, 2, "nvidia-dgx-spark"), (2, 1, 2, None, None, 2)),
    (("nvidia-jetson-agx-orin-64gb", 1, 3, "advantech-mic-733-ao"), (3, 1, 3, None, None, None)),
    (("nvidia-rtx-2000-ada", 1, 2, "aaeon-maxer-5100"), (1, 2, 2, 1, None, None)),
    (("nvidia-rtx-6000-ada", 2, 2, "hp-z8-fury-g5"), (1, 4, 4, 1, None, None)),
    (("intel-gaudi3-pcie", 4, 2, "dell-poweredge-xe7740"), (1, 8, 8, 2, 16, 8)),
]


@pytest.mark.parametrize(("case", "expected"), WORKED, ids=[f"{c[1]}x{c[2]} {c[0]} in {c[3]}" for c, _ in WORKED])
def test_worked_configuration(case: tuple[str, int, int, str], expected: tuple[int | None, ...]) -> None:
    accelerator, per_replica, replicas, chassis = case
    result = configured(accelerator, per_replica, replicas, chassis=chassis)
    assert result.layout is not None
    found = (
        result.servers,
        result.layout.accelerators_per_node,
        quantity(result, "gpu"),
        quantity(result, "cpu"),
        quantity(result, "ram"),
        quantity(result, "psu"),
    )
    assert result.problems == ()
    for name, wanted, value in zip(
        ("servers", "per server", "bought", "processors", "modules", "supplies"), expected, found, strict=True
    ):
        assert wanted is None or value == wanted, name
    check_every_line(result, case)


def check_every_line(result: BomResult, case: tuple[str, int, int, str]) -> None:
    """The stored rules, read from the finished lines and not from the code that wrote them."""
    chassis, accelerator = shipped().chassis_by_slug[case[3]], shipped().accelerators[case[0]]
    lines = result.lines
    assert [line.line for line in lines] == sorted(
        (line.line for line in lines), key=lambda n: [*map(int, n.split("."))]
    )
    for line in lines:
        assert line.quantity > 0, line
        assert line.reason.code.startswith("bom_"), line
        assert line.unit_price is None or line.unit_price.as_of, line
        assert not (line.included and line.unit_price), line
    # one cord for each supply
    assert quantity(result, "power_cord") == quantity(result, "psu")
    # a fabric only where a replica spans servers
    assert ("switch" in {line.part_class for line in lines}) == result.layout.spans_nodes
    assert result.layout.spans_nodes == (case[1] > result.layout.accelerators_per_node)
    # bridges only on cards that take them, in whole groups
    bridges = quantity(result, "nvlink_bridge")
    assert bool(bridges) == (accelerator.bridge_size > 1 and case[1] > 1)
    # a board is bought whole
    if accelerator.mount in {MountKind.BOARD, MountKind.OAM}:
        assert quantity(result, "gpu") % result.layout.accelerators_per_node == 0
    # one identical module on every channel of every socket
    cpu = next((line for line in lines if line.part_class == "cpu"), None)
    memory = next(line for line in lines if line.part_class == "ram")
    processor = shipped().processors_by_slug.get(cpu.part) if cpu else None
    if processor is not None and processor.memory_channels and not chassis.complete_system:
        assert memory.quantity == processor.memory_channels * cpu.quantity
        assert processor.cores * chassis.cpu_sockets >= 6 * result.layout.accelerators_per_node
    # licences of cards that bring their own are not sold again
    licence = next((line for line in lines if line.name == "NVIDIA AI Enterprise"), None)
    if accelerator.slug in rules().words("ai_enterprise_included"):
        assert licence is not None
        assert licence.included


def test_same_input_gives_the_same_lines() -> None:
    assert configured("nvidia-l40s", 2, 2) == configured("nvidia-l40s", 2, 2)


def rackmount_pairs() -> list[tuple[str, str]]:
    return [
        (chassis.slug, accelerator)
        for chassis in shipped().chassis
        if chassis.category == "rackmount" and chassis.status == "current"
        for accelerator in sorted(chassis.compatible & shipped().accelerators.keys())[:1]
    ]


@pytest.mark.parametrize(("chassis", "accelerator"), rackmount_pairs())
def test_each_listed_rack_server_is_complete_or_says_what_is_unknown(chassis: str, accelerator: str) -> None:
    result = configured(accelerator, 1, 1, chassis=chassis)
    assert result.chassis == chassis, result.problems
    for line in result.open_lines:
        assert line.unit_price is None
        assert line.reason.code
    assert {line.line for line in result.open_lines} == {
        line.line for line in result.lines if line.kind != "option" and not line.included and line.unit_price is None
    }
    for verdict in (result.power, result.rack, result.cooling):
        assert verdict.message.code
        if verdict.state == "unknown":
            assert verdict.message in result.unknowns


def test_memory_need_follows_the_weights_where_they_outgrow_the_floor() -> None:
    # 64 system + 600 weights + 8x8 buffers = 728 GB > 0.75 x 8 x 48 = 288 GB; 16 modules -> 48 GB each at least
    result = configured("nvidia-l40s", 8, 1, chassis="supermicro-sys-421ge-tnrt", model_bytes=600e9)
    memory = next(line for line in result.lines if line.part_class == "ram")
    assert memory.reason.params["computed_gb"] == 728
    assert memory.reason.params["floor_gb"] == 288
    assert memory.quantity * memory.reason.params["module_gb"] >= 728


def test_vendor_rule_on_memory_is_a_warning_with_the_published_spread() -> None:
    result = configured("nvidia-h200-sxm5-141gb", 8, 1, chassis="dell-poweredge-xe9680")
    warning = next(w for w in result.warnings if w.code == "bom_memory_rule")
    assert (warning.params["lowest"], warning.params["highest"]) == (0.75, 5.3)
    assert result.buildable


@pytest.mark.parametrize(
    ("requests_per_s", "payload_bytes", "speed"),
    [
        (5, 20_000, 10),  # 0.8 Mbit/s of load; 70 GB of weights in 600 s need 0.93 Gbit/s
        (1000, 500_000, 10),  # 4 Gbit/s, half of a 10G port stays free: 8
        (1000, 700_000, 25),  # 5.6 -> 11.2 Gbit/s
        (4000, 1_000_000, 100),  # 32 -> 64
        (10_000, 1_500_000, 400),  # 120 -> 240
    ],
)
def test_front_end_speed_follows_requests_and_payload(requests_per_s: float, payload_bytes: float, speed: int) -> None:
    result = configured(
        "nvidia-l4",
        1,
        1,
        chassis="dell-poweredge-r470",
        requests_per_s=requests_per_s,
        payload_bytes_per_request=payload_bytes,
    )
    adapter = next(line for line in result.lines if line.part_class == "nic")
    assert adapter.reason.params["speed_gbit_s"] == speed


def test_drives_hold_every_variant_twice() -> None:
    # 2 variants x 2 x 3,000 GB = 12,000 GB: the next size above is not larger than needed by more than one drive
    result = configured("nvidia-l40s", 1, 1, chassis="lenovo-thinksystem-sr675-v3", model_bytes=3e12, kept_variants=2)
    drive = next(line for line in result.lines if line.reason.code == "bom_reason_drives")
    assert drive.reason.params["needed_gb"] == 12_000
    assert "15.36 TB" in drive.name
    assert drive.quantity == 1


def test_fabric_is_one_port_for_each_accelerator() -> None:
    result = configured("nvidia-h100-sxm5-80gb", 32, 1, chassis="dell-poweredge-xe9680")
    switch = next(line for line in result.lines if line.part_class == "switch")
    adapters = next(line for line in result.lines if line.reason.code == "bom_reason_fabric")
    assert adapters.quantity == 32
    assert switch.quantity == 1
    assert switch.reason.params == {"links": 32, "ports": 64}
    optics = [line for line in result.lines if line.part_class == "transceiver"]
    assert {line.quantity for line in optics} == {32, 16}


def test_licence_is_demanded_for_nim_and_an_option_for_open_software() -> None:
    nim = configured("nvidia-l40s", 1, 1, engine="nim")
    vllm = configured("nvidia-l40s", 1, 1, engine="vllm")
    kinds = {
        name: next(line for line in result.lines if line.name == "NVIDIA AI Enterprise").kind
        for name, result in (("nim", nim), ("vllm", vllm))
    }
    assert kinds == {"nim": "licence", "vllm": "option"}


def test_licence_of_five_years_is_one_piece_and_of_three_years_three() -> None:
    for years, pieces, part in (
        (5, 1, "nvidia-ai-enterprise-per-gpu-5-years"),
        (3, 3, "nvidia-ai-enterprise-per-gpu-1-year"),
    ):
        procurement = Procurement(currency="USD", support_years=years, ai_enterprise=True)
        result = configured("nvidia-l40s", 1, 1, procurement=procurement)
        licence = next(line for line in result.lines if line.name == "NVIDIA AI Enterprise")
        assert (licence.quantity, licence.part, licence.kind) == (pieces, part, "licence")


def test_order_code_is_that_of_the_server_vendor_where_one_exists() -> None:
    hpe = configured("nvidia-l4", 1, 1, chassis="hpe-proliant-compute-dl380a-gen12")
    dell = configured("nvidia-l4", 1, 1, chassis="dell-poweredge-r470")
    codes = [next(line for line in r.lines if line.part_class == "gpu").mpn for r in (hpe, dell)]
    assert codes[0] == "S0K89C"
    assert codes[0] != codes[1]


def test_capacity_lost_with_one_server_is_stated() -> None:
    result = configured("nvidia-l40s", 2, 3, chassis="dell-poweredge-r760xa")
    assert result.layout is not None
    assert result.layout.lost_with_one_node == 2


def test_spare_replicas_are_bought() -> None:
    result = configured("nvidia-l40s", 2, 1, chassis="dell-poweredge-r760xa", spare_replicas=1)
    assert quantity(result, "gpu") == 4


def test_inference_on_processors_has_no_accelerator_line() -> None:
    cpu = shipped().processors_by_slug["amd-epyc-9555"]
    part = replace(shipped().accelerators["nvidia-l4"], slug=cpu.slug, name=cpu.name, vendor="AMD", form_factor="cpu")
    result = configure(request("nvidia-l4", 2, 1, accelerator=part), shipped(), rules())
    assert result.chassis is not None
    assert "gpu" not in {line.part_class for line in result.lines}
    assert next(line for line in result.lines if line.part_class == "cpu").part == "amd-epyc-9555"
