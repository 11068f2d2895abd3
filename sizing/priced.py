"""A candidate of the core with its hardware: bill of materials, delivery, cost and screening, all by pure code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from config.accounts.models import Organisation
from quotes import bom, cost, delivery
from quotes.compliance import screen
from quotes.compliance.types import BuyerType, Evidence, LineType
from sizing.core.candidate import Candidate
from sizing.core.kinds.additions import on_processors
from sizing.core.kinds.candidate import KindCandidate
from sizing.core.units import GB
from sizing.core.values import Message, Money, State, Verdict
from sizing.core.workload import Site, Traffic
from sizing.kinds import parts
from sizing.kinds.hardware import part_of
from sizing.own_records import OwnRecords

INTEGRATION_WEEKS = 1.0
SHIPPING_WEEKS = 1.0
WRITE_OFF_YEARS = 3.0
SUPPORT_YEARS = 3
"""Planning assumptions without a public source: each is listed in the answer and can be overruled by a quote."""

SECONDS_PER_DAY = 86_400
BYTES_PER_TOKEN_ON_THE_WIRE = 6
"""Text of about four characters a token, with JSON and event-stream framing: planning assumption."""

BUDGET_CAUTION = 0.15  # a margin below this is a caution, as for every verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """What all options of one run share: catalogue, rules, lists, rates and the buyer's statements."""

    hardware: bom.Prepared
    rules: bom.Rules
    ceilings: Mapping[str, Decimal]
    lists: screen.ScreeningLists
    rental_rates: Sequence[cost.RentalRate]
    api_rates: Sequence[cost.ApiRate]
    as_of: date
    currency: str
    request: Mapping[str, Any]
    organisation: Organisation | None
    records: OwnRecords | None
    traffic: Traffic | None  # of language models; other kinds carry their demand with the candidate
    site: Site
    model: str
    model_bytes: int
    screened: screen.Known = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltOption:
    """A candidate with its hardware and what that costs at most: enough to tell whether somebody would order it."""

    candidate: Candidate | KindCandidate
    bom: bom.BomResult
    cost_bound: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedOption(BuiltOption):
    """An option complete enough to be ranked and shown."""

    delivery: delivery.Delivery
    comparison: cost.Comparison
    screening: screen.QuoteScreening
    budget: Verdict

    @property
    def fails(self) -> bool:
        """True where a limit that the request states is broken or nothing can be built."""
        verdicts = (self.bom.power, self.bom.rack, self.bom.cooling, self.delivery.verdict, self.budget)
        return not self.bom.buildable or any(verdict.state is State.FAIL for verdict in verdicts)


def price_option(candidate: Candidate | KindCandidate, market: Market) -> PricedOption:
    """Configure, date, cost and screen one candidate."""
    return completed(build_option(candidate, market), market)


def build_option(candidate: Candidate | KindCandidate, market: Market) -> BuiltOption:
    """Configure one candidate."""
    built = bom.configure(bom_request(candidate, market), market.hardware, market.rules)
    return BuiltOption(candidate=candidate, bom=built, cost_bound=cost_bound(built, market))


def completed(option: BuiltOption, market: Market) -> PricedOption:
    """Date, cost and screen one option."""
    candidate, built = option.candidate, option.bom
    comparison = cost.compare(
        built,
        stated_load(candidate, market),
        cost_terms(market),
        market.rules,
        accelerator=candidate.deployment.accelerator.slug,
        model=market.model,
        rental_rates=market.rental_rates,
        api_rates=market.api_rates,
    )
    return PricedOption(
        candidate=candidate,
        bom=built,
        delivery=delivery.plan_delivery(built.lines, delivery_terms(market)),
        comparison=comparison,
        screening=_screening(built, comparison.own.purchase, market),
        budget=_budget(market.request["procurement"]["budget"], comparison.own),
        cost_bound=option.cost_bound,
    )


