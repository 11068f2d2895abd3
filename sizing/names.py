"""Names of the devices that a result speaks of, from the catalogue."""

from collections.abc import Iterable, Mapping
from typing import Any

from catalog.models import Accelerator, Processor


def device_names(slugs: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Slug -> (maker, name with variant), in two queries. Slugs that the catalogue lacks are absent."""
    wanted = set(slugs)
    names: dict[str, tuple[str, str]] = {}
    rows = Accelerator.objects.filter(slug__in=wanted).values_list("slug", "vendor", "name", "variant")
    for slug, vendor, name, variant in rows:
        names[slug] = (vendor, f"{name} {variant}".strip())
    if wanted - names.keys():
        for processor in Processor.objects.filter(slug__in=wanted - names.keys()):
            names[processor.slug] = (processor.vendor, str(processor).removeprefix(processor.vendor).strip())
    return names


def slugs_of(entries: Iterable[Mapping[str, Any]]) -> set[str]:
    """Every device that options and rejections name."""
    return {str(entry["accelerator"]) for entry in entries if entry.get("accelerator")}
