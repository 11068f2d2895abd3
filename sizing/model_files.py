"""Exact bytes of weight files from their headers: GGUF, safetensors and their index. Tensors are never read."""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from sizing.core.errors import InvalidModel
from sizing.gguf_files import is_gguf, read_gguf
from sizing.weight_file import WeightFile


def read_weight_file(path: Path) -> WeightFile:
    """Header of a weight file, by its first bytes. Raises InvalidModel for anything else."""
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            found = read_weight_stream(stream, path.name, size=size)
    except OSError as error:
        raise InvalidModel("model_file_unreadable", file=path.name, problem=error.strerror or "?") from None
    if found is None:
        raise InvalidModel("model_format_not_readable", file=path.name)
    return found


def read_weight_stream(stream: BinaryIO, name: str, *, size: int | None) -> WeightFile | None:
    """Header of an open file; None where it is neither GGUF nor safetensors.

    `size` is that of the whole file, None where only its beginning is at hand and nobody says.
    """
    first = stream.read(8)
    stream.seek(0)
    if is_gguf(first):
        return read_gguf(stream, name, size)
    if len(first) == 8 and _looks_like_safetensors(first, stream):
        from sizing.safetensors_files import read_safetensors  # noqa: PLC0415 - the hub's library is heavy

        stream.seek(0)
        return read_safetensors(stream, name, size)
    return None


def index_total_bytes(index: Mapping[str, Any]) -> int | None:
    """`metadata.total_size` of a safetensors index; None where it is absent or senseless."""
    metadata = index.get("metadata")
    total = metadata.get("total_size") if isinstance(metadata, Mapping) else None
    if isinstance(total, bool) or not isinstance(total, (int, float)) or not 0 < total < 10**16:
        return None
    return int(total)


def _looks_like_safetensors(first: bytes, stream: BinaryIO) -> bool:
    stream.seek(8)
    start = stream.read(1)
    return start == b"{" and struct.unpack("<Q", first)[0] >= 2
