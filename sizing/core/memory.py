"""Device memory of one replica: what weights and reserves take, what is left for caches, what fits.

Per accelerator: pool = fraction x usable - weights - activations - runtime reserve (engines whose
fraction means something else follow their own rule). Sequences = floor(pool / bytes of one).
Source: docs/method.md#memory; reproduces logged vLLM start-ups (tests/sizing/core/test_memory.py).
"""

from dataclasses import dataclass, replace
from math import ceil
from typing import NamedTuple

from sizing.core.engines import EngineMemory, FractionOf, Windows
from sizing.core.hardware import Accelerator
from sizing.core.memory_weights import stage_share, weight_bytes_per_accelerator
from sizing.core.model.features import ModelFeatures, WeightBytes
from sizing.core.parallelism import Layout
from sizing.core.precision import StorageFormat

ENCODER_COPIES = 3  # output, its cached copy and the widest intermediate of a tower (assumption)
STATE_BYTES = 4  # of one value where an engine keeps states in 32 bits
HIDDEN_BYTES = 2  # activations are held in 16 bits
INDEX_BYTES_PER_ELEMENT = 132 / 128  # FP8 keys of 128 with one 32-bit scale
DEFAULT_CONTEXT_TOKENS = 2048  # where neither request nor model states one
LATENT_SCALE_BLOCK = 128  # FP8 latents of sparse attention: one 32-bit scale each, rope in 16 bits


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """Memory beside the model: draft models, adapters, encoder work space. Per accelerator, in bytes."""

    weight_bytes: int = 0
    runtime_bytes: int = 0
    kv_bytes_per_token: float = 0.0


NO_EXTRAS = Extras()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPlan:
    """Bytes are per accelerator, tokens per replica. `fits` means: starts and holds one longest request."""

    usable_bytes: int
    budget_bytes: int
    weight_bytes: int
    activation_bytes: int
    runtime_bytes: int
    kv_pool_bytes: int  # 0 where nothing is left
    short_bytes: int  # missing before any cache
    context_short_bytes: int  # missing for one request of max_context_tokens
    fits: bool
    margin: float  # (pool - one longest request) / budget
    kv_bytes_per_token: float  # of layers that grow without bound, as the engine keeps them
    window_kv_bytes_per_token: float  # of layers that the engine caps at window_tokens
    kv_bytes_per_token_capped: float  # lower bound: every window honoured
    kv_bytes_per_token_full: float  # upper bound: windows ignored
    window_tokens: int
    state_bytes_per_sequence: float
    block_tokens: int
    max_sequences: int
    max_batched_tokens: int
    memory_utilisation: float
    max_context_tokens: int
    kv_ranks: int  # pools of one replica that hold different sequences
    kv_tokens_per_replica: int
    kv_tokens_if_capped: int  # what the pool would hold were every window honoured and full
    engine: str
    extra_weight_bytes: int = 0  # part of weight_bytes: draft models, prediction layers, adapters
    extra_runtime_bytes: int = 0  # part of runtime_bytes: work space of encoders


def memory_plan(  # noqa: PLR0917 (the six parts of a deployment, in reading order)
    features: ModelFeatures,
    weights: WeightBytes,
    kv_format: StorageFormat,
    device: Accelerator,
    layout: Layout,
    engine: EngineMemory,
    *,
    max_batched_tokens: int | None = None,
    max_sequences: int | None = None,
    memory_utilisation: float | None = None,
    max_context_tokens: int | None = None,
    extras: Extras = NO_EXTRAS,
) -> MemoryPlan:
    """Memory of one accelerator of the fullest stage. None takes the engine's default for the device."""
    usable = device.usable_memory_bytes
    limits = _Limits(
        sequences=max_sequences if max_sequences is not None else engine.max_sequences(usable),
        batched_tokens=max_batched_tokens if max_batched_tokens is not None else engine.max_batched_tokens(usable),
        fraction=memory_utilisation if memory_utilisation is not None else engine.fraction,
        context_tokens=max_context_tokens or features.max_context_tokens or DEFAULT_CONTEXT_TOKENS,
    )
    encoder = encoder_bytes(features, max_batched_tokens=limits.batched_tokens)
    taken = _Taken(
        weight=weight_bytes_per_accelerator(features, weights, layout, engine) + extras.weight_bytes,
        activation=activation_bytes(
            features,
            engine,
            usable_bytes=usable,
            max_sequences=limits.sequences,
            max_batched_tokens=limits.batched_tokens,
        ),
        runtime=runtime_bytes(engine, layout) + encoder + extras.runtime_bytes,
    )
    cache = _cache(features, kv_format, layout, engine, extra=extras.kv_bytes_per_token)
    plan = _finished(usable, limits, taken, cache, engine=engine, ranks=layout.data)
    if extras == NO_EXTRAS and not encoder:
        return plan
    beside = encoder + extras.runtime_bytes
    return replace(plan, extra_weight_bytes=extras.weight_bytes, extra_runtime_bytes=beside)


