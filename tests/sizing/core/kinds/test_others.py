"""Vision, embedding, recommendation and the queue before them: worked examples with the sum written out."""

from math import log
from typing import Any

import pytest

from sizing.core.candidate import Bottleneck
from sizing.core.hardware import DeviceKind
from sizing.core.kinds.embedding import EmbeddingTask, Encoder
from sizing.core.kinds.queue import MOST_BUSY, replicas_for, wait_p95_s
from sizing.core.kinds.recommendation import RecommendationTask, shards
from sizing.core.kinds.task import Served
from sizing.core.kinds.vision import Network, VisionTask
from sizing.core.precision import FP16, FP32
from sizing.core.queueing import md1_wait_s
from tests.sizing.core.kinds.round import coefficients, device

DETECTOR = Network(name="detector", parameters=2e7, image_flops=6.8e10, reference_pixels=640 * 640, layers=70)
BGE = Encoder(name="bge-large", parameters=3.35e8, flops=3.35e11, reference_tokens=512)


def cameras(**changes: Any) -> VisionTask:
    values: dict[str, Any] = {
        "model": DETECTOR,
        "input_pixels": 640.0 * 640.0,
        "demand_per_s": 480.0,
        "limit_p95_s": None,
        "streams": 32,
        "fps": 15.0,
        "camera_pixels": 1920.0 * 1080.0,
        "mbit_per_stream": 4.0,
    }
    return VisionTask(**{**values, **changes})


def tables(**changes: Any) -> RecommendationTask:
    values: dict[str, Any] = {
        "table_parameters": 204_184_588 * 128.0,
        "dense_parameters": 1.5e7,
        "dense_flops": 3.206e7,
        "lookups": 214.0,
        "dimension": 128.0,
        "samples_per_query": 100.0,
        "queries_per_s": 1000.0,
        "limit_p95_s": None,
    }
    return RecommendationTask(**{**values, **changes})


def test_host_cores_follow_from_decoded_pixels() -> None:
    # 32 x 15 x 2,073,600 pixels = 9.953e8 a second: / 415e6 = 2.398 cores to decode, / 600e6 = 1.659 to prepare
    assert cameras().cores == pytest.approx(2.398 + 1.659, abs=0.01)


def test_cameras_need_their_bit_rate_and_their_watts() -> None:
    task = cameras(powered_cameras=True)
    found = task.served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    figures = task.figures(found, device(), 1, coefficients())
    assert figures["network_gbit_s"].value == pytest.approx(0.128)  # 32 x 4 Mbit/s
    assert figures["poe_w"].value == pytest.approx(414.4)  # 32 x 12.95 W, IEEE 802.3af


def test_a_device_carries_its_image_rate_over_the_frame_rate() -> None:
    # 6.8e10 / 5e13 = 1.36 ms an image: 735 images/s offline, 0.8 of it served: 588, over 15 frames: 39 streams
    task = cameras()
    found = task.served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    assert found.items_per_s == pytest.approx(735, rel=0.01)
    assert task.figures(found, device(), 1, coefficients())["streams_per_device"].value == pytest.approx(39.2, rel=0.01)


def test_operations_grow_with_the_pixels_of_the_input() -> None:
    assert cameras(input_pixels=1280.0 * 1280.0).flops == pytest.approx(4 * 6.8e10)


def test_a_latency_limit_lowers_the_batch() -> None:
    # two batches within 50 ms: 16 x 1.36 = 21.8 ms fits, 32 x 1.36 = 43.5 does not
    found = cameras(limit_p95_s=0.05).served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    assert found.batch == 16


def test_half_the_length_costs_less_than_half() -> None:
    # attention share at 512 tokens 512 / (512 + 6 x 1024) = 7.7 %: 3.35e11 x 0.5 x (0.923 + 0.077 / 2) = 1.611e11
    task = EmbeddingTask(model=BGE, tokens=256.0, demand_per_s=1.0, limit_p95_s=None)
    assert task.flops == pytest.approx(1.611e11, rel=1e-3)


