"""Triton's TensorRT-LLM backend serves as trtllm-serve does, by documented keys (sizing/data/triton_options.json)."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

import sizing
from sizing.recipes import recipes
from tests.sizing.test_recipes import REQUEST, option

SCHEMA: dict[str, Any] = json.loads(
    (Path(sizing.__file__).parent / "data" / "triton_options.json").read_text(encoding="utf-8")
)
SETTINGS = "tensorrt_llm/1/model.yaml"


def problems(content: dict[str, Any]) -> list[str]:
    """Keys and values of model.yaml that the documented ones do not explain."""
    found = [key for key in content if key not in SCHEMA["model.yaml"]]
    for part, keys in SCHEMA["parts"].items():
        found += [f"{part}.{key}" for key in content.get(part, {}) if key not in keys]
    if content["backend"] not in SCHEMA["choices"]["backend"]:
        found.append("backend")
    drafts = content.get("speculative_config", {}).get("decoding_type")
    return found if drafts in (None, *SCHEMA["choices"]["decoding_type"]) else [*found, "decoding_type"]


def test_the_settings_of_trtllm_serve_stand_in_the_model_file() -> None:
    served = option(engine="tensorrt-llm", engine_version="1.2.1")
    own, behind = recipes(served, REQUEST, context_tokens=8192)
    content = yaml.safe_load(behind.files[SETTINGS])
    assert (own.engine, behind.engine, behind.engine_version) == ("tensorrt-llm", "triton", "26.07")
    assert (content["tensor_parallel_size"], content["max_seq_len"], content["max_batch_size"]) == (4, 8192, 1024)
    assert content["kv_cache_config"]["dtype"] == "fp8"
    assert content["triton_config"] == {"max_batch_size": 0, "decoupled": True}
    assert "nvcr.io/nvidia/tritonserver:26.07-trtllm-python-py3" in behind.compose
    assert behind.notes[0].code == "recipe_triton_same"
    shell, flag, steps = shlex.split(behind.command.replace("\\\n", " "))
    assert (shell, flag) == ("sh", "-c")
    assert "--branch v1.2.1 " in steps
    assert steps.endswith("tritonserver --model-repository=/tmp/tensorrt-llm/triton_backend/all_models/llmapi")
    deployment, service, config_map = yaml.safe_load_all(behind.kubernetes)
    container = deployment["spec"]["template"]["spec"]["containers"][0]
    assert container["command"] == [shell, flag, steps]
    assert yaml.safe_load(config_map["data"]["tensorrt_llm__1__model.yaml"]) == content
    assert [port["port"] for port in service["spec"]["ports"]] == [8000, 8001, 8002]


@pytest.mark.parametrize("method", ["mtp", "ngram", "draft_model"])
def test_every_key_is_documented(method: str) -> None:
    pinned = {"speculative": {"draft_tokens": 3, "method": method}, "lora": {"adapters": 2, "rank": 16}}
    split = {"tensor": 1, "pipeline": 2, "expert": 8, "data": 8}
    served = option(engine="tensorrt-llm", engine_version="1.2.1", parallelism=split)
    behind = recipes(served, REQUEST | {"deployment": pinned}, context_tokens=8192)[1]
    content = yaml.safe_load(behind.files[SETTINGS])
    assert problems(content) == []
    assert content["enable_attention_dp"] is True
    assert problems(content | {"max_sequence": 1, "backend": "jax"}) == ["max_sequence", "backend"]


@pytest.mark.parametrize(
    ("assumed", "release", "note"),
    [
        ("26.03", "26.03", "recipe_triton_named"),
        ("26.08", "26.07", "recipe_triton_other"),  # the matrix lists no TensorRT-LLM for it
        ("", "26.07", "recipe_triton_other"),
    ],
)
def test_an_option_on_triton_itself_has_this_recipe_alone(assumed: str, release: str, note: str) -> None:
    (made,) = recipes(option(engine="triton", engine_version=assumed), REQUEST, context_tokens=8192)
    assert (made.engine_version, made.notes[0].code) == (release, note)


def test_replicas_over_servers_and_phases_apart_have_none() -> None:
    over = option(engine="triton", replicas=1, servers=2)
    apart = option(engine="triton") | {"phases": {"prefill_instances": 1, "decode_instances": 2}}
    assert [recipes(each, REQUEST, context_tokens=8192) for each in (over, apart)] == [[], []]


def test_a_hostile_model_name_stays_one_value() -> None:
    name = 'x"; rm -rf / #\n- a: b'
    request = REQUEST | {"model": {"name": name, "id": None}}
    behind = recipes(option(engine="tensorrt-llm"), request, context_tokens=8192)[1]
    assert yaml.safe_load(behind.files[SETTINGS])["model"] == name
    assert name not in behind.command
