"""The model that drafts tokens, as the step model sees it: a separate one, or prediction layers of the checkpoint."""

from dataclasses import replace

from sizing.core.model.features import ModelFeatures, WeightBytes
from sizing.core.precision import BF16
from sizing.core.request import CoreRequest, WeightChoice


def drafting_model(request: CoreRequest) -> tuple[ModelFeatures, WeightChoice | None] | None:
    """Features of what drafts and its weights (None: in the formats of the served model); None where nothing runs.

    Drafts looked up in the prompt cost no pass, and a method that nobody stated is not guessed.
    """
    added = request.additions
    if added.draft is not None:
        return added.draft.features, _choice(added.draft.weights)
    if added.prediction_layers:
        return prediction_layer(request.model), None
    return None


def prediction_layer(model: ModelFeatures) -> ModelFeatures:
    """One layer of multi-token prediction: a layer of the model's own kind, a projection from 2 H to H, the head.

    Source: DeepSeek-V3 Technical Report, section 2.2.
    """
    layers = max(model.layers, 1)
    merge = 2 * model.hidden_size * model.hidden_size
    return replace(
        model,
        layers=1,
        moe_layers=min(model.moe_layers, 1),
        attention_parameters=model.attention_parameters // layers,
        dense_parameters=model.dense_parameters // layers + merge,
        attention_layers=1,
        full_attention_layers=1,
        window_tokens=0,
        kv_elements_per_token=model.unwindowed_kv_elements_per_token // max(model.kv_layers, 1),
        window_kv_elements_per_token=0,
        indexer_bytes_per_token=model.indexer_bytes_per_token // layers,
        state_bytes_per_sequence=0,
        recurrent_layers=0,
    )


def _choice(weights: WeightBytes) -> WeightChoice:
    return WeightChoice(slug="draft", storage=BF16, weights=weights)