class _Limits(NamedTuple):
    sequences: int
    batched_tokens: int
    fraction: float
    context_tokens: int


class _Taken(NamedTuple):
    weight: int
    activation: int
    runtime: int


class _Cache(NamedTuple):
    """Bytes per token as the engine keeps them, both bounds, and what a sequence costs beside."""

    growing: float
    windowed: float
    capped: float
    full: float
    window_tokens: int
    state: float
    block_tokens: int


def _cache(
    features: ModelFeatures, kv_format: StorageFormat, layout: Layout, engine: EngineMemory, *, extra: float
) -> _Cache:
    growing, windowed, full, state = kv_bytes_per_accelerator(features, kv_format, layout, engine)
    capped, full = growing + extra, full + extra
    kept, window = (full, 0.0) if engine.windows is Windows.FULL else (capped, windowed)
    block = _block_tokens(features, engine, kept, state)
    return _Cache(kept, window, capped, full, features.window_tokens, state, block)


def _finished(
    usable: int, limits: _Limits, taken: _Taken, cache: _Cache, *, engine: EngineMemory, ranks: int
) -> MemoryPlan:
    reserve = taken.activation + taken.runtime
    budget, raw_pool = _pool(usable, limits.fraction, engine.fraction_of, taken.weight, reserve)
    pool = max(0, raw_pool)
    need = _sequence_bytes(limits.context_tokens, cache)
    block = cache.block_tokens
    tokens = int(pool / cache.growing) // block * block if cache.growing else 0
    return MemoryPlan(
        usable_bytes=usable,
        budget_bytes=budget,
        weight_bytes=taken.weight,
        activation_bytes=taken.activation,
        runtime_bytes=taken.runtime,
        kv_pool_bytes=pool,
        short_bytes=max(0, -raw_pool),
        context_short_bytes=max(0, ceil(need - raw_pool)),
        fits=raw_pool > 0 and raw_pool >= need,
        margin=(raw_pool - need) / budget if budget else 0.0,
        kv_bytes_per_token=cache.growing,
        window_kv_bytes_per_token=cache.windowed,
        kv_bytes_per_token_capped=cache.capped,
        kv_bytes_per_token_full=cache.full,
        window_tokens=cache.window_tokens,
        state_bytes_per_sequence=cache.state,
        block_tokens=block,
        max_sequences=limits.sequences,
        max_batched_tokens=limits.batched_tokens,
        memory_utilisation=limits.fraction,
        max_context_tokens=limits.context_tokens,
        kv_ranks=ranks,
        kv_tokens_per_replica=tokens * ranks,
        kv_tokens_if_capped=int(pool / cache.capped) * ranks if cache.capped else 0,
        engine=engine.slug,
    )


def _pool(usable: int, fraction: float, fraction_of: FractionOf, weight: int, reserve: int) -> tuple[int, int]:
    """Bytes that the engine may use, and what is left of them for caches (negative where short)."""
    if fraction_of is FractionOf.DEVICE:
        budget = int(fraction * usable)
        return budget, budget - weight - reserve
    if fraction_of is FractionOf.STATIC:
        overrun = max(0, reserve - (usable - int(fraction * usable)))
        return int(fraction * usable), int(fraction * usable) - weight - overrun
    left = usable - weight - reserve
    if fraction_of is FractionOf.FREE and left > 0:
        return usable, int(fraction * left)
    return usable, left


