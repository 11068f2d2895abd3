"""A request with several models as the core's question; MIG profiles from their file."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sizing import available
from sizing.core.candidate import Assumption
from sizing.core.kinds.packing import Item, MigDevice, Profile
from sizing.core.kinds.several import SeveralQuestion
from sizing.core.units import GB
from sizing.core.values import Message
from sizing.inputs import site_of
from sizing.kinds.hardware import engines, small_computers

PROFILES = Path(__file__).resolve().parent.parent / "data" / "kinds" / "mig.json"


def several_question(stated: Mapping[str, Any]) -> tuple[SeveralQuestion, tuple[Assumption, ...]]:
    """Raises InvalidHardware for an accelerator that the catalogue does not know."""
    load, pinned = stated["models"], stated["deployment"]
    offered = available.current().accelerators
    if pinned["accelerator"] is not None:
        available.require_accelerator(pinned["accelerator"])
    if load["share_of"]:
        available.require_accelerator(load["share_of"])
    items = [
        Item(
            name=str(entry.get("name") or f"model {number}"),
            memory_bytes=entry["memory_gb"] * GB,
            compute=entry.get("compute_share") or 0.0,
            isolated=entry.get("isolation") == "hardware",
        )
        for number, entry in enumerate(load["items"], start=1)
        for _ in range(entry.get("copies") or 1)
    ]
    assumptions = []
    if any(item.compute for item in items) and not load["share_of"]:
        assumptions.append(Assumption(field="models.share_of", value="any", message=Message("assumed_share_of_any")))
    engine = pinned["engine"]
    question = SeveralQuestion(
        items=items,
        share_of=next((device for device in offered if device.slug == load["share_of"]), None),
        devices=offered,
        mig=mig_devices(),
        engines=engines(
            "models",
            (engine,) if engine else tuple(stated["serving_software"] or ()),
            pinned["engine_version"],
            family="models",
        ),
        site=site_of(stated["site"]),
        accelerator=pinned["accelerator"],
        count=pinned["count"],
        excluded_vendors=tuple(stated["procurement"]["excluded_vendors"] or ()),
        small=small_computers(stated, offered),
    )
    return question, tuple(assumptions)


@cache
def mig_devices() -> dict[str, MigDevice]:
    """What each card can be cut into, by slug. Source: NVIDIA MIG user guide, named in the file."""
    stored = json.loads(PROFILES.read_text(encoding="utf-8"))
    return {
        slug: _mig_device(stored["layouts"][facts["layout"]], facts["gb"]) for slug, facts in stored["devices"].items()
    }


def _mig_device(layout: Mapping[str, Any], sizes_gb: list[int]) -> MigDevice:
    profiles = [
        Profile(
            name=f"{facts['compute']}g.{size}gb",
            memory_bytes=size * GB,
            compute_slices=facts["compute"],
            memory_slices=facts["memory"],
            starts=tuple(facts["starts"]),
            most=facts["most"],
        )
        for facts, size in zip(layout["profiles"], sizes_gb, strict=True)
    ]
    return MigDevice(
        compute_slices=layout["compute_slices"],
        memory_slices=layout["memory_slices"],
        profiles=tuple(sorted(profiles, key=lambda each: (each.memory_bytes, each.compute_slices))),
    )
