"""What a workload of these kinds may run on: accelerators for sale, servers without any, and software."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from catalog.models import Accelerator as AcceleratorRow
from catalog.models import Processor as ProcessorRow
from quotes import bom
from sizing import available, devices
from sizing.core.hardware import Accelerator, DeviceClass, DeviceKind, Vendor
from sizing.core.kinds.fitted import DATAFLOW
from sizing.core.kinds.search import KindEngine
from sizing.core.precision import Rate, StorageFormat
from sizing.core.units import GB, TFLOP
from sizing.core.values import Message, State, Verdict
from sizing.kinds.load import load_kind_coefficients
from sizing.software import format_family

NVIDIA_ENGINES = ("tensorrt", "triton", "tensorrt-llm", "nim", "vllm")
DEFAULT_ENGINES = {
    "asr": ("onnxruntime",),  # open pipelines, as the published rates of single cards are for
    "asr_live": ("vllm", "openvino", "onnxruntime"),
    "tts": ("onnxruntime", "openvino"),
    "models": ("triton", "onnxruntime"),
    "tabular": ("onnxruntime", "openvino", "triton"),
}
USUAL_ENGINES = ("tensorrt", "onnxruntime", "openvino")
SOCKETS = 2  # a server without accelerators carries two processors
NOT_ORDERABLE = available.NOT_ORDERABLE


def candidates(*, sockets: int = SOCKETS) -> tuple[Accelerator, ...]:
    """Accelerators that can be bought, and processors that can be ordered, as many of them as one server takes."""
    return (*available.current().accelerators, *_processors(available.current().version, sockets))


SMALL_FORMS = frozenset({"compact", "industrial_edge"})


def small_computers(stated: Mapping[str, Any], devices: Sequence[Accelerator]) -> frozenset[str]:
    """Modules and desktop systems, which no server takes; none where the request names a device or asks for such ones.

    They are looked at for the edge, and elsewhere on request: a room of servers is not planned with desktop computers.
    """
    site = stated["site"]
    wanted = SMALL_FORMS & set(site["form_factors"] or ()) or DeviceClass.EDGE in (site.get("device_classes") or ())
    if stated["deployment"]["accelerator"] or wanted:
        return frozenset()
    return frozenset(device.slug for device in devices if device.device_class is DeviceClass.EDGE)


MOST_EDGE_W = 150.0  # accelerators above this are made for servers with room for their heat
HOST_MEMORY_BYTES = round(8 * GB)
"""What a module without memory of its own may use of its host for the rest of a network (assumption)."""


def edge_candidates(limit_w: float) -> tuple[Accelerator, ...]:
    """Small accelerators, modules and single processors, none of which draws more than `limit_w`.

    A device whose power can be set lower runs at the limit: its rates fall in proportion, which is never too
    fast. What only a higher limit would allow stays in the list and is refused by the search with both figures.
    """
    offered = available.current()
    small = [device for device in offered.accelerators if _small(device)]
    floors = _power_floors(offered.version)
    cards = [capped(device, limit_w, floors.get(device.slug)) for device in (*small, *_dataflow(offered.version))]
    return (*cards, *_processors(offered.version, 1))


def _small(device: Accelerator) -> bool:
    return device.kind is DeviceKind.EDGE or (device.tdp_w is not None and device.tdp_w <= MOST_EDGE_W)


def capped(device: Accelerator, limit_w: float, floor_w: float | None) -> Accelerator:
    """The device at a lower power limit where its maker allows one; as it is elsewhere."""
    if device.tdp_w is None or device.tdp_w <= limit_w or floor_w is None or floor_w > limit_w:
        return device
    share = limit_w / device.tdp_w
    return replace(
        device, tdp_w=limit_w, flops_per_s={rate: value * share for rate, value in device.flops_per_s.items()}
    )


@lru_cache(maxsize=2)
def _power_floors(_version: str) -> dict[str, float]:
    """Lowest power that can be set, by slug, where it is published."""
    rows = AcceleratorRow.objects.filter(configurable_tdp_min_w__isnull=False)
    return {row.slug: float(row.configurable_tdp_min_w or 0) for row in rows}


@lru_cache(maxsize=2)
def _dataflow(_version: str) -> tuple[Accelerator, ...]:
    """Modules that keep networks on the chip: their link to the host stands for a bandwidth of memory."""
    rows = AcceleratorRow.objects.filter(slug__in=DATAFLOW, int8_dense_tops__isnull=False).exclude(
        status__in=NOT_ORDERABLE
    )
    found = []
    for row in rows.order_by("slug"):
        lanes = devices.PCIE_BYTES_PER_S_PER_LANE.get(row.pcie_gen or 0, 0.0) * (row.pcie_lanes or 0)
        if not lanes:
            continue
        memory = round((row.memory_gb or 0) * GB) or HOST_MEMORY_BYTES
        found.append(
            Accelerator(
                slug=row.slug, name=str(row), vendor=Vendor.OTHER, kind=DeviceKind.EDGE, memory_bytes=memory,
                usable_memory_bytes=memory, bandwidth_bytes_per_s=lanes,
                flops_per_s={Rate.INT8: (row.int8_dense_tops or 0) * TFLOP}, form_factor=row.form_factor,
                memory_type=row.memory_type, tdp_w=row.tdp_w, pcie_bytes_per_s=lanes, status=row.status,
                source=row.source_title, as_of=row.source_date,
            )
        )  # fmt: skip
    return tuple(found)


@lru_cache(maxsize=4)
def _processors(_version: str, sockets: int = SOCKETS) -> tuple[Accelerator, ...]:
    rows = ProcessorRow.objects.exclude(status__in=NOT_ORDERABLE).order_by("slug")
    return tuple(together for row in rows if (together := _together(row, sockets)) is not None)


def _together(row: ProcessorRow, most_sockets: int) -> Accelerator | None:
    """The processors of one server as one device; `scale_up_domain` counts them."""
    sockets = min(most_sockets, row.max_sockets or 1)
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
        if device.slug in DATAFLOW:
            return _own_runtime(slug, device, weights)
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


def _own_runtime(slug: str, device: Accelerator, weights: StorageFormat) -> Verdict:
    """Modules with a network on the chip compile 8-bit networks with their maker's own tools."""
    params = {"engine": slug, "accelerator": device.name}
    if slug != "onnxruntime":
        return Verdict(state=State.FAIL, margin=None, message=Message("software_unsupported_maker", params))
    if weights.bytes_per_value > 1.0:
        return Verdict(state=State.FAIL, margin=None, message=Message("kind_int8_only", params))
    return Verdict(state=State.CAUTION, margin=None, message=Message("kind_own_runtime", params))


def _other_maker(slug: str, device: Accelerator) -> Verdict | None:
    """Software that is made for one maker's devices alone; None where nothing speaks against it."""
    is_cpu = device.kind is DeviceKind.CPU
    nvidia_only = slug in NVIDIA_ENGINES and slug != "vllm"
    if nvidia_only and device.vendor is not Vendor.NVIDIA and not (is_cpu and slug == "triton"):
        return Verdict(state=State.FAIL, margin=None, message=Message("software_nvidia_only", {"engine": slug}))
    if slug == "openvino" and device.vendor is not Vendor.INTEL and not is_cpu:
        return Verdict(state=State.FAIL, margin=None, message=Message("software_intel_only", {"engine": slug}))
    return None
