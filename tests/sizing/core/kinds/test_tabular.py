"""Tables, time series and sensors: worked examples with the sum written out."""

from math import log2
from typing import Any

import pytest

from sizing.core.candidate import Bottleneck
from sizing.core.hardware import DeviceKind
from sizing.core.kinds.tabular import TabularTask, node_visits_per_s, radar_flops, tree_nodes
from sizing.core.kinds.task import Served
from sizing.core.precision import FP32, Rate
from tests.sizing.core.kinds.round import coefficients, device

# 32 cores at 3.5 GHz with AVX-512: 32 x 3.5e9 x 64 = 7.168e12 FP32 operations a second
PROCESSOR = device(
    kind=DeviceKind.CPU, flops_per_s={Rate.FP32: 7.168e12, Rate.BF16: 1.4336e13}, bandwidth_bytes_per_s=3e11,
    pcie_bytes_per_s=None,
)  # fmt: skip


def trees(**changes: Any) -> TabularTask:
    values: dict[str, Any] = {
        "name": "trees", "values_per_row": 60.0, "visits": 500.0 * 8.0, "flops": 0.0, "parameters": 0.0,
        "nodes": tree_nodes(500, 8), "demand_per_s": 5000.0, "limit_p95_s": None,
    }  # fmt: skip
    return TabularTask(**{**values, **changes})


def served(task: TabularTask, on: Any) -> Served:
    found = task.served(on, FP32, "onnxruntime", coefficients())
    assert isinstance(found, Served)
    return found


def test_a_core_visits_a_node_in_fourteen_cycles() -> None:
    # 7.168e12 / 64 = 1.12e11 cycles a second of all cores, / 14 = 8e9 nodes (Intel optimisation manual, L2 latency)
    assert node_visits_per_s(PROCESSOR) == pytest.approx(8e9)


def test_an_accelerator_visits_by_its_bandwidth() -> None:
    # V100: 900 GB/s x 0.19 = 1.71e11, 17 times the 40 cores (1e10) of the source (RAPIDS FIL 2019: up to 35)
    assert node_visits_per_s(device(bandwidth_bytes_per_s=9e11)) == pytest.approx(1.71e11)


def test_full_trees_count_their_nodes() -> None:
    # depth 8: 2^9 - 1 = 511 nodes, 500 trees: 255,500, at 8 bytes 2.0 MB
    assert tree_nodes(500, 8) == 255_500
    assert served(trees(), PROCESSOR).memory.weight_bytes == 255_500 * 8


def test_rows_on_a_processor_follow_from_nodes() -> None:
    # 4,000 visits / 8e9 = 0.5 us a row; largest batch 65,536: 2 us + 2.044e6 / (0.8 x 3e11) = 8.5 us + 32.768 ms
    found = served(trees(), PROCESSOR)
    assert found.batch == 65_536
    assert found.batch_s == pytest.approx(0.032768 + 1.05e-5, rel=1e-3)
    assert found.bottleneck is Bottleneck.MEMORY_BANDWIDTH


def test_a_limit_shrinks_the_batch() -> None:
    # two batches of 8,192 x 0.5 us = 4.1 ms each stay below 20 ms; 65,536 would take 32.8 ms
    assert served(trees(limit_p95_s=0.02), PROCESSOR).batch == 8192


def test_a_row_crosses_the_link_to_an_accelerator() -> None:
    # 60 x 4 bytes / (0.5 x 5e10) = 9.6 ns; nodes 4,000 / 1.9e11 = 21 ns
    found = served(trees(), device())
    assert found.batch_s == pytest.approx(65_536 * (9.6e-9 + 4000 / 1.9e11) + 5e-5, rel=0.01)


def test_radar_counts_both_transforms() -> None:
    # 256 chirps x 12 antennas x 5 x 512 x 9 + 512 x 12 x 5 x 256 x 8 = 7.08e7 + 6.29e7 (Cooley and Tukey 1965)
    assert radar_flops(512, 256, 12) == pytest.approx(70_778_880 + 62_914_560)
    assert radar_flops(512, 256, 24) == 2 * radar_flops(512, 256, 12)
    assert radar_flops(2, 2, 1) == pytest.approx(2 * 2 * 5 * 2 * log2(2))


def test_a_small_network_computes() -> None:
    # 2e7 operations / (0.25 x 7.168e12) = 11.2 us a window
    task = trees(visits=0.0, nodes=0.0, flops=2e7, parameters=1e6)
    found = served(task, PROCESSOR)
    assert found.items_per_s == pytest.approx(1 / 1.1161e-5, rel=0.01)
    assert found.bottleneck is Bottleneck.COMPUTE


def test_sensors_per_device_divide_by_the_rate_of_one() -> None:
    task = trees(sensors=2000, demand_per_s=2000.0 * 10.0)
    found = served(task, PROCESSOR)
    figures = task.figures(found, PROCESSOR, 1, coefficients())
    # half of the rate remains on processors with random arrivals, ten rows a second and sensor
    assert figures["sensors_per_device"].value == pytest.approx(found.items_per_s * 0.5 / 10.0)
    assert figures["rows_per_s"].low == pytest.approx(found.items_per_s * 0.5 / 1.4)  # no such network was measured


def test_a_device_without_rates_is_not_guessed() -> None:
    found = trees().served(device(flops_per_s={}), FP32, "onnxruntime", coefficients())
    assert not isinstance(found, Served)
