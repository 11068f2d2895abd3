"""One option of a retrieval workload: the language model's deployment with its retrieval devices and the sums."""

from collections.abc import Mapping
from dataclasses import replace

from sizing.core.candidate import Candidate
from sizing.core.hardware import DeviceKind
from sizing.core.kinds.candidate import Demand, KindCandidate, KindPerformance
from sizing.core.kinds.fitted import KindCoefficients, banded
from sizing.core.kinds.rag_question import RagQuestion, Retrieval
from sizing.core.kinds.task import KindMemory
from sizing.core.kinds.work import served_share
from sizing.core.units import GB, MS_PER_S, SECONDS_PER_HOUR
from sizing.core.values import Basis, Estimate, Message, State, Verdict

BYTES_PER_TOKEN_ON_THE_WIRE = 6
SEARCH_BAND = 2.5  # no measured point of an index is packaged
CAUTION = 0.15


def candidate_of(
    answer: Candidate, retrieval: Retrieval, question: RagQuestion, kinds: KindCoefficients
) -> KindCandidate:
    """The option with its figures; memory is that of a device of the language model."""
    deployment = replace(answer.deployment, beside=retrieval.devices)
    figures = _figures(answer, retrieval, question, kinds)
    memory = answer.memory
    return KindCandidate(
        deployment=deployment,
        memory=KindMemory(
            usable_bytes=memory.usable_bytes,
            weight_bytes=memory.weight_bytes,
            activation_bytes=memory.activation_bytes,
            runtime_bytes=memory.runtime_bytes,
            kv_pool_bytes=memory.kv_pool_bytes,
        ),
        performance=KindPerformance(figures=figures, batch=deployment.max_sequences),
        demand=_demand(answer, retrieval, question),
        memory_verdict=answer.memory_verdict,
        speed_verdict=_speed(answer, figures["end_to_end_ms"], question),
        software_verdict=answer.software_verdict,
        bottleneck=answer.bottleneck,
        power_w=_power(answer, retrieval),
        utilisation=answer.utilisation,
        headroom=_headroom(answer, retrieval, question),
        evidence=answer.evidence,
        energy_kwh_per_million_tokens=answer.energy_kwh_per_million_tokens,
        kv_tokens_per_replica=answer.kv_tokens_per_replica,
        max_concurrent_requests_per_replica=answer.max_concurrent_requests_per_replica,
        nearest=answer.nearest,
        sensitivity=answer.sensitivity,
        warnings=answer.warnings,
    )


def _headroom(answer: Candidate, retrieval: Retrieval, question: RagQuestion) -> float:
    return min(answer.headroom, retrieval.capacity_per_s / question.queries_per_s - 1.0)


def _demand(answer: Candidate, retrieval: Retrieval, question: RagQuestion) -> Demand:
    traffic = question.answer.traffic
    tokens = question.embedder.tokens + traffic.output_tokens.mean
    beside = [question.embedder] + ([question.ranker] if question.ranker else [])
    weights = sum(task.model.parameters * question.retrieval_weights.bytes_per_value for task in beside)
    return Demand(
        items_per_s=question.queries_per_s * question.mean_share,
        capacity_items_per_s=question.queries_per_s * (1.0 + _headroom(answer, retrieval, question)),
        unit="query",
        payload_bytes_per_item=tokens * BYTES_PER_TOKEN_ON_THE_WIRE,
        host_cores=question.index.cores(question.queries_per_s),
        host_bytes=question.index.memory_bytes + _planned_beside_weights(answer, question),
        weight_bytes=question.answer.weights[0].weights.total_bytes + weights + question.index.drive_bytes,
    )


def _planned_beside_weights(answer: Candidate, question: RagQuestion) -> float:
    """Server memory that processors need for caches and working space; 0 on accelerators, which bring their own."""
    deployment = answer.deployment
    if deployment.accelerator.kind is not DeviceKind.CPU:
        return 0.0
    planned = deployment.layout.accelerators * deployment.replicas * deployment.accelerator.memory_bytes
    return max(planned - question.answer.weights[0].weights.total_bytes, 0.0)


