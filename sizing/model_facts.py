"""The facts of one model as the command, the API and the model page show them; no database needed."""

import json
from collections.abc import Mapping
from typing import Any

from sizing.core.errors import InvalidModel
from sizing.core.model.architecture import AttentionKind, ModelArchitecture
from sizing.core.model.explained import cache_numbers, weights_numbers
from sizing.core.model.features import state_bytes_per_sequence, weight_bytes
from sizing.core.model.parameters import active_parameters, matmul_flops_per_token, total_parameters
from sizing.core.model.parse import parse_config
from sizing.core.model.weight_files import ExactBytes
from sizing.core.precision import BF16, StorageFormat
from sizing.core.values import Message
from sizing.messages import render

MAX_CONFIG_BYTES = 8_000_000


WINDOWED = (AttentionKind.SLIDING, AttentionKind.COMPRESSED)
GROWING = (AttentionKind.FULL, AttentionKind.LATENT)


def read_config(data: bytes, *, file: str) -> Mapping[str, object]:
    """The object of a config.json, leniently: a byte order mark and bare Infinity are allowed.

    Raises InvalidModel naming what the file is instead.
    """
    if len(data) > MAX_CONFIG_BYTES:
        raise too_large(len(data))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidModel("model_file_not_text", file=file) from None
    try:
        value = json.loads(text)
    except RecursionError:
        raise InvalidModel("model_file_nested") from None
    except ValueError as error:
        raise InvalidModel("model_file_not_json", file=file, problem=str(error)[:200]) from None
    if not isinstance(value, dict):
        raise InvalidModel("model_not_an_object")
    return value


def too_large(size_bytes: int) -> InvalidModel:
    return InvalidModel(
        "model_file_too_large", size_mb=round(size_bytes / 1e6, 1), limit_mb=round(MAX_CONFIG_BYTES / 1e6, 1)
    )


def facts_of_config(
    config: Mapping[str, object],
    *,
    weights_format: StorageFormat | None = None,
    kv_format: StorageFormat = BF16,
    exact: ExactBytes | None = None,
) -> dict[str, Any]:
    """Facts of a parsed config.json. Raises InvalidModel."""
    return model_facts(parse_config(config), weights_format=weights_format, kv_format=kv_format, exact=exact)


def model_facts(
    model: ModelArchitecture,
    *,
    weights_format: StorageFormat | None = None,
    kv_format: StorageFormat = BF16,
    exact: ExactBytes | None = None,
) -> dict[str, Any]:
    """The contract's object: weights as stored unless a format is named, cache in `kv_format`.

    `exact` is what headers of the weight files or an index say; the computed bytes stay beside it.
    """
    own = list(model.attention_groups())
    per_value = kv_format.bytes_per_value
    growing = sum(group.count * attention.kv_elements_per_token for group, attention in own)
    unwindowed = sum(group.count * attention.unwindowed_kv_elements_per_token for group, attention in own)
    weights = weight_bytes(model, weights_format)
    return {
        "architecture": model.architecture or model.model_type,
        "model_type": model.model_type,
        "parameters_total": total_parameters(model),
        "parameters_active": active_parameters(model),
        "weight_bytes": weights.total_bytes,
        "weights_format": _weights_slug(model, weights_format),
        "kv_bytes_per_token": _whole(growing * per_value),
        "kv_bytes_per_token_window_ignored": _whole(unwindowed * per_value),
        "kv_format": kv_format.slug,
        "indexer_elements_per_token": sum(g.count * a.index_elements_per_token for g, a in own),
        "sliding_window": max((a.window_tokens for _, a in own), default=0),
        "sliding_layers": sum(g.count for g, a in own if a.kind in WINDOWED),
        "full_attention_layers": sum(g.count for g, a in own if a.kind in GROWING),
        "layers": model.layers,
        "state_bytes_per_sequence": state_bytes_per_sequence(model),
        "matmul_flops_per_token": matmul_flops_per_token(model),
        "max_context_tokens": model.max_context_tokens or None,
        "vision_parameters": sum(tower.parameters for tower in model.towers),
        "mtp_parameters": model.mtp_parameters,
        "kv_formula": render(Message(model.kv_formula)),
        "explained": [
            _explained("weight_bytes", "formula_model_weights", weights_numbers(model, weights)),
            _explained("kv_bytes_per_token", model.kv_formula, cache_numbers(model, kv_format)),
        ],
        "weight_files": exact_facts(exact, weights.total_bytes),
        "filled_defaults": [
            {"field": entry.field, "value": entry.value, "reason": entry.reason} for entry in model.filled_defaults
        ],
        "warnings": [
            {"code": warning.code, "params": dict(warning.params), "reason": render(warning)}
            for warning in model.warnings
        ],
    }


def _explained(field: str, formula: str, numbers: Message) -> dict[str, str]:
    """One figure with its formula, the same with numbers, and its source."""
    return {"field": field, "formula": render(Message(formula)), "numbers": render(numbers), "source": "config.json"}


def exact_facts(exact: ExactBytes | None, computed_bytes: int) -> dict[str, Any] | None:
    """Exact bytes beside the computed ones; None where no file states any."""
    if exact is None:
        return None
    return {
        "kind": exact.kind,
        "files": exact.files,
        "bytes": exact.total_bytes,
        "elements": exact.elements,
        "bytes_by_format": dict(exact.by_format),
        "source": exact.source,
        "revision": exact.revision,
        "computed_over_exact": round(computed_bytes / exact.total_bytes, 4) if exact.total_bytes else None,
    }


def _weights_slug(model: ModelArchitecture, weights_format: StorageFormat | None) -> str:
    if weights_format is not None:
        return weights_format.slug
    return model.quantisation.main_format.slug if model.quantisation is not None else BF16.slug


def _whole(value: float) -> int | float:
    return int(value) if value == int(value) else value