def activation_bytes(
    features: ModelFeatures,
    engine: EngineMemory,
    *,
    usable_bytes: int,
    max_sequences: int,
    max_batched_tokens: int,
) -> int:
    """Peak of one profiled step: sampler logits and hidden states.

    Logged starts cover the engine's default limit of sequences. Below it the peak falls in
    proportion, but a spare is kept beside it, up to the peak at the default.
    Source: vLLM start-up logs, logits 38.2 bytes per sequence and vocabulary entry, 1.28 hidden states per token.
    """
    logits = logits_bytes(features, engine, usable_bytes=usable_bytes, max_sequences=max_sequences)
    hidden = engine.activation_passes * max_batched_tokens * features.hidden_size * HIDDEN_BYTES
    return int(logits + hidden)


def logits_bytes(features: ModelFeatures, engine: EngineMemory, *, usable_bytes: int, max_sequences: int) -> float:
    """The sampler's part of `activation_bytes`."""
    one = features.vocab_size * engine.logits_bytes
    logits = max_sequences * one
    default = engine.max_sequences(usable_bytes)
    if max_sequences < default:
        logits = min(logits + engine.spare_bytes(usable_bytes), default * one)
    return logits


def runtime_bytes(engine: EngineMemory, layout: Layout) -> int:
    """Context, graphs and collective buffers: measured for 1, 2 and 8 accelerators, in proportion between."""
    count = layout.accelerators
    if count == 1:
        return engine.runtime_single_bytes
    steps = min(count, 8) - 2
    return engine.runtime_pair_bytes + steps * (engine.runtime_eight_bytes - engine.runtime_pair_bytes) // 6


def encoder_tokens(features: ModelFeatures, *, max_batched_tokens: int) -> int:
    """Tokens of inputs that the encoder is profiled with, and whose outputs are kept until they are used.

    vLLM takes the larger of max_num_batched_tokens and the tokens of one largest input; a tower of any resolution
    counts as model.towers.DYNAMIC_INPUT_TOKENS.
    """
    return max(max_batched_tokens, features.encoder_tokens_per_input) if features.encoder_tokens_per_input else 0


def encoder_bytes(features: ModelFeatures, *, max_batched_tokens: int) -> int:
    """Reserve of vision and audio towers: 3 copies of the outputs of their token budget, in 16 bits.

    Charged whether or not the workload sends pictures: engines profile every kind of input that the model
    takes unless it is switched off. Source: vLLM, v1/core/encoder_cache_manager.py (budget) and
    v1/worker/gpu_model_runner.py (profile_run: outputs are held during the step); the copies are an assumption.
    """
    tokens = encoder_tokens(features, max_batched_tokens=max_batched_tokens)
    return ENCODER_COPIES * tokens * features.hidden_size * HIDDEN_BYTES


def kv_bytes_per_accelerator(
    features: ModelFeatures, kv_format: StorageFormat, layout: Layout, engine: EngineMemory
) -> tuple[float, float, float, float]:
    """Cache bytes per token: growing layers, windowed layers, all layers with windows ignored; state per sequence.

    Grouped heads split over min(tensor, kv heads); a latent is copied on every tensor rank.
    """
    per_value = kv_format.bytes_per_value
    tensor = layout.tensor
    heads = 1 if features.is_mla and not engine.splits_latent_cache else min(tensor, max(1, features.kv_heads))
    layers = max(1, features.layers)
    stage = stage_share(features.kv_layers, layers, layout.pipeline)
    scale = per_value * stage / heads
    if features.is_mla and features.sparse_top_k and per_value <= 1 and engine.packs_sparse_fp8_latents:
        scale *= _packed_latent_ratio(features)
    index = features.indexer_bytes_per_token * INDEX_BYTES_PER_ELEMENT * stage
    growing = features.kv_elements_per_token * scale + index
    windowed = features.window_kv_elements_per_token * scale
    full = features.unwindowed_kv_elements_per_token * scale + index
    mixers = stage_share(features.recurrent_layers or features.kv_layers, layers, layout.pipeline)
    state = state_bytes(features, engine) * mixers / tensor
    return growing, windowed, full, state


def state_bytes(features: ModelFeatures, engine: EngineMemory) -> int:
    """State of one sequence over all layers, in the widths that the engine keeps."""
    if not engine.wide_states:
        return features.state_bytes_per_sequence
    return STATE_BYTES * features.recurrent_values_per_sequence + features.fixed_state_bytes_per_sequence


