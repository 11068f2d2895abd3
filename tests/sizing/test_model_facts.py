"""`manage.py model_facts`: the contract's object on stdout, a problem document on stderr; no database."""

import json
import os
import string
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import translation

from sizing.core.errors import InvalidModel
from sizing.messages_model import WORDS
from sizing.model_facts import MAX_CONFIG_BYTES, read_config
from tests.sizing.core.model.cases import MODELS, config

ROOT = MODELS.parents[2]
CONTRACT = {
    "architecture",
    "parameters_total",
    "parameters_active",
    "weight_bytes",
    "kv_bytes_per_token",
    "kv_bytes_per_token_window_ignored",
    "sliding_window",
    "sliding_layers",
    "full_attention_layers",
    "state_bytes_per_sequence",
    "matmul_flops_per_token",
    "max_context_tokens",
    "kv_formula",
    "filled_defaults",
    "warnings",
}
GPT_OSS = str(MODELS / "configs" / "openai__gpt-oss-120b.json")


def run(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    call_command("model_facts", *args)
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    with pytest.raises(SystemExit) as caught:
        call_command("model_facts", *args)
    assert caught.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    document: dict[str, Any] = json.loads(captured.err)
    return document


def test_every_field_of_the_contract_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    facts = run(capsys, GPT_OSS)
    assert facts.keys() >= CONTRACT
    assert facts["kv_bytes_per_token"] == 36_864
    assert facts["kv_bytes_per_token_window_ignored"] == 73_728
    assert facts["weight_bytes"] == pytest.approx(65_190_340_224, rel=1e-3)
    assert (facts["sliding_layers"], facts["full_attention_layers"], facts["sliding_window"]) == (18, 18, 128)


def test_formats_change_bytes_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    plain = run(capsys, GPT_OSS)
    changed = run(capsys, GPT_OSS, "--weights-format", "bf16", "--kv-format", "fp8")
    assert changed["kv_bytes_per_token"] == 18_432
    assert changed["weight_bytes"] == 2 * changed["parameters_total"]
    assert changed["parameters_total"] == plain["parameters_total"]
    long_name = run(capsys, GPT_OSS, "--weights-format", "int4_awq_g128")
    assert long_name["weight_bytes"] < changed["weight_bytes"]


def test_a_wrong_file_gets_a_problem_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "adapter_config.json"
    path.write_text(json.dumps({"peft_type": "LORA", "base_model_name_or_path": "org/base"}))
    document = refused(capsys, str(path))
    assert document["code"] == "model_file_is_adapter"
    assert document["errors"][0]["pointer"] == "/peft_type"
    assert "org/base" in document["detail"]
    assert {"type", "title", "status", "detail"} <= document.keys()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"[1, 2", "model_file_not_json"),
        (b"\xff\xfe\x00\x01", "model_file_not_text"),
        (b"[" * 200_000, "model_file_nested"),
        (b"[1]", "model_not_an_object"),
        (b'{"hidden_size": 1' + b"0" * 5000 + b"}", "model_file_not_json"),
    ],
)
def test_what_is_no_json_object_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, code: str
) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(data)
    assert refused(capsys, str(path))["code"] == code


def test_a_gigabyte_is_refused_unread(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.json"
    with path.open("wb") as stream:
        stream.truncate(10**9)  # a sparse file: reading it would take memory, its size does not
    document = refused(capsys, str(path))
    assert document["code"] == "model_file_too_large"
    assert "1,000.0" in document["detail"] or "1,000" in document["detail"]


def test_missing_files_and_unknown_formats_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "/nowhere/config.json")["code"] == "model_file_unreadable"
    document = refused(capsys, GPT_OSS, "--kv-format", "fp9")
    assert (document["code"], document["errors"][0]["pointer"]) == ("model_format_unknown", "/kv_format")


def test_a_byte_order_mark_and_bare_infinity_are_read() -> None:
    assert read_config(b'\xef\xbb\xbf{"a": Infinity}', file="x")["a"] == float("inf")
    with pytest.raises(InvalidModel):
        read_config(b" " * (MAX_CONFIG_BYTES + 1), file="x")


def test_defaults_and_warnings_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config("google/gemma-3-4b-it")))
    facts = run(capsys, str(path))
    assert {"field": "num_attention_heads", "value": 8, "reason": "class_default"} in facts["filled_defaults"]
    path.write_text(json.dumps(config("HuggingFaceTB/SmolLM3-3B")))
    facts = run(capsys, str(path))
    assert facts["max_context_tokens"] is None
    assert [warning["code"] for warning in facts["warnings"]] == ["model_context_unknown"]
    assert facts["warnings"][0]["reason"].startswith("The file does not state the context length")


def test_no_database_is_needed() -> None:
    environment = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "DEBUG": "1"}
    done = subprocess.run(
        [sys.executable, "manage.py", "model_facts", GPT_OSS],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["architecture"] == "GptOssForCausalLM"


@pytest.mark.parametrize("code", sorted(WORDS))
def test_every_sentence_names_its_parameters_rightly(code: str) -> None:
    with translation.override("en"):
        text = str(WORDS[code])

    class Placeholders(dict[str, str]):
        def __missing__(self, key: str) -> str:
            assert set(key) <= set(string.ascii_lowercase + string.digits + "_"), key
            return "1"

    assert text % Placeholders()
    assert "%(" not in text % Placeholders()
