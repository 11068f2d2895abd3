"""Plans use only options that the tools document (data/benchmark_options.json); Triton's files only its fields."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import sizing
from sizing.benchmark_plan import benchmark_plan, quality_check
from sizing.kinds.benchmark_plan import kind_plan
from sizing.kinds.recipes import build, kind_recipes
from sizing.recipes import recipes
from tests.sizing.kinds.test_recipes import VISION
from tests.sizing.kinds.test_recipes import option as vision
from tests.sizing.test_recipes import REQUEST, option

SCHEMA: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(sizing.__file__).parent / "data" / "benchmark_options.json").read_text(encoding="utf-8")
)
MESSAGES: dict[str, frozenset[str]] = {
    "": frozenset({"name", "platform", "backend", "runtime", "version_policy", "max_batch_size", "input", "output",
                   "batch_input", "batch_output", "optimization", "dynamic_batching", "sequence_batching",
                   "ensemble_scheduling", "instance_group", "default_model_filename", "cc_model_filenames",
                   "metric_tags", "parameters", "model_warmup", "model_operations", "model_transaction_policy",
                   "model_repository_agents", "response_cache", "model_metrics"}),
    "dynamic_batching": frozenset({"preferred_batch_size", "max_queue_delay_microseconds", "preserve_ordering",
                                   "priority_levels", "default_priority_level", "default_queue_policy",
                                   "priority_queue_policy"}),
    "instance_group": frozenset({"name", "kind", "count", "rate_limiter", "gpus", "secondary_devices", "profile",
                                 "passive", "host_policy"}),
}  # fmt: skip
"""Fields of ModelConfig, ModelDynamicBatching and ModelInstanceGroup.

Source: github.com/triton-inference-server/common, protobuf/model_config.proto at 08365eae.
"""
KINDS = {"KIND_AUTO", "KIND_GPU", "KIND_CPU", "KIND_MODEL"}


def config_problems(text: str) -> list[str]:
    """Fields that their message lacks, kinds that do not exist, brackets that do not close; protobuf text format."""
    found: list[str] = []
    open_: list[tuple[str, str]] = []
    tokens = re.findall(r'"[^"]*"|[\w.]+|[{}\[\]:,]', text)
    for position, token in enumerate(tokens):
        following = tokens[position + 1] if position + 1 < len(tokens) else ""
        message = open_[-1][1] if open_ else ""
        if re.fullmatch(r"[a-z_]\w*", token) and following in (":", "{", "["):
            found += [] if token in MESSAGES[message] else [f"{message}.{token}"]
        elif token.startswith("KIND_"):
            found += [] if token in KINDS else [token]
        elif token in "{[":
            before = tokens[position - 1] if position else ""
            named = before if before in MESSAGES else message
            open_.append(({"{": "}", "[": "]"}[token], named))
        elif token in "}]":
            found += [] if open_ and open_.pop()[0] == token else [f"unexpected {token}"]
    return found + [f"missing {closing}" for closing, _ in open_]


def unknown(tool: str, command: str) -> list[str]:
    """Options of a command that no version of the tool documents under that name."""
    words = shlex.split(command.replace("\\\n", " "))
    named_so = [each for each in SCHEMA[tool] if words[: len(each["command"])] == each["command"]]
    assert named_so, words[:3]
    return min((_unknown(schema, words) for schema in named_so), key=len)


def _unknown(schema: dict[str, Any], words: list[str]) -> list[str]:
    rest = words[len(schema["command"]) :]
    named = [word.partition("=")[0] for word in rest if re.match(r"--?[a-zA-Z]", word)]
    return [name for name in named if name not in schema["options"]]


CLIENTS = {"vllm bench serve", "guidellm", "aiperf"}


@pytest.mark.parametrize("traffic", [{}, {"requests_per_s": 4.0, "burstiness": 1.5}])
@pytest.mark.parametrize(
    ("engine", "version", "tools"),
    [
        ("vllm", "0.33.0", CLIENTS),
        ("sglang", "0.5.10", CLIENTS | {"sglang.bench_serving"}),
        ("sglang", "0.5.23", CLIENTS | {"sglang.bench_serving"}),
        ("tensorrt-llm", "1.2.1", CLIENTS),
        ("llama-cpp", "", {"llama-bench"}),
    ],
)
def test_clients_of_language_models_get_documented_options(
    engine: str, version: str, tools: set[str], traffic: dict[str, float]
) -> None:
    stated: Any = REQUEST["traffic"]
    request = {**REQUEST, "traffic": {**stated, **traffic}}
    steps = benchmark_plan(option(engine=engine, engine_version=version), request)
    assert {step.tool for step in steps} == tools
    assert [unknown(step.tool, step.command) for step in steps] == [[] for _ in steps]


def test_the_evaluation_of_quality_gets_documented_options() -> None:
    step = quality_check(REQUEST)
    assert unknown(step.tool, step.command) == []


def test_every_list_of_a_tool_names_its_source_and_the_day_it_was_read() -> None:
    assert all(each["source"] and each["read"] and each["options"] for lists in SCHEMA.values() for each in lists)


def test_trtexec_and_perf_analyzer_get_documented_options() -> None:
    steps = [step for step in kind_plan(vision(), VISION) if step.tool in SCHEMA]
    assert {step.tool for step in steps} == {"trtexec", "perf_analyzer"}
    assert [unknown(step.tool, step.command) for step in steps] == [[] for _ in steps]
    assert unknown("trtexec", build(vision(), VISION)) == []


def test_triton_config_files_hold_only_known_fields() -> None:
    (made,) = kind_recipes(vision(), VISION)
    (config,) = (text for path, text in made.files.items() if path.endswith("config.pbtxt"))
    behind = recipes(option(), REQUEST, context_tokens=8192)[1].files
    configs = [config, *(text for path, text in behind.items() if path.endswith("config.pbtxt"))]
    assert [config_problems(text) for text in configs] == [[], []]
    assert config_problems('dynamic_batching { max_delay: 1 } instance_group [ { kind: KIND_NPU } ') == [
        "dynamic_batching.max_delay", "KIND_NPU", "missing ]"
    ]  # fmt: skip


def test_the_check_notices_an_option_that_the_tool_lacks() -> None:
    assert unknown("trtexec", "trtexec --loadEngine=a --useCudaGraphs") == ["--useCudaGraphs"]
