"""The software advisor: sixty combinations with the page that states each, and what would work instead."""

import csv
from functools import cache
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from catalog.seed.report import SeedReport
from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.values import State
from sizing.software import Cell, Compatibility
from sizing.software_advice import Combination, advise
from sizing.software_facts import NEEDS, families, file_format, needs

SHIPPED = Path(__file__).resolve().parents[2] / "catalog" / "data" / "software_compatibility.csv"

VLLM = "https://docs.vllm.ai/"
SGLANG = "sgl"
TRT_LLM = "https://github.com/NVIDIA/TensorRT-LLM/blob/main/docs/source/features/quantization.md"
OK, CAUTION, FAIL, UNKNOWN = State.OK, State.CAUTION, State.FAIL, State.UNKNOWN


def device(
    slug: str, vendor: Vendor = Vendor.NVIDIA, capability: str = "", kind: DeviceKind = DeviceKind.GPU
) -> Accelerator:
    return Accelerator(
        slug=slug, name=slug, vendor=vendor, kind=kind, memory_bytes=80, usable_memory_bytes=80,
        bandwidth_bytes_per_s=1.0, flops_per_s={}, compute_capability=capability,
    )  # fmt: skip


V100 = device("nvidia-v100-sxm2-32gb", capability="7.0")
T4 = device("nvidia-t4", capability="7.5")
A100 = device("nvidia-a100-sxm4-80gb", capability="8.0")
L4 = device("nvidia-l4", capability="8.9")
H100 = device("nvidia-h100-sxm5-80gb", capability="9.0")
B200 = device("nvidia-b200-hgx-180gb", capability="10.0")
PRO_6000 = device("nvidia-rtx-pro-6000-blackwell-se", capability="12.0")
ORIN = device("nvidia-jetson-agx-orin-64gb", capability="8.7", kind=DeviceKind.EDGE)
THOR = device("nvidia-jetson-agx-thor-t5000", capability="11.0", kind=DeviceKind.EDGE)
MI300X = device("amd-mi300x", Vendor.AMD, "gfx942")
MI355X = device("amd-mi355x", Vendor.AMD, "gfx950")
MI250X = device("amd-mi250x", Vendor.AMD, "gfx90a")
GAUDI3 = device("intel-gaudi3", Vendor.INTEL)
ARC = device("intel-arc-pro-b60", Vendor.INTEL)
XEON = device("intel-xeon-6980p", Vendor.INTEL, kind=DeviceKind.CPU)
XEON_GOLD = device("intel-xeon-gold-6530", Vendor.INTEL, kind=DeviceKind.CPU)
EPYC = device("amd-epyc-9755", Vendor.AMD, kind=DeviceKind.CPU)
ALL = (V100, T4, A100, L4, H100, B200, PRO_6000, MI300X, MI355X, GAUDI3, ARC)

