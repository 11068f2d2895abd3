"""Models, accelerators and requests that the tests of speed and search share."""

import json
from functools import cache
from pathlib import Path

from sizing.calibration.load import load_coefficients
from sizing.core.coefficients import Coefficients
from sizing.core.engines import ENGINES
from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.model.architecture import ModelArchitecture
from sizing.core.model.features import model_features, weight_bytes
from sizing.core.model.parse import parse_config
from sizing.core.precision import BF16, FP8, Rate, StorageFormat
from sizing.core.request import CacheChoice, CoreCatalogue, CoreRequest, EngineChoice, WeightChoice
from sizing.core.values import Message, State, Verdict
from sizing.core.workload import LengthMix, Pinned, Target, Targets, Traffic

CONFIGS = Path(__file__).resolve().parents[3] / "catalog" / "data" / "models" / "configs"
SUPPORTED = Verdict(state=State.OK, margin=None, message=Message("software_supported"))
REFUSED = Verdict(state=State.FAIL, margin=None, message=Message("software_not_supported"))


@cache
def architecture(name: str) -> ModelArchitecture:
    return parse_config(json.loads((CONFIGS / f"{name}.json").read_text(encoding="utf-8")), name=name)


LLAMA_70B = "meta-llama__Llama-3.1-70B-Instruct"
LLAMA_8B = "meta-llama__Llama-3.1-8B-Instruct"


def accelerator(slug: str, **changes: object) -> Accelerator:
    base: dict[str, object] = {
        "slug": slug,
        "name": slug,
        "vendor": Vendor.NVIDIA,
        "kind": DeviceKind.GPU,
        "memory_bytes": 80 * 10**9,
        "usable_memory_bytes": 85 * 10**9,
        "bandwidth_bytes_per_s": 3.35e12,
        "flops_per_s": {Rate.BF16: 989.4e12, Rate.FP8: 1978.9e12},
        "compute_capability": "9.0",
        "memory_type": "HBM3",
        "tdp_w": 700.0,
        "scale_up_bytes_per_s": 450e9,
        "scale_up_domain": 8,
        "pcie_bytes_per_s": 50e9,
    }
    return Accelerator(**{**base, **changes})  # type: ignore[arg-type]


H100 = accelerator("nvidia-h100-sxm5-80gb")
H200 = accelerator(
    "nvidia-h200-sxm5-141gb",
    memory_bytes=141 * 10**9,
    usable_memory_bytes=150 * 10**9,
    bandwidth_bytes_per_s=4.8e12,
)
B200 = accelerator(
    "nvidia-b200-hgx-180gb",
    memory_bytes=180 * 10**9,
    usable_memory_bytes=191_514_017_792,
    bandwidth_bytes_per_s=7.7e12,
    flops_per_s={Rate.BF16: 2250e12, Rate.FP8: 4500e12, Rate.FP4: 9000e12},
    compute_capability="10.0",
    scale_up_bytes_per_s=900e9,
    tdp_w=1000.0,
)
MI300X = accelerator(
    "amd-mi300x",
    vendor=Vendor.AMD,
    memory_bytes=192 * 10**9,
    usable_memory_bytes=206 * 10**9,
    bandwidth_bytes_per_s=5.3e12,
    flops_per_s={Rate.BF16: 1307.4e12, Rate.FP8: 2614.9e12},
    compute_capability="gfx942",
    tdp_w=750.0,
)
L4 = accelerator(
    "nvidia-l4",
    memory_bytes=24 * 10**9,
    usable_memory_bytes=24 * 10**9,
    bandwidth_bytes_per_s=0.3e12,
    flops_per_s={Rate.BF16: 121e12, Rate.FP8: 242e12},
    compute_capability="8.9",
    memory_type="GDDR6",
    scale_up_bytes_per_s=None,
    scale_up_domain=1,
    pcie_bytes_per_s=25e9,
    tdp_w=72.0,
)


def engine(slug: str, **changes: object) -> EngineChoice:
    base: dict[str, object] = {
        "slug": slug,
        "version": "1",
        "support": lambda device, weights, cache: SUPPORTED,
        "memory": ENGINES[slug],
        "mixed_prefill": slug != "sglang",
    }
    return EngineChoice(**{**base, **changes})  # type: ignore[arg-type]


VLLM = engine("vllm")


def catalogue(*accelerators: Accelerator, engines: tuple[EngineChoice, ...] = (VLLM,)) -> CoreCatalogue:
    return CoreCatalogue(accelerators=accelerators or (H100, H200, B200), engines=engines)


def weights(name: str, storage: StorageFormat | None = FP8) -> WeightChoice:
    model = architecture(name)
    slug = storage.slug if storage else "stored"
    return WeightChoice(slug=slug, storage=storage or BF16, weights=weight_bytes(model, storage))


def request(name: str = LLAMA_70B, storage: StorageFormat | None = FP8, **changes: object) -> CoreRequest:
    base: dict[str, object] = {
        "model": model_features(architecture(name)),
        "weights": (weights(name, storage),),
        "caches": (CacheChoice(slug="fp8", storage=FP8),),
        "traffic": traffic(),
        "targets": limits(ttft_p95=1.0, tpot_p95=0.05),
    }
    return CoreRequest(**{**base, **changes})  # type: ignore[arg-type]


def traffic(concurrent: float | None = 64, inputs: float = 1024, outputs: float = 256, **changes: object) -> Traffic:
    base: dict[str, object] = {
        "input_tokens": LengthMix(mean=inputs),
        "output_tokens": LengthMix(mean=outputs),
        "max_context_tokens": int(inputs + outputs),
        "concurrent_requests": concurrent,
    }
    return Traffic(**{**base, **changes})  # type: ignore[arg-type]


def limits(**stated: float) -> Targets:
    """`ttft_p95=1.0` is a limit of one second on the 95th percentile of time to first token."""
    found = [(*name.split("_"), value) for name, value in stated.items()]
    return Targets(limits=tuple(Target(metric=m, percentile=p, limit_s=v) for m, p, v in found))


def pinned(device: Accelerator, **changes: object) -> Pinned:
    return Pinned(accelerator=device.slug, **changes)  # type: ignore[arg-type]


def coefficients() -> Coefficients:
    return load_coefficients()
