"""The model page: every way to give a model, the drawing, the chart and its table, formulas with numbers."""

import json
import re
import struct
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation
from gguf import LlamaFileType

from catalog.seed.report import SeedReport
from sizing import available, hub
from sizing.core.errors import InvalidModel
from sizing.core.model.features import model_features
from sizing.core.model.parse import parse_config
from sizing.core.model.typed_shape import config_of_shape, parse_shape
from sizing.core.precision import FP8
from sizing.inputs import asked
from sizing.model_drawing import drawing, ranges
from sizing.model_facts import facts_of_config
from sizing.model_page import Wanted, model_page
from sizing.model_source import GivenFile, described_by_files
from sizing.requests import read_request
from tests.sizing.core.model.cases import config
from tests.sizing.test_model_files import write_gguf

LLAMA, GEMMA, NEXT = "meta-llama/Llama-3.1-8B-Instruct", "google/gemma-3-27b-it", "Qwen/Qwen3-Next-80B-A3B-Instruct"
SEVENTY = "meta-llama/Llama-3.1-70B-Instruct"
H100 = "nvidia-h100-sxm5-80gb"


def model(model_id: str) -> Any:
    return parse_config(config(model_id), name=model_id)


def safetensors_bytes(size: int) -> bytes:
    header = json.dumps({"a": {"dtype": "BF16", "shape": [size // 2], "data_offsets": [0, size]}}).encode()
    return struct.pack("<Q", len(header)) + header


def given(name: str, data: bytes, size: int | None = None) -> GivenFile:
    return GivenFile(name, BytesIO(data), size)


def test_the_page_of_a_catalogue_model_shows_formulas_with_numbers(client: Client, seeded: SeedReport) -> None:
    page = client.get(reverse("sizing:model"), {"id": SEVENTY, "weights_format": "fp8", "accelerator": H100})
    text = page.content.decode()
    assert page.status_code == 200
    assert "2 × NVIDIA H100 SXM5 80GB" in text
    assert "figure-model-memory" in text
    for part in (
        "Usable memory",
        "Weights",
        "Sampler",
        "Collective buffers",
        "Pool of the KV cache",
        "Longest request",
    ):
        assert part in text
    assert "0.90 x 85.0 - " in text  # fraction x usable - weights
    assert reverse("sizing:workload") + "?model=" in text


def test_a_model_that_does_not_fit_names_every_fix(client: Client, seeded: SeedReport) -> None:
    values = {"id": SEVENTY, "weights_format": "bf16", "accelerator": H100, "tensor": "1", "engine": "vllm"}
    text = client.get(reverse("sizing:model"), values).content.decode()
    for words in ("Store the weights in", "accelerators in one replica", "instead", "host memory"):
        assert words in text


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"config_text": json.dumps(config(LLAMA))}, 200),
        ({"layers": "32", "hidden_size": "4096", "heads": "32", "kv_heads": "8", "parameters_b": "8"}, 200),
        ({"config_text": "{"}, 422),
        ({"config_text": '{"peft_type": "LORA"}'}, 422),
        ({"id": "nobody/nothing"}, 422),
        ({"id": LLAMA, "hub": "a/b"}, 422),
        ({}, 422),
        ({"id": LLAMA, "tensor": "0"}, 422),
    ],
)
def test_each_way_to_give_a_model(client: Client, seeded: SeedReport, values: dict[str, str], status: int) -> None:
    assert client.post(reverse("sizing:model"), values).status_code == status


def test_files_together_give_config_and_exact_bytes(client: Client, seeded: SeedReport) -> None:
    size = 16_060_522_496
    files = [
        SimpleUploadedFile("config.json", json.dumps(config(LLAMA)).encode()),
        SimpleUploadedFile("model.safetensors", safetensors_bytes(size)),
    ]
    page = client.post(reverse("sizing:model"), {"model_files": files, "sizes": f"1,{size + 200}"})
    assert page.status_code == 200
    assert "16.06" in page.content.decode()