def test_a_reranker_counts_pairs_and_answers_queries() -> None:
    task = EmbeddingTask(model=BGE, tokens=512.0, demand_per_s=500.0, limit_p95_s=None, per_query=50)
    found = task.served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    figures = task.figures(found, device(), 1, coefficients())
    # 3.35e11 / 5e13 = 6.7 ms a pair: 149 pairs/s, 0.8 served, over 50: 2.4 queries
    assert figures["queries_per_s"].value == pytest.approx(2.39, rel=0.01)


def test_dlrm_tables_take_104_gb_in_single_precision() -> None:
    # MLPerf dlrm_v2: 204,184,588 rows x 128 x 4 bytes = 104.5 GB; two devices of 80 GB (71.6 usable) hold them
    task = tables()
    assert task.table_parameters * 4 / 1e9 == pytest.approx(104.5, abs=0.1)
    assert shards(task, device(), task.table_parameters * 4) == 2
    assert shards(task, device(), task.table_parameters * 2) == 1


def test_a_sample_gathers_its_rows_and_multiplies() -> None:
    # 214 x 128 x 2 bytes = 54.8 kB / (0.3 x 1e12) = 0.183 us; dense 3.206e7 / 5e13 = 0.641 us
    found = tables().served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    assert found.bottleneck is Bottleneck.COMPUTE
    assert found.batch_s == pytest.approx(3e-4 + 8192 * 0.8238e-6, rel=0.01)


def test_long_histories_are_bound_by_gathering() -> None:
    # 20 times the rows: 3.65 us of gathering beside 0.641 us
    found = tables(lookups=4280.0).served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    assert found.bottleneck is Bottleneck.MEMORY_BANDWIDTH


def test_tables_in_host_memory_come_over_the_bus() -> None:
    # 109.6 kB / (0.5 x 5e10) = 4.383 us; dense in FP32 3.206e7 / 5e12 = 6.412 us; the tables stand in host memory
    found = tables(placement="host").served(device(), FP32, "tensorrt", coefficients())
    assert isinstance(found, Served)
    assert found.bottleneck is Bottleneck.HOST
    assert found.host_bytes / 1e9 == pytest.approx(104.5, abs=0.1)
    assert found.batch_s == pytest.approx(3e-4 + 8192 * 10.795e-6, rel=0.01)


def test_a_processor_holds_the_tables_itself() -> None:
    server = device(kind=DeviceKind.CPU, usable_memory_bytes=900 * 10**9, pcie_bytes_per_s=None)
    found = tables().served(server, FP32, "openvino", coefficients())
    assert isinstance(found, Served)
    assert found.devices == 1
    assert found.host_bytes == 0


def test_one_server_waits_like_m_d_1() -> None:
    # half busy: mean wait 0.5 S / (2 x 0.5) = S / 2; those who wait (half) wait S on average; p95: S ln(0.5 / 0.05)
    assert wait_p95_s(1.0, 0.5, 1) == pytest.approx(log(10))
    assert md1_wait_s(1.0, 0.5) == pytest.approx(0.5)


def test_many_servers_at_the_same_load_wait_less() -> None:
    waits = [wait_p95_s(1.0, 0.8, count) for count in (1, 2, 4, 16, 64)]
    assert waits == sorted(waits, reverse=True)
    assert waits[-1] < 0.1


def test_replicas_carry_the_load_with_room() -> None:
    # 1000 a second over 150 each: seven would be 95 % busy, above 90 %: eight
    assert replicas_for(1000, 150, 0.01, limit_p95_s=None, most=100) == 8
    assert MOST_BUSY > 1000 / (8 * 150)


def test_no_number_of_replicas_makes_one_item_faster() -> None:
    assert replicas_for(1, 10, 0.5, limit_p95_s=0.4, most=1000) is None
