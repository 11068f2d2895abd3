"""How serving engines divide device memory: defaults and reserves per engine family, each with its source.

Figures without a measurement behind them say so in `source`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from sizing.core.errors import InvalidDeployment
from sizing.core.units import GIB

LARGE_DEVICE_BYTES = 70 * GIB
"""From this size on vLLM's defaults are 1,024 sequences and 8,192 batched tokens (engine/arg_utils.py)."""


class FractionOf(StrEnum):
    """What the engine's memory fraction is a share of."""

    DEVICE = "device"  # weights, activations and cache together (vLLM)
    STATIC = "static"  # weights and cache; activations live outside (SGLang)
    FREE = "free"  # what is free after weights and runtime (TensorRT-LLM, LMDeploy)
    NONE = "none"  # no pool: what is left (llama.cpp)


class Windows(StrEnum):
    """What an engine keeps of layers with a sliding window."""

    FULL = "full"  # as if there were no window
    CAPPED = "capped"  # at most the window


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineMemory:
    """Memory behaviour of one engine family."""

    slug: str
    fraction: float
    fraction_of: FractionOf
    block_tokens: int
    large_max_sequences: int  # default on devices of LARGE_DEVICE_BYTES and more
    small_max_sequences: int
    large_max_batched_tokens: int
    small_max_batched_tokens: int
    logits_bytes: float  # per sequence and vocabulary entry, held during sampling
    activation_passes: float  # copies of one 16-bit hidden state per batched token
    runtime_single_bytes: int  # context, graphs, allocator; one accelerator
    runtime_pair_bytes: int  # two accelerators: plus collective buffers
    runtime_eight_bytes: int  # eight and more; between two and eight in proportion
    windows: Windows
    large_spare_bytes: int = 0  # kept where fewer sequences than the default are set: no log covers that
    small_spare_bytes: int = 0
    pads_hybrid_pages: bool = False
    pads_mxfp4_to: int = 0  # columns; 0 where experts are kept as stored
    packs_sparse_fp8_latents: bool = False
    splits_latent_cache: bool = False
    wide_states: bool = False  # recurrent states and convolutions all in 32 bits
    prefix_per_slot: bool = False  # each slot keeps its own copy of a shared prefix
    source: str = ""

    def max_sequences(self, usable_bytes: int) -> int:
        """Default limit of running sequences on a device of this size."""
        return self.large_max_sequences if usable_bytes >= LARGE_DEVICE_BYTES else self.small_max_sequences

    def spare_bytes(self, usable_bytes: int) -> int:
        """Reserve beside the formula where the limit of sequences is lowered."""
        return self.large_spare_bytes if usable_bytes >= LARGE_DEVICE_BYTES else self.small_spare_bytes

    def max_batched_tokens(self, usable_bytes: int) -> int:
        """Default limit of tokens in one step on a device of this size."""
        return self.large_max_batched_tokens if usable_bytes >= LARGE_DEVICE_BYTES else self.small_max_batched_tokens


LLM_D_LOGS = (
    "llm-d benchmark start-up logs, vLLM 0.11, H100 80 GB (one and two accelerators); eight accelerators: "
    "3.9 GiB from two logged starts, vllm-project/recipes pull 12 (2025-08) and vllm-project/vllm issue 6746 (2024-07)"
)
NOT_MEASURED = "engine documentation; reserves not measured"

