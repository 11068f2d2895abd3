"""What screening reads and what it answers: frozen, pure, without a clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from sizing.core.values import Message

ENGINE_VERSION = "screen-1.3"


class Regime(StrEnum):
    TAA = "TAA"
    S889 = "S889"
    S5949 = "S5949"
    S1260H = "S1260H"
    EXPORT = "EXPORT"
    PARTIES = "PARTIES"  # only where the organisation has loaded a list of parties


# Regimes whose lists ship with Kvote.
SHIPPED = (Regime.TAA, Regime.S889, Regime.S5949, Regime.S1260H, Regime.EXPORT)


class Flag(StrEnum):
    PASS = "pass"  # noqa: S105 - a verdict, no secret
    REVIEW = "review"
    FAIL = "fail"
    UNKNOWN = "unknown"


class Applicability(StrEnum):
    APPLIES = "applies"
    NOT_APPLICABLE = "not_applicable"
    UNDETERMINED = "undetermined"


class BuyerType(StrEnum):
    FEDERAL_CIVILIAN = "us_federal_civilian"
    DOD = "us_dod"
    GSA_MAS = "us_gsa_mas"
    SUBCONTRACTOR = "us_fed_subcontractor"
    GRANT = "us_federal_grant"
    STATE_LOCAL = "us_state_local"
    COMMERCIAL = "commercial"
    EU_PUBLIC = "eu_public"
    UNKNOWN = "unknown"


class LineType(StrEnum):
    GOODS = "goods"
    SYSTEM = "system"
    SERVICE = "service"
    SOFTWARE = "software"


class Evidence(StrEnum):
    """Kinds of proof; `grade` says what each is worth."""

    RULING = "cbp_ruling"
    LETTER = "manufacturer_letter"
    FEED = "distributor_feed"
    DATASHEET = "datasheet"
    NONE = "unknown"

    @property
    def grade(self) -> str:
        """A (a ruling or the maker's letter), B (a distributor's feed), C (a data sheet), D (nothing)."""
        return {"cbp_ruling": "A", "manufacturer_letter": "A", "distributor_feed": "B", "datasheet": "C"}.get(self, "D")

    @property
    def stale_after_days(self) -> int | None:
        """Age in days up to which it counts, the last day included; None where it never ages."""
        return {"manufacturer_letter": 365, "distributor_feed": 90}.get(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One part inside a line's article, as its part list names it."""

    maker: str
    part_class: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clearance:
    """A name that two people found to be another firm than one list row; good for 365 days.

    `subject` is the SKU or supplier for which it was cleared, for a party of the quote the name itself.
    """

    name: str
    entity_id: str
    subject: str
    cleared_on: date
    row_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningLine:
    """One quote line as received: raw texts, nothing normalised."""

    line_id: str
    line_type: LineType = LineType.GOODS
    category: str = ""
    manufacturer: str = ""
    brand: str = ""
    supplier: str = ""
    sku: str = ""
    components: tuple[Component, ...] = ()
    components_complete: bool = False
    origin_text: str = ""
    origin_evidence: Evidence = Evidence.NONE
    origin_evidence_date: date | None = None
    origin_evidence_sha256: str = ""
    transformation_note: str = ""
    s889_evidence: Evidence = Evidence.NONE
    s889_evidence_date: date | None = None
    s889_evidence_sha256: str = ""
    s889_admits: str = ""  # "part" or "maker": the statement names covered equipment in the article, or in the range
    eccn: str = ""
    hts: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningContext:
    """The quote around the lines. `acquisition_value_usd` is the whole acquisition with all options.

    `screened_on` is the day of the screening where overdue list checks shall count; None leaves
    them out. The policies are the organisation's own.
    """

    quote_date: date
    buyer_type: BuyerType = BuyerType.UNKNOWN
    acquisition_value_usd: Decimal | None = None
    contract_start: date | None = None
    set_aside: bool = False
    taa_by_contract: bool = False
    destination: str = ""
    parties: tuple[str, ...] = ()  # consignee, buyer, intermediary, end user
    part_b_representation_date: date | None = None
    screened_on: date | None = None
    strict_s889: bool = False
    grade_a_only: bool = False
    clearances: tuple[Clearance, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListVersion:
    """One dated state of the lists behind a regime. `sha256` covers every file of it, byte for byte."""

    version: str
    sha256: str
    valid_from: date | None
    valid_to: date | None
    published_on: date | None
    source: str
    verified_by: str
    last_check: date | None
    next_check_due: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchDetail:
    """How a name met a list row: which field, as which text, by which step, how near."""

    field: str
    raw: str
    normalised: str
    entity_id: str
    alias: str
    step: str
    score: float
    strong: bool
    former: bool  # the row itself may only ask for a review
    row_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceUsed:
    kind: Evidence
    grade: str
    dated: date | None
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One result for one line under one regime.

    The flag is worked out as if the regime applied; `applicability` says whether it does. Only a
    destination in the US (EXP-000) has no flag at all. Notes never change the flag.
    """

    line_id: str
    regime: Regime
    applicability: Applicability
    applicability_id: str
    flag: Flag | None
    rule_id: str
    reason: Message
    citation: str
    origin: str = ""
    evidence: EvidenceUsed | None = None
    match: MatchDetail | None = None
    notes: tuple[Message, ...] = ()
    list_version: str = ""
    list_sha256: str = ""
    engine_version: str = ENGINE_VERSION
    input_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollUp:
    """The headline of one regime over the findings in scope; never shown without `counts`."""

    applicability: Applicability
    flag: Flag | None
    rule_id: str
    counts: Mapping[str, int] = field(default_factory=dict)
    out_of_scope: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteScreening:
    """Every finding of a quote and the headline of every regime."""

    findings: tuple[Finding, ...]
    roll_ups: Mapping[Regime, RollUp]
    engine_version: str = ENGINE_VERSION
    input_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a rule says before the finding is put together."""

    flag: Flag | None
    rule_id: str
    reason: Message
    origin: str = ""
    evidence: EvidenceUsed | None = None
    match: MatchDetail | None = None
    notes: tuple[Message, ...] = ()


def outcome(rule_id: str, flag: Flag | None, /, variant: str = "", **params: str | int | float | None) -> Outcome:
    """An outcome whose reason has the rule's own code, with `.variant` where the rule has several."""
    code = f"{rule_id}.{variant}" if variant else rule_id
    return Outcome(flag=flag, rule_id=rule_id, reason=Message(code, params))
