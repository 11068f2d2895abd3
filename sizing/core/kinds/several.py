"""Several models at once: alone, shared or in MIG instances on each device, and which of the three takes fewest.

Source: docs/method.md#packing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sizing.core.candidate import Bottleneck, Deployment, Rejection, Utilisation
from sizing.core.errors import InvalidHardware
from sizing.core.hardware import Accelerator, DeviceClass, DeviceKind
from sizing.core.kinds.candidate import Demand, KindCandidate, KindPerformance
from sizing.core.kinds.packing import INTERFERENCE, Item, MigDevice, pack, pack_mig, whole_devices
from sizing.core.kinds.search import SMALL_COMPUTER, KindEngine, KindRecommendation, Progress
from sizing.core.kinds.task import DEVICE_SHARE, RUNTIME_BYTES, KindMemory, over_site_power
from sizing.core.kinds.work import peak_flops
from sizing.core.makers import allowed_devices
from sizing.core.parallelism import Layout
from sizing.core.power import accelerator_power_w
from sizing.core.precision import BF16, Rate
from sizing.core.units import GB
from sizing.core.values import Basis, Estimate, Message, State, Verdict
from sizing.core.workload import Site

MODES = ("mig", "shared", "alone")
"""In order of preference where the number of devices is equal: instances keep models apart, one each wastes most."""

PROCESS_BYTES = round(0.5 * GB)
"""Context of a serving process beside the model that it serves (assumption)."""

UNKNOWN_SHARE = Estimate.unknown("share")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralQuestion:
    """Models to place. `compute` of an item is a share of `share_of`, or of whichever device where that is None."""

    items: Sequence[Item]
    share_of: Accelerator | None
    devices: Sequence[Accelerator]
    mig: Mapping[str, MigDevice]  # by device slug
    engines: Sequence[KindEngine]
    site: Site
    accelerator: str | None = None
    count: int | None = None
    excluded_vendors: Sequence[str] = ()  # makers of accelerators, in any case
    small: frozenset[str] = frozenset()  # devices of small computers, where the place is a server's

    @property
    def pinned(self) -> bool:
        return self.accelerator is not None or self.count is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """One way to place all items on devices of one type."""

    mode: str
    devices: int
    gap: float
    fullest_bytes: int  # memory in use on the fullest device
    compute: float  # mean share of compute in use
    bins: tuple[tuple[str, ...], ...]  # names on each device; instances with their profile


def recommend_several(question: SeveralQuestion, *, progress: Progress | None = None) -> KindRecommendation:
    """The best placement on every device, fewest devices first, then the mode's order, then slug.

    Raises InvalidHardware for a pinned device that is not offered.
    """
    devices = [d for d in question.devices if question.accelerator in (None, d.slug) and d.kind is not DeviceKind.CPU]
    if question.accelerator is not None and not devices:
        raise InvalidHardware("accelerator_not_offered", "/deployment/accelerator", value=question.accelerator)
    options: list[KindCandidate] = []
    devices, rejected = allowed_devices(devices, question.excluded_vendors, question.site.device_classes)
    for number, device in enumerate(devices):
        if progress is not None:
            progress("memory", number, len(devices))
        found = _on(device, question)
        if isinstance(found, Message):
            rejected.append(Rejection(accelerator=device.slug, message=found, cheapest_fix=FIXES.get(found.code)))
        else:
            options.append(found)
    return KindRecommendation(
        options=sorted(options, key=lambda o: (o.deployment.accelerators_total, o.deployment.accelerator.slug)),
        rejected=sorted(rejected, key=lambda each: each.accelerator),
        warnings=() if devices else only_processors(question.site, "several_not_on_processors"),
        points_evaluated=len(devices) * len(MODES),
        coefficients_version="packing",
    )


def only_processors(site: Site, code: str) -> tuple[Message, ...]:
    """What a search that places nothing on processors says to a request for them alone."""
    return (Message(code),) if tuple(site.device_classes) == (DeviceClass.PROCESSOR,) else ()


FIXES = {
    SMALL_COMPUTER.code: Message("kind_fix_small_computer"),
    "several_too_large": Message("several_fix_memory"),
    "several_not_isolated": Message("several_fix_isolation"),
    "device_over_site_power": Message("kind_fix_power"),
    "devices_over_site_power": Message("kind_fix_power"),
}


def _on(device: Accelerator, question: SeveralQuestion) -> KindCandidate | Message:
    refused = SMALL_COMPUTER if device.slug in question.small else over_site_power(device, 1, question.site)
    if refused is not None:
        return refused
    items = scaled(question.items, device, question.share_of)
    if items is None:
        return Message("kind_rates_unknown", {"accelerator": device.slug})
    placements = placements_on(device, items, question.mig.get(device.slug))
    if not placements:
        largest = max(item.memory_bytes for item in items) / GB
        return Message("several_too_large", {"largest_gb": largest, "usable_gb": room_of(device) / GB})
    best = min(placements.values(), key=lambda each: (each.devices, MODES.index(each.mode)))
    short = over_site_power(device, best.devices, question.site)
    if short is not None:
        return short
    engine = next((e for e in question.engines if e.support(device, BF16).state is not State.FAIL), None)
    if engine is None:
        return question.engines[0].support(device, BF16).message
    return _candidate(device, items, best, placements, engine, question)


def scaled(items: Sequence[Item], device: Accelerator, share_of: Accelerator | None) -> list[Item] | None:
    """Items with their compute as a share of this device, by the ratio of 16-bit peaks; None where one is unknown."""
    if share_of is None or not any(item.compute for item in items):
        return list(items)
    own, other = peak_flops(device, Rate.BF16), peak_flops(share_of, Rate.BF16)
    if not own or not other:
        return None
    return [
        Item(
            name=item.name,
            memory_bytes=item.memory_bytes,
            compute=item.compute * other / own,
            isolated=item.isolated,
        )
        for item in items
    ]


def room_of(device: Accelerator) -> float:
    """Bytes of one device that models may fill."""
    return device.usable_memory_bytes * DEVICE_SHARE


def placements_on(device: Accelerator, items: Sequence[Item], mig: MigDevice | None) -> dict[str, Placement]:
    """Every mode that places all items. Isolated items share no device without instances."""
    with_process = [
        Item(
            name=item.name,
            memory_bytes=item.memory_bytes + PROCESS_BYTES,
            compute=item.compute,
            isolated=item.isolated,
        )
        for item in items
    ]
    found: dict[str, Placement] = {}
    room = room_of(device)
    alone = whole_devices(with_process, memory_bytes=room)
    if alone is not None:
        each = tuple((i,) for i in range(len(items)))
        found["alone"] = _placement("alone", each, with_process, gap=0.0)
    if not any(item.isolated for item in items):
        packed = pack(with_process, memory_bytes=room, compute=1.0 - INTERFERENCE)
        if packed is not None:
            found["shared"] = _placement("shared", packed.bins, with_process, gap=packed.gap)
    cut = pack_mig(with_process, mig) if mig is not None else None
    if cut is not None:
        bins = tuple(tuple(item for item, _ in placed) for placed in cut.devices)
        names = tuple(tuple(f"{items[item].name} ({name})" for item, name in placed) for placed in cut.devices)
        found["mig"] = _placement("mig", bins, with_process, gap=cut.gap, names=names)
    return found


def _placement(
    mode: str,
    bins: Sequence[Sequence[int]],
    items: Sequence[Item],
    *,
    gap: float,
    names: tuple[tuple[str, ...], ...] | None = None,
) -> Placement:
    used = [sum(items[item].memory_bytes for item in each) for each in bins]
    compute = sum(items[item].compute for each in bins for item in each) / len(bins)
    return Placement(
        mode=mode,
        devices=len(bins),
        gap=gap,
        fullest_bytes=round(max(used)),
        compute=compute,
        bins=names or tuple(tuple(items[item].name for item in each) for each in bins),
    )


def _candidate(  # noqa: PLR0917 (one placement in all its parts)
    device: Accelerator,
    items: Sequence[Item],
    best: Placement,
    placements: Mapping[str, Placement],
    engine: KindEngine,
    question: SeveralQuestion,
) -> KindCandidate:
    deployment = _deployment(device, best, engine, question)
    usable = device.usable_memory_bytes
    memory = KindMemory(
        usable_bytes=usable,
        weight_bytes=best.fullest_bytes,
        activation_bytes=0,
        runtime_bytes=RUNTIME_BYTES,
    )
    stated = any(item.compute for item in items)
    return KindCandidate(
        deployment=deployment,
        memory=memory,
        performance=KindPerformance(figures=_figures(items, best, placements), batch=0),
        demand=Demand(
            items_per_s=None,
            capacity_items_per_s=None,
            unit="inference",
            payload_bytes_per_item=0.0,
            host_cores=None,
            host_bytes=0.0,
            weight_bytes=sum(item.memory_bytes for item in items),
        ),
        memory_verdict=_memory_verdict(best, memory),
        speed_verdict=_speed_verdict(best, stated=stated),
        software_verdict=engine.support(device, BF16),
        bottleneck=Bottleneck.MEMORY_CAPACITY,
        power_w=_power(device, best, stated=stated, devices=deployment.accelerators_total),
        utilisation=_utilisation(best, stated=stated),
        headroom=max(memory.margin, 0.0),
        evidence="formula",
        warnings=tuple(
            Message("several_bin", {"number": number, "models": ", ".join(names)})
            for number, names in enumerate(best.bins[:SHOWN_BINS], start=1)
        ),
    )


def _deployment(device: Accelerator, best: Placement, engine: KindEngine, question: SeveralQuestion) -> Deployment:
    return Deployment(
        accelerator=device,
        layout=Layout(),
        replicas=max(question.count or 0, best.devices),
        engine=engine.slug,
        engine_version=engine.version,
        weights_format="",
        kv_format="",
        max_batched_tokens=0,
        memory_utilisation=0.0,
        max_sequences=0,
        spare_replicas=question.site.spare_replicas,
    )


SHOWN_BINS = 8


def _figures(items: Sequence[Item], best: Placement, placements: Mapping[str, Placement]) -> dict[str, Estimate]:
    found = {
        "models": Estimate.exact(float(len(items)), "models", explain="packing"),
        "models_per_device": Estimate.exact(len(items) / best.devices, "models", explain="packing"),
        "packing_gap": Estimate.exact(best.gap, "share", explain="packing_gap"),
    }
    for mode in MODES:
        if mode in placements:
            found[f"devices_{mode}"] = Estimate.exact(float(placements[mode].devices), "devices", explain="packing")
        else:
            found[f"devices_{mode}"] = Estimate.unknown("devices")
    return found


def _memory_verdict(best: Placement, memory: KindMemory) -> Verdict:
    params: dict[str, str | int | float | None] = {
        "used_gb": best.fullest_bytes / GB,
        "usable_gb": memory.usable_bytes / GB,
        "mode": best.mode,
    }
    state = State.OK if memory.margin > 0.05 or best.mode == "mig" else State.CAUTION
    return Verdict(state=state, margin=max(memory.margin, 0.0), message=Message("several_memory", params))


def _speed_verdict(best: Placement, *, stated: bool) -> Verdict:
    if not stated:
        return Verdict(state=State.UNKNOWN, margin=None, message=Message("several_compute_not_stated"))
    limit = 1.0 - INTERFERENCE if best.mode == "shared" else 1.0
    margin = 1.0 - best.compute / limit
    params = {"compute_pct": best.compute * 100, "margin_pct": INTERFERENCE * 100}
    state = State.OK if margin > INTERFERENCE else State.CAUTION
    return Verdict(state=state, margin=margin, message=Message("several_compute_kept", params))


def _power(device: Accelerator, best: Placement, *, stated: bool, devices: int) -> Estimate:
    if not stated or device.tdp_w is None:
        return Estimate.unknown("W")
    one = accelerator_power_w(device.tdp_w, busy=min(best.compute, 1.0), compute=min(best.compute, 1.0) * 0.5)
    if one.value is None or one.low is None or one.high is None:
        return one
    return Estimate(
        value=one.value * devices,
        low=one.low * devices,
        high=one.high * devices,
        unit="W",
        basis=one.basis,
        explain=one.explain,
    )


def _utilisation(best: Placement, *, stated: bool) -> Utilisation:
    busy = min(best.compute, 1.0)
    known = Estimate(value=busy, low=busy * 0.8, high=min(busy * 1.25, 1.0), unit="share", basis=Basis.FORMULA)
    device = known if stated else UNKNOWN_SHARE
    return Utilisation(
        compute=device,
        bandwidth=UNKNOWN_SHARE,
        kv=UNKNOWN_SHARE,
        device=device,
        compute_peak=UNKNOWN_SHARE,
        bandwidth_peak=UNKNOWN_SHARE,
        kv_peak=UNKNOWN_SHARE,
        device_peak=UNKNOWN_SHARE,
    )
