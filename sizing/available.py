"""What a run may choose from: the catalogue's accelerators and engines as core values, kept per catalogue version."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from catalog.models import Accelerator as AcceleratorRow
from catalog.models import CatalogVersion, SoftwareCompatibility
from catalog.models import Processor as ProcessorRow
from catalog.nearest import nearest_names
from sizing import devices
from sizing.core.candidate import Rejection
from sizing.core.engines import engine_memory
from sizing.core.errors import InvalidHardware
from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.request import CacheChoice, CoreCatalogue, EngineChoice, PublishedGain, WeightChoice
from sizing.core.values import Message, State, Verdict
from sizing.core.workload import Pinned
from sizing.software import Cell, Compatibility, at_release, format_family
from sizing.software_facts import LIGHT, span, speculation_gains

DEFAULT_ENGINES = ("vllm", "sglang", "tensorrt-llm")
PINNED_ENGINE = "vllm"  # a pinned deployment without an engine: the one whose memory is measured best
GGUF_ENGINE = "llama-cpp"  # whose own format GGUF is
LLM_ENGINES = (*DEFAULT_ENGINES, "llama-cpp", "openvino", "tgi", "lmdeploy", "nim", "dynamo", "triton")
ONE_ACCELERATOR = frozenset({"openvino"})  # docs.openvino.ai, model server, LLM reference: one target device a replica
SEPARATE_PREFILL = frozenset({"sglang"})  # prompts run in batches of their own while decoding waits
NOT_ORDERABLE = frozenset({"announced", "withdrawn", "eol"})
NOT_SOLD = {"cloud-only": "cloud_only", "china-export": "export_variant"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Available:
    """Accelerators that can be bought and sized, why the others cannot, and the software table.

    `unsold` can be sized but not ordered: they are looked at only where a request names one.
    """

    version: str
    accelerators: tuple[Accelerator, ...]
    unsold: tuple[Accelerator, ...]
    processors: tuple[Accelerator, ...]  # one socket each; `scale_up_domain` says how many a server joins
    left_out: tuple[Rejection, ...]
    compatibility: Compatibility


def current() -> Available:
    """What the newest committed catalogue offers; read once per version and process."""
    version = CatalogVersion.objects.order_by("-number").first()
    return _read(str(version) if version else "empty")


@lru_cache(maxsize=2)
def _read(version: str) -> Available:
    accelerators: list[Accelerator] = []
    unsold: list[Accelerator] = []
    left_out: list[Rejection] = []
    for row in AcceleratorRow.objects.prefetch_related("device_memory").order_by("slug"):
        reason = _not_for_sale(row)
        device = devices.accelerator(row)
        if reason is None and device is not None:
            accelerators.append(device)
        else:
            message = reason or Message("accelerator_figures_missing", {"accelerator": row.slug})
            unsold += [device] if device is not None else []
            left_out.append(Rejection(accelerator=row.slug, message=message, cheapest_fix=None))
    cells = [
        Cell(
            software=row.software_name,
            version=row.version,
            accelerator_class=row.accelerator_class,
            format=row.format,
            status=row.status,
            date=row.release_date,
            source=row.source_url,
        )
        for row in SoftwareCompatibility.objects.order_by("pk")
    ]
    return Available(
        version=version,
        accelerators=tuple(accelerators),
        unsold=tuple(unsold),
        processors=tuple(_processors()),
        left_out=tuple(left_out),
        compatibility=Compatibility(tuple(cells)),
    )


def _processors() -> Iterator[Accelerator]:
    """Processors that can be ordered and whose bandwidth and clock are published."""
    for row in ProcessorRow.objects.exclude(status__in=NOT_ORDERABLE).order_by("slug"):
        device = devices.processor(row)
        if device is not None:
            drawn = min(device.bandwidth_bytes_per_s, row.cores * devices.READ_BYTES_PER_S_PER_CORE)
            yield replace(device, scale_up_domain=row.max_sockets or 1, bandwidth_bytes_per_s=drawn)


def _not_for_sale(row: AcceleratorRow) -> Message | None:
    if row.status in ("announced", "withdrawn"):
        return Message(f"accelerator_{row.status}", {"accelerator": row.slug})
    if code := NOT_SOLD.get(row.availability):
        return Message(f"accelerator_{code}", {"accelerator": row.slug})
    return None


def require_accelerator(slug: str, *, processors: bool = False) -> None:
    """Raises InvalidHardware for a slug that the catalogue does not know, with the nearest ones.

    With `processors` those that can be ordered and sized are allowed too.
    """
    offered = current()
    known = [device.slug for device in offered.accelerators] + [each.accelerator for each in offered.left_out]
    if slug not in known:
        if ProcessorRow.objects.filter(slug=slug).exists():
            if processors and any(device.slug == slug for device in offered.processors):
                return
            raise InvalidHardware("processor_is_no_accelerator", "/deployment/accelerator", value=slug)
        near = nearest_names(slug, known)
        raise InvalidHardware(
            "accelerator_unknown", "/deployment/accelerator", value=slug, nearest=", ".join(near) or "—"
        )


def doubts(pinned: Pinned | None) -> tuple[Message, ...]:
    """Why the accelerator that a request names cannot be ordered; empty where it can."""
    if pinned is None or pinned.accelerator is None:
        return ()
    return tuple(each.message for each in current().left_out if each.accelerator == pinned.accelerator)


def usual_engines(weights: str, *, pinned: bool) -> tuple[str, ...]:
    """Engines where a request names none, by the slug of its weight format; a pinned deployment has one."""
    if weights.startswith("gguf"):
        return (GGUF_ENGINE,) if pinned else (GGUF_ENGINE, *DEFAULT_ENGINES)
    return (PINNED_ENGINE,) if pinned else DEFAULT_ENGINES


def core_catalogue(
    engines: Sequence[str] | None,
    *,
    pinned: Pinned | None = None,
    engine_version: str | None = None,
    weights: str = "",
) -> CoreCatalogue:
    """The catalogue of one search: every accelerator for sale, and the engines that the request allows."""
    offered = current()
    wanted = list(engines or usual_engines(weights, pinned=pinned is not None))
    if pinned is not None and pinned.engine is not None:
        wanted = [pinned.engine]
    named = [device for device in offered.unsold if pinned is not None and device.slug == pinned.accelerator]
    return CoreCatalogue(
        accelerators=(*offered.accelerators, *named),
        processors=offered.processors,
        engines=tuple(engine_choice(slug, offered.compatibility, engine_version) for slug in dict.fromkeys(wanted)),
        version=offered.version,
    )


def engine_choice(slug: str, compatibility: Compatibility, version: str | None = None) -> EngineChoice:
    """One engine at the release that the sources describe, or at the one that the request pins."""
    memory = engine_memory(slug)
    release, released_on = compatibility.release(slug)

    def support(accelerator: Accelerator, weights: WeightChoice, cache: CacheChoice) -> Verdict:
        stated = compatibility.verdict(slug, accelerator, format_family(weights.storage), cache.slug)
        if accelerator.kind is DeviceKind.CPU and stated.state is State.UNKNOWN:
            params = {"engine": slug, "format": str(stated.message.params.get("format", ""))}
            return replace(stated, state=State.FAIL, message=Message("software_not_on_processors", params))
        if not version:
            return stated
        return at_release(stated, weights.storage, accelerator, engine=slug, version=version)

    return EngineChoice(
        slug=slug,
        version=version or release,
        support=support,
        memory=memory,
        mixed_prefill=slug not in SEPARATE_PREFILL,
        memory_utilisation=memory.fraction,
        pipeline_parallel=slug not in ONE_ACCELERATOR,
        expert_parallel=slug not in ONE_ACCELERATOR,
        one_accelerator=slug in ONE_ACCELERATOR,
        speculation=published_gain(slug),
        released_on=released_on,
    )


def published_gain(slug: str) -> PublishedGain | None:
    """What sources state of drafted tokens with this engine and few requests at once; None where none was read."""
    seen = speculation_gains(slug, LIGHT)
    ends = span(seen)
    if ends is None:
        return None
    return PublishedGain(low=ends[0], high=ends[1], source=", ".join(dict.fromkeys(each.source for each in seen)))
