"""Run the pipeline: request -> core -> hardware, cost, delivery, screening -> ranked result.

`answer` is the whole pipeline without a row of its own: runs, the API and the command share it.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from catalog import selectors
from catalog.models import CloudRate
from config.accounts.models import Organisation
from quotes import cost
from quotes.bom import PartClass
from quotes.compliance.lists import load_lists
from quotes.compliance.screen import screened_by
from sizing import available, hardware_inputs, result
from sizing.calibration.load import load_coefficients
from sizing.choices import Kind, Stage
from sizing.core.candidate import Assumption, Candidate, Recommendation, Rejection
from sizing.core.kinds.additions import on_processors, right_sized, with_additions
from sizing.core.kinds.candidate import KindCandidate
from sizing.core.kinds.search import KindQuestion, KindRecommendation
from sizing.core.rank import Ranking, RankItem, rank
from sizing.core.recommend import recommend
from sizing.core.request import CoreCatalogue
from sizing.core.values import Message, State
from sizing.core.workload import Pinned
from sizing.inputs import Asked, asked
from sizing.kinds.answers import kind_recommendation
from sizing.kinds.load import load_kind_coefficients
from sizing.kinds.questions import KindAsked
from sizing.kinds.questions import asked as kind_asked
from sizing.measurements.apply import active, corrected
from sizing.own_records import records_of
from sizing.priced import (
    INTEGRATION_WEEKS,
    SHIPPING_WEEKS,
    WRITE_OFF_YEARS,
    Market,
    PricedOption,
    build_option,
    ceilings,
    completed,
    price_option,
)
from sizing.priced_details import details
from sizing.sensible import sensible

ENGINE_VERSION = "kvote-3"
REFINEMENTS = 3

type Progress = Callable[[str, int, int], None]


def answer(
    stated: Mapping[str, Any], *, organisation: Organisation | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """The contract's result for a canonical request (`requests.read_request`), messages as code and parameters.

    Raises SizingError for a request that contradicts the model or the catalogue, Cancelled from `progress`.
    """
    report = progress or (lambda stage, done, total: None)
    report(Stage.READ, 0, 1)
    if stated["kind"] != Kind.LLM_SERVING:
        return _kind_answer(stated, organisation, report)
    question = asked(stated)
    catalogue = available.core_catalogue(
        stated["serving_software"],
        pinned=question.core.pinned,
        engine_version=stated["deployment"]["engine_version"],
        weights=question.core.weights[0].slug,
    )
    report(Stage.READ, 1, 1)
    found = recommend(question.core, catalogue, coefficients=load_coefficients(), progress=report)
    options = with_additions(corrected(found.options, question.core, active(organisation)))
    found = replace(found, options=options, warnings=(*found.warnings, *available.doubts(question.core.pinned)))
    market = market_of(stated, question, organisation)
    priced, refused = _priced(found.options, market, report, pinned=question.core.pinned is not None)
    report(Stage.RANKING, 0, 1)
    ranking = _refined(priced, question, catalogue, market)
    return _assembled(
        question, replace(found, rejected=(*found.rejected, *_once(refused, priced))), priced, ranking, market
    )


def _kind_answer(stated: Mapping[str, Any], organisation: Organisation | None, report: Progress) -> dict[str, Any]:
    """The same steps for a kind besides language models; its figures need no simulation."""
    question = kind_asked(stated)
    report(Stage.READ, 1, 1)
    found = kind_recommendation(question, progress=report)
    market = market_of(stated, question, organisation)
    priced, refused = _priced(found.options, market, report, pinned=question.core.pinned)
    report(Stage.RANKING, 0, 1)
    first = isinstance(question.core, KindQuestion) and question.core.processors_first
    enough = right_sized([option.candidate for option in priced if option.bom.servers == 1]) if first else set()
    items = [
        replace(rank_item(i, option), preferred=option.candidate.deployment.accelerator.slug in enough)
        for i, option in enumerate(priced)
    ]
    ranking = rank(items)
    return _assembled(
        question, replace(found, rejected=(*found.rejected, *_once(refused, priced))), priced, ranking, market
    )


def _priced(
    candidates: Sequence[Candidate | KindCandidate], market: Market, report: Progress, *, pinned: bool
) -> tuple[list[PricedOption], list[Rejection]]:
    """Every candidate with its hardware, and those that nobody would order; a pinned one is kept whatever it is."""
    built = []
    for index, candidate in enumerate(candidates):
        report(Stage.PARTS, index, len(candidates))
        built.append(build_option(candidate, market))
    kept, refused = (built, []) if pinned else sensible(built, market)
    return [completed(option, market) for option in kept], refused


def _once(refused: Sequence[Rejection], kept: Sequence[PricedOption]) -> list[Rejection]:
    """One rejection per accelerator that has no option left."""
    offered = {option.candidate.deployment.accelerator.slug for option in kept}
    first = {each.accelerator: each for each in reversed(refused) if each.accelerator not in offered}
    return [first[slug] for slug in sorted(first)]


def _refined(priced: list[PricedOption], question: Asked, catalogue: CoreCatalogue, market: Market) -> Ranking:
    """The ranking, with simulated percentiles for every named option: a simulation may unseat one, then again."""
    for _ in range(REFINEMENTS):
        ranking = rank([rank_item(index, option) for index, option in enumerate(priced)])
        named = {i: priced[i].candidate for i in ranking.labels}
        rough = {i: c for i, c in named.items() if isinstance(c, Candidate) and not c.performance.simulated}
        if not rough or question.core.pinned:
            return ranking
        for index, candidate in rough.items():
            priced[index] = price_option(_simulated(candidate, question, catalogue, market.organisation), market)
    return rank([rank_item(index, option) for index, option in enumerate(priced)])


def _simulated(
    candidate: Candidate, question: Asked, catalogue: CoreCatalogue, organisation: Organisation | None
) -> Candidate:
    """The same deployment with percentiles from the event simulation; as it is where it cannot be simulated."""
    deployment = candidate.deployment
    pinned = Pinned(
        accelerator=deployment.accelerator.slug,
        count=deployment.accelerators_per_replica * deployment.replicas,
        tensor_parallel=deployment.layout.tensor,
        pipeline_parallel=deployment.layout.pipeline,
        expert_parallel=deployment.layout.expert,
        data_parallel=deployment.layout.data,
        engine=deployment.engine,
        memory_utilisation=deployment.memory_utilisation,
        max_batched_tokens=deployment.max_batched_tokens,
        max_sequences=deployment.max_sequences,
    )
    caches = (*question.core.caches, *question.core.smaller_caches)
    taken = tuple(cache for cache in caches if cache.slug == deployment.kv_format)
    core = replace(question.core, pinned=pinned, caches=taken)
    found = recommend(core, catalogue, coefficients=load_coefficients())
    if not found.options:
        return candidate
    best = corrected(found.options[:1], core, active(organisation))[0]
    # what the search gave up so that it starts stays said
    return replace(best, memory_verdict=candidate.memory_verdict, warnings=candidate.warnings)


def market_of(stated: Mapping[str, Any], question: Asked | KindAsked, organisation: Organisation | None) -> Market:
    as_of = date.fromisoformat(stated["as_of"])
    currency = stated["procurement"]["currency"] or (organisation.currency if organisation else "USD")
    rates = [_rate_row(row) for row in CloudRate.objects.filter(as_of__lte=as_of).order_by("pk")]
    hardware = hardware_inputs.hardware(as_of=as_of, currency=currency, organisation=organisation)
    lists, records = load_lists(as_of), records_of(organisation, as_of)
    return Market(
        hardware=hardware,
        ceilings=ceilings(hardware),
        rules=hardware_inputs.rules(),
        lists=records.lists(lists, hardware_inputs.makers(hardware)) if records else lists,
        records=records,
        rental_rates=list(filter(None, map(cost.rental_rate_from_row, rates))),
        api_rates=list(filter(None, map(cost.api_rate_from_row, rates))),
        as_of=as_of,
        currency=currency,
        request=stated,
        organisation=organisation,
        traffic=question.core.traffic if isinstance(question, Asked) else None,
        site=question.core.site,
        model=question.features.name if isinstance(question, Asked) else question.model_name,
        model_bytes=question.core.weights[0].weights.total_bytes if isinstance(question, Asked) else 0,
    )


def _rate_row(row: CloudRate) -> dict[str, str]:
    texts = {field.name: "" if (value := getattr(row, field.attname)) is None else str(value)
             for field in row._meta.concrete_fields}  # fmt: skip
    return texts | {"gpu_or_model": row.offer}


def _assembled(
    question: Asked | KindAsked,
    found: Recommendation | KindRecommendation,
    priced: Sequence[PricedOption],
    ranking: Ranking,
    market: Market,
) -> dict[str, Any]:
    stated, organisation = market.request, market.organisation
    position_of = {index: position for position, index in enumerate(ranking.order, start=1)}
    offered = available.current()
    judged = {option.candidate.deployment.accelerator.slug for option in priced}
    judged |= {each.accelerator for each in found.rejected}
    left_out = [each for each in offered.left_out if not question.core.pinned and each.accelerator not in judged]
    return {
        "engine_version": ENGINE_VERSION,
        "coefficients_version": found.coefficients_version,
        "catalog_version": selectors.catalog_version(),
        "price_snapshot": selectors.price_snapshot(organisation=organisation),
        "as_of": stated["as_of"],
        "input_hash": input_hash(stated, organisation),
        "model": _model(question),
        "options": [
            result.option(priced[index], rank=position, labels=ranking.labels.get(index, ()), as_of=market.as_of)
            | details(priced[index], market)
            for position, index in enumerate(ranking.order, start=1)
        ],
        "roles": [
            {
                "name": role.name,
                "rank": None if role.key is None else position_of[role.key],
                "code": role.message.code,
                "message": result.plain(role.message),
            }
            for role in ranking.roles
        ],
        "rejected": [result.rejection(each) for each in (*found.rejected, *left_out)],
        "assumptions": [
            result.assumption(each) for each in (*question.assumptions, *found.assumptions, *_own_assumptions(market))
        ],
        "warnings": result.plain(found.warnings),
        "points_evaluated": found.points_evaluated,
    }


def _model(question: Asked | KindAsked) -> dict[str, Any]:
    if isinstance(question, KindAsked):
        return dict(question.facts)
    return result.model(question.model, question.features, question.core)


def rank_item(index: int, option: PricedOption) -> RankItem:
    own, planned = option.comparison.own, option.delivery
    return RankItem(
        key=index,
        feasible=option.candidate.feasible and not option.fails,
        cost=own.purchase.amount,
        cost_bound=option.cost_bound,
        cost_complete=own.complete,
        open_lines=own.open_lines,
        weeks_p50=planned.weeks_p50,
        delivery_complete=planned.complete,
        headroom=option.candidate.headroom,
        power_w=option.candidate.power_w.value,
        slug=option.candidate.deployment.accelerator.slug,
        supply_doubtful=_doubtful(option.candidate) or _limit_open(option),
        unproven=_unproven(option),
    )


def _doubtful(candidate: Candidate | KindCandidate) -> bool:
    """Whether nobody vouches that it can be had, or that the software runs on it: listed after the others."""
    sold = candidate.deployment.accelerator.status != "eol"
    return not sold or candidate.software_verdict.state is State.UNKNOWN


def _unproven(option: PricedOption) -> bool:
    """Whether an option on processors may miss its limits: such an option leads only where its whole interval holds.

    No serving rate of a processor is measured, so this counts for every language model, and one whose processors
    nobody prices never leads; other kinds have measured processors, so it counts where one server is not enough.
    """
    candidate = option.candidate
    if not on_processors(candidate):
        return False
    unsure = candidate.speed_verdict.state is not State.OK
    if isinstance(candidate, Candidate):
        return unsure or any(line.part_class is PartClass.CPU for line in option.bom.open_lines)
    return unsure and option.bom.servers > 1


# A limit that the request states and that nobody knows to be kept.
OPEN_LIMITS = frozenset(
    {
        "bom_edge_unknown",
        "bom_input_unknown",
        "bom_ambient_unknown",
        "bom_ambient_low_unknown",
        "bom_weight_unknown",
        "bom_noise_unknown",
        "bom_density_unknown",
    }
)


def _limit_open(option: PricedOption) -> bool:
    """Whether a stated limit of the place is not known to be kept: unknown never satisfies a limit."""
    return any(verdict.message.code in OPEN_LIMITS for verdict in option.bom.verdicts.values())


def _own_assumptions(market: Market) -> list[Assumption]:
    """What the hardware side took for granted."""

    def taken(field: str, value: str | float, code: str) -> Assumption:
        return Assumption(field=field, value=value, message=Message(code, {"value": value}))

    stated = market.request["procurement"]
    assumed = [
        taken(field, value, code)
        for key, field, value, code in (
            ("integration_weeks", "delivery.integration_weeks", INTEGRATION_WEEKS, "assumed_integration"),
            ("shipping_weeks", "delivery.shipping_weeks", SHIPPING_WEEKS, "assumed_shipping"),
            ("write_off_years", "cost.write_off_years", WRITE_OFF_YEARS, "assumed_write_off"),
        )
        if stated.get(key) is None
    ]
    if not market.request["procurement"]["currency"]:
        assumed.append(taken("procurement.currency", market.currency, "assumed_currency"))
    if not market.request["procurement"]["buyer_type"]:
        assumed.append(taken("procurement.buyer_type", "unknown", "assumed_buyer_unknown"))
    if market.traffic is not None and not market.traffic.load_profile:
        assumed.append(taken("traffic.load_profile", "flat", "assumed_flat_load"))
    return assumed


def input_hash(stated: Mapping[str, Any], organisation: Organisation | None) -> str:
    """SHA-256 over everything that the answer depends on (decisions, point 13); the name does not count."""
    parts = {
        "request": {key: value for key, value in stated.items() if key != "name"},
        "engine_version": ENGINE_VERSION,
        "coefficients": load_coefficients().version
        if stated["kind"] == Kind.LLM_SERVING
        else load_kind_coefficients().version,
        "catalog_version": selectors.catalog_version(),
        "price_snapshot": selectors.price_snapshot(organisation=organisation),
        "organisation": str(organisation.public_id) if organisation else "",
    }
    if calibration := active(organisation):
        parts["calibration"] = calibration.sha256
    as_of = date.fromisoformat(stated["as_of"])
    parts["screening"] = screened_by(load_lists(as_of))
    if records := records_of(organisation, as_of):
        parts["records"] = records.key
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()