def cost_bound(built: bom.BomResult, market: Market) -> Decimal | None:
    """What the purchase costs at most, for ranking: an open line at the highest price known of its class.

    Classes without any price in the catalogue (rails, cords, services) are open in every option alike and
    do not count. None where nothing can be built, or where the accelerators themselves have no price: no other
    part's price bounds theirs.
    """
    if built.chassis is None or any(line.part_class is bom.PartClass.ACCELERATOR for line in built.open_lines):
        return None
    known = bom.known_sum(built.lines)
    return known + sum(
        (
            line.quantity * market.ceilings.get(ceiling_class(line, market.hardware), Decimal(0))
            for line in built.open_lines
        ),
        start=Decimal(0),
    )


def ceilings(hardware: bom.Prepared) -> dict[str, Decimal]:
    """Highest price known of each class of parts, indications included; servers by kind of mount."""
    classes = {part.slug: part.part_class.value for parts in hardware.components.values() for part in parts}
    classes |= dict.fromkeys(hardware.accelerators, bom.PartClass.ACCELERATOR.value)
    classes |= dict.fromkeys(hardware.processors_by_slug, bom.PartClass.CPU.value)
    classes |= {
        chassis.slug: _chassis_class(chassis) for chassis in hardware.chassis if chassis.category != "rack_scale"
    }
    highest: dict[str, Decimal] = {}
    for slug, facts in hardware.prices.items():
        kind = classes.get(slug, "")
        for fact in facts:
            if kind and (fact.part_class is None or kind.startswith(fact.part_class.value)):
                highest[kind] = max(fact.high or fact.amount, highest.get(kind, Decimal(0)))
    return highest


def _chassis_class(chassis: bom.Chassis) -> str:
    slots = any(mount.kind is bom.MountKind.PCIE for mount in chassis.mounts) and not chassis.complete_system
    return "system:slots" if slots else "system:boards"


def ceiling_class(line: bom.BomLine, hardware: bom.Prepared) -> str:
    if line.part_class is bom.PartClass.SYSTEM and line.part in hardware.chassis_by_slug:
        return _chassis_class(hardware.chassis_by_slug[line.part])
    return line.part_class.value


def bom_request(candidate: Candidate | KindCandidate, market: Market) -> bom.BomRequest:
    """The option as the configurator reads it."""
    deployment = candidate.deployment
    procurement = _procurement(market)
    if isinstance(candidate, KindCandidate) or market.traffic is None:
        return parts.bom_request(
            kind_of(candidate),
            market.hardware,
            site=market.site,
            procurement=procurement,
            as_of=market.as_of.isoformat(),
        )
    rate = _requests_per_s(candidate, market.traffic)
    tokens = market.traffic.input_tokens.mean + market.traffic.output_tokens.mean
    return bom.BomRequest(
        accelerator=part_of(deployment.accelerator, market.hardware),
        accelerators_per_replica=cards(deployment.accelerators_per_replica, candidate),
        replicas=deployment.replicas,
        spare_replicas=deployment.spare_replicas,
        site=market.site,
        procurement=procurement,
        as_of=market.as_of.isoformat(),
        model_bytes=float(market.model_bytes),
        requests_per_s=rate,
        payload_bytes_per_request=tokens * BYTES_PER_TOKEN_ON_THE_WIRE,
        precision=deployment.weights_format,
        engine=deployment.engine,
        host_offload_bytes=_host_bytes(candidate, market),
    )


def _host_bytes(candidate: Candidate, market: Market) -> float:
    """What a server needs beside the weights and its own reserves so that its processors have the planned memory."""
    deployment = candidate.deployment
    if not on_processors(candidate):
        return 0.0
    sockets = min(deployment.accelerators_total, deployment.accelerator.scale_up_domain)
    reserves = market.rules.number("host_memory_system_gb")
    reserves += sockets * market.rules.number("host_memory_per_accelerator_gb")
    return max(sockets * deployment.accelerator.memory_bytes - reserves * GB - market.model_bytes, 0.0)


