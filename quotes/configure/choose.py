"""From a request to the chassis that serves it best, and the result for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from quotes.configure.cpu import accepts_cpu
from quotes.configure.edge import edge_verdicts
from quotes.configure.facts import AcceleratorPart, Chassis
from quotes.configure.fit import NOT_ORDERABLE, Fit, fit_chassis, is_foreign, layout_of
from quotes.configure.limits import broken_limits, cooling_verdict, power_verdict, rack_verdict
from quotes.configure.lines import items_of, write_lines
from quotes.configure.node import Node, work_out
from quotes.configure.prepare import Prepared
from quotes.configure.prices import price_of
from quotes.configure.request import BomLine, BomRequest, BomResult, Problem
from quotes.configure.rules import Rules
from quotes.configure.work import Work
from quotes.configure.writer import Item
from sizing.core.values import Basis, Estimate, Message, State, Verdict

SHOWN_ALTERNATIVES = 5
KEPT_FITS = 500  # the key holds what buyers type, so the memo of a long-lived catalogue must not grow for ever
OVERSIZE = 4  # a chassis with four times the places is taken only where nothing nearer to the need is as good
STATUS_ORDER = ("current", "", "legacy", "end_of_sale_variants", "announced", "withdrawn")
# Every other chassis misses in these ways: they explain nothing.
QUIET_MISFITS = frozenset({"bom_mount_mismatch", "bom_not_listed", "bom_capacity_unknown", "bom_cloud_chassis"})
POWER_SPREAD = 0.10  # interval of a planning figure: the published models it was fitted to lie within 2 %
NOT_FOR_SALE = frozenset({"cloud-only", "cloud-or-system", "cloud-or-rack", "china-export"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One chassis worked out for the request."""

    work: Work
    node: Node
    power: Verdict
    rack: Verdict
    cooling: Verdict
    meets_place: bool  # every mounting, port and protection that the site asks for is known to be there


def best_configuration(request: BomRequest, prepared: Prepared, rules: Rules) -> BomResult:
    """The best chassis with its lines, or the reasons why there is none.

    Order of chassis: no broken constraint, no failed verdict, known to offer what the place asks for, on the
    maker's list, a rack server where the site states no form, fewer open lines (none = complete), lower known
    sum, not grossly oversized, fewer unknown verdicts, fewer servers, status, confidence of the source, rack
    units (unknown last), slug.
    Chassis known from published builds only are looked at where no listed one is sound.
    """
    if request.accelerator.availability in NOT_FOR_SALE:
        problem = Problem(
            message=Message("bom_not_for_sale", {"part": request.accelerator.name}),
            remedy=Message("bom_choose_other_accelerator", {}),
        )
        return _nothing((problem,))
    if request.accelerator.status in NOT_ORDERABLE:
        params = {"chassis": request.accelerator.name, "status": request.accelerator.status}
        remedy = Message("bom_choose_other_accelerator", {})
        return _nothing((Problem(message=Message("bom_not_orderable", params), remedy=remedy),))
    fits, misfits = candidates(request, prepared)
    drafts, layout_problems = _drafts(request, [fit for fit in fits if fit.listed], prepared, rules)
    if not any(_sound(draft) for draft in drafts):
        others, more_problems = _drafts(request, [fit for fit in fits if not fit.listed], prepared, rules)
        drafts, layout_problems = drafts + others, layout_problems + more_problems
    if not drafts:
        return _nothing(tuple(layout_problems[:1] or misfits[:1] or (_no_chassis(request),)))
    sound = [draft for draft in drafts if _sound(draft)]
    ranked = sorted(sound or drafts, key=_order)
    return _result(ranked[0], tuple(draft.work.chassis.slug for draft in ranked[1 : SHOWN_ALTERNATIVES + 1]))


def _drafts(
    request: BomRequest, fits: Sequence[Fit], prepared: Prepared, rules: Rules
) -> tuple[list[Draft], list[Problem]]:
    drafts: list[Draft] = []
    problems: list[Problem] = []
    for fit in fits:
        layout = layout_of(request, fit, rules)
        if isinstance(layout, Problem):
            problems.append(layout)
            continue
        work = Work(request=request, chassis=fit.chassis, layout=layout, prepared=prepared, rules=rules)
        drafts.append(_draft(work, fit))
    return drafts, problems


