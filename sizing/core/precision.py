"""Number formats: bytes per stored value and the rate at which a device computes with them."""

from dataclasses import dataclass
from enum import StrEnum


class Rate(StrEnum):
    """A dense matrix rate of a data sheet."""

    FP32 = "fp32"
    TF32 = "tf32"
    BF16 = "bf16"
    FP16 = "fp16"
    FP8 = "fp8"
    INT8 = "int8"
    FP4 = "fp4"
    INT4 = "int4"


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageFormat:
    """How values are stored: a row of `quantisation.csv` in the core's terms.

    `bytes_per_value` includes scales and zero points; `compute` is the rate used where the
    device has it natively, else the device's 16-bit rate is used.
    """

    slug: str
    bytes_per_value: float
    compute: Rate
    weight_only: bool = False


FP32 = StorageFormat(slug="fp32", bytes_per_value=4.0, compute=Rate.FP32)
BF16 = StorageFormat(slug="bf16", bytes_per_value=2.0, compute=Rate.BF16)
FP16 = StorageFormat(slug="fp16", bytes_per_value=2.0, compute=Rate.FP16)
FP8 = StorageFormat(slug="fp8", bytes_per_value=1.0, compute=Rate.FP8)
INT8 = StorageFormat(slug="int8", bytes_per_value=1.0, compute=Rate.INT8)
NVFP4 = StorageFormat(slug="nvfp4", bytes_per_value=0.5625, compute=Rate.FP4)
MXFP4 = StorageFormat(slug="mxfp4", bytes_per_value=0.53125, compute=Rate.FP4)
INT4 = StorageFormat(slug="int4", bytes_per_value=0.5625, compute=Rate.BF16, weight_only=True)

SHORT_NAMES = {f.slug: f for f in (FP32, BF16, FP16, FP8, INT8, NVFP4, MXFP4, INT4)}
"""The short names that a request may use; `int4` means group size 32 unless the checkpoint says otherwise."""
