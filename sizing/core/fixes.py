"""What would make a deployment fit that does not: found by trying, cheapest first, each with its effect.

Order: engine settings, cache format, weight format (nothing to buy), shorter context (less service),
more accelerators, another accelerator (to buy), host-memory offload (slow, and never counted as a fit).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from sizing.core.engines import EngineMemory
from sizing.core.extras import NO_ADDITIONS, Additions, extras_of, together
from sizing.core.hardware import Accelerator
from sizing.core.layouts import node_size
from sizing.core.memory import (
    NO_EXTRAS,
    Extras,
    MemoryPlan,
    longest_request_tokens,
    max_sequences_of_length,
    memory_plan,
    sequence_bytes,
)
from sizing.core.model.features import ModelFeatures, WeightBytes
from sizing.core.parallelism import Layout, layout_problems
from sizing.core.precision import FP8, StorageFormat
from sizing.core.units import GB
from sizing.core.values import Message, Param

UTILISATIONS = (0.92, 0.95)
"""Memory fractions above the default of 0.9 that operators use: proposed as a fix, never taken silently."""
PIPELINE_DEGREES = (1, 2, 4)
SEQUENCE_LIMITS = (512, 256, 128, 64, 32, 16, 8, 4, 2, 1)
TENSOR_DEGREES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """One replica and the load that it must hold. None leaves a setting to the engine's default."""

    features: ModelFeatures
    weights: WeightBytes
    kv_format: StorageFormat
    device: Accelerator
    layout: Layout
    engine: EngineMemory
    max_context_tokens: int
    sequences: int = 1  # that must run at once in one replica
    sequence_tokens: int | None = None  # their length; None: max_context_tokens
    max_batched_tokens: int | None = None
    max_sequences: int | None = None
    memory_utilisation: float | None = None
    additions: Additions = NO_ADDITIONS
    weight_block: int = 0  # side of block-scaled weights
    weight_choices: Mapping[str, WeightBytes] = field(default_factory=dict)  # other formats, by slug
    other_devices: Sequence[Accelerator] = ()  # smallest first
    largest_replica: int = 64  # accelerators
    serves: "Serves | None" = None  # None: every format on every device
    extras: Extras = NO_EXTRAS  # whatever the layout

    def served(
        self, *, device: Accelerator | None = None, weights: str = "", cache: StorageFormat | None = None
    ) -> bool:
        """Whether the software serves the change; unchanged formats are named ""."""
        if self.serves is None:
            return True
        return self.serves(device or self.device, weights, cache or self.kv_format)


type Serves = Callable[[Accelerator, str, StorageFormat], bool]
"""Whether the engine serves weights of this slug ("": as they are) with this cache on a device."""

OFFLOADING_ENGINES = ("vllm", "sglang", "llama-cpp", "dynamo", "nim")
"""Engines that read a part of the weights from host memory (vLLM --cpu-offload-gb, llama.cpp layers on the CPU)."""
LINK_EFFICIENCY = 0.5
"""Share of the printed link rate that copies of single layers reach at worst (assumption; no log covers it)."""
MEMORY_EFFICIENCY = 0.5
"""Share of the printed memory bandwidth for the part that stays, at worst (assumption)."""


def plan_of(deployment: Deployment) -> MemoryPlan:
    """Memory of the deployment as it stands."""
    added = extras_of(
        deployment.additions,
        deployment.features,
        deployment.weights,
        deployment.kv_format,
        deployment.layout,
        engine=deployment.engine,
    )
    return memory_plan(
        deployment.features,
        deployment.weights,
        deployment.kv_format,
        deployment.device,
        deployment.layout,
        deployment.engine,
        max_batched_tokens=deployment.max_batched_tokens,
        max_sequences=deployment.max_sequences,
        memory_utilisation=deployment.memory_utilisation,
        max_context_tokens=deployment.max_context_tokens,
        extras=together(deployment.extras, added),
    )


def holds(deployment: Deployment, plan: MemoryPlan) -> bool:
    """Whether it starts, holds one longest request, and as many sequences at once as asked."""
    tokens = deployment.sequence_tokens or deployment.max_context_tokens
    return plan.fits and max_sequences_of_length(plan, tokens) >= deployment.sequences


def fitting_settings(deployment: Deployment) -> tuple[Deployment, MemoryPlan, tuple[Message, ...]]:
    """The deployment with an unpinned limit of sequences lowered as little as needed; unchanged where nothing helps.

    Fewer sequences shrink the sampler's peak; the memory fraction is never raised silently. The
    messages name the change.
    """
    plan = plan_of(deployment)
    if holds(deployment, plan):
        return deployment, plan, ()
    for candidate in _settings(deployment, fractions=()):
        tried = plan_of(candidate)
        if holds(candidate, tried):
            return candidate, tried, _changes(deployment, tried)
    return deployment, plan, ()


