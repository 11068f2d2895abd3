"""What a serving software needs around it, and what sources measured of it: drafted tokens and prefix cache.

Read from `data/software_requirements.json`, each entry with its source. What no source states stays empty and
is shown as unknown.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sizing.core.hardware import Accelerator, DeviceKind, Vendor

DATA = Path(__file__).resolve().parent / "data" / "software_requirements.json"
NEEDS = ("os", "driver", "toolkit", "container")


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What one release needs on one maker's devices; empty text where no source states it."""

    os: str = ""
    driver: str = ""
    toolkit: str = ""
    container: str = ""
    release: str = ""
    source: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """Files that a software loads for a format; empty where unknown."""

    file: str = ""
    source: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Families:
    """Families of models that a software serves by its source; None where no source was read."""

    served: frozenset[str] | None = None
    source: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One statement of a source: what was run, lowest and highest figure, page and date."""

    low: float
    high: float
    what: str
    source: str
    as_of: str


@cache
def _stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return found


def target_of(device: Accelerator) -> str:
    """The line of devices that requirements are stated for."""
    if device.kind is DeviceKind.CPU:
        return "cpu"
    if "jetson" in device.slug:
        return "jetson"
    return {Vendor.NVIDIA: "nvidia", Vendor.AMD: "amd", Vendor.INTEL: "intel"}.get(device.vendor, "other")


def needs(engine: str, device: Accelerator) -> Needs:
    """Requirements of this software on this device."""
    target = target_of(device)
    for entry in _stored()["requirements"]:
        if entry["engine"] == engine and entry["target"] == target:
            return Needs(**{name: entry[name] for name in Needs.__dataclass_fields__})
    return Needs()


def file_format(engine: str, family: str) -> FileFormat:
    """Files that this software loads for a format family; the entry for the family before that for any."""
    entries = [entry for entry in _stored()["files"] if entry["engine"] == engine]
    chosen = next((e for e in entries if e["format"] == family), None)
    chosen = chosen or next((e for e in entries if e["format"] == "any"), None)
    return FileFormat(file=chosen["file"], source=chosen["source"], as_of=chosen["as_of"]) if chosen else FileFormat()


def families(engine: str) -> Families:
    """Which families of models this software serves."""
    for entry in _stored()["families"]:
        if entry["engine"] == engine:
            return Families(served=frozenset(entry["families"]), source=entry["source"], as_of=entry["as_of"])
    return Families()


LIGHT, FULL = "light", "full"
"""Loads of measured gains: few requests at once, or so many that the device is busy without drafts."""


def speculation_gains(engine: str, load: str) -> tuple[Seen, ...]:
    """Times faster with drafted tokens that sources state at this load; below 1 is slower."""
    return tuple(
        _seen(entry, entry["gain"], entry["gain"])
        for entry in _stored()["speculation"]
        if entry["engine"] == engine and entry["load"] == load
    )


def prefix_hits(engine: str) -> tuple[Seen, ...]:
    """Shares of prompt tokens that sources saw the prefix cache return."""
    entries = [entry for entry in _stored()["prefix_hits"] if entry["engine"] == engine]
    return tuple(_seen(entry, entry["low"], entry["high"]) for entry in entries)


def _seen(entry: Mapping[str, Any], low: float, high: float) -> Seen:
    return Seen(low=low, high=high, what=entry["what"], source=entry["source"], as_of=entry["as_of"])


def span(seen: Sequence[Seen]) -> tuple[float, float] | None:
    """Lowest and highest of all statements; None without any."""
    return (min(each.low for each in seen), max(each.high for each in seen)) if seen else None
