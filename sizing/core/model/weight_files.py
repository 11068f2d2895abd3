"""Bytes of a model's weights as its files state them, and whether they can be those of the model."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sizing.core.errors import InvalidModel
from sizing.core.model.architecture import ModelArchitecture
from sizing.core.model.features import WeightBytes, with_exact_bytes
from sizing.core.model.parameters import total_parameters

KINDS = ("gguf", "safetensors", "index", "hub")
LEAST_SHARE = 0.9
"""Files that hold less of the model than this are not all of it: shards are missing, or it is another model's."""
LEAST_BYTES_PER_PARAMETER = 0.18
"""The smallest published type, IQ1_S, has 1.5625 bits a weight (gguf, GGML_QUANT_SIZES: 50 bytes for 256)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactBytes:
    """What headers or an index say about the stored weights; no estimate."""

    kind: str  # one of KINDS
    total_bytes: int
    files: int = 1
    by_format: Mapping[str, int] = field(default_factory=dict)
    elements: int | None = None
    source: str = ""  # name of the first file, or of the model on the hub
    revision: str = ""


def exact_weights(model: ModelArchitecture, weights: WeightBytes, exact: ExactBytes) -> WeightBytes:
    """`weights` with the bytes of the files.

    Raises InvalidModel where the files are too small to hold the model: planned with them, it would seem to fit.
    """
    parameters, towers, apart = total_parameters(model), 0, 0
    least = LEAST_SHARE * weights.total_bytes
    whole = True
    if exact.kind == "gguf":  # towers stand in a file of their own
        towers = sum(tower.parameters for tower in model.towers if tower.in_total)
        apart = 2 * sum(tower.parameters for tower in model.towers)
        least = LEAST_BYTES_PER_PARAMETER * (parameters - towers)
        whole = exact.elements is None or exact.elements >= LEAST_SHARE * (parameters - towers)
    if not whole or exact.total_bytes < least:
        raise InvalidModel(
            "weight_files_incomplete",
            "/model/weight_files/bytes",
            size_gb=round(exact.total_bytes / 1e9, 3),
            needed_gb=round(weights.total_bytes / 1e9, 3),
            source=exact.source or exact.kind,
        )
    named = exact.source or exact.kind
    return with_exact_bytes(weights, exact.total_bytes, source=named, tower_bytes_apart=apart)
