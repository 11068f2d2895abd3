"""Engine settings that only some deployments have: drafted tokens, adapters, phases apart. And what no command says.

Pure text from the contract's request and option. vLLM: --speculative-config, --enable-lora, --kv-transfer-config
(docs.vllm.ai: speculative decoding, LoRA, NixlConnector usage). SGLang: --speculative-*, --enable-lora,
--disaggregation-mode (docs.sglang.io: speculative decoding, LoRA serving, PD disaggregation). TensorRT-LLM: the file
of --extra_llm_api_options (nvidia.github.io/TensorRT-LLM: LLM arguments, kv_cache_config, speculative_config,
lora_config, enable_attention_dp). Read 2026-12.
"""

import json
from collections.abc import Mapping
from typing import Any

from sizing.core.values import Message

RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""Ranks that vLLM's --max-lora-rank takes."""

STORED_AS_SERVED = frozenset({"bf16", "fp16", "fp32", "fp8", "fp8_e4m3_tensor"})
"""Formats that a plain checkpoint or the engine itself makes; every other needs a checkpoint in that format."""

MADE_WHILE_LOADING = frozenset({"fp8", "fp8_e4m3_tensor"})
"""Formats that vLLM and SGLang make of a 16-bit checkpoint with --quantization fp8; others are in the checkpoint."""

DRAFT = "DRAFT_MODEL"
KV_TRANSFER = {"kv_connector": "NixlConnector", "kv_role": "kv_both"}
PHASES = ("prefill", "decode")


def drafting(request: Mapping[str, Any], option: Mapping[str, Any]) -> dict[str, Any]:
    """Method, drafted tokens a step and draft model; empty where nothing is drafted."""
    stated = _pinned(request).get("speculative") or option["engine_settings"].get("speculative") or {}
    tokens = round(float(stated.get("draft_tokens") or (1 if stated else 0)))
    if not tokens:
        return {}
    draft = stated.get("draft_model")
    method = stated.get("method") or ("draft_model" if draft else "")
    return {"tokens": tokens, "method": method, "model": draft or DRAFT}


def adapters(request: Mapping[str, Any]) -> tuple[int, int]:
    """Adapters held at once and their rank; (0, 0) without."""
    stated = _pinned(request).get("lora") or {}
    return (int(stated.get("adapters") or 1), int(stated.get("rank") or 16)) if stated else (0, 0)


def _pinned(request: Mapping[str, Any]) -> Mapping[str, Any]:
    return request.get("deployment") or {}


