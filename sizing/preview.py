"""The live preview of the workload form: what the model takes, and the smallest accelerator that holds it.

Memory only, no search: it must answer while somebody types (under 100 ms).
"""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from sizing import available
from sizing.core.engines import engine_memory
from sizing.core.hardware import Accelerator
from sizing.core.memory import MemoryPlan, memory_plan, sequence_bytes
from sizing.core.parallelism import Layout
from sizing.inputs import Asked, asked
from sizing.requests import read_request

COUNTS = (1, 2, 4, 8, 16)


def preview(request: Mapping[str, object]) -> dict[str, Any]:
    """Sizes in bytes, counts, and `smallest` (None where no accelerator up to 16 holds it).

    Raises RequestProblem and SizingError like a run.
    """
    stated = read_request(request, today=timezone.now().date())
    question = asked(stated)
    core, model = question.core, question.features
    engine = (stated["serving_software"] or available.usual_engines(core.weights[0].slug, pinned=False))[0]
    in_flight = _in_flight(question)
    mean_tokens = round(core.traffic.input_tokens.mean + core.traffic.output_tokens.mean)
    kv_per_token = model.unwindowed_kv_elements_per_token * core.caches[0].storage.bytes_per_value
    return {
        "model": {
            "name": model.name,
            "parameters_total": model.total_parameters,
            "parameters_active": model.active_parameters,
            "layers": model.layers,
            "kv_heads": model.kv_heads,
            "max_context_tokens": model.max_context_tokens,
        },
        "weights_format": core.weights[0].slug,
        "weight_bytes": core.weights[0].weights.total_bytes,
        "kv_format": core.caches[0].slug,
        "kv_bytes_per_token": kv_per_token,
        "requests_in_flight": in_flight,
        "kv_bytes_at_peak": kv_per_token * mean_tokens * in_flight,
        "tokens_per_request": mean_tokens,
        "smallest": _smallest(question, engine, in_flight, mean_tokens),
    }


def _in_flight(question: Asked) -> float:
    """Requests held at once; an arrival rate alone needs the run to tell, so one request is shown."""
    return question.core.traffic.concurrent_requests or 1.0


def _smallest(question: Asked, engine: str, in_flight: float, tokens: int) -> dict[str, Any] | None:
    """The accelerator with the least memory in total that holds weights and every request in flight."""
    best: tuple[int, str, dict[str, Any]] | None = None
    for device in available.current().accelerators:
        for count in COUNTS:
            if best is not None and device.usable_memory_bytes * count >= best[0]:
                break
            plan = _plan(question, engine, device, count)
            if plan is None or not plan.fits:
                continue
            held = sequence_bytes(plan, tokens) * in_flight
            if held > plan.kv_pool_bytes:
                continue
            best = (device.usable_memory_bytes * count, device.slug, _described(device.name, count, plan, held))
            break
    return best[2] | {"accelerator": best[1]} if best else None


def _plan(question: Asked, engine: str, device: Accelerator, count: int) -> MemoryPlan | None:
    core, model = question.core, question.features
    if count > 1 and (model.heads % count or model.vocab_size % count):
        return None
    return memory_plan(
        model,
        core.weights[0].weights,
        core.caches[0].storage,
        device,
        Layout(tensor=count),
        engine_memory(engine),
        max_context_tokens=core.traffic.max_context_tokens,
    )


def _described(name: str, count: int, plan: MemoryPlan, held: float) -> dict[str, Any]:
    """One accelerator's share, as the memory bar shows it."""
    used = plan.weight_bytes + plan.activation_bytes + plan.runtime_bytes + held
    return {
        "name": name,
        "count": count,
        "usable_bytes": plan.usable_bytes,
        "parts": {
            "weights": plan.weight_bytes,
            "kv": held,
            "activation": plan.activation_bytes,
            "runtime": plan.runtime_bytes,
        },
        "free_bytes": plan.usable_bytes - used,
    }
