"""What a workload of these kinds may run on: accelerators for sale, servers without any, and software."""

from dataclasses import replace
from functools import lru_cache

from catalog.models import Processor as ProcessorRow
from quotes import bom
from sizing import available, devices
from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.kinds.search import KindEngine
from sizing.core.precision import StorageFormat
from sizing.core.values import Message, State, Verdict
from sizing.kinds.load import load_kind_coefficients
from sizing.software import format_family

NVIDIA_ENGINES = ("tensorrt", "triton", "tensorrt-llm", "nim", "vllm")
DEFAULT_ENGINES = {
    "asr": ("onnxruntime",),  # open pipelines, as the published rates of single cards are for
    "asr_live": ("vllm", "openvino", "onnxruntime"),
    "tts": ("onnxruntime", "openvino"),
    "models": ("triton", "onnxruntime"),
}
USUAL_ENGINES = ("tensorrt", "onnxruntime", "openvino")
SOCKETS = 2  # a server without accelerators carries two processors
NOT_ORDERABLE = frozenset({"announced", "withdrawn", "eol"})


def candidates() -> tuple[Accelerator, ...]:
    """Accelerators that can be bought, and pairs of processors that can be ordered."""
    return (*available.current().accelerators, *_processors(available.current().version))


@lru_cache(maxsize=2)
def _processors(_version: str) -> tuple[Accelerator, ...]:
    rows = ProcessorRow.objects.exclude(status__in=NOT_ORDERABLE).order_by("slug")
    return tuple(pair for row in rows if (pair := _pair(row)) is not None)


def _pair(row: ProcessorRow) -> Accelerator | None:
    """The processors of one server as one device; `scale_up_domain` counts them."""
    sockets = min(SOCKETS, row.max_sockets or 1)
    device = devices.processor(row, sockets=sockets)
    return replace(device, scale_up_domain=sockets) if device else None


def part_of(device: Accelerator, hardware: bom.Prepared) -> bom.AcceleratorPart:
    """The device as a part: an accelerator of the catalogue, or the host processor itself."""
    known = hardware.accelerators.get(device.slug)
    if known is not None:
        return known
    cpu = hardware.processors_by_slug[device.slug]
    return bom.AcceleratorPart(
        slug=cpu.slug,
        name=device.name,
        vendor=device.vendor.value,
        form_factor="cpu",
        tdp_w=cpu.tdp_w,
        status=device.status,
    )


def engines(usual: str, wanted: tuple[str, ...], version: str | None = None, *, family: str) -> tuple[KindEngine, ...]:
    """The software that a request allows, or what `usual`ly serves this family of networks."""
    chosen = wanted or DEFAULT_ENGINES.get(usual, USUAL_ENGINES)
    return tuple(_engine(slug, family, version) for slug in dict.fromkeys(chosen))


def _engine(slug: str, family: str, version: str | None) -> KindEngine:
    compatibility = available.current().compatibility
    release, _ = compatibility.release(slug)

    def support(device: Accelerator, weights: StorageFormat) -> Verdict:
        refused = _other_maker(slug, device)
        if refused is not None:
            return refused
        stated = compatibility.verdict(slug, device, format_family(weights), "bf16")
        return _measured(slug, family, device) or stated if stated.state is State.UNKNOWN else stated

    return KindEngine(slug=slug, version=version or release, support=support)


def _measured(slug: str, family: str, device: Accelerator) -> Verdict | None:
    """Published rates of TensorRT on this very device settle what no compatibility table states."""
    fit = load_kind_coefficients().fits.get(family)
    if fit is None or slug not in ("tensorrt", "triton") or device.vendor is not Vendor.NVIDIA:
        return None
    if device.slug not in fit.measured_devices:
        return None
    params = {"engine": slug, "source": fit.source}
    return Verdict(state=State.OK, margin=None, message=Message("kind_software_measured", params))


def _other_maker(slug: str, device: Accelerator) -> Verdict | None:
    """Software that is made for one maker's devices alone; None where nothing speaks against it."""
    is_cpu = device.kind is DeviceKind.CPU
    nvidia_only = slug in NVIDIA_ENGINES and slug != "vllm"
    if nvidia_only and device.vendor is not Vendor.NVIDIA and not (is_cpu and slug == "triton"):
        return Verdict(state=State.FAIL, margin=None, message=Message("software_nvidia_only", {"engine": slug}))
    if slug == "openvino" and device.vendor is not Vendor.INTEL and not is_cpu:
        return Verdict(state=State.FAIL, margin=None, message=Message("software_intel_only", {"engine": slug}))
    return None