def _sound(draft: Draft) -> bool:
    """True where nothing is broken: no constraint and no verdict fails."""
    return not draft.node.problems and State.FAIL not in {draft.power.state, draft.rack.state, draft.cooling.state}


def candidates(request: BomRequest, prepared: Prepared) -> tuple[tuple[Fit, ...], tuple[Problem, ...]]:
    """Chassis that take the accelerator: those on a maker's list or in a published build, else any that fits.

    A pinned chassis is the only candidate. The problems say what kept the others out.
    """
    procurement, site = request.procurement, request.site
    key = (
        request.accelerator.slug,
        procurement.chassis or "",
        procurement.allowed_vendors,
        procurement.excluded_vendors,
        site.form_factors,
    )
    fits = prepared.memo.fits
    if key not in fits:
        if len(fits) >= KEPT_FITS:
            fits.clear()
        fits[key] = _candidates(request, prepared)
    return fits[key]


def _candidates(request: BomRequest, prepared: Prepared) -> tuple[tuple[Fit, ...], tuple[Problem, ...]]:
    pinned = request.procurement.chassis
    fits: list[Fit] = []
    misfits: list[Problem] = []
    for chassis in prepared.chassis:
        if (pinned and chassis.slug != pinned) or not _allowed(chassis, request):
            continue
        if not pinned and is_foreign(chassis, request.accelerator):
            continue
        answer = _fit(chassis, request.accelerator, prepared, pinned=bool(pinned))
        if isinstance(answer, Fit):
            fits.append(answer)
        elif pinned or answer.message.code not in QUIET_MISFITS:
            misfits.append(answer)
    proven = [fit for fit in fits if fit.listed or fit.seen]
    return tuple(proven or fits), tuple(misfits)


def _fit(chassis: Chassis, part: AcceleratorPart, prepared: Prepared, *, pinned: bool) -> Fit | Problem:
    if not part.is_processor:
        return fit_chassis(chassis, part, pinned=pinned)
    cpu = prepared.processors_by_slug.get(part.slug)
    closed = chassis.complete_system or chassis.carries_accelerators
    if cpu is None or chassis.cpu_sockets is None or closed or not accepts_cpu(chassis, cpu):
        params = {"chassis": chassis.model, "part": part.name}
        return Problem(
            message=Message("bom_mount_mismatch", params), remedy=Message("bom_choose_other_chassis", params)
        )
    return Fit(chassis=chassis, capacity=chassis.cpu_sockets, whole_units=True, listed=True, seen=0)


def _allowed(chassis: Chassis, request: BomRequest) -> bool:
    procurement, forms = request.procurement, request.site.form_factors
    vendor = chassis.vendor.casefold()
    if vendor in {name.casefold() for name in procurement.excluded_vendors}:
        return False
    if procurement.allowed_vendors and vendor not in {name.casefold() for name in procurement.allowed_vendors}:
        return False
    return not forms or chassis.category in forms


def _draft(work: Work, fit: Fit) -> Draft:
    node = work_out(work, fit)
    return Draft(
        work=work,
        node=node,
        power=power_verdict(work, node.power, node.supplies),
        rack=rack_verdict(work, node.power),
        cooling=cooling_verdict(work, fit, node.power, adapter_gbit_s=node.nic.gbit_s),
        meets_place=all(verdict.state is State.OK for verdict in edge_verdicts(work.request.site, work.chassis)),
    )


type OrderKey = tuple[bool, bool, bool, bool, bool, int, Decimal, bool, int, int, int, str, float, str]


def _order(draft: Draft) -> OrderKey:
    chassis, verdicts = draft.work.chassis, (draft.power, draft.rack, draft.cooling)
    open_lines, total = _priced(draft)
    return (
        bool(draft.node.problems),
        any(verdict.state is State.FAIL for verdict in verdicts),
        not draft.meets_place,
        not draft.node.fit.listed,
        not draft.work.request.site.form_factors and chassis.category not in {"rackmount", "rack_scale"},
        open_lines,
        total,
        draft.node.fit.capacity >= OVERSIZE * draft.work.layout.accelerators_per_node,
        sum(1 for verdict in verdicts if verdict.state is State.UNKNOWN),
        draft.work.layout.servers,
        STATUS_ORDER.index(chassis.status) if chassis.status in STATUS_ORDER else len(STATUS_ORDER),
        chassis.confidence or "Z",
        chassis.rack_units if chassis.rack_units is not None else float("inf"),
        chassis.slug,
    )