CASES = [
    # vLLM: hardware table of its quantisation page, release notes for what came later
    ("vllm", A100, "awq", OK, VLLM),
    ("vllm", A100, "gptq", OK, VLLM),
    ("vllm", A100, "int8", OK, VLLM),
    ("vllm", A100, "nf4", OK, VLLM),
    ("vllm", A100, "fp8", OK, VLLM),  # weights alone, through Marlin
    ("vllm", L4, "fp8", OK, VLLM),
    ("vllm", H100, "fp8", OK, VLLM),
    ("vllm", H100, "fp8_block", OK, VLLM),
    ("vllm", H100, "mxfp4", OK, "vllm"),
    ("vllm", H100, "nvfp4", OK, "huggingface.co"),  # a published checkpoint says so
    ("vllm", B200, "nvfp4", OK, "docs.redhat.com"),
    ("vllm", T4, "awq", OK, VLLM),
    ("vllm", V100, "awq", FAIL, "vllm"),  # 7.5 is the floor of current releases
    ("vllm", V100, "bf16", FAIL, "vllm"),
    ("vllm", MI300X, "fp8", OK, VLLM),
    ("vllm", MI300X, "bf16", OK, VLLM),
    ("vllm", MI300X, "awq", FAIL, VLLM),  # AWQ is not listed for AMD
    ("vllm", MI300X, "gptq", FAIL, VLLM),
    ("vllm", MI300X, "int8", FAIL, VLLM),
    ("vllm", MI355X, "nf4", FAIL, VLLM),
    ("vllm", MI250X, "fp8", FAIL, "vllm"),
    ("vllm", ARC, "awq", OK, VLLM),
    ("vllm", ARC, "fp8", FAIL, VLLM),
    ("vllm", ARC, "gguf", FAIL, VLLM),
    ("vllm", XEON, "int8", OK, VLLM),
    ("vllm", XEON, "fp8", FAIL, VLLM),
    ("vllm", GAUDI3, "awq", OK, "vllm"),
    # SGLang
    ("sglang", V100, "fp8", FAIL, SGLANG),  # the start-up check refuses below 7.5
    ("sglang", T4, "bf16", FAIL, SGLANG),
    ("sglang", T4, "awq", OK, SGLANG),
    ("sglang", T4, "fp8", FAIL, SGLANG),
    ("sglang", A100, "nvfp4", OK, SGLANG),
    ("sglang", H100, "fp8", OK, SGLANG),
    ("sglang", MI300X, "awq", OK, SGLANG),
    ("sglang", MI300X, "gguf", FAIL, SGLANG),
    ("sglang", MI300X, "mxfp4", CAUTION, SGLANG),  # emulated on gfx942
    ("sglang", MI355X, "mxfp4", OK, SGLANG),
    ("sglang", GAUDI3, "bf16", FAIL, SGLANG),
    # TensorRT-LLM
    ("tensorrt-llm", A100, "fp8", FAIL, TRT_LLM),
    ("tensorrt-llm", A100, "nvfp4", FAIL, TRT_LLM),
    ("tensorrt-llm", L4, "fp8", OK, TRT_LLM),
    ("tensorrt-llm", L4, "fp8_block", FAIL, TRT_LLM),
    ("tensorrt-llm", H100, "awq", OK, TRT_LLM),
    ("tensorrt-llm", H100, "mxfp4", FAIL, TRT_LLM),
    ("tensorrt-llm", B200, "nvfp4", OK, TRT_LLM),
    ("tensorrt-llm", B200, "awq", FAIL, TRT_LLM),  # plan NVFP4 instead
    ("tensorrt-llm", PRO_6000, "mxfp4", OK, TRT_LLM),
    ("tensorrt-llm", PRO_6000, "fp8_block", FAIL, TRT_LLM),
    ("tensorrt-llm", MI300X, "bf16", FAIL, ""),  # made for one maker's devices
    # the others
    ("dynamo", T4, "bf16", FAIL, "dynamo"),
    ("dynamo", H100, "bf16", OK, "dynamo"),
    ("nim", MI300X, "bf16", FAIL, ""),
    ("openvino", H100, "fp16", FAIL, ""),
    ("openvino", XEON, "bf16", OK, "openvino"),
    ("openvino", XEON_GOLD, "fp16", OK, "openvino"),
    ("openvino", ARC, "fp16", OK, "openvino"),
    ("openvino", ARC, "int4", OK, "openvino"),
    ("openvino", XEON_GOLD, "int8", OK, "openvino"),
    ("openvino", GAUDI3, "bf16", FAIL, ""),  # its devices are processors, Intel GPUs and NPUs
    ("openvino", EPYC, "bf16", UNKNOWN, ""),  # processors of AMD are not named
    ("llama-cpp", EPYC, "gguf", OK, "ggml"),
    ("llama-cpp", MI300X, "gguf", OK, "ggml"),
    ("llama-cpp", A100, "awq", UNKNOWN, ""),
    ("lmdeploy", V100, "mxfp4", OK, "lmdeploy"),
    ("lmdeploy", MI300X, "awq", FAIL, "lmdeploy"),
    ("tensorrt", T4, "bf16", FAIL, "tensorrt"),
    ("tensorrt", T4, "fp16", OK, "tensorrt"),
    ("tensorrt", ORIN, "fp16", OK, "tensorrt"),
    ("tensorrt", MI300X, "fp16", FAIL, ""),
    ("onnxruntime", MI300X, "fp16", OK, "onnxruntime"),  # through MIGraphX
    ("onnxruntime", EPYC, "fp16", OK, "onnxruntime"),
    ("triton", XEON, "fp16", OK, "triton"),
    ("triton", H100, "fp8", UNKNOWN, ""),  # that of the back end
]  # fmt: skip


@cache
def shipped_table() -> Compatibility:
    with SHIPPED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return Compatibility(
        tuple(
            Cell(
                software=row["software"], version=row["version"], accelerator_class=row["accelerator_class"],
                format=row["format"], status=row["status"], date=row["date"], source=row["source_url"],
            )
            for row in rows
        )
    )  # fmt: skip


def asked(engine: str, accelerator: Accelerator, weights: str, family: str = "") -> Combination:
    return Combination(engine=engine, accelerator=accelerator, weights=weights, model_family=family)


def test_there_are_sixty_cases_and_more() -> None:
    assert len({(engine, device.slug, weights) for engine, device, weights, _, _ in CASES}) >= 60


@pytest.mark.parametrize(("engine", "accelerator", "weights", "state", "source"), CASES)
def test_a_combination_is_judged_as_its_source_says(
    engine: str, accelerator: Accelerator, weights: str, state: State, source: str
) -> None:
    found = advise(asked(engine, accelerator, weights), shipped_table(), ALL)
    assert found.verdict.state is state, found.verdict.message
    stated = str(found.verdict.message.params.get("source", ""))
    assert source.lower() in stated.lower()


