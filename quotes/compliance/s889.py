"""Section 889: covered telecommunications and video equipment, by maker, brand, provider and parts.

A strong name in a covered category fails. Every doubt is a review. Where the article can hold covered
parts, a clean maker name alone proves nothing: the part list or the maker's statement must be there.
"""

from dataclasses import dataclass, replace
from datetime import date

from quotes.compliance.evidence import has_maker_statement, statement_evidence
from quotes.compliance.firm_name import is_blank
from quotes.compliance.matching import component_class, detail, field_hits, is_of_class, without_carrier
from quotes.compliance.names import NameHit
from quotes.compliance.register import ScreeningLists
from quotes.compliance.types import Evidence, Flag, LineType, Outcome, ScreeningContext, ScreeningLine, outcome
from quotes.compliance.words import word_set
from sizing.core.values import Message

TELECOM = word_set(
    "switch router modem nic network networking network_card network_adapter ethernet_switch infiniband_switch "
    "smartnic dpu infiniband ethernet firewall gateway access_point accesspoint ap wifi wi_fi wlan wireless "
    "base_station telecom telecommunication telecommunications transceiver optic optics optical_module sfp qsfp "
    "radio antenna phone telephone smartphone handset voip pbx load_balancer repeater bridge media_converter lte "
    "5g 4g cellular hub out_of_band oob console_server two_way_radio walkie_talkie hotspot ont olt dsl vpn"
)
VIDEO = word_set(
    "camera cameras ip_camera webcam video cctv surveillance video_surveillance nvr dvr video_recorder recorder "
    "thermal_camera doorbell intercom security_camera dome_camera machine_vision_camera video_encoder encoder "
    "video_management conference_camera body_camera dashcam kamera"
)
COVERED_PARTS = TELECOM | VIDEO | word_set("soc bmc asic chipset baseband wireless_module system_on_chip")
# Words that name another thing once "chip", "card" or "controller" is taken away: a video card, a PCIe bridge chip.
_OTHER_ON_A_CARRIER = word_set("video bridge hub recorder encoder storage server node")
NEEDS_PARTS = word_set(
    "server servers gpu_server rack_server blade_server node workstation storage storage_array storage_server "
    "storage_system nas san appliance switch router modem nic network network_card network_adapter "
    "ethernet_switch infiniband_switch smartnic dpu firewall gateway access_point accesspoint base_station "
    "load_balancer console_server hotspot telecom telecommunications radio phone smartphone"
) | (VIDEO - {"webcam"})
PURPOSE_BOUND_GROUPS = frozenset({"Hytera", "Hikvision", "Dahua"})  # 889(f)(3)(B)
# Work that brings no equipment of the provider into the buyer's systems; everything else asks for a statement.
PAPER_SERVICES = word_set(
    "finance financing banking bank leasing insurance audit auditing accounting tax legal translation notary "
    "freight customs"
)
TECHNICAL_SERVICES = TELECOM | word_set("cloud hosting colocation iaas paas saas managed_service it")


@dataclass(frozen=True, slots=True)
class _Hit:
    field: str
    raw: str
    hit: NameHit
    category: str


def screen_telecom(line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists) -> Outcome:
    """The Section 889 outcome of a line at the depth that its data allow."""
    hits = _hits(line, context, lists)
    candidates = [_of_hit(found, line, context) for found in hits]
    if candidates:
        return min(candidates, key=_gravity)
    said = replace(_without_hit(line, context, lists), evidence=statement_evidence(line))
    if said.flag is Flag.UNKNOWN and line.s889_evidence is Evidence.FEED:
        note = Message("S889-NOTE-FEED", {"dated": _iso(line.s889_evidence_date)})
        return replace(said, notes=(*said.notes, note))
    return said


def screen_part_b(context: ScreeningContext) -> Outcome:
    """The seller's own part B representation: on file and not older than twelve months."""
    dated = context.part_b_representation_date
    if dated is None:
        return outcome("S889-020", Flag.UNKNOWN, "missing")
    if dated > context.quote_date:
        return outcome("S889-020", Flag.UNKNOWN, "future", dated=dated.isoformat())
    if context.quote_date > _a_year_after(dated):
        return outcome("S889-020", Flag.UNKNOWN, "old", dated=dated.isoformat())
    return outcome("S889-020", Flag.PASS, "on_file", dated=dated.isoformat())


def _hits(line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists) -> list[_Hit]:
    named = [("manufacturer", line.manufacturer), ("brand", line.brand)]
    if line.line_type is LineType.SERVICE:
        named.append(("supplier", line.supplier))
    category = component_class(line.category)
    found = [_Hit(*hit, category) for hit in field_hits(lists.s889, named, line, context)]
    for part in line.components:
        hits = field_hits(lists.s889, [("component", part.maker)], line, context)
        found += [_Hit(*hit, component_class(part.part_class)) for hit in hits]
    return found


