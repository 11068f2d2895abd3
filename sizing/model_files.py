"""Exact bytes of weight files from their headers: GGUF, safetensors and their index. Tensors are never read."""

import json
import re
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from gguf import GGML_QUANT_SIZES, GGMLQuantizationType

from sizing.core.errors import InvalidModel

MAX_HEADER_BYTES = 100_000_000
MAX_GGUF_ENTRIES = 4_000_000
MAX_GGUF_TEXT_BYTES = 50_000_000
SAFETENSORS_BITS = {
    "F64": 64, "I64": 64, "U64": 64, "F32": 32, "I32": 32, "U32": 32, "F16": 16, "BF16": 16, "I16": 16, "U16": 16,
    "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "I8": 8, "U8": 8, "BOOL": 8, "F6_E2M3": 6, "F6_E3M2": 6, "F4": 4,
}  # fmt: skip
GGUF_MAGIC = b"GGUF"
ROUTER = re.compile(r"blk\.(\d{1,5})\.ffn_gate_inp\.weight$")


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFile:
    """What the header of one file says. `bytes_by_format` and `elements` count tensors, not padding."""

    kind: str  # gguf, safetensors
    tensor_bytes: int
    elements: int  # packed 4-bit integers count as stored words: not a parameter count
    bytes_by_format: Mapping[str, int]
    metadata: Mapping[str, Any]  # GGUF key-values; arrays by their length, numbers of arrays in full


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
    if first[:4] == GGUF_MAGIC:
        return _read_gguf(stream, name, size)
    if len(first) == 8 and _looks_like_safetensors(first, stream):
        stream.seek(0)
        return _read_safetensors(stream, name, size)
    return None


def index_total_bytes(index: Mapping[str, Any]) -> int | None:
    """`metadata.total_size` of a safetensors index; None where it is absent or senseless."""
    metadata = index.get("metadata")
    total = metadata.get("total_size") if isinstance(metadata, Mapping) else None
    if isinstance(total, bool) or not isinstance(total, (int, float)) or not 0 < total < 10**16:
        return None
    return int(total)


def total_of(files: Iterable[WeightFile]) -> int:
    """Bytes of all tensors of the shards of one checkpoint."""
    return sum(each.tensor_bytes for each in files)


def _looks_like_safetensors(first: bytes, stream: BinaryIO) -> bool:
    stream.seek(8)
    start = stream.read(1)
    return start == b"{" and struct.unpack("<Q", first)[0] >= 2


def _read_safetensors(stream: BinaryIO, name: str, size: int | None) -> WeightFile:
    """Eight bytes of header length (little endian), then JSON of dtype, shape and offsets per tensor."""
    (length,) = struct.unpack("<Q", stream.read(8))
    if length > MAX_HEADER_BYTES:
        raise InvalidModel(
            "model_header_too_large", file=name, size_mb=round(length / 1e6, 1), limit_mb=MAX_HEADER_BYTES / 1e6
        )
    try:
        header = json.loads(stream.read(length))
    except (ValueError, RecursionError):
        raise _broken(name, "no JSON") from None
    if not isinstance(header, dict):
        raise _broken(name, "no JSON object")
    by_format: dict[str, int] = {}
    elements = 0
    for tensor, entry in header.items():
        if tensor == "__metadata__":
            continue
        kind, shape, stored = _entry(entry, name)
        count = 1
        for side in shape:
            count *= side
        if -(-count * SAFETENSORS_BITS.get(kind, 0) // 8) not in {0, stored}:
            raise _broken(name, f"{tensor}: shape and offsets differ")
        by_format[kind] = by_format.get(kind, 0) + stored
        elements += count
    total = sum(by_format.values())
    if size is not None and total > size - 8 - length:
        raise _broken(name, "the file is shorter than its header says")
    metadata = header.get("__metadata__")
    return WeightFile(
        kind="safetensors",
        tensor_bytes=total,
        elements=elements,
        bytes_by_format=by_format,
        metadata=metadata if isinstance(metadata, dict) else {},
    )


def _entry(entry: object, name: str) -> tuple[str, list[int], int]:
    """dtype, shape and stored bytes of one tensor."""
    try:
        kind, shape, (start, end) = entry["dtype"], entry["shape"], entry["data_offsets"]  # type: ignore[index]
    except (KeyError, TypeError, ValueError):
        raise _broken(name, "a tensor lacks dtype, shape or offsets") from None
    numbers = [*shape, start, end] if isinstance(shape, list) else [None]
    if not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 10**16 for n in numbers) or end < start:
        raise _broken(name, "a tensor has a senseless shape or offset")
    return str(kind), shape, end - start