VLLM = EngineMemory(
    slug="vllm",
    fraction=0.9,
    fraction_of=FractionOf.DEVICE,
    block_tokens=16,
    large_max_sequences=1024,
    small_max_sequences=256,
    large_max_batched_tokens=8192,
    small_max_batched_tokens=2048,
    logits_bytes=38.2,
    activation_passes=1.28,
    runtime_single_bytes=round(0.13 * GIB),
    runtime_pair_bytes=round(0.55 * GIB),
    runtime_eight_bytes=round(3.9 * GIB),
    windows=Windows.FULL,
    large_spare_bytes=4 * GIB,  # 5 % of an 80 GB device: the error within which logged starts are reproduced
    small_spare_bytes=1 * GIB,  # 5 % of a 24 GB device
    pads_hybrid_pages=True,
    pads_mxfp4_to=256,
    packs_sparse_fp8_latents=True,
    source=LLM_D_LOGS,
)
SGLANG = replace(
    VLLM,
    slug="sglang",
    fraction=0.85,
    fraction_of=FractionOf.STATIC,
    block_tokens=1,
    large_max_sequences=1024,
    logits_bytes=8.0,
    runtime_single_bytes=1 * GIB,
    runtime_pair_bytes=round(1.5 * GIB),
    runtime_eight_bytes=round(3.9 * GIB),
    pads_hybrid_pages=False,
    source=f"SGLang server arguments (mem_fraction_static); {NOT_MEASURED}",
)
TENSORRT_LLM = replace(
    VLLM,
    slug="tensorrt-llm",
    fraction=0.9,
    fraction_of=FractionOf.FREE,
    block_tokens=32,
    large_max_sequences=2048,
    small_max_sequences=256,
    logits_bytes=4.0,
    runtime_single_bytes=2 * GIB,
    runtime_pair_bytes=3 * GIB,
    runtime_eight_bytes=round(3.9 * GIB),
    pads_hybrid_pages=False,
    packs_sparse_fp8_latents=False,
    source=f"TensorRT-LLM kv_cache_free_gpu_memory_fraction and about 3 GiB of buffers; {NOT_MEASURED}",
)
LLAMA_CPP = replace(
    VLLM,
    slug="llama-cpp",
    fraction=1.0,
    fraction_of=FractionOf.NONE,
    block_tokens=256,
    large_max_sequences=64,
    small_max_sequences=64,
    large_max_batched_tokens=2048,
    small_max_batched_tokens=2048,
    logits_bytes=32.0,  # 512 logits rows of 4 bytes, spread over 64 slots
    activation_passes=16.0,
    runtime_single_bytes=round(0.5 * GIB),
    runtime_pair_bytes=round(0.75 * GIB),
    runtime_eight_bytes=2 * GIB,
    windows=Windows.CAPPED,
    large_spare_bytes=0,
    small_spare_bytes=0,
    pads_hybrid_pages=False,
    pads_mxfp4_to=0,
    packs_sparse_fp8_latents=False,
    splits_latent_cache=True,
    wide_states=True,  # src/llama-model.cpp, llama_model::create_memory (2026-10): recurrent states are GGML_TYPE_F32
    prefix_per_slot=True,  # tools/server/README.md, cache_prompt: the prompt is compared with that of the slot
    source=f"llama.cpp keeps a padded cache and caps sliding windows unless --swa-full; {NOT_MEASURED}",
)
OPENVINO = replace(
    VLLM,
    slug="openvino",
    fraction=0.9,
    fraction_of=FractionOf.FREE,
    block_tokens=32,
    large_max_sequences=256,
    small_max_sequences=256,
    large_max_batched_tokens=256,
    small_max_batched_tokens=256,
    logits_bytes=4.0,
    runtime_single_bytes=1 * GIB,
    runtime_pair_bytes=round(1.5 * GIB),
    runtime_eight_bytes=2 * GIB,
    large_spare_bytes=0,
    small_spare_bytes=0,
    pads_hybrid_pages=False,
    pads_mxfp4_to=0,
    packs_sparse_fp8_latents=False,
    source=(
        "OpenVINO Model Server, efficient LLM serving: paged attention, cache_size in GB as the start command states "
        f"it, max_num_seqs 256, max_num_batched_tokens 256; {NOT_MEASURED}"
    ),
)
ENGINES: Mapping[str, EngineMemory] = {
    "vllm": VLLM,
    "sglang": SGLANG,
    "tensorrt-llm": TENSORRT_LLM,
    "llama-cpp": LLAMA_CPP,
    "nim": replace(VLLM, slug="nim", source=f"NIM runs vLLM or TensorRT-LLM, the larger reserve taken; {NOT_MEASURED}"),
    "dynamo": replace(VLLM, slug="dynamo", source=f"Dynamo drives vLLM workers; {LLM_D_LOGS}"),
    "tgi": replace(VLLM, slug="tgi", block_tokens=1, source=f"TGI cuda-memory-fraction; {NOT_MEASURED}"),
    "lmdeploy": replace(
        TENSORRT_LLM,
        slug="lmdeploy",
        fraction=0.8,
        block_tokens=64,
        large_max_sequences=256,
        source=f"LMDeploy cache_max_entry_count, a share of what is free; {NOT_MEASURED}",
    ),
    "triton": replace(TENSORRT_LLM, slug="triton", source=f"Triton with the TensorRT-LLM backend; {NOT_MEASURED}"),
    "tensorrt": replace(TENSORRT_LLM, slug="tensorrt", source=f"TensorRT engine without paging; {NOT_MEASURED}"),
    "onnxruntime": replace(
        LLAMA_CPP, slug="onnxruntime", windows=Windows.FULL, source=f"ONNX Runtime GenAI; {NOT_MEASURED}"
    ),
    "openvino": OPENVINO,
}


def engine_memory(slug: str) -> EngineMemory:
    """Memory behaviour of an engine. Raises InvalidDeployment naming the known ones."""
    found = ENGINES.get(slug)
    if found is None:
        raise InvalidDeployment("engine_unknown", "/deployment/engine", value=slug, known=", ".join(ENGINES))
    return found
