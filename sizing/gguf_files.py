"""Headers of GGUF files: bounded reading, with the value types, formats and block sizes of the gguf library.

The library's own GGUFReader maps a whole file, follows whatever counts the header claims and takes seconds for a
vocabulary; a header that a stranger uploads needs a bound for each of them. A test holds both readers together.
"""

import re
import struct
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFValueType, LlamaFileType
from gguf.gguf_reader import READER_SUPPORTED_VERSIONS

from sizing.core.errors import InvalidModel
from sizing.weight_file import MAX_HEADER_BYTES, WeightFile, broken, too_large_header

MAX_ENTRIES = 4_000_000
MAX_TEXT_BYTES = 50_000_000
ROUTER = re.compile(r"blk\.(\d{1,5})\.ffn_gate_inp\.weight$")
SCALARS = {
    GGUFValueType.UINT8: "B", GGUFValueType.INT8: "b", GGUFValueType.UINT16: "H", GGUFValueType.INT16: "h",
    GGUFValueType.UINT32: "I", GGUFValueType.INT32: "i", GGUFValueType.FLOAT32: "f", GGUFValueType.BOOL: "?",
    GGUFValueType.UINT64: "Q", GGUFValueType.INT64: "q", GGUFValueType.FLOAT64: "d",
}  # fmt: skip


class _Reader:
    """Reads the little-endian values of a GGUF header, and no further than a bound."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.stream = stream
        self.name = name
        self.left = MAX_HEADER_BYTES

    def take(self, count: int) -> bytes:
        self.left -= count
        if self.left < 0:
            raise too_large_header(self.name, count, MAX_HEADER_BYTES)
        data = self.stream.read(count)
        if len(data) != count:
            raise broken(self.name, "it ends early")
        return data

    def number(self, code: str) -> Any:
        return struct.unpack(f"<{code}", self.take(struct.calcsize(f"<{code}")))[0]

    def text(self) -> str:
        length = self.number("Q")
        if length > MAX_TEXT_BYTES:
            raise broken(self.name, "a text is too long")
        return self.take(length).decode("utf-8", errors="replace")

    def value(self, kind: int) -> Any:
        if kind == GGUFValueType.STRING:
            return self.text()
        if kind in SCALARS:
            return self.number(SCALARS[GGUFValueType(kind)])
        if kind != GGUFValueType.ARRAY:
            raise broken(self.name, f"value type {kind} is not known")
        inner, count = self.number("I"), self.number("Q")
        if count > MAX_ENTRIES or inner == GGUFValueType.ARRAY:
            raise broken(self.name, "an array is too long or nested")
        if inner in SCALARS:
            code = SCALARS[GGUFValueType(inner)]
            return list(struct.unpack(f"<{count}{code}", self.take(struct.calcsize(f"<{count}{code}"))))
        for _ in range(count):
            self.value(inner)
        return {"length": count}


def read_gguf(stream: BinaryIO, name: str, size: int | None) -> WeightFile:
    """GGUF version 2 or 3: key-values, then name, shape, type and offset of each tensor."""
    reader = _Reader(stream, name)
    reader.take(4)
    version = reader.number("I")
    if version not in READER_SUPPORTED_VERSIONS:
        raise broken(name, f"GGUF version {version}")
    tensors, pairs = reader.number("Q"), reader.number("Q")
    if tensors > MAX_ENTRIES or pairs > MAX_ENTRIES:
        raise broken(name, "too many entries")
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
        raise broken(name, "the file is shorter than its header says")
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
        raise broken(name, f"tensor type {kind} is not known") from None
    count = 1
    for side in sides:
        count *= side
    if count > 10**16 or count % block:
        raise broken(name, "a tensor has a senseless shape")
    return quantisation.name, count // block * block_bytes, count


def whole_metadata(files: Sequence[WeightFile]) -> Mapping[str, Any]:
    """Key-values of a GGUF model in one file or in shards: only the first shard describes the model.

    Adds `stored_format`, the name of the file's type, which is that of most of its bytes where none is stated;
    `stored_bits`, the bits of an average weight; and what the names of all tensors say. Raises InvalidModel where
    there are no tensors: a vocabulary alone.
    """
    described = next((each for each in files if "general.architecture" in each.metadata), files[0])
    by_format: dict[str, int] = {}
    for each in files:
        for name, size in each.bytes_by_format.items():
            by_format[name] = by_format.get(name, 0) + size
    elements = sum(each.elements for each in files)
    if not elements:
        raise InvalidModel("model_gguf_without_tensors")
    return {
        **described.metadata,
        "tied": all(each.metadata["tied"] for each in files),
        "moe_layers": sorted({layer for each in files for layer in each.metadata["moe_layers"]}),
        "stored_format": _file_type(described.metadata.get("general.file_type"), by_format),
        "stored_bits": 8 * sum(by_format.values()) / elements,
    }


def _file_type(stated: object, by_format: Mapping[str, int]) -> str:
    """Name of the file's type, such as Q4_K_M; without a fitting statement the format with most bytes.

    A statement counts where tensors of its kind are there: converters have left the key at its default.
    """
    try:
        found = LlamaFileType(stated) if isinstance(stated, int) and not isinstance(stated, bool) else None
    except ValueError:
        found = None
    named = found.name.removeprefix("MOSTLY_").removeprefix("ALL_") if found is not None else ""
    if named and any(kind.startswith(named[:3]) for kind in by_format):
        return named
    return max(sorted(by_format), key=lambda kind: by_format[kind])


def is_gguf(first: bytes) -> bool:
    return first[:4] == b"GGUF"