def _broken(name: str, problem: str) -> InvalidModel:
    return InvalidModel("model_header_broken", file=name, problem=problem)


class _Gguf:
    """Reads the little-endian values of a GGUF header, and no further than a bound."""

    SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.stream = stream
        self.name = name
        self.left = MAX_HEADER_BYTES

    def take(self, count: int) -> bytes:
        self.left -= count
        if self.left < 0:
            raise InvalidModel(
                "model_header_too_large",
                file=self.name,
                size_mb=round(count / 1e6, 1),
                limit_mb=MAX_HEADER_BYTES / 1e6,
            )
        data = self.stream.read(count)
        if len(data) != count:
            raise _broken(self.name, "it ends early")
        return data

    def number(self, code: str) -> Any:
        return struct.unpack(f"<{code}", self.take(struct.calcsize(f"<{code}")))[0]

    def text(self) -> str:
        length = self.number("Q")
        if length > MAX_GGUF_TEXT_BYTES:
            raise _broken(self.name, "a text is too long")
        return self.take(length).decode("utf-8", errors="replace")

    def value(self, kind: int) -> Any:
        if kind == 8:
            return self.text()
        if kind in self.SCALARS:
            return self.number(self.SCALARS[kind])
        if kind != 9:
            raise _broken(self.name, f"value type {kind} is not known")
        inner, count = self.number("I"), self.number("Q")
        if count > MAX_GGUF_ENTRIES or inner == 9:
            raise _broken(self.name, "an array is too long or nested")
        if inner in self.SCALARS:
            code = self.SCALARS[inner]
            return list(struct.unpack(f"<{count}{code}", self.take(struct.calcsize(f"<{count}{code}"))))
        for _ in range(count):
            self.value(inner)
        return {"length": count}


def _read_gguf(stream: BinaryIO, name: str, size: int | None) -> WeightFile:
    """GGUF version 2 or 3: key-values, then name, shape, type and offset of each tensor."""
    reader = _Gguf(stream, name)
    reader.take(4)
    version = reader.number("I")
    if version not in {2, 3}:
        raise _broken(name, f"GGUF version {version}")
    tensors, pairs = reader.number("Q"), reader.number("Q")
    if tensors > MAX_GGUF_ENTRIES or pairs > MAX_GGUF_ENTRIES:
        raise _broken(name, "too many entries")
    metadata = {}
    for _ in range(pairs):
        key = reader.text()
        metadata[key] = reader.value(reader.number("I"))
    by_format: dict[str, int] = {}
    elements = 0
    names = set()
    for _ in range(tensors):
        names.add(reader.text())
        sides = [reader.number("Q") for _ in range(min(reader.number("I"), 8))]
        kind = reader.number("I")
        reader.number("Q")
        label, stored, count = _tensor_size(sides, kind, name)
        by_format[label] = by_format.get(label, 0) + stored
        elements += count
    total = sum(by_format.values())
    if size is not None and total > size:
        raise _broken(name, "the file is shorter than its header says")
    metadata["tied"] = "output.weight" not in names
    routers = (ROUTER.match(tensor) for tensor in names)
    metadata["moe_layers"] = sorted(int(found[1]) for found in routers if found)
    return WeightFile(kind="gguf", tensor_bytes=total, elements=elements, bytes_by_format=by_format, metadata=metadata)


def _tensor_size(sides: list[int], kind: int, name: str) -> tuple[str, int, int]:
    """Format name, bytes and elements of one tensor, by the block sizes of the gguf library."""
    try:
        quantisation = GGMLQuantizationType(kind)
        block, block_bytes = GGML_QUANT_SIZES[quantisation]
    except (ValueError, KeyError):
        raise _broken(name, f"tensor type {kind} is not known") from None
    count = 1
    for side in sides:
        count *= side
    if count > 10**16 or count % block:
        raise _broken(name, "a tensor has a senseless shape")
    return quantisation.name, count // block * block_bytes, count
