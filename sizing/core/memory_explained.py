"""Every figure of a memory plan with its formula's name, its inputs and the source of its constants."""

from collections.abc import Mapping
from dataclasses import dataclass

from sizing.core.engines import EngineMemory, FractionOf
from sizing.core.hardware import Accelerator
from sizing.core.memory import (
    ENCODER_COPIES,
    HIDDEN_BYTES,
    MemoryPlan,
    encoder_tokens,
    logits_bytes,
    sequence_bytes,
    state_bytes,
)
from sizing.core.memory_weights import weight_parts
from sizing.core.model.features import ModelFeatures, WeightBytes
from sizing.core.parallelism import Layout
from sizing.core.precision import StorageFormat
from sizing.core.units import GB
from sizing.core.values import Message, Param

CONFIG = "config.json"
ENCODER_SOURCE = (
    "vLLM, v1/core/encoder_cache_manager.py: the larger of max_num_batched_tokens and the tokens of one input is "
    "profiled by default; tokens of an input from config.json; number of copies assumed, not measured"
)
IN_BYTES = ("token_bytes", "window_token_bytes", "logits_bytes", "value_bytes", "capped_bytes", "full_bytes")
"""Inputs that are shown in bytes; others that end in `_bytes` are shown in gigabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure. `formula` is the message whose words are the formula, `numbers` the same with its numbers in."""

    name: str
    value_bytes: float
    formula: str
    inputs: Mapping[str, Param]
    source: str

    @property
    def numbers(self) -> Message:
        """The formula with its numbers: sizes in decimal gigabytes, what one token or value takes in bytes."""
        shown = {key: _shown(key, value) for key, value in self.inputs.items()}
        return Message(self.formula.replace("formula_", "numbers_", 1), shown)


def _shown(key: str, value: Param) -> Param:
    if key.endswith("_bytes") and key not in IN_BYTES and isinstance(value, int | float):
        return value / GB
    return value


POOL_FORMULAS = {
    FractionOf.DEVICE: "formula_pool_device",
    FractionOf.STATIC: "formula_pool_static",
    FractionOf.FREE: "formula_pool_free",
    FractionOf.NONE: "formula_pool_none",
}


def explain_memory(
    plan: MemoryPlan,
    features: ModelFeatures,
    weights: WeightBytes,
    *,
    device: Accelerator,
    layout: Layout,
    engine: EngineMemory,
    kv_format: StorageFormat,
) -> tuple[Figure, ...]:
    """Usable memory, weights and each reserve, pool, cache of a token and of one longest request, state."""
    figures = [
        Figure(
            name="usable",
            value_bytes=plan.usable_bytes,
            formula="formula_usable",
            inputs={"memory_bytes": device.memory_bytes},
            source=device.usable_memory_source or device.source,
        ),
        _weights(plan, features, weights, layout=layout, engine=engine),
        *_reserves(plan, features, engine, layout),
        _pool(plan, engine),
    ]
    return (*figures, *_cache_figures(plan, features, kv_format, layout, engine))


def _weights(
    plan: MemoryPlan, features: ModelFeatures, weights: WeightBytes, *, layout: Layout, engine: EngineMemory
) -> Figure:
    parts = weight_parts(features, weights, layout, engine)
    inputs: dict[str, Param] = {f"{name}_bytes": size for name, size in parts._asdict().items()}
    inputs |= {"total_bytes": weights.total_bytes, "tensor": layout.tensor}
    inputs |= {"pipeline": layout.pipeline, "data": layout.data, "beside_bytes": plan.extra_weight_bytes}
    return Figure(
        name="weights",
        value_bytes=plan.weight_bytes,
        formula="formula_weights",
        inputs=inputs,
        source=weights.source or CONFIG,
    )


def _reserves(plan: MemoryPlan, features: ModelFeatures, engine: EngineMemory, layout: Layout) -> list[Figure]:
    """Sampler and hidden states, engine and collectives, encoder work space: each with its own source."""
    logits = logits_bytes(features, engine, usable_bytes=plan.usable_bytes, max_sequences=plan.max_sequences)
    default = engine.max_sequences(plan.usable_bytes)
    sampler: dict[str, Param] = {
        "max_sequences": plan.max_sequences,
        "vocab_size": features.vocab_size,
        "logits_bytes": engine.logits_bytes,
        "spare_bytes": logits - plan.max_sequences * features.vocab_size * engine.logits_bytes,
        "default_sequences": default,
    }
    hidden: dict[str, Param] = {
        "activation_passes": engine.activation_passes,
        "max_batched_tokens": plan.max_batched_tokens,
        "hidden_size": features.hidden_size,
        "value_bytes": HIDDEN_BYTES,
    }
    found = [
        Figure(name="sampler", value_bytes=logits, formula="formula_sampler", inputs=sampler, source=engine.source),
        Figure(
            name="activations",
            value_bytes=plan.activation_bytes - logits,
            formula="formula_activations",
            inputs=hidden,
            source=engine.source,
        ),
        *_engine_reserves(plan, engine, layout),
    ]
    if plan.extra_runtime_bytes:
        found.append(
            Figure(
                name="encoder",
                value_bytes=plan.extra_runtime_bytes,
                formula="formula_encoder",
                inputs={
                    "copies": ENCODER_COPIES,
                    "tokens": encoder_tokens(features, max_batched_tokens=plan.max_batched_tokens),
                    "hidden_size": features.hidden_size,
                    "value_bytes": HIDDEN_BYTES,
                },
                source=ENCODER_SOURCE,
            )
        )
    return found


