"""How to serve an option: commands that state exactly what its figures assume. Measuring is `benchmark_plan.py`.

Pure text from the contract's option and request. Option names are those of the engines' own
command lines, by version and with source in data/engine_options.json: vLLM 0.10 to 0.33, SGLang 0.5 to 0.5.23,
TensorRT-LLM 1.x (trtllm-serve), llama.cpp (llama-server), OpenVINO 2026 (ovms). Other kinds: `kinds/recipes.py`.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sizing import recipe_extras as extras
from sizing import triton
from sizing.core.units import GB
from sizing.core.values import Message
from sizing.manifests import FOLDER, PORT, PROCESSORS, Container, compose_file, devices_of, kubernetes_manifest
from sizing.software import version_numbers

IMAGES = {
    "vllm": "vllm/vllm-openai",
    "sglang": "lmsysorg/sglang",
    "tensorrt-llm": "nvcr.io/nvidia/tensorrt-llm/release",
    "llama-cpp": "ghcr.io/ggml-org/llama.cpp",
    "openvino": "openvino/model_server",
}
ATTENTION_SPLIT_SINCE = (0, 5, 23)
LLAMA_CPP_TAGS = {"nvidia.com/gpu": "server-cuda", "amd.com/gpu": "server-rocm", "gpu.intel.com/xe": "server-intel"}
"""Extended resource of the device -> tag of the server image; "server" for processors (llama.cpp, docs/docker.md)."""
IN_CONTAINER = {"llama-server": "/app/llama-server", "ovms": "/ovms/bin/ovms"}  # not on the path of their images
ROCM_IMAGES = {"vllm": "vllm/vllm-openai-rocm"}
PROCESSOR_IMAGES = {"vllm": "public.ecr.aws/q9t5s3a7/vllm-cpu-release-repo", "sglang": "sglang-cpu"}
"""vLLM's own for x86; SGLang's is built from docker/xeon.Dockerfile (docs.sglang.io, CPU servers)."""
TENSORRT_LLM_FILE = "serve.yaml"
KEPT = "/cache"  # what a container may write and keeps
OPENVINO_WEIGHTS = {"int8": "int8", "int4": "int4", "bf16": "fp16", "fp16": "fp16"}
LLAMA_CACHE_TYPES = {"fp8": "q8_0", "kv_fp8": "q8_0", "int8": "q8_0", "kv_int8": "q8_0", "bf16": "bf16", "fp16": "f16"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One replica: its command, the files that it reads, a compose file and a Kubernetes manifest around them.

    Where a replica spans servers there is no single container: `servers` says how many, and both files are empty.
    """

    engine: str
    engine_version: str
    command: str
    compose: str
    kubernetes: str
    files: Mapping[str, str] = field(default_factory=dict)  # by path below the model repository
    servers: int = 1
    prepare: str = ""  # commands that make the model's files, before the server starts
    notes: tuple[Message, ...] = ()  # what the command leaves to the person


def recipes(option: Mapping[str, Any], request: Mapping[str, Any], *, context_tokens: int) -> list[Recipe]:
    """The recipe of an option first, then other servers of the same engine. Empty where no command line fits."""
    engine, notes = str(option["engine"]), extras.notes(option, request)
    if engine == "triton":
        alone = servers_of_replica(option) == 1 and not option.get("phases")
        return [_triton_tensorrt_llm(option, request, context_tokens)] if alone else []
    arguments = _arguments(option, request, context_tokens)
    if arguments is None:
        return []
    if option.get("phases"):
        return [_phases_apart(option, arguments, notes)]
    files = {TENSORRT_LLM_FILE: extras.tensorrt_llm_file(option, request)} if engine == "tensorrt-llm" else {}
    program = IN_CONTAINER.get(arguments[0], arguments[0])
    container = Container(image=image_of(option), arguments=[program, *arguments[1:]], files=files)
    first = replace(around(option, container, engine=engine), command=wrapped(arguments), notes=notes)
    behind = {"vllm": _triton, "tensorrt-llm": _triton_tensorrt_llm}.get(engine)
    if behind is None or first.servers > 1 or devices_of(str(option["accelerator"])).driver != "nvidia":
        return [first]
    return [first, behind(option, request, context_tokens)]


