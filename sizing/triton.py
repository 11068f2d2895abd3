"""Triton Inference Server: the model repository that serves a model as an option assumes it.

Format: config.pbtxt (triton-inference-server/server, docs/user_guide/model_configuration.md: backend, max_batch_size,
dynamic_batching, instance_group); model.json of the vLLM backend (triton-inference-server/vllm_backend, README: the
file holds vLLM's engine arguments). A container's tag is year.month of a release, which the file must not guess.
Read 2026-12.
"""

import json
from collections.abc import Mapping
from typing import Any

IMAGE = "nvcr.io/nvidia/tritonserver"
RELEASE = "YY.MM"  # the year and month of the release that fits the driver
PORTS = (8000, 8001, 8002)  # HTTP, gRPC, metrics
PLATFORMS = {"tensorrt": "model.plan", "onnxruntime": "model.onnx", "openvino": "model.onnx"}
"""Backend -> the file that it reads. Triton completes inputs and outputs from the file itself."""

DELAY_SHARE = 0.1
"""Longest wait for a fuller batch, as a share of the time that a full batch takes on the device."""


def release(option: Mapping[str, Any]) -> str:
    """The release that the option names where its engine is Triton itself."""
    return str(option.get("engine_version") or RELEASE) if option.get("engine") == "triton" else RELEASE


def server_command(folder: str) -> list[str]:
    """The command that serves every model of a repository."""
    return ["tritonserver", f"--model-repository={folder}"]


def vllm_repository(name: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Files, by path, of a repository with one model on the vLLM backend. `arguments`: vLLM's engine arguments."""
    return {
        f"{name}/config.pbtxt": 'backend: "vllm"\ninstance_group [\n  { count: 1, kind: KIND_MODEL }\n]\n',
        f"{name}/1/model.json": json.dumps(arguments, indent=2) + "\n",
    }


def batched_repository(name: str, backend: str, *, batch: int, batch_ms: float | None, on_gpu: bool) -> dict[str, str]:
    """config.pbtxt of a model whose single requests Triton gathers into batches of at most `batch`."""
    kind = "KIND_GPU" if on_gpu else "KIND_CPU"
    parts = [f'name: "{name}"', f'backend: "{backend}"', f"max_batch_size: {batch}"]
    if batch > 1:
        delay_us = round((batch_ms or 0.0) * DELAY_SHARE * 1e3)
        wait = f", max_queue_delay_microseconds: {delay_us}" if delay_us else ""
        parts.append(f"dynamic_batching {{ preferred_batch_size: [ {batch} ]{wait} }}")
    parts.append(f"instance_group [\n  {{ count: 1, kind: {kind} }}\n]")
    return {f"{name}/config.pbtxt": "\n".join(parts) + "\n"}
