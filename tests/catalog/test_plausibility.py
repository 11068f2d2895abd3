"""Slips that the guard rails catch, and the shipped data, which they let pass."""

import pytest

from catalog import messages
from catalog.models import Accelerator, Processor, Server
from catalog.plausibility import Severity, accelerator_doubts, processor_doubts, server_doubts, usable_memory_doubts
from catalog.seed.facts import DENSE_COLUMNS
from catalog.seed.files import read, values_of
from catalog.seed.report import SeedReport
from tests.catalog.rows import H100_SXM


def codes(**changes: object) -> list[str]:
    return [doubt.message.code for doubt in accelerator_doubts({**H100_SXM, **changes})]


def test_the_data_sheet_of_the_h100_passes() -> None:
    assert codes() == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"fp8_dense_tflops": 3957.8}, "rate_looks_sparse"),
        ({"bf16_dense_tflops": 1978.9}, "rate_looks_sparse"),
        ({"int8_dense_tops": 3957.8}, "rate_looks_sparse"),
        ({"memory_gb": 85.9}, "memory_looks_like_bytes"),
        ({"memory_gb": 74.506}, "memory_looks_like_gib"),
        ({"memory_gb": 81559.0}, "memory_looks_like_mib"),
        ({"tdp_w": 700_000.0}, "power_unit"),
        ({"tdp_w": 0.7}, "power_unit"),
        ({"memory_bandwidth_gb_s": 3.35}, "bandwidth_not_of_this_memory"),
        ({"memory_bandwidth_gb_s": 900.0}, "bandwidth_equals_link"),
        ({"memory_bandwidth_gb_s": 450.0}, "bandwidth_equals_link"),
        ({"memory_bandwidth_gb_s": 26_800.0}, "bandwidth_unit"),
        ({"form_factor": "PCIe FHFL dual"}, "card_named_as_module"),
        ({"variant": "PCIe 80GB", "slug": "nvidia-h100-pcie-80gb"}, "module_named_as_card"),
        ({"slot_width": 2}, "module_with_slots"),
        ({"scale_up_link": "none", "scale_up_gb_s_bidirectional": None}, "module_without_link"),
        ({"supports_fp8": False}, "rate_without_support"),
        ({"configurable_tdp_min_w": 800.0}, "lowest_power_above_highest"),
    ],
)
def test_a_slip_is_caught_with_its_reason(changes: dict[str, object], code: str) -> None:
    assert code in codes(**changes)


def test_the_sparse_figure_of_the_l4_is_caught_and_its_dense_one_is_not() -> None:
    # L4 data sheet: INT8 485 TOPS with sparsity, 242 dense; FP32 30.3.
    l4 = {"compute_capability": "8.9", "fp32_dense_tflops": 30.3, "bf16_dense_tflops": 121.0, "supports_int8": True}
    assert accelerator_doubts({**l4, "int8_dense_tops": 242.0}) == ()
    (doubt,) = accelerator_doubts({**l4, "int8_dense_tops": 485.0})
    assert (doubt.field, doubt.severity, doubt.message.params["half"]) == ("int8_dense_tops", Severity.ERROR, 242.5)


def test_every_shipped_row_passes() -> None:
    report = SeedReport(version="test")
    found = [
        (line["slug"], doubt.message.code)
        for name, model, check, rename in (
            ("accelerators", Accelerator, accelerator_doubts, DENSE_COLUMNS),
            ("cpus", Processor, processor_doubts, {}),
            ("servers", Server, server_doubts, {}),
        )
        for line in read(name)
        for doubt in check(values_of(model, line, report, rename=rename))
    ]
    assert found == []
    assert report.errors == []


def test_processor_bandwidth_follows_from_channels_and_speed() -> None:
    # 12 channels x 8 bytes x 6400 MT/s = 614.4 GB/s
    epyc = {"cores": 128, "threads": 256, "memory_channels": 12, "memory_speed_mts": 6400, "memory_type": "DDR5"}
    assert processor_doubts({**epyc, "memory_bandwidth_gb_s": 614.4}) == ()
    (doubt,) = processor_doubts({**epyc, "memory_bandwidth_gb_s": 4915.2})
    assert doubt.message.params["expected_gb_s"] == 614.4


def test_a_supply_of_kilowatts_typed_as_watts_is_caught() -> None:
    assert [doubt.field for doubt in server_doubts({"psu_watts": "3|3200"})] == ["psu_watts"]


def test_driver_total_must_belong_to_the_printed_capacity() -> None:
    assert usable_memory_doubts(memory_gb=80.0, usable_bytes=85_520_809_984, devices=1) == ()
    assert usable_memory_doubts(memory_gb=128.0, usable_bytes=68_702_699_520, devices=2) == ()
    assert len(usable_memory_doubts(memory_gb=94.0, usable_bytes=85_520_809_984, devices=2)) == 1
    assert len(usable_memory_doubts(memory_gb=141.0, usable_bytes=85_520_809_984, devices=1)) == 1


def test_every_reason_has_words() -> None:
    doubts = [
        *accelerator_doubts({**H100_SXM, "fp8_dense_tflops": 3957.8, "memory_gb": 74.506, "tdp_w": 0.7}),
        *server_doubts({"rack_units": 400.0, "max_ambient_c": 350.0}),
    ]
    texts = [messages.render(doubt.message) for doubt in doubts]
    assert "Enter the dense rate, probably 1978.9." in texts[0]
    assert len(texts) == 5
