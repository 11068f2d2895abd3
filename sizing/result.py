"""The core's values and the hardware beside them -> the contract's result as plain JSON.

Messages stay code and params here (`sizing.messages.localised` words them); numbers are raw, money is text.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any

from quotes import bom, cost, delivery
from quotes.compliance import screen
from sizing.core.candidate import Assumption, Candidate, Rejection
from sizing.core.kinds.candidate import KindCandidate
from sizing.core.memory import MemoryPlan
from sizing.core.memory_explained import Figure
from sizing.core.model.architecture import ModelArchitecture
from sizing.core.model.features import ModelFeatures
from sizing.core.request import CoreRequest
from sizing.core.values import Message, Money, Verdict
from sizing.priced import PricedOption

CENT = Decimal("0.01")
AS_IT_IS = frozenset({str, int, float, bool, type(None)})
SEQUENCES = frozenset({list, tuple, frozenset})


def plain(value: Any) -> Any:
    """Any frozen value as JSON data: enums by value, dates as ISO text, Decimal as text."""
    kind: Any = type(value)
    if kind in AS_IT_IS:  # most of a result, so looked at first
        return value
    if kind in SEQUENCES:
        return [plain(each) for each in value]
    if kind is Message:
        return {"code": value.code, "params": plain(value.params)}
    if kind is Money:
        return money(value)
    if hasattr(kind, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in _names(kind)}
    return _other(value)


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _other(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(each) for key, each in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def money(value: Money | None) -> dict[str, Any] | None:
    """MONEY of the contract: amounts as text, rounded to cents for display."""
    if value is None:
        return None
    return {
        "amount": _cents(value.amount),
        "low": _cents(value.low),
        "high": _cents(value.high),
        "currency": value.currency,
        "basis": value.basis,
        "source": value.source,
        "as_of": value.as_of,
    }


def _cents(amount: Decimal | None) -> str | None:
    """Two decimals; smaller amounts (a request costs fractions of a cent) keep four figures."""
    if amount is None:
        return None
    if amount and abs(amount) < 1:
        return f"{amount:.4g}" if abs(amount) >= Decimal("0.0001") else f"{amount:.8f}"
    return str(amount.quantize(CENT))


def verdict(value: Verdict) -> dict[str, Any]:
    return {"state": value.state.value, "margin": value.margin, **plain(value.message)}


def option(priced: PricedOption, *, rank: int, labels: Sequence[str], as_of: date) -> dict[str, Any]:
    """One entry of `options`."""
    candidate = priced.candidate
    deployment, memory = candidate.deployment, candidate.memory
    layout = deployment.layout
    return {
        "rank": rank,
        "labels": list(labels),
        "accelerator": deployment.accelerator.slug,
        "accelerator_name": deployment.accelerator.name,
        "accelerators_total": deployment.accelerators_total,
        "replicas": deployment.replicas,
        "spare_replicas": deployment.spare_replicas,
        "accelerators_per_replica": deployment.accelerators_per_replica,
        "accelerators_beside": deployment.beside,
        "parallelism": {
            "tensor": layout.tensor,
            "pipeline": layout.pipeline,
            "expert": layout.expert,
            "data": layout.data,
        },
        "phases": _phases(deployment),
        "engine": deployment.engine,
        "engine_version": deployment.engine_version,
        "weights_format": deployment.weights_format,
        "kv_format": deployment.kv_format,
        "engine_settings": {
            "max_batched_tokens": deployment.max_batched_tokens,
            "max_sequences": deployment.max_sequences,
            "memory_utilisation": deployment.memory_utilisation,
            "prefix_caching": deployment.prefix_caching,
            "stream_interval": deployment.stream_interval,
            "speculative": plain(deployment.speculative),
        },
        "server": priced.bom.chassis,
        "server_name": priced.bom.chassis_name,
        "servers": priced.bom.servers,
        "verdicts": _verdicts(priced),
        "memory_per_accelerator": {
            "usable_bytes": memory.usable_bytes,
            "weight_bytes": memory.weight_bytes,
            "activation_bytes": memory.activation_bytes,
            "runtime_bytes": memory.runtime_bytes,
            "kv_pool_bytes": memory.kv_pool_bytes,
        },
        "memory_figures": memory_figures(getattr(candidate, "memory_figures", ())),
        "kv_tokens_per_replica": candidate.kv_tokens_per_replica,
        "kv_tokens_per_replica_windows_honoured": getattr(memory, "kv_tokens_if_capped", None),
        "max_concurrent_requests_per_replica": candidate.max_concurrent_requests_per_replica,
        "performance": _performance(candidate),
        "bottleneck": candidate.bottleneck.value,
        "evidence": candidate.evidence,
        "nearest_measured": plain(candidate.nearest),
        "neighbours": plain(candidate.neighbours),
        "sensitivity": plain(candidate.sensitivity),
        "claims": plain(getattr(candidate, "claims", ())),
        "sensitivities": plain(getattr(candidate, "sensitivities", {})),
        "power_w": plain(priced.bom.power_typical_w),
        "power_max_w": plain(priced.bom.power_max_w),
        "heat_btu_per_h": plain(priced.bom.heat_btu_per_h),
        "accelerator_power_w": plain(candidate.power_w),
        "rack_units": priced.bom.rack_units,
        "weight_kg": priced.bom.weight_kg,
        "energy_kwh_per_million_tokens": plain(candidate.energy_kwh_per_million_tokens),
        "utilisation": plain(candidate.utilisation),
        "load_curve": plain(getattr(candidate, "load_curve", ())),
        "roofline": plain(getattr(candidate, "roofline", None)),
        "cost": _cost(priced.comparison)
        | {"at_most": _at_most(priced), "accelerators_priced": _accelerators_priced(priced)},
        "delivery": _delivery(priced.delivery),
        "screening": _roll_ups(priced.screening),
        "bom": _bom(priced),
        "problems": [plain(problem) for problem in (*priced.bom.problems, *priced.bom.broken_limits)],
        "warnings": [plain(message) for message in (*_lifecycle(candidate), *candidate.warnings, *priced.bom.warnings)],
        "unknowns": [plain(message) for message in priced.bom.unknowns],
    }


def _phases(deployment: Any) -> dict[str, int] | None:
    """Copies of the layout that only prefill and only decode in one replica; None where the same ones do both."""
    phases = getattr(deployment, "phases", None)
    return {"prefill_instances": phases.prefill, "decode_instances": phases.decode} if phases else None


def memory_figures(found: Sequence[Figure]) -> list[dict[str, Any]]:
    """Every part of the memory of one accelerator with its formula, its numbers and its source."""
    return [
        {
            "name": figure.name,
            "label": plain(Message(f"figure_{figure.name}")),
            "value_bytes": figure.value_bytes,
            "formula": plain(Message(figure.formula)),
            "numbers": plain(figure.numbers),
            "inputs": plain(figure.inputs),
            "source": figure.source,
        }
        for figure in found
    ]


def _lifecycle(candidate: Candidate | KindCandidate) -> list[Message]:
    eol = candidate.deployment.accelerator.status == "eol"
    return [Message("accelerator_eol", {})] if eol else []


def _verdicts(priced: PricedOption) -> dict[str, Any]:
    candidate = priced.candidate
    return {
        "memory": verdict(candidate.memory_verdict) | {"margin_bytes": _margin_bytes(candidate)},
        "speed": verdict(candidate.speed_verdict),
        "software": verdict(candidate.software_verdict),
        "power": verdict(priced.bom.power),
        "rack": verdict(priced.bom.rack),
        "cooling": verdict(priced.bom.cooling),
        "delivery": verdict(priced.delivery.verdict),
        "budget": verdict(priced.budget),
    }


def _margin_bytes(candidate: Candidate | KindCandidate) -> int | None:
    """Bytes per accelerator that stay free beside the longest request; negative where they are missing."""
    memory = candidate.memory
    if not isinstance(memory, MemoryPlan):
        return None
    return round(memory.margin * memory.budget_bytes)


def _performance(candidate: Candidate | KindCandidate) -> dict[str, Any]:
    if isinstance(candidate, KindCandidate):
        made = candidate.performance
        return {**plain(made.figures), "batch": made.batch, "batching": plain(made.batching)}
    performance = candidate.performance
    return {
        "ttft_ms": plain(performance.ttft_ms),
        "tpot_ms": plain(performance.tpot_ms),
        "e2e_ms": plain(performance.e2e_ms),
        "output_tokens_per_s_per_replica": plain(performance.output_tokens_per_s_per_replica),
        "output_tokens_per_s_total": plain(performance.output_tokens_per_s_total),
        "requests_in_flight_per_replica": performance.requests_in_flight_per_replica,
        "slot_wait_ms": plain(performance.slot_wait_ms),
        "saturated": performance.saturated,
        "simulated": performance.simulated,
        "goodput": performance.goodput,
        "prefix_hit_share": plain(performance.prefix_hit_share),
    }


def _cost(comparison: cost.Comparison) -> dict[str, Any]:
    own = comparison.own
    return {
        "purchase": money(own.purchase),
        "indicative": money(own.indicative),
        "per_year": money(own.per_year),
        "per_million_tokens": money(own.per_million_tokens),
        "per_million_tokens_full_load": money(own.per_million_tokens_full_load),
        "per_request": money(own.per_request),
        "energy_per_year": money(own.energy_per_year),
        "energy_kwh_per_year": plain(own.energy_kwh_per_year),
        "running_per_year": money(own.running_per_year),
        "complete": own.complete,
        "running_complete": own.running_complete,
        "open_lines": own.open_lines,
        "missing": plain(own.missing),
        "advice": plain(comparison.advice),
        "against": [plain(alternative) for alternative in comparison.against],
    }


def _accelerators_priced(priced: PricedOption) -> bool:
    """False while the accelerators themselves have no price: the known sum is then no price of the option."""
    return not any(line.part_class is bom.PartClass.ACCELERATOR for line in priced.bom.open_lines)


def _at_most(priced: PricedOption) -> dict[str, Any] | None:
    """What the purchase costs at most: the sum, open lines at the highest price known of their class."""
    bound = priced.cost_bound
    currency = priced.comparison.own.purchase.currency
    return money(Money(amount=bound, currency=currency, basis="at_most")) if bound else None


def _delivery(planned: delivery.Delivery) -> dict[str, Any]:
    return {
        "weeks_p50": planned.weeks_p50,
        "weeks_p90": planned.weeks_p90,
        "date_p50": plain(planned.date_p50),
        "date_p90": plain(planned.date_p90),
        "complete": planned.complete,
        "deciding_line": planned.deciding_line,
        "deciding_line_p90": planned.deciding_line_p90,
        "unknown_lines": list(planned.unknown_lines),
        "after_parts_weeks": planned.after_parts_weeks,
        "message": plain(planned.message),
    }


def _roll_ups(screening: screen.QuoteScreening) -> dict[str, Any]:
    """Headline per regime, the worst flag with all counts."""
    return {
        regime.value.lower(): {
            "flag": rolled.flag.value if rolled.flag else None,
            "applicability": rolled.applicability.value,
            "rule": rolled.rule_id,
            "counts": dict(rolled.counts),
        }
        for regime, rolled in screening.roll_ups.items()
    }


def _bom(priced: PricedOption) -> list[dict[str, Any]]:
    findings: dict[str, dict[str, Any]] = {}
    for finding in priced.screening.findings:
        findings.setdefault(finding.line_id, {})[finding.regime.value.lower()] = {
            "flag": finding.flag.value if finding.flag else None,
            "applicability": finding.applicability.value,
            "rule": finding.rule_id,
            "grade": finding.evidence.grade if finding.evidence else "",
            **plain(finding.reason),
        }
    return [_bom_line(line) | {"screening": findings.get(line.line, {})} for line in priced.bom.lines]


def _bom_line(line: bom.BomLine) -> dict[str, Any]:
    lead = line.lead
    return {
        "line": line.line,
        "kind": line.kind,
        "part_class": line.part_class.value,
        "manufacturer": line.manufacturer,
        "mpn": line.mpn,
        "part": line.part,
        "part_known": line.part_known,
        "name": line.name,
        "description": plain(line.description),
        "quantity": line.quantity,
        "included": line.included,
        "unit_price": money(line.unit_price),
        "indicative_price": money(line.indicative_price),
        "lead_weeks": {
            "low": lead.low,
            "typical": lead.typical,
            "high": lead.high,
            "source": lead.source,
            "as_of": lead.as_of,
            "for_class": lead.for_class,
            "at_least": lead.at_least,
        }
        if lead
        else None,
        "origin": plain(line.origin),
        "power_w": line.power_w,
        "reason": plain(line.reason),
    }


def rejection(value: Rejection) -> dict[str, Any]:
    """One entry of `rejected`."""
    return {
        "accelerator": value.accelerator,
        **plain(value.message),
        "cheapest_fix": plain(value.cheapest_fix) if value.cheapest_fix else None,
        "fixes": [{"kind": fix.code.removeprefix("fix_")} | plain(fix) for fix in value.fixes],
        "memory_per_accelerator": _attempt_memory(value),
        "memory_figures": memory_figures(value.memory_figures),
        "deployment": _deployment(value),
    }


def _attempt_memory(value: Rejection) -> dict[str, Any] | None:
    """The memory of the attempt that comes closest, and how much is missing."""
    plan = value.memory
    if plan is None:
        return None
    return {
        "usable_bytes": plan.usable_bytes,
        "weight_bytes": plan.weight_bytes,
        "activation_bytes": plan.activation_bytes,
        "runtime_bytes": plan.runtime_bytes,
        "kv_pool_bytes": plan.kv_pool_bytes,
        "short_bytes": max(plan.short_bytes, plan.context_short_bytes),
    }


def _deployment(value: Rejection) -> dict[str, Any] | None:
    if value.deployment is None:
        return None
    deployment = value.deployment
    return {
        "accelerators_total": deployment.accelerators_total,
        "replicas": deployment.replicas,
        "parallelism": plain(deployment.layout),
        "engine": deployment.engine,
        "weights_format": deployment.weights_format,
        "kv_format": deployment.kv_format,
    }


def model(architecture: ModelArchitecture, features: ModelFeatures, core: CoreRequest) -> dict[str, Any]:
    """What the model takes, in the formats of the request."""
    per_value = core.caches[0].storage.bytes_per_value
    kv = features.kv_elements_per_token + features.window_kv_elements_per_token
    notes = [*architecture.filled_defaults, *architecture.warnings]
    return {
        "name": features.name,
        "architecture": architecture.architecture,
        "parameters_total": features.total_parameters,
        "parameters_active": features.active_parameters,
        "weight_bytes": core.weights[0].weights.total_bytes,
        "weights_format": core.weights[0].slug,
        "kv_format": core.caches[0].slug,
        "kv_bytes_per_token": round(kv * per_value),
        "kv_bytes_per_token_window_ignored": round(features.unwindowed_kv_elements_per_token * per_value),
        "state_bytes_per_sequence": features.state_bytes_per_sequence,
        "max_context_tokens": features.max_context_tokens,
        "layers": features.layers,
        "notes": [plain(note) for note in notes],
    }


def assumption(value: Assumption) -> dict[str, Any]:
    return {"field": value.field, "value": value.value, **plain(value.message)}
