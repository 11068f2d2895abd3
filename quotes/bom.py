"""Option -> bill of materials: the public door of the configurator (pure).

`prepare` indexes a catalogue once; `configure` then answers one option in a few milliseconds. The
steps live in `quotes/configure/`.
"""

from quotes.configure.built import Build, check_build
from quotes.configure.choose import best_configuration, known_sum
from quotes.configure.facts import (
    AcceleratorPart,
    Chassis,
    ComponentPart,
    CpuPart,
    ExchangeRate,
    HardwareCatalogue,
    LeadTimeFact,
    MountKind,
    MountOption,
    OriginFact,
    PartClass,
    PartNumber,
    PriceFact,
    SeenBuild,
    SupplyScheme,
)
from quotes.configure.gather import catalogue_from_rows
from quotes.configure.prepare import Prepared, prepare
from quotes.configure.read import (
    accelerator_from_row,
    chassis_from_builds,
    chassis_from_row,
    component_from_row,
    cpu_from_row,
    lead_time_from_row,
    part_number_from_row,
    price_from_row,
    seen_builds,
)
from quotes.configure.request import (
    BomLine,
    BomRequest,
    BomResult,
    LeadTime,
    NodeLayout,
    Problem,
    Procurement,
    SupplyChoice,
)
from quotes.configure.rules import Rule, RuleKind, Rules, UnknownRule, rules_from_records
from quotes.configure.substitutes import substitutes_for

__all__ = [
    "AcceleratorPart",
    "BomLine",
    "BomRequest",
    "BomResult",
    "Build",
    "Chassis",
    "ComponentPart",
    "CpuPart",
    "ExchangeRate",
    "HardwareCatalogue",
    "LeadTime",
    "LeadTimeFact",
    "MountKind",
    "MountOption",
    "NodeLayout",
    "OriginFact",
    "PartClass",
    "PartNumber",
    "Prepared",
    "PriceFact",
    "Problem",
    "Procurement",
    "Rule",
    "RuleKind",
    "Rules",
    "SeenBuild",
    "SupplyChoice",
    "SupplyScheme",
    "UnknownRule",
    "accelerator_from_row",
    "catalogue_from_rows",
    "chassis_from_builds",
    "chassis_from_row",
    "check_build",
    "component_from_row",
    "configure",
    "cpu_from_row",
    "known_sum",
    "lead_time_from_row",
    "part_number_from_row",
    "prepare",
    "price_from_row",
    "rules_from_records",
    "seen_builds",
    "substitutes_for",
]


def configure(request: BomRequest, catalogue: Prepared, rules: Rules) -> BomResult:
    """Bill of materials for one option: chassis, lines, verdicts, problems with their remedies.

    `catalogue` comes from `prepare(HardwareCatalogue)` and is shared by all options of a run. Same
    input, same output; ties are broken in the order that `best_configuration` states. An unknown price
    or part is an open line: never 0, never dropped. Raises UnknownRule where a rule is missing.
    """
    return best_configuration(request, catalogue, rules)