def vllm_extras(option: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Engine arguments of vLLM by their Python names: the command line and Triton's model.json both take them."""
    found: dict[str, Any] = {}
    interval = int(option["engine_settings"].get("stream_interval") or 0)
    if interval > 1:
        found["stream_interval"] = interval
    drafts, (held, rank) = drafting(request, option), adapters(request)
    if drafts:
        config: dict[str, Any] = {"num_speculative_tokens": drafts["tokens"]}
        if drafts["method"] in ("mtp", "ngram"):
            config["method"] = drafts["method"]
        else:
            config["model"] = drafts["model"]
        found["speculative_config"] = config
    if held:
        allowed = next((each for each in RANKS if each >= rank), RANKS[-1])
        found |= {"enable_lora": True, "max_loras": held, "max_lora_rank": allowed}
    return found


def vllm_words(extras: Mapping[str, Any]) -> list[str]:
    """The same as words of a command line."""
    found: list[str] = []
    for name, value in extras.items():
        found.append("--" + name.replace("_", "-"))
        if value is not True:
            found.append(json.dumps(value) if isinstance(value, Mapping) else str(value))
    return found


def sglang_words(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[str]:
    """Words of SGLang's command line. STANDALONE is its name of a draft model, EAGLE that of own prediction layers."""
    found: list[str] = []
    interval = int(option["engine_settings"].get("stream_interval") or 0)
    if interval > 1:
        found += ["--stream-interval", str(interval)]
    drafts, (held, rank) = drafting(request, option), adapters(request)
    if drafts:
        algorithm = {"mtp": "EAGLE", "ngram": "NGRAM"}.get(drafts["method"], "STANDALONE")
        found += ["--speculative-algorithm", algorithm]
        if algorithm == "STANDALONE":
            found += ["--speculative-draft-model-path", drafts["model"]]
        if algorithm != "NGRAM":
            found += ["--speculative-num-steps", str(drafts["tokens"]), "--speculative-eagle-topk", "1"]
        found += ["--speculative-num-draft-tokens", str(drafts["tokens"] + (algorithm != "NGRAM"))]
    if held:
        found += ["--enable-lora", "--max-loras-per-batch", str(held), "--max-lora-rank", str(rank)]
        found += ["--lora-target-modules", "all"]
    return found


def tensorrt_llm_file(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """YAML of what trtllm-serve takes by file alone: cache format, reuse, attention data parallelism, drafts, LoRA."""
    settings = option["engine_settings"]
    lines = [
        "kv_cache_config:",
        f"  free_gpu_memory_fraction: {settings['memory_utilisation']:g}",
        f"  enable_block_reuse: {str(bool(settings['prefix_caching'])).lower()}",
        f"  dtype: {'fp8' if str(option['kv_format']).removeprefix('kv_').startswith('fp8') else 'auto'}",
    ]
    if int(option["parallelism"]["data"]) > 1:
        lines.append("enable_attention_dp: true")
    if int(settings.get("stream_interval") or 0) > 1:
        lines.append(f"stream_interval: {int(settings['stream_interval'])}")
    drafts, (held, rank) = drafting(request, option), adapters(request)
    if drafts:
        lines += ["speculative_config:", *_tensorrt_llm_drafts(drafts)]
    if held:
        lines += ["lora_config:", f"  max_loras: {held}", f"  max_lora_rank: {rank}"]
    return "\n".join(lines) + "\n"


def _tensorrt_llm_drafts(drafts: Mapping[str, Any]) -> list[str]:
    tokens = drafts["tokens"]
    if drafts["method"] == "mtp":
        return ["  decoding_type: MTP", f"  num_nextn_predict_layers: {tokens}"]
    if drafts["method"] == "ngram":
        return ["  decoding_type: NGram", f"  max_draft_len: {tokens}"]
    model = json.dumps(drafts["model"])
    return [
        "  decoding_type: DraftTarget",
        f"  max_draft_len: {tokens}",
        f"  speculative_model_dir: {model}",
    ]


def phase_words(engine: str, phase: str) -> list[str]:
    """What makes an instance prefill or decode only; empty where the command line of the engine has no such word.

    vLLM's NixlConnector gives both phases the same role: the proxy in front sends each request to one after the other.
    """
    if engine == "vllm":
        return ["--kv-transfer-config", json.dumps(KV_TRANSFER)]
    return ["--disaggregation-mode", phase] if engine == "sglang" else []


def notes(option: Mapping[str, Any], request: Mapping[str, Any]) -> tuple[Message, ...]:
    """What the command of an option of language models leaves to the person, as messages."""
    found: list[Message] = []
    engine, weights = str(option["engine"]), str(option["weights_format"])
    drafts, (held, _rank) = drafting(request, option), adapters(request)
    if engine == "llama-cpp":
        found.append(Message("recipe_gguf", {"weights_format": weights}))
        found.append(Message("recipe_llama_build", {}))
    elif engine == "openvino":
        found.append(Message("recipe_openvino", {"weights_format": weights}))
    elif weights not in STORED_AS_SERVED:
        found.append(Message("recipe_checkpoint", {"weights_format": weights}))
    if drafts and (engine == "llama-cpp" or (drafts["method"] in ("", "draft_model") and drafts["model"] == DRAFT)):
        found.append(Message("recipe_draft", {"tokens": drafts["tokens"]}))
    if held:
        found.append(Message("recipe_adapters", {"count": held}))
    if phases := option.get("phases"):
        code = f"recipe_phases_{engine.replace('-', '_')}" if engine in ("vllm", "sglang") else "recipe_phases_none"
        found.append(Message(code, {name: phases[f"{name}_instances"] for name in PHASES}))
    return tuple(found)
