"""Every figure of a memory plan with its formula's name, its inputs and the source of its constants."""

from collections.abc import Mapping
from dataclasses import dataclass

from sizing.core.engines import EngineMemory, FractionOf
from sizing.core.hardware import Accelerator
from sizing.core.memory import MemoryPlan, sequence_bytes
from sizing.core.model.features import ModelFeatures, WeightBytes
from sizing.core.parallelism import Layout
from sizing.core.values import Param


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure. `formula` is the message code whose words are the formula."""

    name: str
    value_bytes: float
    formula: str
    inputs: Mapping[str, Param]
    source: str


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
) -> tuple[Figure, ...]:
    """Usable memory, weights, activations, runtime, pool, cache of a token and of one longest request, state."""
    split: dict[str, Param] = {
        "tensor": layout.tensor,
        "pipeline": layout.pipeline,
        "data": layout.data,
    }
    figures = [
        Figure(
            name="usable",
            value_bytes=plan.usable_bytes,
            formula="formula_usable",
            inputs={"memory_bytes": device.memory_bytes},
            source=device.usable_memory_source or device.source,
        ),
        Figure(
            name="weights",
            value_bytes=plan.weight_bytes,
            formula="formula_weights",
            inputs={"total_bytes": weights.total_bytes, "tower_bytes": weights.tower_bytes_apart, **split},
            source="config.json",
        ),
        _activations(plan, features, engine),
        Figure(
            name="runtime",
            value_bytes=plan.runtime_bytes,
            formula="formula_runtime",
            inputs={"accelerators": layout.accelerators},
            source=engine.source,
        ),
        _pool(plan, engine),
    ]
    return (*figures, *_cache_figures(plan, features, split))


def _activations(plan: MemoryPlan, features: ModelFeatures, engine: EngineMemory) -> Figure:
    inputs: dict[str, Param] = {
        "max_sequences": plan.max_sequences,
        "vocab_size": features.vocab_size,
        "logits_bytes": engine.logits_bytes,
        "activation_passes": engine.activation_passes,
        "max_batched_tokens": plan.max_batched_tokens,
        "hidden_size": features.hidden_size,
    }
    return Figure(
        name="activations",
        value_bytes=plan.activation_bytes,
        formula="formula_activations",
        inputs=inputs,
        source=engine.source,
    )


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


def _cache_figures(plan: MemoryPlan, features: ModelFeatures, split: Mapping[str, Param]) -> list[Figure]:
    elements: dict[str, Param] = {
        "elements": features.kv_elements_per_token,
        "window_elements": features.window_kv_elements_per_token,
        "window_tokens": features.window_tokens,
        "kv_heads": features.kv_heads,
        **split,
    }
    figures = [
        Figure(
            name="token",
            value_bytes=plan.kv_bytes_per_token,
            formula="formula_token",
            inputs=elements,
            source="config.json",
        ),
        Figure(
            name="longest_request",
            value_bytes=sequence_bytes(plan, plan.max_context_tokens),
            formula="formula_request",
            inputs={
                "tokens": plan.max_context_tokens,
                "block_tokens": plan.block_tokens,
                "token_bytes": plan.kv_bytes_per_token,
                "window_token_bytes": plan.window_kv_bytes_per_token,
                "state_bytes": plan.state_bytes_per_sequence,
            },
            source="config.json",
        ),
    ]
    if plan.window_tokens:
        bounds: dict[str, Param] = {
            "capped_bytes": plan.kv_bytes_per_token_capped,
            "full_bytes": plan.kv_bytes_per_token_full,
            "window_tokens": plan.window_tokens,
        }
        figures.append(
            Figure(
                name="window_bounds",
                value_bytes=plan.kv_bytes_per_token_full,
                formula="formula_window_bounds",
                inputs=bounds,
                source="config.json",
            )
        )
    return figures
