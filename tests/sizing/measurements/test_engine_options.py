"""Recipes use only options that the engines document, version by version (sizing/data/engine_options.json)."""

import json
import shlex
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import sizing
from tests.sizing.test_recipes import REQUEST, option, recipe

SCHEMA: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(sizing.__file__).parent / "data" / "engine_options.json").read_text(encoding="utf-8")
)
CASES = [(engine, schema["version"]) for engine, schemas in SCHEMA.items() for schema in schemas]
SPLITS = (
    {"tensor": 4, "pipeline": 1, "expert": 1, "data": 1},
    {"tensor": 4, "pipeline": 2, "expert": 1, "data": 1},
    {"tensor": 1, "pipeline": 1, "expert": 8, "data": 8},
)


def problems(schema: dict[str, Any], command: str) -> list[str]:
    """Words of a command line that the documented options do not explain."""
    words = shlex.split(command.replace("\\\n", " "))
    found = [f"starts with {words[:3]}"] if words[: len(schema["command"])] != schema["command"] else []
    rest, bare = words[len(schema["command"]) :], 0
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            bare += 1
            continue
        if word not in schema["options"]:
            found.append(word)
        value = rest.pop(0) if rest and not rest[0].startswith("--") else ""
        allowed = schema["choices"].get(word)
        if allowed and value not in allowed:
            found.append(f"{word} {value}")
    return found if bare == schema["positional"] else [*found, f"{bare} bare words"]


@pytest.mark.parametrize(("engine", "version"), CASES)
def test_every_option_of_a_recipe_is_documented(engine: str, version: str) -> None:
    schema = next(each for each in SCHEMA[engine] if each["version"] == version)
    for split, kv_format, weights, caching in product(SPLITS, ("fp8", "bf16"), ("fp8", "bf16"), (True, False)):
        settings = option()["engine_settings"] | {"prefix_caching": caching}
        made = recipe(
            option(
                engine=engine,
                engine_version=version,
                parallelism=split,
                kv_format=kv_format,
                weights_format=weights,
                engine_settings=settings,
            ),
            REQUEST,
            context_tokens=8192,
        )
        assert made is not None
        assert problems(schema, made.command) == []


@pytest.mark.parametrize(("engine", "version"), CASES)
@pytest.mark.parametrize("method", ["mtp", "ngram", "draft_model"])
def test_drafts_adapters_and_phases_use_documented_options(engine: str, version: str, method: str) -> None:
    schema = next(each for each in SCHEMA[engine] if each["version"] == version)
    pinned = {"speculative": {"draft_tokens": 3, "method": method}, "lora": {"adapters": 2, "rank": 16}}
    served = option(engine=engine, engine_version=version)
    made = recipe(served, REQUEST | {"deployment": pinned}, context_tokens=8192)
    phases = {"prefill_instances": 1, "decode_instances": 2}
    apart = recipe(served | {"phases": phases}, REQUEST, context_tokens=8192)
    assert made is not None
    assert apart is not None
    commands = [made.command, *(part for part in apart.command.split("# ") if part)]
    assert [problems(schema, command.split(": 1\n")[-1].split(": 2\n")[-1]) for command in commands] == [
        [] for _ in commands
    ]


def test_the_check_notices_an_option_that_no_version_has() -> None:
    schema = SCHEMA["vllm"][0]
    assert problems(schema, "vllm serve m --gpu-memory-utilisation 0.9") == ["--gpu-memory-utilisation"]
    assert problems(schema, "vllm serve m --kv-cache-dtype fp3") == ["--kv-cache-dtype fp3"]
    assert problems(schema, "vllm serve --port 8000") == ["0 bare words"]


def test_every_list_names_its_source_and_the_day_it_was_read() -> None:
    assert {engine for engine, schemas in SCHEMA.items() if all(s["source"] and s["read"] for s in schemas)} == {
        *("vllm", "sglang", "tensorrt-llm", "llama-cpp", "openvino")
    }