def test_what_is_refused_says_what_would_work() -> None:
    found = advise(asked("vllm", MI300X, "awq"), shipped_table(), ALL)
    changes = {each.changes for each in found.alternatives}
    assert changes == {"format", "engine", "accelerator"}
    assert all(each.verdict.state in (OK, CAUTION) for each in found.alternatives)
    formats = {each.combination.weights for each in found.alternatives if each.changes == "format"}
    assert "fp8" in formats  # vLLM lists FP8 on MI300X
    engines = {each.combination.engine for each in found.alternatives if each.changes == "engine"}
    assert "sglang" in engines  # SGLang lists AWQ on MI300X
    assert "advice_not_listed" in {each.code for each in found.consequences}


def test_what_works_needs_no_alternative() -> None:
    assert advise(asked("vllm", H100, "fp8"), shipped_table(), ALL).alternatives == ()


@pytest.mark.parametrize(
    ("engine", "weights", "code"),
    [
        ("tensorrt", "fp16", "advice_ties_to_nvidia"),
        ("tensorrt", "fp16", "advice_files_tied"),
        ("nim", "bf16", "advice_licence_per_gpu"),
        ("tgi", "bf16", "advice_archived"),
        ("llama-cpp", "gguf", "advice_few_users"),
        ("vllm", "awq", "advice_weight_only"),
        ("vllm", "nvfp4", "advice_nvidia_format"),
        ("openvino", "fp16", "advice_ties_to_intel"),
    ],
)
def test_consequences_are_said(engine: str, weights: str, code: str) -> None:
    found = advise(asked(engine, H100, weights), shipped_table(), ALL)
    assert code in {each.code for each in found.consequences}


def test_a_published_run_of_the_model_turns_a_refusal_into_a_caution() -> None:
    """TensorRT-LLM lists no MXFP4 on Hopper, yet a run of gpt-oss-120b on H100 is published: both are said."""
    runs = {("tensorrt-llm", "9.0", "fp4"): "published run"}
    found = advise(asked("tensorrt-llm", H100, "mxfp4"), shipped_table(), ALL, runs=runs)
    assert (found.verdict.state, found.verdict.message.code) == (CAUTION, "software_measured")
    assert found.cell is not None
    assert found.cell.status == "unsupported"


def test_a_family_that_the_software_does_not_serve_is_refused() -> None:
    found = advise(asked("tensorrt-llm", H100, "bf16", "vision"), shipped_table(), ALL)
    assert found.verdict.message.code == "advice_family_not_served"
    engines = {each.combination.engine for each in found.alternatives if each.changes == "engine"}
    assert "onnxruntime" in engines


def test_needs_are_stated_with_their_source_or_unknown() -> None:
    nim = needs("nim", H100)
    assert (nim.driver, nim.container) == (
        "580 or later",
        "Docker 24.0 or later, NVIDIA Container Toolkit 1.14.0 or later",
    )
    assert nim.source.startswith("https://docs.nvidia.com/nim/")
    unknown = needs("tgi", H100)
    assert [getattr(unknown, name) for name in NEEDS] == ["", "", "", ""]
    assert file_format("vllm", "gguf").file == "GGUF"
    assert file_format("lmdeploy", "awq").file == ""
    assert families("triton").served is not None


@pytest.mark.django_db
def test_page_answers_with_sources_and_alternatives(shipped: SeedReport) -> None:
    address = reverse("sizing:advisor")
    query = {"software": "vllm", "accelerator": "amd-mi300x", "weights": "awq", "family": "language"}
    page = Client().get(address, query).content.decode()
    assert "is not listed for" in page
    assert "What would work" in page
    assert "amdgpu, by the ROCm compatibility matrix" in page
    unknown = Client().get(address, query | {"software": "tgi"}).content.decode()
    assert "unknown" in unknown
    german = Client(headers={"accept-language": "de"}).get(address, query).content.decode()
    assert "Was funktionieren würde" in german


@pytest.mark.django_db
def test_page_and_search_agree_on_mxfp4_on_hopper(shipped: SeedReport) -> None:
    query = {"software": "tensorrt-llm", "accelerator": "nvidia-h100-sxm5-80gb", "weights": "mxfp4",
             "family": "language"}  # fmt: skip
    with_model = Client().get(reverse("sizing:advisor"), query | {"model": "openai/gpt-oss-120b"})
    assert with_model.context["advice"]["state"] == "caution"
    assert with_model.context["advice"]["cell"].status == "unsupported"
    assert Client().get(reverse("sizing:advisor"), query).context["advice"]["state"] == "fail"
