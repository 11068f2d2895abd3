"""How weights and cache of a model come about: one figure each, with its numbers group by group."""

from sizing.core.model.architecture import ModelArchitecture
from sizing.core.model.features import WeightBytes
from sizing.core.model.modules import Role
from sizing.core.model.parameters import parameters_by_role, total_parameters
from sizing.core.precision import StorageFormat
from sizing.core.values import Message, Param

SHOWN_GROUPS = 6


def weights_numbers(model: ModelArchitecture, weights: WeightBytes) -> Message:
    """Parameters by kind times their mean bytes."""
    roles = parameters_by_role(model)
    counts = {
        "attention": roles[Role.ATTENTION] + roles[Role.RECURRENT],
        "dense": roles[Role.DENSE],
        "experts": roles[Role.EXPERTS],
        "tables": roles[Role.EMBEDDING] + roles[Role.LM_HEAD],
    }
    rates = {
        "attention": weights.attention,
        "dense": weights.dense,
        "experts": weights.experts,
        "tables": weights.embedding,
    }
    params: dict[str, Param] = {f"{name}_b": count / 1e9 for name, count in counts.items()}
    params |= {f"{name}_rate": round(rate, 4) for name, rate in rates.items()}
    params |= {"other_b": (total_parameters(model) - sum(counts.values())) / 1e9, "other_rate": round(weights.other, 4)}
    return Message("numbers_model_weights", params | {"total_gb": weights.total_bytes / 1e9})


def cache_numbers(model: ModelArchitecture, kv_format: StorageFormat) -> Message:
    """Layers times cache elements of each kind of layer, times the bytes of a value."""
    groups = [
        (group.count, attention.kv_elements_per_token, attention.window_kv_elements_per_token)
        for group, attention in model.attention_groups()
        if attention.unwindowed_kv_elements_per_token
    ]
    parts = [f"{count} x {grown}" for count, grown, _ in groups if grown]
    windowed = [f"{count} x {held}" for count, _, held in groups if held]
    params: dict[str, Param] = {
        "sum": " + ".join(parts[:SHOWN_GROUPS]) or "0",
        "windowed": " + ".join(windowed[:SHOWN_GROUPS]) or "0",
        "value_bytes": kv_format.bytes_per_value,
        "bytes": kv_format.bytes_per_value * sum(count * grown for count, grown, _ in groups),
    }
    return Message("numbers_model_cache", params)
