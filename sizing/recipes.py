"""How to serve an option: commands that state exactly what its figures assume. Measuring is `benchmark_plan.py`.

Pure text from the contract's option and request. Option names are those of the engines' own
command lines: vLLM 0.11 and later (docs.vllm.ai, serve arguments), SGLang 0.5 (docs.sglang.io, server
arguments), TensorRT-LLM 1.x (trtllm-serve), llama.cpp (llama-server). Read 2026-11.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PORT = 8000
IMAGES = {
    "vllm": "vllm/vllm-openai",
    "sglang": "lmsysorg/sglang",
    "tensorrt-llm": "nvcr.io/nvidia/tensorrt-llm/release",
    "llama-cpp": "ghcr.io/ggml-org/llama.cpp",
}
LLAMA_CACHE_TYPES = {"fp8": "q8_0", "int8": "q8_0", "bf16": "bf16", "fp16": "f16"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One replica: its command, a compose file and a Kubernetes manifest around the same command."""

    engine: str
    engine_version: str
    command: str
    compose: str
    kubernetes: str


def recipe(option: Mapping[str, Any], request: Mapping[str, Any], *, context_tokens: int) -> Recipe | None:
    """The recipe of an option, or None where the engine takes no such command line."""
    arguments = _arguments(option, model_name(request), context_tokens)
    if arguments is None:
        return None
    engine = str(option["engine"])
    return Recipe(
        engine=engine,
        engine_version=str(option["engine_version"]),
        command=wrapped(arguments),
        compose=_compose(option, arguments),
        kubernetes=_kubernetes(option, arguments),
    )


def model_name(request: Mapping[str, Any]) -> str:
    """The name that servers and clients call the model by."""
    model = request["model"]
    return str(model.get("id") or model.get("name") or "MODEL")


def _arguments(option: Mapping[str, Any], model: str, context_tokens: int) -> list[str] | None:
    writers = {"vllm": _vllm, "sglang": _sglang, "tensorrt-llm": _tensorrt_llm, "llama-cpp": _llama_cpp}
    writer = writers.get(str(option["engine"]))
    return writer(option, model, context_tokens) if writer else None


def _is_fp8(slug: object) -> bool:
    return str(slug).startswith("fp8")