def _priced(draft: Draft) -> tuple[int, Decimal]:
    """Open lines and known sum of a draft, before its lines are written. No open line = complete."""
    request, open_lines, total = draft.work.request, 0, Decimal(0)
    currency = request.procurement.currency
    for item in _all_items(draft):
        if item.kind == "option" or item.included:
            continue
        price = price_of(
            item.slug, item.part_class, currency=currency, as_of=request.as_of, prepared=draft.work.prepared
        )[0]
        if price is None or price.amount is None:
            open_lines += 1
        else:
            total += price.amount * item.quantity
    return open_lines, total


def _all_items(draft: Draft) -> Iterator[Item]:
    for section in items_of(draft.work, draft.node):
        yield from section


def known_sum(lines: Sequence[BomLine]) -> Decimal:
    """Sum of the lines of the total whose price is known; the total is at least this."""
    total = Decimal(0)
    for line in lines:
        if line.in_total and line.unit_price is not None and line.unit_price.amount is not None:
            total += line.unit_price.amount * line.quantity
    return total


def _result(draft: Draft, alternatives: tuple[str, ...]) -> BomResult:
    work, power = draft.work, draft.node.power
    chassis, servers = work.chassis, work.layout.servers
    btu = work.rules.number("btu_per_h_per_w")
    unknowns = tuple(v.message for v in (draft.power, draft.rack, draft.cooling) if v.state is State.UNKNOWN)
    return BomResult(
        chassis=chassis.slug,
        chassis_name=f"{chassis.vendor} {chassis.model}",
        servers=servers,
        layout=work.layout,
        lines=write_lines(work, draft.node),
        problems=draft.node.problems,
        warnings=draft.node.warnings,
        power_typical_w=_estimate(power.typical_w * servers if power else None, "W"),
        power_max_w=_estimate(power.max_w * servers if power else None, "W"),
        power_idle_w=_estimate(power.idle_w * servers if power else None, "W"),
        heat_btu_per_h=_estimate(power.max_w * servers * btu if power else None, "BTU/h"),
        rack_units=chassis.rack_units * servers if chassis.rack_units is not None else None,
        weight_kg=chassis.weight_kg * servers if chassis.weight_kg is not None else None,
        power=draft.power,
        rack=draft.rack,
        cooling=draft.cooling,
        alternatives=alternatives,
        unknowns=unknowns,
        broken_limits=broken_limits((draft.power, draft.rack, draft.cooling)),
    )


def _estimate(value: float | None, unit: str) -> Estimate:
    if value is None:
        return Estimate.unknown(unit)
    return Estimate(
        value=value,
        low=value * (1 - POWER_SPREAD),
        high=value * (1 + POWER_SPREAD),
        unit=unit,
        basis=Basis.FORMULA,
        explain="node_power",
    )


def _no_chassis(request: BomRequest) -> Problem:
    params = {"part": request.accelerator.name}
    return Problem(message=Message("bom_no_chassis", params), remedy=Message("bom_widen_choice", params))


def _nothing(problems: tuple[Problem, ...]) -> BomResult:
    verdict = Verdict(state=State.UNKNOWN, margin=None, message=Message("bom_no_configuration", {}))
    return BomResult(
        chassis=None,
        chassis_name="",
        servers=0,
        layout=None,
        lines=(),
        problems=problems,
        warnings=(),
        power_typical_w=Estimate.unknown("W"),
        power_max_w=Estimate.unknown("W"),
        power_idle_w=Estimate.unknown("W"),
        heat_btu_per_h=Estimate.unknown("BTU/h"),
        rack_units=None,
        weight_kg=None,
        power=verdict,
        rack=verdict,
        cooling=verdict,
    )
