"""Plans use only options that the tools document (data/benchmark_options.json); Triton's files only its fields."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import sizing
from sizing.benchmark_plan import benchmark_plan
from sizing.kinds.benchmark_plan import kind_plan
from sizing.kinds.recipes import build, kind_recipes
from tests.sizing.kinds.test_recipes import VISION
from tests.sizing.kinds.test_recipes import option as vision
from tests.sizing.test_recipes import REQUEST, option

SCHEMA: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(sizing.__file__).parent / "data" / "benchmark_options.json").read_text(encoding="utf-8")
)
CONFIG_FIELDS = frozenset({
    "name", "backend", "max_batch_size", "dynamic_batching", "preferred_batch_size", "max_queue_delay_microseconds",
    "instance_group", "count", "kind",
})  # fmt: skip
"""Fields of model_config.proto (triton-inference-server/common, protobuf), as far as recipes write them."""


def unknown(tool: str, command: str) -> list[str]:
    """Options of a command that no version of the tool documents."""
    schema = SCHEMA[tool][0]
    words = shlex.split(command.replace("\\\n", " "))
    assert words[: len(schema["command"])] == schema["command"]
    named = [word.partition("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)]
    return [name for name in named if name not in schema["options"]]


@pytest.mark.parametrize("traffic", [{}, {"requests_per_s": 4.0, "burstiness": 1.5}])
def test_clients_of_language_models_get_documented_options(traffic: dict[str, float]) -> None:
    request = REQUEST | {"traffic": REQUEST["traffic"] | traffic}
    steps = [step for step in benchmark_plan(option(), request) if step.tool in SCHEMA]
    assert {step.tool for step in steps} == {"guidellm", "aiperf"}
    assert [unknown(step.tool, step.command) for step in steps] == [[] for _ in steps]


def test_trtexec_and_perf_analyzer_get_documented_options() -> None:
    steps = [step for step in kind_plan(vision(), VISION) if step.tool in SCHEMA]
    assert {step.tool for step in steps} == {"trtexec", "perf_analyzer"}
    assert [unknown(step.tool, step.command) for step in steps] == [[] for _ in steps]
    assert unknown("trtexec", build(vision(), VISION)) == []


def test_triton_config_files_hold_only_known_fields() -> None:
    (made,) = kind_recipes(vision(), VISION)
    (config,) = (text for path, text in made.files.items() if path.endswith("config.pbtxt"))
    assert set(re.findall(r"(\w+)\s*[:{\[]", re.sub(r'"[^"]*"', "", config))) <= CONFIG_FIELDS


def test_the_check_notices_an_option_that_the_tool_lacks() -> None:
    assert unknown("trtexec", "trtexec --loadEngine=a --useCudaGraphs") == ["--useCudaGraphs"]