def test_files_beyond_the_limit_say_that_the_header_is_enough(
    client: Client, seeded: SeedReport, settings: Any
) -> None:
    settings.UPLOAD_MAX_MB = 1
    files = [SimpleUploadedFile("a.safetensors", bytes(700_000)), SimpleUploadedFile("b.safetensors", bytes(700_000))]
    page = client.post(reverse("sizing:model"), {"model_files": files, "config_text": json.dumps(config(LLAMA))})
    assert page.status_code == 422
    assert "Only its header is read" in page.content.decode()


def test_the_hub_says_clearly_that_the_machine_is_offline(
    client: Client, seeded: SeedReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline(model_id: str, **_: Any) -> None:
        raise InvalidModel("hub_offline", "/model/id", model=model_id)

    monkeypatch.setattr("sizing.hub.hub_model", offline)
    page = client.post(reverse("sizing:model"), {"hub": "org/model", "token": "secret-token"})
    assert page.status_code == 422
    text = page.content.decode()
    assert "org/model" in text
    assert "secret-token" not in text
    assert hub.TIMEOUT_S <= 10


def test_the_chart_and_its_table_say_the_same(seeded: SeedReport) -> None:
    found = model_page(model(SEVENTY), Wanted(weights_format=FP8, accelerator=H100, tensor=2, context=8192))
    chart = found["chart"]
    first = chart.figure["data"][0]
    drawn = [f"{value:.1f}" for value in first["y"]]
    assert [row[1]["text"].replace(",", "") for row in chart.rows] == drawn
    assert len(chart.rows) == len(first["x"])
    ends = [float(row[-1]["text"].replace(",", "")) for row in chart.rows]
    assert ends == sorted(ends, reverse=True)  # longer requests never fit more often


@pytest.mark.parametrize("model_id", [LLAMA, GEMMA, NEXT, "deepseek-ai/DeepSeek-V3", "nvidia/Nemotron-H-56B-Base-8K"])
def test_the_drawing_has_a_box_for_every_layer_and_its_table_adds_up(model_id: str) -> None:
    found = drawing(model(model_id))
    layers = model(model_id).layers
    mixers = [box for box in found.boxes if box.key not in {"table", "dense", "moe"}]
    feeds = [box for box in found.boxes if box.key in {"dense", "moe"}]
    assert max(len(mixers), len(feeds)) == layers or len(mixers) + len(feeds) == layers
    assert sum(int(str(row[0]["text"]).split(":")[0]) for row in found.rows) == layers
    assert {key for key, _ in found.legend} == {box.key for box in found.boxes}
    assert all(float(box.x) + float(box.width) <= 100.001 for box in found.boxes)


def test_layers_are_named_shortly() -> None:
    assert ranges((0, 1, 2, 5)) == "1–3, 6"
    assert ranges(tuple(range(0, 40, 2))) == "1, 3, 5, …, 39"


def test_the_smallest_accelerator_is_one_that_the_software_serves(seeded: SeedReport) -> None:
    found = model_page(model(LLAMA), Wanted())
    served = found["deployment"]
    assert served is not None
    assert served.served()
    assert served.device in available.current().accelerators


def test_an_encoder_has_no_cache(client: Client, seeded: SeedReport) -> None:
    text = client.get(reverse("sizing:model"), {"id": "BAAI/bge-large-en-v1.5"}).content.decode()
    assert "An encoder keeps no cache" in text


def test_the_page_is_german_and_writes_numbers_so(client: Client, seeded: SeedReport) -> None:
    with translation.override("de"):
        page = client.get(reverse("sizing:model"), {"id": SEVENTY}, headers={"accept-language": "de"})
    text = page.content.decode()
    assert "Formel, Zahlen, Quelle" in text
    assert "Attention über alle Token" in text


def test_a_catalogue_model_leads_to_its_page(client: Client, seeded: SeedReport) -> None:
    page = client.get(reverse("catalog:model", args=[LLAMA])).content.decode()
    assert reverse("sizing:model") + "?id=" in page


def test_a_typed_shape_goes_on_to_the_workload_form(client: Client, seeded: SeedReport) -> None:
    shape = {"layers": "32", "hidden_size": "4096", "heads": "32", "kv_heads": "8", "parameters_b": "8"}
    page = client.post(reverse("sizing:model"), shape).content.decode()
    found = re.search(r'href="([^"]+[?]config=[^"]+)"', page)
    assert found is not None
    form = client.get(found[1].replace("&amp;", "&")).content.decode()
    assert "&quot;num_hidden_layers&quot;" in form
    typed = parse_shape({"layers": 32, "hidden_size": 4096, "heads": 32, "kv_heads": 8, "parameters": 8 * 10**9})
    config_ = config_of_shape({"layers": 32, "hidden_size": 4096, "heads": 32, "kv_heads": 8, "parameters": 8 * 10**9})
    assert model_features(parse_config(config_)).total_parameters == pytest.approx(typed.stated_parameters, rel=0.001)


def test_a_gguf_file_alone_is_enough(tmp_path: Path) -> None:
    data = write_gguf(tmp_path / "x.gguf").read_bytes()
    found = described_by_files([given("x.gguf", data[: len(data) - 500], len(data))])
    assert found.config["model_type"] == "qwen3"
    assert found.exact is not None
    assert set(found.exact.by_format) == {"F16", "Q4_0"}
    assert facts_of_config(found.config, exact=found.exact)["weights_format"] == "fp16"  # most of its bytes


def test_a_packed_gguf_file_is_served_by_llama_cpp(client: Client, seeded: SeedReport, tmp_path: Path) -> None:
    data = write_gguf(tmp_path / "x.gguf", file_type=LlamaFileType.MOSTLY_Q4_K_M).read_bytes()
    config_ = described_by_files([given("x.gguf", data, len(data))]).config
    values = {"config_text": json.dumps(config_), "engine": "llama-cpp"}
    text = client.post(reverse("sizing:model"), values).content.decode()
    assert "(gguf_q4_k_m)" in text
    assert "No source says" not in text
    stated = {"kind": "llm_serving", "model": {"config": config_},
              "traffic": {"input_tokens": 100, "output_tokens": 100, "concurrent_requests": 1}}  # fmt: skip
    found = asked(read_request(stated, today=date(2026, 12, 1)))
    assert available.core_catalogue(None, weights=found.core.weights[0].slug).engines[0].slug == "llama-cpp"


def test_headers_count_before_an_index_and_need_a_config() -> None:
    index = json.dumps({"metadata": {"total_size": 5}, "weight_map": {"a": "1", "b": "2"}}).encode()
    text = json.dumps(config(LLAMA)).encode()
    found = described_by_files([given("config.json", text), given("index.json", index)])
    assert found.exact is not None
    assert (found.exact.kind, found.exact.total_bytes, found.exact.files) == ("index", 5, 2)
    shard = given("model.safetensors", safetensors_bytes(64))
    both = described_by_files([given("config.json", text), given("index.json", index), shard])
    assert both.exact is not None
    assert (both.exact.kind, both.exact.total_bytes) == ("safetensors", 64)
    with pytest.raises(InvalidModel) as raised:
        described_by_files([given("model.safetensors", safetensors_bytes(64))])
    assert raised.value.code == "model_config_missing"


def test_a_huge_config_is_refused_unread() -> None:
    class Unread(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 <= size <= 8
            return super().read(size)

    with pytest.raises(InvalidModel) as raised:
        described_by_files([GivenFile("config.json", Unread(b"{" + b" " * 100), 10**9)])
    assert raised.value.code == "model_file_too_large"


def test_the_api_reads_files_and_explains_its_figures(client: Client, seeded: SeedReport, tmp_path: Path) -> None:
    data = write_gguf(tmp_path / "x.gguf").read_bytes()
    answer = client.post("/api/v1/model-facts", {"config": SimpleUploadedFile("x.gguf", data)}).json()
    assert answer["weight_files"]["kind"] == "gguf"
    assert {entry["field"] for entry in answer["explained"]} == {"weight_bytes", "kv_bytes_per_token"}
    assert all(entry["formula"] and entry["numbers"] and entry["source"] for entry in answer["explained"])
