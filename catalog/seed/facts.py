"""The technical tables: accelerators, processors, servers, components, links, software, formats, models."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from django.utils.text import slugify

from catalog.choices import DeviceKind, FitBasis, Lifecycle, ServerBasis
from catalog.models import (
    Accelerator,
    AiModel,
    CatalogNote,
    Component,
    DeviceMemory,
    Interconnect,
    NonLlmWorkload,
    Processor,
    Server,
    ServerAccelerator,
    ServingSoftware,
    SoftwareCompatibility,
    StorageFormat,
)
from catalog.seed.files import SeedLine, Values, keyed, read, values_of
from catalog.seed.report import SeedReport, UnknownName
from catalog.seed.sync import sync

DENSE_COLUMNS = {
    **{
        f"{rate}_tflops": f"{rate}_dense_tflops"
        for rate in ("fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp6", "fp4")
    },
    **{f"{rate}_tops": f"{rate}_dense_tops" for rate in ("int8", "int4")},
}
"""The files print dense rates under the short names; the model says dense in the name."""

EDGE_STACKS = ("jetpack", "hailort", "voyager")
GPU_STACKS = ("cuda", "rocm", "oneapi")

SOFTWARE_SLUGS = {
    "vLLM": "vllm",
    "SGLang": "sglang",
    "TensorRT-LLM": "tensorrt-llm",
    "NVIDIA Triton Inference Server": "triton",
    "ONNX Runtime": "onnxruntime",
    "TensorRT": "tensorrt",
    "llama.cpp": "llama-cpp",
    "Ollama": "ollama",
    "Text Generation Inference (TGI)": "tgi",
    "LMDeploy": "lmdeploy",
    "OpenVINO and OpenVINO Model Server": "openvino",
    "NVIDIA NIM": "nim",
    "NVIDIA Dynamo": "dynamo",
    "llm-d": "llm-d",
}
SOFTWARE_ALIASES = SOFTWARE_SLUGS | {
    "vLLM Gaudi plug-in": "vllm",
    "Triton Inference Server": "triton",
    "Text Generation Inference": "tgi",
    "OpenVINO": "openvino",
    "OpenVINO Model Server": "openvino",
    "NVIDIA NIM for LLMs": "nim",
    "NVIDIA NIM for VLMs": "nim",
}
_COUNT_AND_NAME = re.compile(r"^(\d+)x\s*(.*)$")


def load_accelerators(data_dir: Path, report: SeedReport) -> dict[str, Accelerator]:
    """Accelerators by slug, with the memory that drivers report for them."""

    def row(line: SeedLine) -> Values:
        kind = device_kind(line["vendor"], line["software"])
        values = values_of(Accelerator, line, report, rename=DENSE_COLUMNS)
        return {**values, "kind": kind, "logical_devices": values["logical_devices"] or 1, "seed_key": line["slug"]}

    accelerators = sync(Accelerator, (row(line) for line in read("accelerators", data_dir)), report)
    memory = []
    for key, line in keyed(read("device_memory", data_dir), "memory"):
        if line["slug"] not in accelerators:
            report.errors.append(f"{line.file} line {line.number}: {line['slug']} is no accelerator")
            continue
        values = values_of(DeviceMemory, line, report)
        memory.append({**values, "accelerator_id": accelerators[line["slug"]].pk, "seed_key": key})
    sync(DeviceMemory, memory, report, delete_left=True)
    return accelerators


def device_kind(vendor: str, software: str) -> DeviceKind:
    """Edge module, GPU or other chip, by the vendor's software stack."""
    if any(stack in software for stack in EDGE_STACKS):
        return DeviceKind.EDGE
    if vendor in {"NVIDIA", "AMD", "Intel"} and any(stack in software for stack in GPU_STACKS):
        return DeviceKind.GPU
    return DeviceKind.ASIC


def load_processors(data_dir: Path, report: SeedReport) -> dict[str, Processor]:
    lines = read("cpus", data_dir)
    return sync(Processor, ({**values_of(Processor, line, report), "seed_key": line["slug"]} for line in lines), report)


