"""Drives and network adapters of one server and the need that they answer."""

import math
from dataclasses import dataclass

from quotes.configure.facts import Chassis, ComponentPart, PartClass
from quotes.configure.fit import DESKTOPS
from quotes.configure.prepare import SYSTEM_VENDORS, Prepared
from quotes.configure.work import Work
from sizing.core.units import GB, GBIT_BYTES
from sizing.core.values import Message

TB_GB = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveChoice:
    """Drives of one kind in one server."""

    part: ComponentPart | None
    count: int
    capacity_gb: float | None
    reason: Message


def choose_boot(work: Work) -> DriveChoice:
    """A mirrored boot pair apart from the model drives; one device where the vendor sells a mirrored unit.

    A desktop or an edge unit starts from one drive: it has no place for a second one, and a spare unit replaces it.
    """
    chassis, prepared = work.chassis, work.prepared
    count = int(work.rules.number("boot_drives_small" if chassis.category in DESKTOPS else "boot_drives"))
    reason = Message("bom_reason_boot", {"count": count})
    own = [part for part in prepared.components.get(PartClass.STORAGE, ()) if part.vendor == chassis.vendor]
    units = [part for part in own if part.capacity_gb is None]
    if units:
        return DriveChoice(part=units[0], count=1, capacity_gb=None, reason=reason)
    sticks = sorted((p for p in own if p.form == "M.2"), key=lambda part: (part.capacity_gb or 0, part.slug))
    part = sticks[0] if sticks else None
    return DriveChoice(part=part, count=count, capacity_gb=part.capacity_gb if part else None, reason=reason)


def choose_drives(work: Work) -> DriveChoice:
    """Local model drives: all variants twice, raised to the next drive size that the bays take."""
    chassis, request, prepared = work.chassis, work.request, work.prepared
    factor = work.rules.number("drive_set_factor")
    needed_gb = request.model_bytes / GB * request.kept_variants * factor
    reason = Message(
        "bom_reason_drives",
        {"needed_gb": _stated(needed_gb), "variants": request.kept_variants, "factor": int(factor)},
    )
    parts = _drives_for(chassis, prepared)
    if not parts:
        return DriveChoice(part=None, count=1, capacity_gb=None, reason=reason)
    sizes = sorted({part.capacity_gb or 0.0 for part in parts})
    size = next((size for size in sizes if size >= needed_gb), sizes[-1])
    count = max(int(-(-needed_gb // size)), 1)
    fitting = [part for part in parts if part.capacity_gb == size]
    best = min(fitting, key=lambda part: (part.slug not in prepared.prices, part.slug))
    return DriveChoice(part=best, count=count, capacity_gb=size, reason=reason)


def _stated(needed_gb: float) -> float:
    """Whole GB; tenths, rounded up, where a small model would otherwise need nothing."""
    return round(needed_gb) if needed_gb >= 10 else math.ceil(needed_gb * 10) / 10


def _drives_for(chassis: Chassis, prepared: Prepared) -> tuple[ComponentPart, ...]:
    """Drives of 1 TB and more that the bays take, by the chassis maker or by a drive maker."""
    if chassis.category in DESKTOPS and not chassis.drive_bays:
        return ()
    key = (chassis.vendor, chassis.drive_bays)
    known = prepared.memo.drives.get(key)
    if known is None:
        bays = _bays(chassis.drive_bays)
        known = tuple(
            part
            for part in prepared.components.get(PartClass.STORAGE, ())
            if part.capacity_gb is not None
            and part.capacity_gb >= TB_GB
            and part.form in bays
            and (part.vendor == chassis.vendor or part.vendor not in SYSTEM_VENDORS)
        )
        prepared.memo.drives[key] = known
    return known


def _bays(text: str) -> tuple[str, ...]:
    """Drive forms that a bay text offers, in its order; 2.5-inch bays and those nobody describes take U.2."""
    places = sorted((text.index(form), form) for form in ("E1.S", "E3.S", "U.2", "2.5in", "M.2") if form in text)
    return tuple(dict.fromkeys("U.2" if form == "2.5in" else form for _, form in places)) or ("U.2",)


@dataclass(frozen=True, slots=True, kw_only=True)
class NicChoice:
    """Front-end adapter of one server and the speed that the load needs, in Gbit/s.

    `on_board`: the port that the board brings along is enough, so no adapter is bought.
    """

    part: ComponentPart | None
    gbit_s: float
    needed_gbit_s: float | None
    reason: Message
    on_board: bool = False


def choose_nic(work: Work) -> NicChoice:
    """Front-end adapter: load of the node, and weights within the stored time, rounded up to a port speed.

    Need = requests/s x payload / servers / allowed share of the port. Unknown load counts as none; the
    reason then says that the slowest port was taken.
    """
    request, layout, rules = work.request, work.layout, work.rules
    share, load_s = rules.number("nic_load_share"), rules.number("nic_load_s")
    loading = request.model_bytes / GBIT_BYTES / load_s / rules.number("nic_wire_share")
    serving = None
    if request.requests_per_s is not None and request.payload_bytes_per_request is not None:
        bytes_per_s = request.requests_per_s * request.payload_bytes_per_request / layout.servers
        serving = bytes_per_s / GBIT_BYTES / share
    wanted = max(loading, serving or 0.0)
    on_board_gbit_s = rules.number("nic_on_board_gbit_s")
    small = work.chassis.category in DESKTOPS and not work.chassis.complete_system
    if small and wanted <= on_board_gbit_s:
        params = {"needed_gbit_s": round(wanted, 3), "speed_gbit_s": int(on_board_gbit_s), "load_s": int(load_s)}
        reason = Message("bom_reason_nic_on_board", params)
        return NicChoice(part=None, gbit_s=on_board_gbit_s, needed_gbit_s=serving, reason=reason, on_board=True)
    needed = max(wanted, rules.number("nic_front_end_least_gbit_s"))
    speeds = rules.numbers("nic_speeds_gbit_s")
    speed = next((speed for speed in speeds if speed >= needed), speeds[-1])
    part = adapter_for(work.chassis, speed, work.prepared)
    code = "bom_reason_nic" if serving is not None else "bom_reason_nic_load_unknown"
    params = {
        "needed_gbit_s": round(wanted, 3),
        "speed_gbit_s": int(speed),
        "load_s": int(load_s),
    }
    return NicChoice(part=part, gbit_s=speed, needed_gbit_s=serving, reason=Message(code, params))


def adapter_for(chassis: Chassis, speed_gbit_s: float, prepared: Prepared) -> ComponentPart | None:
    """Slowest adapter of at least this speed, the chassis maker's own or an adapter maker's.

    More ports go first, then a known price, current generations, slug.
    """
    key, memo = (chassis.vendor, speed_gbit_s), prepared.memo.adapters
    if key not in memo:
        parts = [
            part
            for part in prepared.components.get(PartClass.NIC, ())
            if (part.port_gbit_s or 0) >= speed_gbit_s
            and not any(word in f"{part.specs} {part.model}" for word in ("DPU", "OCP"))
            and (part.vendor == chassis.vendor or part.vendor not in SYSTEM_VENDORS)
        ]
        memo[key] = min(parts, key=lambda part: _adapter_order(part, prepared)) if parts else None
    return memo[key]


def _adapter_order(part: ComponentPart, prepared: Prepared) -> tuple[float, int, bool, bool, str]:
    unpriced = part.slug not in prepared.prices
    return (part.port_gbit_s or 0, -(part.ports or 1), unpriced, "older" in part.specs, part.slug)