def _phases_apart(option: Mapping[str, Any], arguments: list[str], notes: tuple[Message, ...]) -> Recipe:
    """The command of each phase's instances. No container files: they need a router in front and a fast link."""
    engine = str(option["engine"])
    commands = [
        f"# {phase}: {option['phases'][f'{phase}_instances']}\n"
        + wrapped([*arguments, *extras.phase_words(engine, phase)])
        for phase in extras.PHASES
        if extras.phase_words(engine, phase)
    ]
    version = str(option["engine_version"])
    return Recipe(
        engine=engine, engine_version=version, command="\n".join(commands), compose="", kubernetes="", notes=notes
    )


def around(
    option: Mapping[str, Any], container: Container, *, engine: str, version: str | None = None, prepare: str = ""
) -> Recipe:
    """A recipe around one container of an option's replica."""
    spans = servers_of_replica(option)
    return Recipe(
        engine=engine,
        engine_version=str(option["engine_version"]) if version is None else version,
        command=wrapped(container.arguments),
        compose=compose_file(option, container) if spans == 1 else "",
        kubernetes=kubernetes_manifest(option, container) if spans == 1 else "",
        files=container.files,
        servers=spans,
        prepare=prepare,
    )


def servers_of_replica(option: Mapping[str, Any]) -> int:
    """How many servers one replica spans; 1 where replicas share a server."""
    return max(1, int(option.get("servers") or 1) // max(1, int(option["replicas"])))


def _triton(option: Mapping[str, Any], request: Mapping[str, Any], context_tokens: int) -> Recipe:
    """The same engine settings behind Triton's vLLM backend."""
    settings, split, model = option["engine_settings"], option["parallelism"], model_name(request)
    arguments: dict[str, Any] = {
        "model": model,
        "tensor_parallel_size": split["tensor"],
        "pipeline_parallel_size": split["pipeline"],
        "max_model_len": context_tokens,
        "gpu_memory_utilization": settings["memory_utilisation"],
        "max_num_seqs": settings["max_sequences"],
        "max_num_batched_tokens": settings["max_batched_tokens"],
        "enable_prefix_caching": settings["prefix_caching"],
        **({"data_parallel_size": split["data"]} if split["data"] > 1 else {}),
        **({"enable_expert_parallel": True} if split["expert"] > 1 else {}),
        **extras.vllm_extras(option, request),
    }
    if _is_fp8(option["kv_format"]):
        arguments["kv_cache_dtype"] = "fp8"
    if option["weights_format"] in extras.MADE_WHILE_LOADING:
        arguments["quantization"] = "fp8"
    tag, note = triton.release(option, "vllm")
    container = Container(
        image=f"{triton.IMAGE}:{tag}-vllm-python-py3",
        arguments=triton.server_command(FOLDER),
        ports=triton.PORTS,
        files=triton.vllm_repository(slug_of(model), arguments),
    )
    return replace(around(option, container, engine="triton", version=tag), notes=(note,))


def _triton_tensorrt_llm(option: Mapping[str, Any], request: Mapping[str, Any], context_tokens: int) -> Recipe:
    """The settings of trtllm-serve behind Triton's TensorRT-LLM backend (its LLM API, without a compiled engine)."""
    settings, split = option["engine_settings"], option["parallelism"]
    arguments: dict[str, Any] = {
        "model": model_name(request),
        "backend": "pytorch",
        "tensor_parallel_size": split["tensor"] * split["data"],
        "pipeline_parallel_size": split["pipeline"],
        **({"moe_expert_parallel_size": split["expert"]} if split["expert"] > 1 else {}),
        "max_seq_len": context_tokens,
        "max_batch_size": settings["max_sequences"],
        "max_num_tokens": settings["max_batched_tokens"],
    }
    tag, held, note = triton.tensorrt_llm_release(option)
    container = Container(
        image=f"{triton.IMAGE}:{tag}-trtllm-python-py3",
        arguments=triton.tensorrt_llm_command(held, FOLDER),
        ports=triton.PORTS,
        files=triton.tensorrt_llm_repository(arguments, extras.tensorrt_llm_file(option, request)),
    )
    made = around(option, container, engine="triton", version=tag)
    return replace(made, notes=(note, *extras.notes(option, request)))


def slug_of(model: str) -> str:
    """A name that folders and Triton take."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", model.rpartition("/")[2]).strip("-").lower() or "model"


def model_name(request: Mapping[str, Any]) -> str:
    """The name that servers and clients call the model by."""
    model = request["model"]
    return str(model.get("id") or model.get("name") or "MODEL")


def _arguments(option: Mapping[str, Any], request: Mapping[str, Any], context_tokens: int) -> list[str] | None:
    writers = {
        "vllm": _vllm, "sglang": _sglang, "tensorrt-llm": _tensorrt_llm, "llama-cpp": _llama_cpp, "openvino": _openvino,
    }  # fmt: skip
    writer = writers.get(str(option["engine"]))
    if writer is None:
        return None
    arguments, spans = writer(option, request, context_tokens), servers_of_replica(option)
    return [*arguments, *_spanning(str(option["engine"]), spans)] if spans > 1 else arguments


def _spanning(engine: str, servers: int) -> list[str]:
    """Options of a replica over several servers, as its first server starts it."""
    several = {
        "vllm": ["--distributed-executor-backend", "ray"],
        "sglang": ["--nnodes", str(servers), "--node-rank", "0", "--dist-init-addr", "FIRST_SERVER:5000"],
    }
    return several.get(engine, [])


def _is_fp8(slug: object) -> bool:
    return str(slug).removeprefix("kv_").startswith("fp8")


def _vllm(option: Mapping[str, Any], request: Mapping[str, Any], context_tokens: int) -> list[str]:
    split, settings = option["parallelism"], option["engine_settings"]
    command = ["vllm", "serve", model_name(request), "--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104 - inside a container
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
    if option["weights_format"] in extras.MADE_WHILE_LOADING:
        command += ["--quantization", "fp8"]
    command += ["--enable-prefix-caching" if settings["prefix_caching"] else "--no-enable-prefix-caching"]
    return [*command, *extras.vllm_words(extras.vllm_extras(option, request))]


def _sglang(option: Mapping[str, Any], request: Mapping[str, Any], context_tokens: int) -> list[str]:
    split, settings = option["parallelism"], option["engine_settings"]
    command = ["python3", "-m", "sglang.launch_server", "--model-path", model_name(request)]
    command += ["--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104 - inside a container
    command += ["--tp-size", str(split["tensor"] * split["data"])]
    if str(option["accelerator"]).startswith(PROCESSORS):
        command += ["--device", "cpu"]
    if split["data"] > 1:
        command += _attention_split(str(option["engine_version"]), split["data"])
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
    if option["weights_format"] in extras.MADE_WHILE_LOADING:
        command += ["--quantization", "fp8"]
    if not settings["prefix_caching"]:
        command += ["--disable-radix-cache"]
    return [*command, *extras.sglang_words(option, request)]


def _attention_split(version: str, degree: int) -> list[str]:
    """Attention data parallelism. 0.5.23 takes the old words too, which end after 2026 (sglang/srt/server_args.py)."""
    if version_numbers(version) >= ATTENTION_SPLIT_SINCE:
        return ["--attn-dp-size", str(degree)]
    return ["--dp-size", str(degree), "--enable-dp-attention"]


def _tensorrt_llm(option: Mapping[str, Any], request: Mapping[str, Any], context_tokens: int) -> list[str]:
    split, settings = option["parallelism"], option["engine_settings"]
    command = ["trtllm-serve", model_name(request), "--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104 - inside a container
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
        *("--extra_llm_api_options", f"{FOLDER}/{TENSORRT_LLM_FILE}"),
    ]


def _llama_cpp(option: Mapping[str, Any], request: Mapping[str, Any], context_tokens: int) -> list[str]:
    settings, slots = option["engine_settings"], int(option["engine_settings"]["max_sequences"])
    pool = int(option.get("kv_tokens_per_replica") or 0)
    shared = bool(pool) and context_tokens * slots > pool  # the slots then draw on what the memory holds
    command = ["llama-server", "--hf-repo", gguf_of(option, request), "--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104
    cache = LLAMA_CACHE_TYPES.get(str(option["kv_format"]), "f16")
    return [
        *command,
        *("--ctx-size", str(max(context_tokens, pool) if shared else context_tokens * slots)),
        *("--parallel", str(slots)),
        *(("--kv-unified",) if shared else ()),
        *("--batch-size", str(settings["max_batched_tokens"])),
        *_llama_cpp_place(option),
        *("--cache-type-k", cache),
        *("--cache-type-v", cache),
    ]


def _llama_cpp_place(option: Mapping[str, Any]) -> tuple[str, ...]:
    """All layers on the accelerators, by rows over several; on processors spread over the memory of all sockets."""
    several = option["parallelism"]["tensor"] > 1
    if str(option["accelerator"]).startswith(PROCESSORS):
        return ("--numa", "distribute") if several else ()
    return ("--n-gpu-layers", "999", *(("--split-mode", "row") if several else ()))


def _openvino(option: Mapping[str, Any], request: Mapping[str, Any], context_tokens: int) -> list[str]:
    """OpenVINO Model Server with a fixed cache; both sockets of a server share a model by rows."""
    settings = option["engine_settings"]
    on_processors = str(option["accelerator"]).startswith(PROCESSORS)
    pool_bytes = (option.get("memory_per_accelerator") or {}).get("kv_pool_bytes") or 0
    pool_gb = int(pool_bytes * option["parallelism"]["tensor"] // GB)
    command = ["ovms", "--rest_port", str(PORT), "--source_model", model_name(request)]
    return [
        *command,
        *("--model_repository_path", KEPT, "--task", "text_generation"),
        *("--target_device", "CPU" if on_processors else "GPU"),
        *("--weight-format", OPENVINO_WEIGHTS.get(str(option["weights_format"]), "fp16")),
        *(("--cache_size", str(pool_gb)) if pool_gb else ()),
        *(("--kv_cache_precision", "u8") if "int8" in str(option["kv_format"]) else ()),
        *("--max_num_seqs", str(settings["max_sequences"])),
        *("--max_num_batched_tokens", str(settings["max_batched_tokens"])),
        *("--enable_prefix_caching", str(bool(settings["prefix_caching"])).lower()),
        *(("--model_distribution_policy", "TENSOR_PARALLEL") if option["parallelism"]["tensor"] > 1 else ()),
    ]


def gguf_of(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """Repository and quantisation of the GGUF file, as --hf-repo takes them."""
    slug = str(option["weights_format"])
    named = "F16" if slug == "fp16" else slug.removeprefix("gguf_").upper()
    return f"{model_name(request)}:{named}"


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


def image_of(option: Mapping[str, Any]) -> str:
    """The container of the option's engine, by its version and the maker of the device."""
    version, engine = str(option["engine_version"]), str(option["engine"])
    if engine == "openvino":
        return f"{IMAGES[engine]}:latest{'-gpu' if devices_of(str(option['accelerator'])).resource else ''}"
    if engine == "llama-cpp":
        return f"{IMAGES[engine]}:{LLAMA_CPP_TAGS.get(devices_of(str(option['accelerator'])).resource, 'server')}"
    images = IMAGES | (ROCM_IMAGES if devices_of(str(option["accelerator"])).resource == "amd.com/gpu" else {})
    if str(option["accelerator"]).startswith(PROCESSORS):
        images = images | PROCESSOR_IMAGES
        if engine == "sglang":
            return f"{images[engine]}:latest"
    tag = {"vllm": f"v{version}", "sglang": f"v{version}"}.get(engine, version) if version else "latest"
    return f"{images[engine]}:{tag}"
