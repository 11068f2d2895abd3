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
WIDE = {"F32": 4, "F64": 8}
WIDE_TYPES = {"float32": 4, "fp32": 4, "float64": 8}
SERVED_BYTES = 2
"""Serving software loads checkpoints of 32 and 64 bits in 16 bits: `dtype` auto of vLLM and SGLang (engine arguments).
GGUF files are served as they are.
"""
WIDE_SHARE = 0.95
"""Configs have said float32 beside 16-bit files: below this share of 32 bits a weight, the files are not wide."""
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
    """`weights` with the bytes of the files as they are served.

    Raises InvalidModel where the files are too small to hold the model: planned with them, it would seem to fit.
    """
    parameters, towers, apart = total_parameters(model), 0, 0
    least = LEAST_SHARE * weights.total_bytes
    served, whole = served_bytes(model, exact), True
    if exact.kind == "gguf":  # towers stand in a file of their own
        towers = sum(tower.parameters for tower in model.towers if tower.in_total)
        apart = 2 * sum(tower.parameters for tower in model.towers)
        least = LEAST_BYTES_PER_PARAMETER * (parameters - towers)
        whole = exact.elements is None or exact.elements >= LEAST_SHARE * (parameters - towers)
    if not whole or served < least:
        raise InvalidModel(
            "weight_files_incomplete",
            "/model/weight_files/bytes",
            size_gb=round(served / 1e9, 3),
            needed_gb=round(weights.total_bytes / 1e9, 3),
            source=exact.source or exact.kind,
        )
    named = exact.source or exact.kind
    return with_exact_bytes(weights, served, source=named, tower_bytes_apart=apart)


def served_bytes(model: ModelArchitecture, exact: ExactBytes) -> int:
    """Bytes of the files' weights once they are loaded, where those of an unquantised model are wider than 16 bits.

    An index does not tell formats; the config's type then counts for all of it where the files are large enough.
    """
    if exact.kind == "gguf" or model.quantisation is not None:
        return exact.total_bytes
    if exact.by_format:
        wide = {name: size for name, size in exact.by_format.items() if name in WIDE}
        return exact.total_bytes - sum(size - size * SERVED_BYTES // WIDE[name] for name, size in wide.items())
    width = WIDE_TYPES.get(model.stored_format, SERVED_BYTES)
    wide_files = exact.total_bytes >= WIDE_SHARE * width * total_parameters(model)
    return exact.total_bytes * SERVED_BYTES // width if wide_files else exact.total_bytes