def _figures(
    answer: Candidate, retrieval: Retrieval, question: RagQuestion, kinds: KindCoefficients
) -> Mapping[str, Estimate]:
    device, family = answer.deployment.accelerator, question.embedder.family
    network = question.embedder.network

    def made(seconds: float, explain: str) -> Estimate:
        return banded(seconds * MS_PER_S, "ms", device, family, network, kinds, explain=explain)

    search = retrieval.search_s * MS_PER_S
    found = Estimate(
        value=search, low=search / SEARCH_BAND, high=search * SEARCH_BAND, unit="ms", basis=Basis.FORMULA,
        source="hnswlib; DiskANN, NeurIPS 2019", explain="rag_search",
    )  # fmt: skip
    before = _sum(
        made(retrieval.embed_s + retrieval.rank_s + retrieval.wait_s, "rag_retrieval"), found, "rag_retrieval"
    )
    capacity = question.queries_per_s * (1.0 + _headroom(answer, retrieval, question))
    texts = served_share(device, family, kinds) * retrieval.devices / retrieval.embed_s
    passage = question.index.tokens_per_passage / question.embedder.tokens
    figures = {
        "end_to_end_ms": _sum(before, answer.performance.e2e_ms["p95"], "rag_end_to_end"),
        "first_token_ms": _sum(before, answer.performance.ttft_ms["p95"], "rag_first_token"),
        "retrieval_ms": before,
        "embed_ms": made(retrieval.embed_s, "rag_embed"),
        "search_ms": found,
        "rank_ms": made(retrieval.rank_s, "rag_rank"),
        "answer_ms": answer.performance.e2e_ms["p95"],
        "queries_per_s": banded(capacity, "queries/s", device, family, network, kinds, explain="rag_capacity"),
        "devices_answer": Estimate.exact(
            float(answer.deployment.layout.accelerators * answer.deployment.replicas), "devices", explain="rag_devices"
        ),
        "devices_retrieval": Estimate.exact(float(retrieval.devices), "devices", explain="rag_devices"),
        "index_memory_gb": Estimate.exact(question.index.memory_bytes / GB, "GB", explain="rag_index_memory"),
        "index_drives_gb": Estimate.exact(question.index.drive_bytes / GB, "GB", explain="rag_index_drives"),
        "index_build_hours": banded(
            question.index.passages * passage / texts / SECONDS_PER_HOUR, "h", device, family, network, kinds,
            explain="rag_build",
        ),
    }  # fmt: skip
    return figures if question.ranker else {name: each for name, each in figures.items() if name != "rank_ms"}


def _sum(one: Estimate, other: Estimate, explain: str) -> Estimate:
    """Both together; unknown where one is. Ends are added, which is never too narrow."""
    if one.value is None or other.value is None:
        return Estimate.unknown(one.unit)
    return Estimate(
        value=one.value + other.value,
        low=(one.low or one.value) + (other.low or other.value),
        high=(one.high or one.value) + (other.high or other.value),
        unit=one.unit,
        basis=Basis.FORMULA,
        source=other.source or one.source,
        explain=explain,
    )


def _speed(answer: Candidate, whole: Estimate, question: RagQuestion) -> Verdict:
    """The one limit against the sum; without a limit the verdict of the language model stands."""
    limit_s = question.limit_p95_s
    if limit_s is None or whole.value is None:
        return answer.speed_verdict
    limit_ms = limit_s * MS_PER_S
    margin = 1.0 - whole.value / limit_ms
    params = {"value_ms": whole.value, "limit_ms": limit_ms}
    if margin < 0:
        return Verdict(state=State.FAIL, margin=margin, message=Message("rag_end_to_end_missed", params))
    sure = whole.high is not None and whole.high <= limit_ms and margin >= CAUTION
    code = "rag_end_to_end_kept" if sure else "rag_end_to_end_kept_not_surely"
    return Verdict(state=State.OK if sure else State.CAUTION, margin=margin, message=Message(code, params))


def _power(answer: Candidate, retrieval: Retrieval) -> Estimate:
    """Retrieval devices are taken at the same share of their power as those of the language model."""
    power, own = answer.power_w, answer.deployment.accelerators_total
    if power.value is None or power.low is None or power.high is None or not own:
        return power
    times = (own + retrieval.devices) / own
    return replace(power, value=power.value * times, low=power.low * times, high=power.high * times)