def load_components(data_dir: Path, report: SeedReport, processors: dict[str, Processor]) -> dict[str, Component]:
    def row(line: SeedLine) -> Values:
        processor = processors.get(line["slug"])
        values = values_of(Component, line, report)
        return {**values, "processor_id": processor.pk if processor else None, "seed_key": line["slug"]}

    return sync(Component, (row(line) for line in read("components", data_dir)), report)


def load_servers(data_dir: Path, report: SeedReport, accelerators: dict[str, Accelerator]) -> dict[str, Server]:
    """Servers by slug, what fits into them, and the filings that disagree with a row."""
    listed = read("servers", data_dir)
    more = read("servers_more", data_dir)
    filed = [line for line in more if line["row_kind"] == "missing_chassis"]
    doubts = [line for line in more if line["row_kind"] != "missing_chassis"]
    rows = [{**values_of(Server, line, report), "seed_key": line["slug"]} for line in listed]
    rows += [_filed_server(line, report) for line in filed]
    servers = sync(Server, rows, report)
    fits = [*_listed_fits(listed, servers, accelerators, report), *_filed_fits(filed, servers, accelerators, report)]
    sync(ServerAccelerator, fits, report, delete_left=True)
    sync(
        CatalogNote,
        [_doubt(key, line, servers, accelerators) for key, line in keyed(doubts, "note")],
        report,
        delete_left=True,
    )
    return servers


def _filed_server(line: SeedLine, report: SeedReport) -> Values:
    renamed = {
        "suggested_slug": "slug",
        "chassis_model": "model",
        "processors_seen": "cpu_families",
        "nics_seen": "nic_pcie_slots",
        "note": "notes",
    }
    values = values_of(Server, line, report, rename=renamed)
    return {
        **values,
        "basis": ServerBasis.FILING,
        "status": Lifecycle.UNKNOWN,
        "psu_redundancy": line["power_supply"],
        "source_title": line["source"],
        "source_date": line["rounds"].split("|")[-1],
        "seed_key": line["suggested_slug"],
    }


def _listed_fits(
    lines: list[SeedLine], servers: dict[str, Server], accelerators: dict[str, Accelerator], report: SeedReport
) -> Iterator[Values]:
    for line in lines:
        for name in dict.fromkeys(re.split(r"[|;]\s*", line["compatible_accelerators"])):
            if name:
                yield _fit(line, servers[line["slug"]], name, accelerators, report, column="compatible_accelerators")


def _filed_fits(
    lines: list[SeedLine], servers: dict[str, Server], accelerators: dict[str, Accelerator], report: SeedReport
) -> Iterator[Values]:
    for line in lines:
        for text in dict.fromkeys(line["accelerators_seen"].split("|")):
            match = _COUNT_AND_NAME.match(text.strip())
            if match is None or not match[2]:
                continue
            server = servers[line["suggested_slug"]]
            fit = _fit(line, server, match[2], accelerators, report, column="accelerators_seen")
            count = int(match[1])
            yield {
                **fit,
                "count_seen": count,
                "basis": FitBasis.FILED,
                "seed_key": f"{fit['seed_key']}:{count}",
            }


def _fit(
    line: SeedLine,
    server: Server,
    name: str,
    accelerators: dict[str, Accelerator],
    report: SeedReport,
    *,
    column: str,
) -> Values:
    accelerator = accelerators.get(name)
    if accelerator is None:
        report.unknown.append(UnknownName(line.file, line.number, column, name))
    return {
        "server_id": server.pk,
        "accelerator_id": accelerator.pk if accelerator else None,
        "accelerator_name": name,
        "count_seen": None,
        "basis": FitBasis.LISTED,
        "seed_key": f"fit:{server.slug}:{name}",
    }


