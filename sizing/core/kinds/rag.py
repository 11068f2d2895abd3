"""Answers from one's own documents as one workload: embed the question, search, rank passages, write the answer.

    t(end to end) = embed + search + rank + wait before the retrieval devices + answer of the language model
Retrieval runs on devices of the same type, apart from those of the language model; what it takes of the one
limit is taken from the limit of the language model. 95th percentiles are added, which is never too short.
Source: docs/method.md#rag.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sizing.core.candidate import Assumption, Candidate, Recommendation, Rejection
from sizing.core.coefficients import Coefficients
from sizing.core.errors import InvalidHardware
from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.kinds.additions import with_additions
from sizing.core.kinds.embedding import EmbeddingTask
from sizing.core.kinds.fitted import KindCoefficients
from sizing.core.kinds.queue import replicas_for, wait_p95_s
from sizing.core.kinds.rag_candidate import candidate_of
from sizing.core.kinds.rag_question import RagQuestion, Retrieval
from sizing.core.kinds.search import KindRecommendation, Progress
from sizing.core.kinds.task import KindMemory, memory_of
from sizing.core.kinds.work import Run, run_s, served_share
from sizing.core.makers import allowed_devices
from sizing.core.precision import StorageFormat
from sizing.core.recommend import recommend
from sizing.core.units import GB, MS_PER_S
from sizing.core.values import Message, State
from sizing.core.workload import Pinned, Target, Targets

MOST_RETRIEVAL_DEVICES = 1024
RETRIEVAL_SHARE = 0.5  # of the limit that retrieval may take at most; more leaves no time to write an answer


def recommend_rag(
    question: RagQuestion,
    kinds: KindCoefficients,
    language: Coefficients,
    *,
    progress: Progress | None = None,
) -> KindRecommendation:
    """One option per accelerator and line of processors, fewest first, and one rejection for each other accelerator.

    Raises InvalidHardware for a pinned accelerator that is not offered.
    """
    offered = (*question.catalogue.accelerators, *question.catalogue.processors)
    devices = [d for d in offered if question.accelerator in (None, d.slug)]
    if question.accelerator is not None and not devices:
        raise InvalidHardware("accelerator_not_offered", "/deployment/accelerator", value=question.accelerator)
    retrievals: dict[str, Retrieval] = {}
    devices, rejected = allowed_devices(devices, question.answer.excluded_vendors, question.site.device_classes)
    for device in devices:
        found = retrieval_on(device, question, kinds)
        if isinstance(found, Message):
            rejected.append(Rejection(accelerator=device.slug, message=found, cheapest_fix=FIXES.get(found.code)))
        else:
            retrievals[device.slug] = found
    answers, refused = _answers([d for d in devices if d.slug in retrievals], retrievals, question, language, progress)
    options = [candidate_of(each, retrievals[each.deployment.accelerator.slug], question, kinds) for each in answers]
    return KindRecommendation(
        options=sorted(
            with_additions(options), key=lambda o: (o.deployment.accelerators_total, o.deployment.accelerator.slug)
        ),
        rejected=sorted((*rejected, *refused.rejected), key=lambda each: each.accelerator),
        assumptions=(*refused.assumptions, *_assumed(question)),
        warnings=refused.warnings,
        points_evaluated=refused.points_evaluated,
        coefficients_version=f"{language.version}, {kinds.version}",
    )


FIXES = {
    "rag_retrieval_too_slow": Message("rag_fix_candidates"),
    "kind_does_not_fit": Message("kind_fix_memory"),
    "kind_load_too_high": Message("kind_fix_load"),
}


def _assumed(question: RagQuestion) -> tuple[Assumption, ...]:
    index = question.index
    params = {"memory_gb": index.memory_bytes / GB, "drives_gb": index.drive_bytes / GB}
    return (
        Assumption(
            field="rag.index", value=index.place.value, message=Message(f"assumed_index_{index.place.value}", params)
        ),
    )


def retrieval_on(device: Accelerator, question: RagQuestion, kinds: KindCoefficients) -> Retrieval | Message:
    """Devices and times of everything before the language model, or why this device cannot do it."""
    engine = _engine(device, question)
    if isinstance(engine, Message):
        return engine
    embed = _run_s(question.embedder, device, question.retrieval_weights, engine, kinds)
    ranker = question.ranker
    rank = _run_s(ranker, device, question.retrieval_weights, engine, kinds) if ranker is not None else 0.0
    if embed is None or rank is None:
        return Message("kind_rates_unknown", {"accelerator": device.slug})
    memory = _memory(device, question)
    if memory.margin < 0:
        short = -memory.margin * memory.usable_bytes / GB
        return Message("kind_does_not_fit", {"short_gb": short, "needed_gb": memory.used_bytes / GB})
    service = embed + rank
    capacity = served_share(device, question.embedder.family, kinds) / service
    budget = None if question.limit_p95_s is None else question.limit_p95_s * RETRIEVAL_SHARE - question.index.search_s
    count = replicas_for(question.queries_per_s, capacity, service, limit_p95_s=budget, most=MOST_RETRIEVAL_DEVICES)
    if count is None:
        limit_ms = (question.limit_p95_s or 0.0) * RETRIEVAL_SHARE * MS_PER_S
        return Message(
            "rag_retrieval_too_slow", {"value_ms": (service + question.index.search_s) * MS_PER_S, "limit_ms": limit_ms}
        )
    return Retrieval(
        devices=count,
        embed_s=embed,
        rank_s=rank,
        search_s=question.index.search_s,
        wait_s=wait_p95_s(service, question.queries_per_s / (capacity * count), count),
        capacity_per_s=capacity * count,
        memory=memory,
    )


def _engine(device: Accelerator, question: RagQuestion) -> str | Message:
    stated = [(each.slug, each.support(device, question.retrieval_weights)) for each in question.retrieval_engines]
    runs = [slug for slug, verdict in stated if verdict.state is not State.FAIL]
    return runs[0] if runs else stated[0][1].message


def _run_s(
    task: EmbeddingTask, device: Accelerator, weights: StorageFormat, engine: str, kinds: KindCoefficients
) -> float | None:
    """Seconds of all texts of one question in one batch."""
    run = Run(
        flops=task.flops,
        rate=weights.compute,
        weight_bytes=task.model.parameters * weights.bytes_per_value,
        launches=1,
    )
    return run_s(run, device, task.family, kinds, batch=task.per_query, engine=engine)


def _memory(device: Accelerator, question: RagQuestion) -> KindMemory:
    tasks = [question.embedder] + ([question.ranker] if question.ranker else [])
    return memory_of(
        device,
        weight_bytes=sum(task.model.parameters * question.retrieval_weights.bytes_per_value for task in tasks),
        activation_bytes=max(task.per_query * task.activation_bytes for task in tasks),
    )


def _answers(
    devices: Sequence[Accelerator],
    retrievals: Mapping[str, Retrieval],
    question: RagQuestion,
    language: Coefficients,
    progress: Progress | None,
) -> tuple[list[Candidate], Recommendation]:
    """The language model on each device within what retrieval leaves of the limit.

    First all devices with the most that one of them leaves; those whose own retrieval takes longer, and whose
    answer is then too late, are asked again one by one with what they leave.
    """
    if not devices:
        return [], Recommendation(options=(), rejected=())
    found = _search(devices, retrievals, question, language, progress=progress)
    kept = [each for each in _first_of_each(found.options) if question.pinned or _keeps(each, retrievals, question)]
    done = {each.deployment.accelerator.slug for each in kept} | {each.accelerator for each in found.rejected}
    rejected, evaluated = list(found.rejected), found.points_evaluated
    # one processor of a line has answered for it
    for device in [each for each in devices if each.kind is not DeviceKind.CPU and each.slug not in done]:
        again = _search([device], retrievals, question, language)
        evaluated += again.points_evaluated
        late = [each for each in _first_of_each(again.options) if _keeps(each, retrievals, question)]
        kept += late
        if not late:
            rejected += again.rejected or (_missed(device.slug, retrievals[device.slug], question),)
    return kept, replace(found, rejected=tuple(rejected), points_evaluated=evaluated)


def _search(
    devices: Sequence[Accelerator],
    retrievals: Mapping[str, Retrieval],
    question: RagQuestion,
    language: Coefficients,
    *,
    progress: Progress | None = None,
) -> Recommendation:
    """The language model among these devices, with the most that one of them leaves of the limit."""
    taken = min(retrievals[device.slug].total_s for device in devices)
    request = question.answer
    if question.limit_p95_s is not None:
        limit = Target(metric="e2e", percentile="p95", limit_s=max(question.limit_p95_s - taken, 1e-3))
        request = replace(request, targets=Targets(limits=(limit,)))
    if question.pinned:
        count = question.count
        if count is not None and question.accelerator is not None:
            count = max(count - retrievals[devices[0].slug].devices, 1)
        pinned = replace(request.pinned or Pinned(), accelerator=question.accelerator, count=count)
        request = replace(request, pinned=pinned)
    cards = tuple(device for device in devices if device.kind is not DeviceKind.CPU)
    processors = tuple(device for device in devices if device.kind is DeviceKind.CPU)
    catalogue = replace(question.catalogue, accelerators=cards, processors=processors)
    return recommend(request, catalogue, coefficients=language, progress=progress)


def _first_of_each(options: Sequence[Candidate]) -> list[Candidate]:
    """The best option of every accelerator; options come best first."""
    first: dict[str, Candidate] = {}
    for option in options:
        first.setdefault(option.deployment.accelerator.slug, option)
    return list(first.values())


def _keeps(option: Candidate, retrievals: Mapping[str, Retrieval], question: RagQuestion) -> bool:
    if question.limit_p95_s is None:
        return True
    answered = option.performance.e2e_ms["p95"].value
    retrieval = retrievals[option.deployment.accelerator.slug]
    return answered is not None and answered / MS_PER_S + retrieval.total_s <= question.limit_p95_s


def _missed(slug: str, retrieval: Retrieval, question: RagQuestion) -> Rejection:
    params = {"retrieval_ms": retrieval.total_s * MS_PER_S, "limit_ms": (question.limit_p95_s or 0.0) * MS_PER_S}
    return Rejection(
        accelerator=slug, message=Message("rag_latency_missed", params), cheapest_fix=Message("rag_fix_candidates")
    )