def _vllm(option: Mapping[str, Any], model: str, context_tokens: int) -> list[str]:
    split, settings = option["parallelism"], option["engine_settings"]
    command = ["vllm", "serve", model, "--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104 - inside a container
    command += ["--tensor-parallel-size", str(split["tensor"])]
    if split["pipeline"] > 1:
        command += ["--pipeline-parallel-size", str(split["pipeline"])]
    if split["data"] > 1:
        command += ["--data-parallel-size", str(split["data"])]
    if split["expert"] > 1:
        command += ["--enable-expert-parallel"]
    command += [
        *("--max-model-len", str(context_tokens)),
        *("--gpu-memory-utilization", f"{settings['memory_utilisation']:g}"),
        *("--max-num-seqs", str(settings["max_sequences"])),
        *("--max-num-batched-tokens", str(settings["max_batched_tokens"])),
    ]
    if _is_fp8(option["kv_format"]):
        command += ["--kv-cache-dtype", "fp8"]
    if option["weights_format"] == "fp8":
        command += ["--quantization", "fp8"]
    command += ["--enable-prefix-caching" if settings["prefix_caching"] else "--no-enable-prefix-caching"]
    return command


def _sglang(option: Mapping[str, Any], model: str, context_tokens: int) -> list[str]:
    split, settings = option["parallelism"], option["engine_settings"]
    command = ["python3", "-m", "sglang.launch_server", "--model-path", model]
    command += ["--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104 - inside a container
    command += ["--tp-size", str(split["tensor"] * split["data"])]
    if split["data"] > 1:
        command += ["--dp-size", str(split["data"]), "--enable-dp-attention"]
    if split["pipeline"] > 1:
        command += ["--pp-size", str(split["pipeline"])]
    if split["expert"] > 1:
        command += ["--ep-size", str(split["expert"])]
    command += [
        *("--context-length", str(context_tokens)),
        *("--mem-fraction-static", f"{settings['memory_utilisation']:g}"),
        *("--max-running-requests", str(settings["max_sequences"])),
        *("--chunked-prefill-size", str(settings["max_batched_tokens"])),
    ]
    if _is_fp8(option["kv_format"]):
        command += ["--kv-cache-dtype", "fp8_e4m3"]
    if option["weights_format"] == "fp8":
        command += ["--quantization", "fp8"]
    if not settings["prefix_caching"]:
        command += ["--disable-radix-cache"]
    return command


def _tensorrt_llm(option: Mapping[str, Any], model: str, context_tokens: int) -> list[str]:
    split, settings = option["parallelism"], option["engine_settings"]
    command = ["trtllm-serve", model, "--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104 - inside a container
    command += ["--backend", "pytorch", "--tp_size", str(split["tensor"] * split["data"])]
    if split["pipeline"] > 1:
        command += ["--pp_size", str(split["pipeline"])]
    if split["expert"] > 1:
        command += ["--ep_size", str(split["expert"])]
    return [
        *command,
        *("--max_seq_len", str(context_tokens)),
        *("--max_batch_size", str(settings["max_sequences"])),
        *("--max_num_tokens", str(settings["max_batched_tokens"])),
        *("--kv_cache_free_gpu_memory_fraction", f"{settings['memory_utilisation']:g}"),
    ]


def _llama_cpp(option: Mapping[str, Any], model: str, context_tokens: int) -> list[str]:
    settings = option["engine_settings"]
    slots = int(settings["max_sequences"])
    command = ["llama-server", "--hf-repo", model, "--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104
    cache = LLAMA_CACHE_TYPES.get(str(option["kv_format"]), "f16")
    return [
        *command,
        *("--ctx-size", str(context_tokens * slots)),
        *("--parallel", str(slots)),
        *("--batch-size", str(settings["max_batched_tokens"])),
        *("--n-gpu-layers", "999"),
        *("--cache-type-k", cache),
        *("--cache-type-v", cache),
    ]


def wrapped(arguments: Sequence[str]) -> str:
    """The command, one option a line, as a shell reads it."""
    lines, current = [], ""
    for argument in arguments:
        word = shlex.quote(argument)
        if argument.startswith("-") and current and argument != "-m":
            lines.append(current)
            current = f"  {word}"
        else:
            current = f"{current} {word}".strip() if not current.startswith("  ") else f"{current} {word}"
    return " \\\n".join([*lines, current])


def _image(option: Mapping[str, Any]) -> str:
    version = str(option["engine_version"])
    tag = {"vllm": f"v{version}", "sglang": f"v{version}"}.get(str(option["engine"]), version) if version else "latest"
    return f"{IMAGES[str(option['engine'])]}:{tag}"


def _yaml_list(arguments: Sequence[str], indent: int) -> str:
    pad = " " * indent
    return "\n".join(f"{pad}- {_yaml(argument)}" for argument in arguments)


def _yaml(text: str) -> str:
    """A double-quoted YAML scalar."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _compose(option: Mapping[str, Any], arguments: Sequence[str]) -> str:
    """Compose file with one service per replica, each with its own accelerators."""
    per_replica = int(option["accelerators_per_replica"])
    services = []
    for replica in range(int(option["replicas"])):
        devices = ", ".join(f'"{replica * per_replica + index}"' for index in range(per_replica))
        services.append(
            f"  replica-{replica}:\n"
            f"    image: {_image(option)}\n"
            f"    ipc: host\n"
            f"    entrypoint:\n{_yaml_list(arguments, 6)}\n"
            f'    ports: ["{PORT + replica}:{PORT}"]\n'
            f'    environment: {{HF_HOME: "/models"}}\n    volumes: ["models:/models"]\n'
            f"    deploy:\n      resources:\n        reservations:\n          devices:\n"
            f"            - driver: nvidia\n              device_ids: [{devices}]\n"
            f"              capabilities: [gpu]"
        )
    return "services:\n" + "\n".join(services) + "\nvolumes:\n  models: {}\n"


def _kubernetes(option: Mapping[str, Any], arguments: Sequence[str]) -> str:
    """A Deployment with as many pods as replicas, and a Service in front."""
    resource = "amd.com/gpu" if str(option["accelerator"]).startswith("amd") else "nvidia.com/gpu"
    return (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: kvote-serving\nspec:\n"
        f"  replicas: {int(option['replicas'])}\n"
        "  selector: {matchLabels: {app: kvote-serving}}\n"
        "  template:\n    metadata: {labels: {app: kvote-serving}}\n    spec:\n      containers:\n"
        f"        - name: engine\n          image: {_image(option)}\n"
        f"          command:\n{_yaml_list(arguments, 12)}\n"
        f"          ports: [{{containerPort: {PORT}}}]\n"
        f"          resources: {{limits: {{{resource}: {int(option['accelerators_per_replica'])}}}}}\n"
        "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: kvote-serving\nspec:\n"
        f"  selector: {{app: kvote-serving}}\n  ports: [{{port: {PORT}, targetPort: {PORT}}}]\n"
    )