def _doubt(key: str, line: SeedLine, servers: dict[str, Server], accelerators: dict[str, Accelerator]) -> Values:
    server = servers.get(line["suggested_slug"])
    accelerator = accelerators.get(line["suggested_slug"])
    return {
        "subject": line["suggested_slug"],
        "server_id": server.pk if server else None,
        "accelerator_id": accelerator.pk if accelerator else None,
        "built_with": ", ".join(text for text in (line["accelerators_seen"], line["processors_seen"]) if text),
        "rounds": line["rounds"],
        "notes": line["note"],
        "source_title": line["source"],
        "source_date": line["rounds"].split("|")[-1],
        "confidence": line["confidence"],
        "seed_key": key,
    }


def load_interconnects(data_dir: Path, report: SeedReport) -> None:
    lines = read("interconnects", data_dir)
    sync(Interconnect, ({**values_of(Interconnect, line, report), "seed_key": line["slug"]} for line in lines), report)


def load_formats(data_dir: Path, report: SeedReport) -> None:
    lines = read("quantisation", data_dir)
    sync(
        StorageFormat, ({**values_of(StorageFormat, line, report), "seed_key": line["slug"]} for line in lines), report
    )


def load_software(data_dir: Path, report: SeedReport) -> None:
    """Serving stacks, and what their releases do with each format on each class of accelerators."""
    rows = []
    for line in read("serving_software", data_dir):
        slug = SOFTWARE_SLUGS.get(line["name"], slugify(line["name"]))
        rows.append({**values_of(ServingSoftware, line, report), "slug": slug, "seed_key": slug})
    stacks = sync(ServingSoftware, rows, report)
    compatibility = []
    for key, line in keyed(read("software_compatibility", data_dir), "compat"):
        stack = stacks.get(SOFTWARE_ALIASES.get(line["software"], ""))
        if stack is None:
            report.unknown.append(UnknownName(line.file, line.number, "software", line["software"]))
        values = values_of(
            SoftwareCompatibility,
            line,
            report,
            rename={"software": "software_name", "date": "release_date", "feature_notes": "notes"},
        )
        compatibility.append({**values, "software_id": stack.pk if stack else None, "seed_key": key})
    sync(SoftwareCompatibility, compatibility, report, delete_left=True)


def load_models(data_dir: Path, report: SeedReport) -> None:
    """Config files of published models where they are shipped, and the work of models that are no LLM."""
    folder = data_dir / "models"
    facts = {line["model_id"]: line for line in read("expected", folder)}
    reasons = {line["model_id"]: line["why"] for line in read("differences", folder)}
    rows = []
    for line in read("sources", folder):
        path = folder / line["file"]
        if not path.exists():
            report.errors.append(f"{line.file} line {line.number}: {line['file']} is missing")
            continue
        config = json.loads(path.read_text(encoding="utf-8"))
        fact = facts.get(line["model_id"])
        rows.append(_ai_model(line, config, fact, reasons.get(line["model_id"], "")))
    sync(AiModel, rows, report)
    workloads = read("workloads_nonllm", data_dir)
    rename = {"model": "model_id", "params": "parameters", "source": "source_title", "note": "notes"}
    sync(
        NonLlmWorkload,
        ({**values_of(NonLlmWorkload, line, report, rename=rename), "seed_key": line["model"]} for line in workloads),
        report,
    )


def _ai_model(line: SeedLine, config: dict[str, object], fact: SeedLine | None, reason: str) -> Values:
    published = {"published_total_b": None, "published_active_b": None, "published_source": ""} | (
        {} if fact is None else _published(fact)
    )
    architectures = config.get("architectures")
    return {
        "model_id": line["model_id"],
        "architecture": str(architectures[0]) if isinstance(architectures, list) and architectures else "",
        "config": config,
        "facts": {**published, "difference": reason},
        "licence": line["licence"],
        "config_kind": line["kind"],
        "source_title": line["source_repo"],
        "source_path": line["source_path"],
        "source_commit": line["commit"],
        "source_date": line["snapshot_date"],
        "notes": line["note"],
        "seed_key": line["model_id"],
    }


def _published(fact: SeedLine) -> dict[str, object]:
    def number(cell: str) -> float | None:
        return float(cell) if cell else None

    return {
        "published_total_b": number(fact["published_total_b"]),
        "published_active_b": number(fact["published_active_b"]),
        "published_source": fact["published_source"],
    }
