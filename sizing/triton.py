"""Triton Inference Server: the model repository that serves a model as an option assumes it.

Format: config.pbtxt (triton-inference-server/server, docs/user_guide/model_configuration.md: backend, max_batch_size,
dynamic_batching, instance_group); model.json of the vLLM backend (triton-inference-server/vllm_backend, README: the
file holds vLLM's engine arguments); model.yaml of the TensorRT-LLM backend (NVIDIA/TensorRT-LLM,
triton_backend/all_models/llmapi: the arguments of its LLM class, and `triton_config`; keys with source in
data/triton_options.json). A container's tag is the year and month of a release; which versions it holds stands in
NVIDIA's release compatibility matrix, copied to data/triton_releases.json. Read 2026-12.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sizing.core.values import Message
from sizing.software import version_numbers

RELEASES = Path(__file__).resolve().parent / "data" / "triton_releases.json"
IMAGE = "nvcr.io/nvidia/tritonserver"
PORTS = (8000, 8001, 8002)  # HTTP, gRPC, metrics
TENSORRT_LLM_SOURCE = "https://github.com/NVIDIA/TensorRT-LLM.git"  # has the backend's Python files, by version
TENSORRT_LLM_MODEL = "tensorrt_llm"  # the folder, and the name that clients call
PLATFORMS = {"tensorrt": "model.plan", "onnxruntime": "model.onnx", "openvino": "model.onnx"}
"""Backend -> the file that it reads. Triton completes inputs and outputs from the file itself."""


@cache
def matrix() -> Mapping[str, Any]:
    """Backend -> release -> the backend's version in it; with `source` and the day it was `read`."""
    found: dict[str, Any] = json.loads(RELEASES.read_text(encoding="utf-8"))
    return found


def release(option: Mapping[str, Any], backend: str) -> tuple[str, Message]:
    """Year and month of the release for an option, and what its version of the backend is, as a note.

    The newest release whose backend is no newer than the option's; the newest of all where the matrix does not
    list the backend, or lists newer ones only. The release that the option names where its engine is Triton itself.
    """
    assumed = str(option.get("engine_version") or "")
    if option.get("engine") == "triton" and re.fullmatch(r"\d\d\.\d\d", assumed):
        return assumed, Message("recipe_triton_named", {"release": assumed})
    held: Mapping[str, str] = matrix().get(backend) or {}
    listed = sorted(held or matrix()["vllm"], reverse=True)
    if not held:
        return listed[0], Message("recipe_triton_newest", {"release": listed[0], "read": matrix()["read"]})
    fitting = (each for each in listed if not assumed or version_numbers(held[each]) <= version_numbers(assumed))
    tag = next(fitting, listed[0])
    code = "recipe_triton_same" if held[tag] == assumed else "recipe_triton_other"
    params = {"release": tag, "held": held[tag], "assumed": assumed or "?", "read": matrix()["read"]}
    return tag, Message(code, params | {"engine": backend})


def tensorrt_llm_release(option: Mapping[str, Any]) -> tuple[str, str, Message]:
    """Release with the TensorRT-LLM backend, the backend's version in it, and a note of what is assumed.

    An option that names a release gets it where the matrix lists its TensorRT-LLM, else the newest earlier one.
    """
    held: Mapping[str, str] = matrix()["tensorrt-llm"]
    tag, note = release(option, "tensorrt-llm")
    if tag in held:
        return tag, held[tag], note
    earlier = max((each for each in held if each < tag), default=max(held))
    params = {"release": earlier, "held": held[earlier], "assumed": f"Triton {tag}", "read": matrix()["read"]}
    return earlier, held[earlier], Message("recipe_triton_other", params | {"engine": "tensorrt-llm"})


def tensorrt_llm_command(version: str, folder: str) -> list[str]:
    """Bring the backend's own files of that version together with `folder`'s settings, and serve them.

    A replica is one process here: the backend starts a worker for each accelerator itself.
    """
    source = "/tmp/tensorrt-llm"  # noqa: S108 - inside a container
    repository = f"{source}/triton_backend/all_models/llmapi"
    settings = f"{TENSORRT_LLM_MODEL}/1/model.yaml"
    steps = (
        f"git clone --depth 1 --branch v{version} {TENSORRT_LLM_SOURCE} {source}",
        f"cp {folder}/{settings} {repository}/{settings}",
        f"exec mpirun --allow-run-as-root -n 1 {' '.join(server_command(repository))}",
    )
    return ["sh", "-c", " && ".join(steps)]


def tensorrt_llm_repository(arguments: Mapping[str, Any], rest: str) -> dict[str, str]:
    """model.yaml by its path. `arguments`: of TensorRT-LLM's LLM class; `rest`: further ones as YAML.

    `decoupled` sends tokens as they come. The engine batches, not Triton (`max_batch_size: 0`).
    """
    lines = [f"{name}: {json.dumps(value)}\n" for name, value in arguments.items()]
    served = "triton_config:\n  max_batch_size: 0\n  decoupled: true\n"
    return {f"{TENSORRT_LLM_MODEL}/1/model.yaml": "".join(lines) + rest + served}


def server_command(folder: str) -> list[str]:
    """The command that serves every model of a repository."""
    return ["tritonserver", f"--model-repository={folder}"]


def vllm_repository(name: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Files, by path, of a repository with one model on the vLLM backend. `arguments`: vLLM's engine arguments."""
    return {
        f"{name}/config.pbtxt": 'backend: "vllm"\ninstance_group [\n  { count: 1, kind: KIND_MODEL }\n]\n',
        f"{name}/1/model.json": json.dumps(arguments, indent=2) + "\n",
    }


def batched_repository(name: str, backend: str, *, batch: int, delay_s: float, on_gpu: bool) -> dict[str, str]:
    """config.pbtxt of a model whose single requests Triton gathers into batches of at most `batch`.

    `delay_s` is the longest that a request waits for others.
    """
    kind = "KIND_GPU" if on_gpu else "KIND_CPU"
    parts = [f'name: "{name}"', f'backend: "{backend}"', f"max_batch_size: {batch}"]
    if batch > 1:
        delay_us = round(delay_s * 1e6)
        wait = f", max_queue_delay_microseconds: {delay_us}" if delay_us else ""
        parts.append(f"dynamic_batching {{ preferred_batch_size: [ {batch} ]{wait} }}")
    parts.append(f"instance_group [\n  {{ count: 1, kind: {kind} }}\n]")
    return {f"{name}/config.pbtxt": "\n".join(parts) + "\n"}