def _engine_reserves(plan: MemoryPlan, engine: EngineMemory, layout: Layout) -> list[Figure]:
    """Context and graphs of one accelerator, and what several add for their collectives."""
    whole = plan.runtime_bytes - plan.extra_runtime_bytes
    alone = min(whole, engine.runtime_single_bytes)
    found = [
        Figure(
            name="runtime",
            value_bytes=alone,
            formula="formula_runtime",
            inputs={"accelerators": 1},
            source=engine.source,
        )
    ]
    if layout.accelerators > 1:
        found.append(
            Figure(
                name="collectives",
                value_bytes=whole - alone,
                formula="formula_collectives",
                inputs={"accelerators": layout.accelerators},
                source=engine.source,
            )
        )
    return found


def _pool(plan: MemoryPlan, engine: EngineMemory) -> Figure:
    inputs: dict[str, Param] = {
        "usable_bytes": plan.usable_bytes,
        "memory_utilisation": plan.memory_utilisation,
        "weight_bytes": plan.weight_bytes,
        "activation_bytes": plan.activation_bytes,
        "runtime_bytes": plan.runtime_bytes,
    }
    return Figure(
        name="pool",
        value_bytes=plan.kv_pool_bytes,
        formula=POOL_FORMULAS[engine.fraction_of],
        inputs=inputs,
        source=engine.source,
    )


def _cache_figures(
    plan: MemoryPlan, features: ModelFeatures, kv_format: StorageFormat, layout: Layout, engine: EngineMemory
) -> list[Figure]:
    shared = features.is_mla and not engine.splits_latent_cache
    elements: dict[str, Param] = {
        "elements": features.kv_elements_per_token,
        "window_elements": features.window_kv_elements_per_token,
        "indexer_elements": features.indexer_bytes_per_token,
        "window_tokens": features.window_tokens,
        "value_bytes": kv_format.bytes_per_value,
        "kv_heads": features.kv_heads,
        "ranks": 1 if shared else min(layout.tensor, max(1, features.kv_heads)),
        "tensor": layout.tensor,
        "pipeline": layout.pipeline,
    }
    request: dict[str, Param] = {
        "tokens": plan.max_context_tokens,
        "block_tokens": plan.block_tokens,
        "token_bytes": plan.kv_bytes_per_token,
        "window_token_bytes": plan.window_kv_bytes_per_token,
        "window_tokens": plan.window_tokens,
        "state_bytes": plan.state_bytes_per_sequence,
    }
    found = [
        Figure(
            name="token", value_bytes=plan.kv_bytes_per_token, formula="formula_token", inputs=elements, source=CONFIG
        ),
        Figure(
            name="longest_request",
            value_bytes=sequence_bytes(plan, plan.max_context_tokens),
            formula="formula_request",
            inputs=request,
            source=CONFIG,
        ),
    ]
    return [*found, *_bounds(plan, features, engine)]


def _bounds(plan: MemoryPlan, features: ModelFeatures, engine: EngineMemory) -> list[Figure]:
    """Both bounds of a windowed cache, and the constant state of hybrids."""
    found = []
    if plan.window_tokens:
        bounds: dict[str, Param] = {
            "capped_bytes": plan.kv_bytes_per_token_capped,
            "full_bytes": plan.kv_bytes_per_token_full,
            "window_tokens": plan.window_tokens,
        }
        found.append(
            Figure(
                name="window_bounds",
                value_bytes=plan.kv_bytes_per_token_full,
                formula="formula_window_bounds",
                inputs=bounds,
                source=CONFIG,
            )
        )
    if plan.state_bytes_per_sequence:
        state: dict[str, Param] = {
            "whole_bytes": state_bytes(features, engine),
            "layers": features.recurrent_layers,
            "block_tokens": plan.block_tokens,
        }
        value = plan.state_bytes_per_sequence
        found.append(Figure(name="state", value_bytes=value, formula="formula_state", inputs=state, source=CONFIG))
    return found