def _procurement(market: Market) -> bom.Procurement:
    stated = market.request["procurement"]
    return bom.Procurement(
        currency=market.currency,
        allowed_vendors=tuple(stated.get("allowed_vendors") or ()),
        excluded_vendors=tuple(stated["excluded_vendors"] or ()),
        uninterruptible_supply=bool(stated.get("uninterruptible_supply")),
        support_years=stated.get("support_years") or SUPPORT_YEARS,
    )


def kind_of(candidate: Candidate | KindCandidate) -> KindCandidate:
    """The candidate of a kind that states no traffic. Raises TypeError for one of a language model."""
    if not isinstance(candidate, KindCandidate):
        raise TypeError(f"{candidate.deployment.accelerator.slug}: a language model without traffic")
    return candidate


def cards(devices: int, candidate: Candidate) -> int:
    """Boards that carry so many devices: a board with several logical devices is bought whole."""
    return -(-devices // candidate.deployment.accelerator.logical_devices)


def _requests_per_s(candidate: Candidate, traffic: Traffic) -> float | None:
    """Requests that the option completes per second at the stated load."""
    if traffic.requests_per_s is not None:
        return traffic.requests_per_s
    tokens_per_s = candidate.performance.output_tokens_per_s_total.value
    return tokens_per_s / traffic.output_tokens.mean if tokens_per_s else None


def peak_requests_per_s(candidate: Candidate | KindCandidate, market: Market) -> float | None:
    """Requests per second of the stated load, before a daily profile shapes it."""
    if isinstance(candidate, KindCandidate) or market.traffic is None:
        return kind_of(candidate).demand.items_per_s
    return _requests_per_s(candidate, market.traffic)


def stated_load(candidate: Candidate | KindCandidate, market: Market) -> cost.Load:
    """The stated load over a day. Without a daily profile it is taken as lasting round the clock."""
    traffic = market.traffic
    if isinstance(candidate, KindCandidate) or traffic is None:
        return parts.load(kind_of(candidate))
    rate = _requests_per_s(candidate, traffic)
    profile = traffic.load_profile
    share = sum(profile) / len(profile) if profile else 1.0
    busy, fill = candidate.utilisation.device.value, _fill(candidate)
    return cost.Load(
        requests_per_day=rate * share * SECONDS_PER_DAY if rate is not None else None,
        capacity_requests_per_s=rate / fill if rate is not None and fill else None,
        busy_share=busy * share if busy is not None else None,
        input_tokens=traffic.input_tokens.mean,
        output_tokens=traffic.output_tokens.mean,
    )


def _fill(candidate: Candidate) -> float | None:
    """The stated load over the highest that is carried within the targets, 0..1; None where unknown.

    A request takes the same arithmetic at every load, so requests per second go with the share of time spent on it.
    """
    used = candidate.utilisation
    now, peak = used.compute.value, used.compute_peak.value
    busy, busy_peak = used.device.value, used.device_peak.value
    if now is None or not peak or busy is None or not busy_peak:
        return busy
    return min(now * busy / (peak * busy_peak), 1.0)


def cost_terms(market: Market) -> cost.CostTerms:
    """The buyer's terms; what is not stated is assumed or left out, as the assumptions say."""
    site, procurement = market.request["site"], market.request["procurement"]
    return cost.CostTerms(
        currency=market.currency,
        as_of=market.as_of.isoformat(),
        write_off_years=procurement.get("write_off_years") or WRITE_OFF_YEARS,
        residual_share=procurement.get("residual_share") or 0.0,
        electricity_price_per_kwh=_decimal(site["electricity_price_per_kwh"]),
        pue=site["pue"],
        space_per_rack_unit_year=_decimal(site.get("space_per_rack_unit_year")),
        staff_per_year=_decimal(procurement.get("staff_per_year")),
        policy=cost.Policy(
            on_premises_only=bool(procurement["on_premises_only"]),
            allowed_regions=tuple(procurement["allowed_regions"] or ()),
            allowed_providers=tuple(procurement.get("allowed_providers") or ()),
            excluded_providers=tuple(procurement.get("excluded_providers") or ()),
        ),
        exchange_rates=tuple(market.hardware.rates.values()),
    )


def _decimal(value: float | None) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def delivery_terms(market: Market) -> delivery.DeliveryTerms:
    """Order on the day of the run, then integration and shipping."""
    stated = market.request["procurement"]
    needed = stated["needed_by"]
    return delivery.DeliveryTerms(
        order_date=market.as_of,
        integration_weeks=_or(stated.get("integration_weeks"), INTEGRATION_WEEKS),
        shipping_weeks=_or(stated.get("shipping_weeks"), SHIPPING_WEEKS),
        needed_by=date.fromisoformat(needed) if needed else None,
    )


def _or(stated: float | None, assumed: float) -> float:
    return assumed if stated is None else stated


def _screening(built: bom.BomResult, purchase: Money, market: Market) -> screen.QuoteScreening:
    procurement = market.request["procurement"]
    buyer = BuyerType(procurement["buyer_type"] or "unknown")
    complete = purchase.amount is not None and purchase.basis == "sum" and purchase.currency == "USD"
    context = screen.ScreeningContext(
        quote_date=market.as_of,
        buyer_type=buyer,
        acquisition_value_usd=purchase.amount if complete else None,
        destination=procurement["destination_country"] or "",
        screened_on=market.as_of,
    )
    lines = [_screening_line(line) for line in built.lines]
    if market.records is not None:
        context, lines = market.records.context(context), [market.records.line(line) for line in lines]
    return screen.screen_quote(lines, context, market.lists, known=market.screened)


LINE_TYPES = {"service": LineType.SERVICE, "licence": LineType.SOFTWARE}
CATEGORIES = {"system": "server", "gpu": "accelerator", "ram": "memory", "storage": "ssd", "nic": "nic"}


def _screening_line(line: bom.BomLine) -> screen.ScreeningLine:
    kind = LINE_TYPES.get(line.kind, LineType.GOODS)
    if line.part_class is bom.PartClass.SYSTEM:
        kind = LineType.SYSTEM
    elif line.part_class is bom.PartClass.SOFTWARE:
        kind = LineType.SOFTWARE
    return screen.ScreeningLine(
        line_id=line.line,
        line_type=kind,
        category=CATEGORIES.get(line.part_class, line.part_class),
        manufacturer=line.manufacturer,
        sku=line.mpn,
        **_origin(line.origin),
    )


# The proof that a grade stands for where a claim does not say which it is.
PROOFS = {"A": Evidence.LETTER, "B": Evidence.FEED, "C": Evidence.DATASHEET}


def _origin(said: bom.OriginFact | None) -> dict[str, Any]:
    """The origin of a part with its proof, as a quote takes it."""
    if said is None:
        return {}
    return {
        "origin_text": said.country,
        "origin_evidence": Evidence(said.evidence) if said.evidence else PROOFS.get(said.grade, Evidence.NONE),
        "origin_evidence_date": date.fromisoformat(said.as_of) if said.as_of else None,
    }


def _budget(stated: str | None, own: cost.OwnCost) -> Verdict:
    """The purchase against the budget. What is known already may break it; only a complete sum can keep it."""
    if stated is None:
        return Verdict(state=State.UNKNOWN, margin=None, message=Message("budget_not_stated", {}))
    budget, purchase = Decimal(stated), own.purchase.amount
    if purchase is None:
        return Verdict(state=State.UNKNOWN, margin=None, message=Message("budget_price_unknown", {}))
    margin = float((budget - purchase) / budget)
    params = {"amount": str(purchase), "budget": str(budget), "currency": own.purchase.currency}
    if margin < 0:
        return Verdict(state=State.FAIL, margin=margin, message=Message("budget_over", params))
    if not own.complete:
        return Verdict(state=State.UNKNOWN, margin=None, message=Message("budget_incomplete", params))
    state = State.CAUTION if margin < BUDGET_CAUTION else State.OK
    return Verdict(state=state, margin=margin, message=Message("budget_kept", params))
