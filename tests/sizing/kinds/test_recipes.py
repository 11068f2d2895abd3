"""Recipes and plans of kinds without tokens state what the figures of an option assume."""

import shlex
from typing import Any

import pytest
import yaml

from sizing.kinds.benchmark_plan import kind_plan, per_s
from sizing.kinds.recipes import kind_recipes

VISION = {"kind": "vision", "model": {"id": "ResNet-50"}, "vision": {"width": 640, "height": 480, "streams": 40}}
EMBEDDING = {"kind": "embedding", "model": {"id": "BAAI/bge-large-en-v1.5"}, "embedding": {"tokens_per_document": 512}}


def option(**changes: Any) -> dict[str, Any]:
    return {
        "accelerator": "nvidia-l4",
        "engine": "tensorrt",
        "engine_version": "11.4.0",
        "replicas": 2,
        "servers": 1,
        "accelerators_per_replica": 1,
        "weights_format": "fp16",
        "engine_settings": {"max_sequences": 32},
        "performance": {
            "images_per_s_per_replica": {"value": 1600.0, "low": 1200.0, "high": 2000.0, "unit": "images/s"},
            "device_ms": {"value": 20.0, "unit": "ms"},
            "batch": 32,
            "batching": [{"batch": 1, "delay_s": 0.0, "chosen": False}, {"batch": 8, "delay_s": 0.002, "chosen": True}],
        },
    } | changes


def words(command: str) -> list[str]:
    return shlex.split(command.replace("\\\n", " "))


def test_triton_batches_as_the_figures_assume() -> None:
    (made,) = kind_recipes(option(), VISION)
    config = made.files["resnet-50/config.pbtxt"]
    assert made.engine == "triton"
    assert 'backend: "tensorrt"' in config
    assert "max_batch_size: 32" in config
    assert "max_queue_delay_microseconds: 2000" in config  # what fills the batch that carries the load
    assert "KIND_GPU" in config
    assert "--maxShapes=${INPUT:-input}:32x3x480x640" in words(made.prepare)
    assert "--fp16" in words(made.prepare)
    assert "nvcr.io/nvidia/tritonserver:26.08-py3" in made.compose
    assert [note.code for note in made.notes] == ["recipe_triton_newest"]
    services = yaml.safe_load(made.compose)["services"]
    assert services["replica-1"]["ports"] == ["8003:8000", "8004:8001", "8005:8002"]


@pytest.mark.parametrize(
    ("engine", "accelerator", "request_", "expected"),
    [
        ("onnxruntime", "amd-epyc-9965", VISION, "KIND_CPU"),
        ("onnxruntime", "amd-mi300x", VISION, "KIND_GPU"),
    ],
)
def test_onnx_files_run_where_the_option_runs(engine: str, accelerator: str, request_: Any, expected: str) -> None:
    (made,) = kind_recipes(option(engine=engine, accelerator=accelerator), request_)
    assert expected in made.files["resnet-50/config.pbtxt"]
    assert "trtexec" not in made.prepare


def test_openvino_has_a_server_of_its_own() -> None:
    (made,) = kind_recipes(option(engine="openvino", accelerator="intel-arc-pro-b60"), EMBEDDING)
    assert words(made.command)[0] == "/ovms/bin/ovms"
    assert words(made.command)[words(made.command).index("--target_device") + 1] == "GPU"
    assert "./models:/models:ro" in yaml.safe_load(made.compose)["services"]["replica-0"]["volumes"]


def test_vllm_embeds_by_itself() -> None:
    (made,) = kind_recipes(option(engine="vllm", engine_version="0.12.0"), EMBEDDING)
    assert words(made.command)[:3] == ["vllm", "serve", "BAAI/bge-large-en-v1.5"]
    assert words(made.command)[-2:] == ["--runner", "pooling"]
    assert {step.tool for step in kind_plan(option(engine="vllm"), EMBEDDING)} == {"vllm bench serve", "MLPerf loadgen"}


def test_a_pipeline_of_several_networks_has_no_recipe() -> None:
    assert kind_recipes(option(), {"kind": "image", "model": {"id": "x"}, "image": {}}) == []


def test_the_plan_sweeps_batches_and_writes_what_the_load_generator_reads() -> None:
    plan = kind_plan(option(), VISION)
    assert [step.concurrency for step in plan if step.tool == "trtexec"] == [1, 16, 32]
    assert "--shapes=${INPUT:-input}:16x3x480x640" in words(plan[1].command)
    settings, offline, server = [step.command for step in plan if step.tool == "MLPerf loadgen"]
    assert "*.Offline.target_qps = 1600" in settings
    assert "*.Server.target_latency = 40" in settings  # twice the batch's 20 ms
    assert "--model=resnet50" in words(offline)
    assert "--scenario=Server" in words(server)


def test_a_rate_by_the_hour_is_planned_by_the_second() -> None:
    estimate = {"items_per_hour_per_replica": {"value": 7200.0, "unit": "items/h"}}
    assert per_s(option(performance=estimate)) == 2.0
    assert per_s(option(performance={"batch": 1})) is None
