"""Headers of safetensors files, read by the hub's library from a copy of the header alone.

The library trusts what it reads; here its answer must also agree with itself: bytes with shape and format, and all
of them with the size of the file.
"""

import re
import struct
import tempfile
from typing import BinaryIO

from huggingface_hub import parse_local_safetensors_file_metadata
from huggingface_hub.constants import SAFETENSORS_MAX_HEADER_LENGTH
from huggingface_hub.errors import SafetensorsParsingError
from huggingface_hub.utils import SafetensorsFileMetadata, TensorInfo  # type: ignore[attr-defined]  # exported late

from sizing.weight_file import WeightFile, broken, too_large_header

BITS = {
    "F64": 64, "I64": 64, "U64": 64, "F32": 32, "I32": 32, "U32": 32, "F16": 16, "BF16": 16, "I16": 16, "U16": 16,
    "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "I8": 8, "U8": 8, "BOOL": 8, "F6_E2M3": 6, "F6_E3M2": 6, "F4": 4,
}  # fmt: skip
MANY_SIDES = re.compile(rb"\[(?:\s*\d+\s*,){16}")
"""No tensor has more than a few sides; the product of millions of them would never end."""


def read_safetensors(stream: BinaryIO, name: str, size: int | None) -> WeightFile:
    """Eight bytes of header length (little endian), then JSON of dtype, shape and offsets per tensor."""
    first = stream.read(8)
    (length,) = struct.unpack("<Q", first)
    if length > SAFETENSORS_MAX_HEADER_LENGTH:
        raise too_large_header(name, length, SAFETENSORS_MAX_HEADER_LENGTH)
    header = stream.read(length)
    if len(header) != length:
        raise broken(name, "it ends early")
    if MANY_SIDES.search(header):
        raise broken(name, "a tensor has too many sides")
    read = _parsed(first + header, name)
    by_format: dict[str, int] = {}
    elements = 0
    for tensor, entry in read.tensors.items():
        count, stored = _size(entry, name)
        if -(-count * BITS.get(entry.dtype, 0) // 8) not in {0, stored}:
            raise broken(name, f"{tensor}: shape and offsets differ")
        by_format[str(entry.dtype)] = by_format.get(str(entry.dtype), 0) + stored
        elements += count
    total = sum(by_format.values())
    if size is not None and total > size - 8 - length:
        raise broken(name, "the file is shorter than its header says")
    metadata = read.metadata if isinstance(read.metadata, dict) else {}
    return WeightFile(
        kind="safetensors", tensor_bytes=total, elements=elements, bytes_by_format=by_format, metadata=metadata
    )


def _parsed(header: bytes, name: str) -> SafetensorsFileMetadata:
    with tempfile.NamedTemporaryFile(suffix=".safetensors") as copy:
        copy.write(header)
        copy.flush()
        try:
            return parse_local_safetensors_file_metadata(copy.name)
        except SafetensorsParsingError:
            raise broken(name, "no JSON of tensors") from None
        except (AttributeError, TypeError, ValueError, RecursionError):  # of entries that are no tensors
            raise broken(name, "a tensor lacks dtype, shape or offsets") from None


def _size(entry: TensorInfo, name: str) -> tuple[int, int]:
    """Values and stored bytes of one tensor."""
    offsets, shape = entry.data_offsets, entry.shape
    numbers = [*shape, *offsets] if isinstance(shape, list) and len(offsets) == 2 else [None]
    if not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 10**16 for n in numbers):
        raise broken(name, "a tensor has a senseless shape or offset")
    if offsets[1] < offsets[0]:
        raise broken(name, "a tensor has a senseless shape or offset")
    return entry.parameter_count, offsets[1] - offsets[0]