def _of_hit(found: _Hit, line: ScreeningLine, context: ScreeningContext) -> Outcome:
    rule_id, flag = _rule(found, line, context)
    said = outcome(
        rule_id,
        flag,
        name=found.raw,
        field=found.field,
        group=found.hit.row.group,
        entity=found.hit.row.entity_id,
        alias=found.hit.alias,
        category=found.category or None,
    )
    return replace(said, match=detail(found.field, found.raw, found.hit))


def _rule(found: _Hit, line: ScreeningLine, context: ScreeningContext) -> tuple[str, Flag]:
    if not found.hit.strong:
        return ("S889-005" if found.hit.row.may_fail else "S889-006"), Flag.REVIEW
    if found.field == "component":
        if _is_a(found.category, COVERED_PARTS):
            return "S889-004", Flag.FAIL
    elif line.line_type is LineType.SERVICE:
        return "S889-010", Flag.FAIL
    elif found.hit.row.group in PURPOSE_BOUND_GROUPS:
        if _is_a(found.category, TELECOM | VIDEO):
            return "S889-002", Flag.FAIL
    elif _is_a(found.category, TELECOM):
        return "S889-001", Flag.FAIL
    return "S889-003", Flag.FAIL if context.strict_s889 else Flag.REVIEW


def _is_a(category: str, classes: frozenset[str]) -> bool:
    """Whether a category names one of the classes, itself or as what a chip, card or device does."""
    bare = without_carrier(category)
    return is_of_class(category, classes) or (bare != category and is_of_class(bare, classes - _OTHER_ON_A_CARRIER))


def _gravity(said: Outcome) -> tuple[int, int, str]:
    ranks = ("S889-001", "S889-002", "S889-010", "S889-004", "S889-003", "S889-006", "S889-005")
    entity_id = said.match.entity_id if said.match else ""
    return (0 if said.flag is Flag.FAIL else 1), ranks.index(said.rule_id), entity_id


def _without_hit(line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists) -> Outcome:
    is_service = line.line_type is LineType.SERVICE
    names = (line.manufacturer, line.brand, *((line.supplier,) if is_service else ()))
    if all(map(is_blank, names)):
        return outcome("S889-008", Flag.UNKNOWN)
    if line.s889_admits:
        return _admitted(line)
    if has_maker_statement(line, context.quote_date):
        return outcome("S889-007", Flag.PASS, "statement", dated=_iso(line.s889_evidence_date))
    category = component_class(line.category)
    if is_service or category in ("cloud", "hosting"):
        return _service_without_statement(category, any(map(lists.s889.is_cleared, names)))
    return _goods_without_statement(line, category)


def _admitted(line: ScreeningLine) -> Outcome:
    """A statement that names covered equipment: in the article itself a conflict, in the range a doubt."""
    is_article = line.s889_admits == "part"
    flag, variant = (Flag.FAIL, "") if is_article else (Flag.REVIEW, "maker")
    return outcome("S889-012", flag, variant, dated=_iso(line.s889_evidence_date))


def _goods_without_statement(line: ScreeningLine, category: str) -> Outcome:
    if line.line_type is LineType.SOFTWARE:
        return outcome("S889-011", Flag.PASS)
    if has_full_part_list(line):
        return outcome("S889-007", Flag.PASS, "part_list", parts=len(line.components))
    if line.line_type is LineType.SYSTEM or _is_a(category, NEEDS_PARTS):
        return outcome("S889-009", Flag.UNKNOWN, category=line.category or None)
    return outcome("S889-007", Flag.PASS, "maker")


def _service_without_statement(category: str, is_cleared_name: bool) -> Outcome:
    needs_none = is_of_class(category, PAPER_SERVICES) or (
        is_cleared_name and not is_of_class(category, TECHNICAL_SERVICES)
    )
    return outcome("S889-007", Flag.PASS, "maker") if needs_none else outcome("S889-010", Flag.UNKNOWN, "no_statement")


def has_full_part_list(line: ScreeningLine) -> bool:
    """A list counts as full where the sender says so, it names parts, and each part names a maker."""
    named = bool(line.components) and not any(is_blank(part.maker) for part in line.components)
    return line.components_complete and named


def _a_year_after(day: date) -> date:
    try:
        return day.replace(year=day.year + 1)
    except ValueError:  # 29 February
        return day.replace(year=day.year + 1, day=28)


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
