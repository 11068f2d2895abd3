"""Words for values that the files write in short: classes of servers, ways of cooling, yes and no with a remark.

The tables keep what the source wrote. A value without words is shown as it is: a product's or a maker's own name.
"""

import re

from django.utils.translation import gettext, gettext_noop

CATEGORY = {
    "rackmount": gettext_noop("rack server"),
    "rack_scale": gettext_noop("whole rack"),
    "workstation": gettext_noop("workstation"),
    "tower": gettext_noop("tower"),
    "compact": gettext_noop("compact computer"),
    "edge": gettext_noop("edge device"),
    "industrial_edge": gettext_noop("industrial edge computer"),
    "cpu_only": gettext_noop("without accelerators"),
    "pcie": gettext_noop("with PCIe cards"),
    "hgx": gettext_noop("with an HGX board"),
    "oam": gettext_noop("with OAM modules"),
    "sxm4": gettext_noop("with SXM4 modules"),
    "superchip": gettext_noop("with superchips"),
}
COOLING = {
    "active": gettext_noop("active"),
    "passive": gettext_noop("passive"),
    "liquid": gettext_noop("liquid"),
    "air": gettext_noop("air"),
}
AVAILABILITY = {
    "on-prem": gettext_noop("to buy"),
    "rack-scale": gettext_noop("in whole racks"),
    "cloud-only": gettext_noop("to rent only"),
    "cloud-or-rack": gettext_noop("to rent, or in whole racks"),
    "cloud-or-system": gettext_noop("to rent, or in a system"),
    "china-export": gettext_noop("for export to China"),
}
POWER_KIND = {
    "tdp": gettext_noop("thermal design power"),
    "max_class": gettext_noop("most of its class"),
    "estimate": gettext_noop("estimate"),
    "planning": gettext_noop("planning figure"),
    "max_board": gettext_noop("most of the board"),
    "tdp_max_of_series": gettext_noop("thermal design power, most of the series"),
    "ctdp_max_of_series": gettext_noop("configurable power, most of the series"),
}
BASIS = {
    "published": gettext_noop("published"),
    "computed": gettext_noop("worked out"),
    "estimated": gettext_noop("estimated"),
    "measured": gettext_noop("measured"),
}
ANSWERS = {
    "yes": gettext_noop("yes"),
    "no": gettext_noop("no"),
    "partial": gettext_noop("partial"),
    "engine": gettext_noop("by its engine"),
    "by profile": gettext_noop("by profile"),
    "through backend": gettext_noop("through its backend"),
    "active": gettext_noop("maintained"),
    "n/a": gettext_noop("does not apply"),
}
BY_FIELD = {
    "category": CATEGORY,
    "cooling": COOLING,
    "availability": AVAILABILITY,
    "power_kind": POWER_KIND,
    "basis": BASIS,
    **dict.fromkeys(
        (
            "continuous_batching", "dynamic_batching", "paged_kv", "prefix_caching", "speculative_decoding",
            "multi_lora", "disaggregated", "tensor_parallel", "pipeline_parallel", "expert_parallel", "multi_model",
            "openai_api", "grpc", "status", "cpu", "edge",
        ),
        ANSWERS,
    ),
}  # fmt: skip
_WITH_REMARK = re.compile(r"^(yes|no|partial|n/a) (\(.*\))$")


def words_of(field: str, value: str) -> str:
    """The value in the reader's language: each part of "a|b", and the answer before a remark in parentheses."""
    known = BY_FIELD.get(field)
    if known is None or not value:
        return value
    found = _WITH_REMARK.match(value)
    if found and found[1] in known:
        return f"{gettext(known[found[1]])} {found[2]}"
    parts = [part.strip() for part in value.split("|")]
    return ", ".join(gettext(known[part]) if part in known else part for part in parts)
