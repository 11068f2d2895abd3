"""Exact bytes of weight files in a sizing run: request, answer, command, and from the model page to the form."""

import html
import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from catalog.seed.report import SeedReport
from sizing.core.errors import InvalidModel
from sizing.core.model.features import weight_bytes
from sizing.core.model.parse import parse_config
from sizing.core.model.weight_files import ExactBytes, exact_weights, served_bytes
from sizing.inputs import asked
from sizing.messages import localised
from sizing.models import SizingRun
from sizing.pipeline import answer
from sizing.requests import RequestProblem, read_request
from tests.sizing.core.model.cases import config
from tests.sizing.test_model_page import safetensors_bytes

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"
EXACT = 17_000_000_000  # more than the 16.06 GB that the config gives, so that a difference shows
FILES = {"kind": "safetensors", "bytes": EXACT, "files": 4, "source": "model-00001-of-00004.safetensors"}


def request(files: dict[str, Any] | None, **other: Any) -> dict[str, Any]:
    return {
        "kind": "llm_serving",
        "model": {"id": LLAMA, "weight_files": files},
        "traffic": {"input_tokens": 1000, "output_tokens": 200, "concurrent_requests": 8},
        "deployment": {"accelerator": "nvidia-h100-sxm5-80gb", "count": 1, "engine": "vllm"},
        **other,
    }


def stated(files: dict[str, Any] | None, **other: Any) -> dict[str, Any]:
    return read_request(request(files, **other), today=date(2026, 12, 1))


def test_a_run_counts_the_bytes_of_the_files_and_says_so(seeded: SeedReport) -> None:
    result = localised(answer(stated(FILES)))
    plain = localised(answer(stated(None)))
    memory = result["options"][0]["memory_per_accelerator"]
    assert EXACT <= memory["weight_bytes"] < EXACT * 1.01
    assert plain["options"][0]["memory_per_accelerator"]["weight_bytes"] < 16.2e9
    said = next(entry for entry in result["assumptions"] if entry["field"] == "model.weight_files")
    assert "17" in said["reason"]
    assert FILES["source"] in said["reason"]
    figure = next(each for each in result["options"][0]["memory_figures"] if each["name"] == "weights")
    assert figure["source"] == FILES["source"]


def test_files_do_not_count_where_another_format_is_served(seeded: SeedReport) -> None:
    found = asked(stated(FILES, weights_format="fp8"))
    assert found.core.weights[0].weights.total_bytes < 10e9
    assert "assumed_files_converted" in {entry.message.code for entry in found.assumptions}


def test_files_of_32_bits_count_as_they_are_loaded(seeded: SeedReport) -> None:
    wide = {"kind": "safetensors", "bytes": 32_000_000_000, "bytes_by_format": {"F32": 31_000_000_000, "BF16": 10**9}}
    found = asked(stated(wide))
    assert found.core.weights[0].weights.total_bytes == 16_500_000_000
    assert "assumed_files_narrowed" in {entry.message.code for entry in found.assumptions}
    as_stored = asked(stated(wide, weights_format="fp32"))
    assert as_stored.core.weights[0].weights.total_bytes == pytest.approx(32.1e9, rel=0.01)


def test_an_index_of_a_32_bit_model_counts_as_it_is_loaded() -> None:
    model = parse_config(config(LLAMA) | {"torch_dtype": "float32"})
    index = ExactBytes(kind="index", total_bytes=32_121_044_992)
    assert served_bytes(model, index) == 16_060_522_496
    assert served_bytes(model, replace(index, kind="gguf")) == index.total_bytes
    assert exact_weights(model, weight_bytes(model, None), index).total_bytes == 16_060_522_496


def test_the_model_of_a_run_shows_the_bytes_of_its_files(client: Client, seeded: SeedReport) -> None:
    client.post("/api/v1/sizing-runs", request(FILES), content_type="application/json")
    run = SizingRun.objects.latest("pk")
    page = client.get(reverse("sizing:run-model", args=[run.secret])).content.decode()
    assert "17.00\xa0GB" in page
    assert "safetensors, 4 file(s)" in page


def test_files_of_a_part_of_the_model_are_refused(seeded: SeedReport) -> None:
    with pytest.raises(InvalidModel) as caught:
        asked(stated({"kind": "safetensors", "bytes": 4_000_000_000}))
    assert caught.value.code == "weight_files_incomplete"


@pytest.mark.parametrize(
    ("files", "pointer"),
    [
        ({"kind": "zip", "bytes": 5}, "/model/weight_files/kind"),
        ({"kind": "gguf"}, "/model/weight_files/bytes"),
        ({"kind": "gguf", "bytes": 0}, "/model/weight_files/bytes"),
        ({"kind": "gguf", "bytes": 10**17}, "/model/weight_files/bytes"),
        ({"kind": "gguf", "bytes": 10, "bytes_by_format": {"Q4_K": 9}}, "/model/weight_files/bytes_by_format"),
        ({"kind": "gguf", "bytes": 10, "tensors": 3}, "/model/weight_files/tensors"),
    ],
)
def test_wrong_weight_files_are_named(files: dict[str, Any], pointer: str) -> None:
    with pytest.raises(RequestProblem) as caught:
        stated(files)
    assert pointer in {error.pointer for error in caught.value.errors}


def test_the_command_reads_headers_beside_the_request(
    seeded: SeedReport, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights, asks = tmp_path / "model.safetensors", tmp_path / "request.json"
    weights.write_bytes(safetensors_bytes(EXACT))
    with weights.open("r+b") as stream:
        stream.truncate(EXACT + 1000)  # sparse: only the header takes room
    asks.write_text(json.dumps(request(None)))
    call_command("size", str(asks), weight_files=[str(weights)])
    result = json.loads(capsys.readouterr().out)
    assert result["options"][0]["memory_per_accelerator"]["weight_bytes"] >= EXACT


def test_what_the_facts_answer_is_what_a_request_takes(client: Client, seeded: SeedReport) -> None:
    files = {
        "config": SimpleUploadedFile("config.json", json.dumps(config(LLAMA)).encode()),
        "weights": [SimpleUploadedFile("model.safetensors", safetensors_bytes(EXACT))],
    }
    facts = client.post("/api/v1/model-facts", files).json()
    assert asked(stated(facts["weight_files"])).core.weights[0].weights.total_bytes == EXACT


def test_the_model_page_hands_files_over_to_the_form(client: Client, seeded: SeedReport) -> None:
    kept = client.post(reverse("sizing:workload"), {"name": "kept name", "users": "77", "look": "1"})
    draft = kept["Location"].rpartition("draft=")[2]
    files = [
        SimpleUploadedFile("config.json", json.dumps(config(LLAMA)).encode()),
        SimpleUploadedFile("model.safetensors", safetensors_bytes(EXACT)),
    ]
    values = {"model_files": files, "sizes": f"1,{EXACT + 200}", "draft": draft}
    page = client.post(kept["Location"], values).content.decode()
    link = next(found for found in re.findall(r'href="([^"]*)"', page) if "weight_files=" in found)
    form = client.get(html.unescape(link)).content.decode()
    assert "17.00\xa0GB" in form
    assert "kept name" in form
    assert 'value="77"' in form
    box = re.search(r'name="weight_files" value="([^"]*)"', form)
    assert box is not None
    assert json.loads(html.unescape(box[1]))["bytes"] == EXACT
