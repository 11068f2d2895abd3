"""What the header of one file of weights says, and how a damaged one is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sizing.core.errors import InvalidModel

MAX_HEADER_BYTES = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFile:
    """What the header of one file says. `bytes_by_format` and `elements` count tensors, not padding."""

    kind: str  # gguf, safetensors
    tensor_bytes: int
    elements: int  # packed 4-bit integers count as stored words: not a parameter count
    bytes_by_format: Mapping[str, int]
    metadata: Mapping[str, Any]  # GGUF key-values; arrays by their length, numbers of arrays in full


def broken(name: str, problem: str) -> InvalidModel:
    return InvalidModel("model_header_broken", file=name, problem=problem)


def too_large_header(name: str, size: int, limit: int) -> InvalidModel:
    return InvalidModel("model_header_too_large", file=name, size_mb=round(size / 1e6, 1), limit_mb=limit / 1e6)
