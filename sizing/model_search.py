"""Models of the catalogue by a few letters, each with its shape in words: what the search in the form offers."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from catalog.models import AiModel
from catalog.selectors import catalog_version
from sizing.core.errors import SizingError
from sizing.core.model.features import model_features
from sizing.core.model.parse import parse_config
from sizing.core.precision import BF16
from sizing.preview_words import cache_words, model_facts

MOST_HITS = 8
QUERY_LETTERS = 100
SHAPES_KEPT = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelHit:
    """A model that matches; `facts` is its shape, empty where its config cannot be read."""

    name: str
    facts: str


def find_models(query: str) -> list[ModelHit]:
    """Models whose name holds every word of the query, those that begin with it first, then the shorter names."""
    words = query[:QUERY_LETTERS].casefold().replace("-", " ").split()
    names = [name for name in AiModel.objects.values_list("model_id", flat=True) if _matches(name, words)]
    names.sort(key=lambda name: (_distance(name, words), len(name), name))
    version = str(catalog_version())
    return [ModelHit(name=name, facts=" · ".join(_facts(name, version))) for name in names[:MOST_HITS]]


def _matches(name: str, words: list[str]) -> bool:
    folded = name.casefold().replace("-", " ")
    return all(word in folded for word in words)


def _distance(name: str, words: list[str]) -> int:
    own = name.casefold().rpartition("/")[2]
    return 0 if words and own.startswith(words[0]) else 1


def _facts(name: str, version: str) -> list[str]:
    shape = _shape(name, version)
    if shape is None:
        return []
    return [*model_facts(shape), cache_words(shape["kv_bytes_per_token"])]


@lru_cache(maxsize=SHAPES_KEPT)
def _shape(name: str, _version: str) -> dict[str, Any] | None:
    """The shape as the live preview states it, the KV cache in BF16; None where the config cannot be read."""
    config = AiModel.objects.values_list("config", flat=True).get(model_id=name)
    try:
        model = model_features(parse_config(config))
    except SizingError:
        return None
    return {
        "parameters_total": model.total_parameters,
        "parameters_active": model.active_parameters,
        "layers": model.layers,
        "kv_heads": model.kv_heads,
        "max_context_tokens": model.max_context_tokens,
        "kv_bytes_per_token": model.unwindowed_kv_elements_per_token * BF16.bytes_per_value,
    }
