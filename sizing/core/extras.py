"""Memory beside the model on one accelerator: prediction layers, draft models, adapters."""

from dataclasses import dataclass

from sizing.core.engines import EngineMemory
from sizing.core.memory import NO_EXTRAS, Extras, kv_bytes_per_accelerator
from sizing.core.memory_weights import weight_bytes_per_accelerator
from sizing.core.model.features import ModelFeatures, WeightBytes
from sizing.core.parallelism import Layout
from sizing.core.precision import StorageFormat

ADAPTER_BYTES = 2  # adapters are served in 16 bits
PROJECTIONS_PER_LAYER = 7  # query, key, value, output, gate, up, down


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftModel:
    """A smaller model that drafts tokens, in the weights that it is served with."""

    features: ModelFeatures
    weights: WeightBytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Additions:
    """What is served beside the model, before it is spread over a layout."""

    prediction_layers: int = 0  # multi-token prediction layers of the checkpoint that are switched on
    draft: DraftModel | None = None
    adapters: int = 0  # LoRA adapters held at once
    adapter_rank: int = 0


NO_ADDITIONS = Additions()


def extras_of(
    additions: Additions,
    features: ModelFeatures,
    weights: WeightBytes,
    kv_format: StorageFormat,
    layout: Layout,
    *,
    engine: EngineMemory,
) -> Extras:
    """Bytes on one accelerator of everything that is served beside the model."""
    if additions == NO_ADDITIONS:
        return NO_EXTRAS
    parts = []
    if additions.prediction_layers:
        parts.append(prediction_extras(features, weights, kv_format, layout, layers=additions.prediction_layers))
    if additions.draft is not None:
        draft = additions.draft
        parts.append(draft_extras(draft.features, draft.weights, kv_format, layout, engine))
    if additions.adapters:
        parts.append(adapter_extras(features, layout, rank=additions.adapter_rank, adapters=additions.adapters))
    return together(*parts)


def prediction_extras(
    features: ModelFeatures, weights: WeightBytes, kv_format: StorageFormat, layout: Layout, *, layers: int
) -> Extras:
    """Multi-token prediction layers of the checkpoint, switched on: their weights and one more cache each.

    Weights have the mean width of the checkpoint and are split as the model is. No bytes where it has none.
    """
    if not features.mtp_parameters or not features.total_parameters:
        return Extras()
    mean = weights.total_bytes / features.total_parameters
    shares = min(layout.tensor, max(1, features.kv_heads)) if not features.is_mla else 1
    per_layer = features.unwindowed_kv_elements_per_token / max(1, features.kv_layers)
    return Extras(
        weight_bytes=int(features.mtp_parameters * mean / (layout.tensor * layout.data)),
        kv_bytes_per_token=layers * per_layer * kv_format.bytes_per_value / shares,
    )


def draft_extras(
    draft: ModelFeatures, weights: WeightBytes, kv_format: StorageFormat, layout: Layout, engine: EngineMemory
) -> Extras:
    """A separate draft model, split as the model is: its weights and its cache for every token."""
    _, _, full, _ = kv_bytes_per_accelerator(draft, kv_format, layout, engine)
    return Extras(weight_bytes=weight_bytes_per_accelerator(draft, weights, layout, engine), kv_bytes_per_token=full)


def adapter_extras(features: ModelFeatures, layout: Layout, *, rank: int, adapters: int) -> Extras:
    """LoRA adapters on every projection that are held at once: rank x (in + out) each, split by tensor rank.

    In and out of a projection of p weights on hidden size h are h and p / h; experts carry none.
    """
    inputs = PROJECTIONS_PER_LAYER * features.layers * features.hidden_size
    outputs = (features.attention_parameters + features.dense_parameters) / max(1, features.hidden_size)
    return Extras(weight_bytes=int(adapters * rank * (inputs + outputs) * ADAPTER_BYTES / layout.tensor))


def together(*parts: Extras) -> Extras:
    """The sum of several extras."""
    return Extras(
        weight_bytes=sum(part.weight_bytes for part in parts),
        runtime_bytes=sum(part.runtime_bytes for part in parts),
        kv_bytes_per_token=sum(part.kv_bytes_per_token for part in parts),
    )
