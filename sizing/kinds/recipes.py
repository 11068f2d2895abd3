"""How to serve an option of a kind without tokens: model repository, container and the commands before it.

Triton runs TensorRT plans and ONNX files (`sizing/triton.py`); OpenVINO Model Server (docs.openvino.ai, model server
parameters) what Intel's devices run; vLLM embeds and transcribes by itself (`vllm serve --runner pooling`). Exports
by optimum-cli (huggingface.co/docs/optimum-onnx) and trtexec (docs.nvidia.com/deeplearning/tensorrt). Read 2026-12.
Pipelines of several networks (pictures, video, speech synthesis) have no such single command, and get no recipe.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sizing import triton
from sizing.manifests import FOLDER, PORT, Container, devices_of
from sizing.recipes import Recipe, around, image_of, model_name, slug_of, wrapped

SERVED_AS_ONE_NETWORK = frozenset({"vision", "embedding", "recommendation", "tabular"})
VLLM_KINDS = {"embedding": ["--runner", "pooling"], "speech": []}
PRECISIONS = {"fp16": "--fp16", "bf16": "--bf16", "int8": "--int8", "fp8": "--fp8"}
"""Weight format -> trtexec's flag. TensorRT 11 takes the precision from the file itself and needs none."""

INPUT = "${INPUT:-input}"  # the name of the network's input, which its file knows


def kind_recipes(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[Recipe]:
    """The recipe of an option, or none where the kind or the engine has no single command."""
    kind, engine = str(request["kind"]), str(option["engine"])
    if engine == "vllm" and kind in VLLM_KINDS:
        arguments = ["vllm", "serve", model_name(request), "--host", "0.0.0.0", "--port", str(PORT), *VLLM_KINDS[kind]]  # noqa: S104
        return [around(option, Container(image=image_of(option), arguments=arguments), engine=engine)]
    if kind not in SERVED_AS_ONE_NETWORK:
        return []
    if engine == "openvino":
        return [_openvino(option, request)]
    backend = "tensorrt" if engine == "tensorrt" else "onnxruntime"
    return [_triton(option, request, backend)] if engine in ("tensorrt", "onnxruntime", "triton") else []


def batch_of(option: Mapping[str, Any]) -> int:
    """Items that the figures assume in one batch."""
    return max(1, int((option.get("engine_settings") or {}).get("max_sequences") or 1))


def delay_of(option: Mapping[str, Any]) -> float:
    """Seconds that a request waits for others: what fills the quickest batch; 0 where unknown."""
    points = option["performance"].get("batching") or []
    return next((float(point["delay_s"]) for point in points if point["chosen"]), 0.0)


def _triton(option: Mapping[str, Any], request: Mapping[str, Any], backend: str) -> Recipe:
    name, batch = slug_of(model_name(request)), batch_of(option)
    on_gpu = bool(devices_of(str(option["accelerator"])).resource)
    tag, note = triton.release(option, backend)
    container = Container(
        image=f"{triton.IMAGE}:{tag}-py3",
        arguments=triton.server_command(FOLDER),
        ports=triton.PORTS,
        files=triton.batched_repository(name, backend, batch=batch, delay_s=delay_of(option), on_gpu=on_gpu),
    )
    steps = [export(request), *([build(option, request)] if backend == "tensorrt" else [])]
    steps.append(f"mkdir -p models/{name}/1 && mv {triton.PLATFORMS[backend]} models/{name}/1/")
    made = around(option, container, engine="triton", version=tag, prepare="\n".join(steps))
    return replace(made, notes=(note,))


def _openvino(option: Mapping[str, Any], request: Mapping[str, Any]) -> Recipe:
    name = slug_of(model_name(request))
    target = "GPU" if devices_of(str(option["accelerator"])).resource else "CPU"
    arguments = [
        *("/ovms/bin/ovms", "--model_name", name, "--model_path", f"{FOLDER}/{name}"),
        *("--rest_port", str(PORT), "--port", "9000", "--target_device", target, "--batch_size", str(batch_of(option))),
    ]
    image = "openvino/model_server:latest-gpu" if target == "GPU" else "openvino/model_server:latest"
    container = Container(image=image, arguments=arguments, ports=(PORT, 9000), reads_folder=True)
    steps = [export(request), f"mkdir -p models/{name}/1 && mv model.onnx models/{name}/1/"]
    return around(option, container, engine="openvino", prepare="\n".join(steps))


def export(request: Mapping[str, Any]) -> str:
    """The command that writes model.onnx. A name without an owner is in no public repository."""
    name = model_name(request)
    if "/" not in name:
        return "test -f model.onnx  # as the framework of the network exports it"
    return wrapped(["optimum-cli", "export", "onnx", "--model", name, "."])


def build(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """The command that compiles model.onnx into a TensorRT plan for batches up to the assumed one."""
    batch = batch_of(option)
    flag = PRECISIONS.get(str(option.get("weights_format")))
    parts = ["trtexec", "--onnx=model.onnx", "--saveEngine=model.plan", *([flag] if flag else [])]
    ranges = (("min", 1), ("opt", batch), ("max", batch))
    parts += [f'--{edge}Shapes="{shapes(request, size)}"' for edge, size in ranges if shapes(request, size)]
    return " \\\n  ".join(parts)


def shapes(request: Mapping[str, Any], batch: int) -> str:
    """Input shapes of one batch as trtexec and perf_analyzer read them; empty where the kind does not fix them."""
    stated = request.get(str(request["kind"])) or {}
    if request["kind"] == "vision" and stated.get("width") and stated.get("height"):
        return f"{INPUT}:{batch}x3x{stated['height']}x{stated['width']}"
    if request["kind"] == "embedding" and stated.get("tokens_per_document"):
        tokens = round(float(stated["tokens_per_document"]))
        return f"input_ids:{batch}x{tokens},attention_mask:{batch}x{tokens}"
    return ""