def _settings(deployment: Deployment, *, fractions: Sequence[float]) -> Iterator[Deployment]:
    limits: list[int | None] = [deployment.max_sequences]
    if deployment.max_sequences is None:
        per_rank = -(-deployment.sequences // deployment.layout.data)
        default = deployment.engine.max_sequences(deployment.device.usable_memory_bytes)
        limits += [limit for limit in SEQUENCE_LIMITS if per_rank <= limit < default]
    higher = [fraction for fraction in fractions if fraction > deployment.engine.fraction]
    for fraction in (deployment.memory_utilisation, *higher):
        for limit in limits:
            yield replace(deployment, max_sequences=limit, memory_utilisation=fraction)


def _changes(before: Deployment, plan: MemoryPlan) -> tuple[Message, ...]:
    changes = []
    if plan.max_sequences != before.engine.max_sequences(plan.usable_bytes):
        changes.append(Message("setting_max_sequences", {"max_sequences": plan.max_sequences}))
    if plan.memory_utilisation != before.engine.fraction:
        changes.append(Message("setting_memory_utilisation", {"memory_utilisation": plan.memory_utilisation}))
    return tuple(changes)


def cheapest_memory_fix(deployment: Deployment) -> Message:
    """The first change that makes it fit, or `fix_none`."""
    return next(memory_fixes(deployment), Message("fix_none"))


def memory_fixes(deployment: Deployment) -> Iterator[Message]:
    """Every single change that makes it fit, cheapest first; last, what offloading to host memory would take."""
    unpinned = replace(deployment, max_sequences=None, memory_utilisation=None)
    for candidate in _settings(unpinned, fractions=UTILISATIONS):
        plan = plan_of(candidate)
        if holds(candidate, plan):
            yield _settings_fix(plan)
            break
    if deployment.kv_format.bytes_per_value > FP8.bytes_per_value:
        yield from _kv_fix(deployment)
    yield from _weights_fix(deployment)
    yield from _context_fix(deployment)
    yield from _more_accelerators(deployment)
    yield from _other_accelerator(deployment)
    offload = offload_estimate(deployment, plan_of(deployment))
    if offload is not None:
        yield offload


def _settings_fix(plan: MemoryPlan) -> Message:
    params: dict[str, Param] = {
        "max_sequences": plan.max_sequences,
        "memory_utilisation": plan.memory_utilisation,
        "kv_gb": plan.kv_pool_bytes / GB,
    }
    return Message("fix_settings", params)


def _kv_fix(deployment: Deployment) -> Iterator[Message]:
    changed, plan, _ = fitting_settings(replace(deployment, kv_format=FP8))
    if holds(changed, plan) and deployment.served(cache=FP8):
        yield Message("fix_kv_format", {"format": FP8.slug, "kv_gb": plan.kv_pool_bytes / GB})


def _weights_fix(deployment: Deployment) -> Iterator[Message]:
    """The largest other format that fits: the least loss."""
    before = deployment.weights.total_bytes
    choices = sorted(deployment.weight_choices.items(), key=lambda item: (-item[1].total_bytes, item[0]))
    for slug, weights in choices:
        if weights.total_bytes >= before or not deployment.served(weights=slug):
            continue
        changed, plan, _ = fitting_settings(replace(deployment, weights=weights))
        if holds(changed, plan):
            params: dict[str, Param] = {
                "format": slug,
                "weights_gb": weights.total_bytes / GB,
                "before_gb": before / GB,
            }
            yield Message("fix_weights_format", params)
            return


def _context_fix(deployment: Deployment) -> Iterator[Message]:
    """Shorter requests, where at least a quarter of the asked context is left."""
    changed, plan, _ = fitting_settings(replace(deployment, max_context_tokens=1, sequence_tokens=1))
    longest = longest_request_tokens(plan)
    if deployment.sequences > 1 and longest:
        share = plan.kv_pool_bytes * plan.kv_ranks // deployment.sequences
        longest = longest_request_tokens(replace(plan, kv_pool_bytes=share))
    if longest >= deployment.max_context_tokens or longest * 4 < deployment.max_context_tokens:
        return
    shorter = replace(changed, max_context_tokens=longest, sequence_tokens=longest)
    if holds(shorter, plan_of(shorter)):
        yield Message("fix_context", {"tokens": longest})


def _more_accelerators(deployment: Deployment) -> Iterator[Message]:
    """The smallest larger replica that fits: stages inside a node before wider ones, fewer stages first."""
    node = node_size(deployment.device)
    splits = [
        replace(deployment.layout, tensor=tensor, pipeline=pipeline, expert=1)
        for tensor in TENSOR_DEGREES
        for pipeline in PIPELINE_DEGREES
    ]
    for layout in sorted(splits, key=lambda s: (s.accelerators, s.tensor * s.data > node, s.pipeline)):
        if not deployment.layout.accelerators < layout.accelerators <= deployment.largest_replica:
            continue
        if layout_problems(deployment.features, layout, weight_block=deployment.weight_block):
            continue
        changed, plan, _ = fitting_settings(replace(deployment, layout=layout))
        if holds(changed, plan):
            params: dict[str, Param] = {
                "accelerators": layout.accelerators,
                "tensor": layout.tensor,
                "kv_gb": plan.kv_pool_bytes / GB,
            }
            if layout.pipeline == 1:
                yield Message("fix_more_accelerators", params)
            else:
                yield Message("fix_more_accelerators_stages", params | {"pipeline": layout.pipeline})
            return


def _other_accelerator(deployment: Deployment) -> Iterator[Message]:
    wanted = deployment.layout.accelerators
    for device in sorted(deployment.other_devices, key=lambda each: (each.usable_memory_bytes, each.slug)):
        larger = device.usable_memory_bytes > deployment.device.usable_memory_bytes
        if not larger or device.kind is not deployment.device.kind or wanted > node_size(device):
            continue
        if device.status == "eol" or not deployment.served(device=device):
            continue
        changed, plan, _ = fitting_settings(replace(deployment, device=device))
        if holds(changed, plan):
            params: dict[str, Param] = {
                "device": device.name,
                "usable_gb": device.usable_memory_bytes / GB,
                "accelerators": wanted,
                "kv_gb": plan.kv_pool_bytes / GB,
            }
            yield Message("fix_other_accelerator", params)
            return


def memory_verdict_message(deployment: Deployment, plan: MemoryPlan) -> Message:
    """Why the deployment fits or does not, with its figures."""
    if plan.short_bytes:
        return Message("memory_short", {"short_gb": plan.short_bytes / GB, "budget_gb": plan.budget_bytes / GB})
    if not plan.fits:
        params: dict[str, Param] = {
            "context_tokens": plan.max_context_tokens,
            "short_gb": plan.context_short_bytes / GB,
            "longest_tokens": longest_request_tokens(plan),
        }
        return Message("memory_context_short", params)
    tokens = deployment.sequence_tokens or deployment.max_context_tokens
    held = max_sequences_of_length(plan, tokens)
    if held < deployment.sequences:
        short: dict[str, Param] = {"held": held, "tokens": tokens, "wanted": deployment.sequences}
        return Message("memory_concurrency_short", short)
    return Message("memory_fits", {"spare_gb": plan.margin * plan.budget_bytes / GB})


def offload_estimate(deployment: Deployment, plan: MemoryPlan) -> Message | None:
    """What host-memory offload of the missing bytes would need; None where nothing is missing or no link is known.

    Every step reads the offloaded weights over the host link once: between bytes / link with everything else
    hidden behind it, and copies at half the link after a read of the rest at half the memory bandwidth.
    """
    missing = _missing_bytes(deployment, plan)
    link = deployment.device.pcie_bytes_per_s
    if not missing or not link or missing > plan.weight_bytes:
        return None
    if deployment.engine.slug not in OFFLOADING_ENGINES:
        return None
    kept = plan.weight_bytes - missing
    slow = missing / (LINK_EFFICIENCY * link) + kept / (MEMORY_EFFICIENCY * deployment.device.bandwidth_bytes_per_s)
    params: dict[str, Param] = {
        "offload_gb": missing / GB,
        "host_gb": missing * deployment.layout.accelerators / GB,
        "link_gb_s": link / GB,
        "step_ms": missing / link * 1000,
        "step_high_ms": slow * 1000,
    }
    return Message("fix_offload", params)


def _missing_bytes(deployment: Deployment, plan: MemoryPlan) -> int:
    """Bytes per accelerator that would have to go, for the start, the longest request and all that run at once."""
    missing = max(plan.short_bytes, plan.context_short_bytes)
    tokens = deployment.sequence_tokens or deployment.max_context_tokens
    if missing or max_sequences_of_length(plan, tokens) >= deployment.sequences:
        return missing
    per_rank = -(-deployment.sequences // plan.kv_ranks)
    return max(0, ceil(per_rank * sequence_bytes(plan, tokens)) - plan.kv_pool_bytes)