def _packed_latent_ratio(features: ModelFeatures) -> float:
    """Bytes of an FP8 latent with scales and a 16-bit rope part, over its element count (656 / 576)."""
    if not features.heads or not features.mla_decode_qk_width:
        return 1.0
    rank = features.mla_decode_v_width / features.heads
    rope = features.mla_decode_qk_width / features.heads - rank
    return (rank + 4 * rank / LATENT_SCALE_BLOCK + 2 * rope) / (rank + rope)


def _block_tokens(features: ModelFeatures, engine: EngineMemory, growing: float, state: float) -> int:
    """Tokens of one cache block. Hybrids pad the attention page to at least one layer's state."""
    block = engine.block_tokens
    if not (engine.pads_hybrid_pages and features.recurrent_layers and features.kv_layers and growing):
        return block
    page_layer = growing / features.kv_layers
    state_layer = state / features.recurrent_layers
    return max(block, ceil(state_layer / page_layer / block) * block)


def _sequence_bytes(tokens: int, cache: _Cache) -> float:
    """Bytes of one sequence of `tokens`, in whole blocks."""
    block = cache.block_tokens
    padded = -(-tokens // block) * block
    window = cache.window_tokens
    held = min(padded, -(-window // block) * block) if window else padded
    return padded * cache.growing + held * cache.windowed + cache.state


def _cache_of(plan: MemoryPlan) -> _Cache:
    return _Cache(
        plan.kv_bytes_per_token,
        plan.window_kv_bytes_per_token,
        plan.kv_bytes_per_token_capped,
        plan.kv_bytes_per_token_full,
        plan.window_tokens,
        plan.state_bytes_per_sequence,
        plan.block_tokens,
    )


def sequence_bytes(plan: MemoryPlan, tokens: int) -> float:
    """Bytes that one sequence of this length takes on each accelerator."""
    return _sequence_bytes(tokens, _cache_of(plan))


def max_sequences_of_length(plan: MemoryPlan, tokens: int, *, shared_prefix_tokens: int = 0) -> int:
    """Sequences of this length that one replica holds at once; the engine's own limit applies.

    A prefix shared by all is kept once per pool, in whole blocks; models with a recurrent state or with
    capped windows keep it per sequence.
    """
    if plan.short_bytes:
        return 0
    limit = plan.max_sequences * plan.kv_ranks
    pool = float(plan.kv_pool_bytes)
    one = sequence_bytes(plan, tokens)
    prefix = min(shared_prefix_tokens, tokens) // plan.block_tokens * plan.block_tokens
    if prefix and not plan.state_bytes_per_sequence and not plan.window_kv_bytes_per_token:
        pool -= prefix * plan.kv_bytes_per_token
        one -= prefix * plan.kv_bytes_per_token
    if pool < 0:
        return 0
    if one <= 0:
        return limit
    return min(limit, int(pool / one) * plan.kv_ranks)


def longest_request_tokens(plan: MemoryPlan) -> int:
    """Longest single request that the cache of one replica holds, in whole blocks; the context limit does not apply."""
    if plan.short_bytes:
        return 0
    left = plan.kv_pool_bytes - plan.state_bytes_per_sequence
    if left <= 0:
        return 0
    if plan.kv_bytes_per_token <= 0:
        held = plan.window_kv_bytes_per_token * plan.window_tokens
        return plan.max_context_tokens if held <= left else 0
    block = plan.block_tokens
    windowed = plan.window_kv_bytes_per_token
    within = int(left / (plan.kv_bytes_per_token + windowed)) // block * block
    if not windowed or within <= plan.window_tokens:
        return within
    held = -(-plan.window_tokens // block) * block * windowed
    return max(0, int((left - held) / plan.kv_bytes_per_token) // block * block)


def engine_visible_bytes(
    *,
    memory_bytes: int,
    driver_total_bytes: int | None = None,
    driver_reserved_bytes: int | None = None,
    runtime_bytes: int | None = None,
) -> int:
    """Bytes that an engine sees of a device.

    The driver's total less its own reserve where both are printed (H100: 81,559 - 479 MiB = 79.18 GiB, as
    vLLM logs it), else the smaller figure of the compute runtime, else the driver's total, else the vendor's
    decimal gigabytes: no driver in the catalogue reports less.
    """
    if driver_total_bytes is not None and driver_reserved_bytes is not None:
        return driver_total_bytes - driver_reserved_bytes
    return runtime_bytes or driver_total_bytes or memory_bytes
