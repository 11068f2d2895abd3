"""What the core is asked and what it may choose from. `sizing/inputs.py` builds both from rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sizing.core.engines import EngineMemory
from sizing.core.errors import InvalidWorkload
from sizing.core.extras import NO_ADDITIONS, Additions
from sizing.core.hardware import Accelerator
from sizing.core.memory import NO_EXTRAS, Extras
from sizing.core.model.features import ModelFeatures, WeightBytes
from sizing.core.parallelism import Layout
from sizing.core.precision import StorageFormat
from sizing.core.values import Verdict
from sizing.core.workload import Pinned, Site, Targets, Traffic


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightChoice:
    """The model's weights in one format that the request allows."""

    slug: str
    storage: StorageFormat
    weights: WeightBytes
    as_stored: bool = False
    block_scaled: bool = False  # FP8 with block scales, which costs a quantisation pass


def weight_block(model: ModelFeatures, choice: WeightChoice) -> int:
    """Side of the blocks that scales cover where the checkpoint's own FP8 is served; 0 otherwise.

    Such weights are cut in whole blocks only. Weights converted at start have one scale a channel.
    """
    return model.stored_weight_block if choice.as_stored else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheChoice:
    """A number format of the key-value cache."""

    slug: str
    storage: StorageFormat


type SupportRule = Callable[[Accelerator, WeightChoice, CacheChoice], Verdict]
"""Whether an engine release serves a format on an accelerator: the software verdict, fail included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedGain:
    """Times faster with drafted tokens, lowest and highest that the named sources state of this engine."""

    low: float
    high: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineChoice:
    """One release of a serving engine with its defaults and its support table.

    `mixed_prefill` is False where prompts run in batches of their own while decoding stalls.
    """

    slug: str
    version: str
    support: SupportRule
    memory: EngineMemory
    mixed_prefill: bool = True
    stream_interval: int = 0
    batch_budgets: tuple[int | None, ...] = (None,)  # None: the engine's default for the device
    memory_utilisation: float | None = None  # None: the engine's default
    pipeline_parallel: bool = True
    expert_parallel: bool = True
    prefix_caching: bool = True
    one_accelerator: bool = False  # a replica is never spread over several cards; processors of a server work as one
    speculation: PublishedGain | None = None
    released_on: str = ""  # ISO date, shown beside the answer

    def kept_prefix_tokens(self, tokens: float) -> float:
        """Tokens of a shared prefix that need not be computed again: whole blocks of the cache."""
        block = self.memory.block_tokens
        return float(tokens // block * block) if self.prefix_caching else 0.0

    def splits(self, layout: Layout) -> bool:
        """Whether the engine can spread a replica so."""
        pipeline = self.pipeline_parallel or layout.pipeline == 1
        return pipeline and (self.expert_parallel or (layout.expert == 1 and layout.data == 1))


PHASES_APART = ("vllm", "sglang", "tensorrt-llm", "dynamo")
"""Engines that hand caches from prefill to decode instances. Source: their documentation on disaggregated serving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreCatalogue:
    """Everything that a search may choose; order does not matter, ties are broken by slug."""

    accelerators: Sequence[Accelerator]
    engines: Sequence[EngineChoice]
    processors: Sequence[Accelerator] = ()  # of servers without accelerators; one entry is one socket
    counts: tuple[int, ...] = (1, 2, 4, 8, 16)
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreRequest:
    """One language model to serve, its load, targets and site.

    `weights` and `caches` list the allowed formats in order of preference. `simulated_options`
    is the number of leading options whose percentiles come from the event simulation.
    """

    model: ModelFeatures
    weights: Sequence[WeightChoice]
    caches: Sequence[CacheChoice]
    traffic: Traffic
    targets: Targets = field(default_factory=Targets)
    site: Site = field(default_factory=Site)
    pinned: Pinned | None = None
    other_weights: Sequence[WeightChoice] = ()  # formats that a fix may propose, not searched
    other_accelerators: Sequence[Accelerator] = ()  # that a fix may propose where one is pinned
    smaller_caches: Sequence[CacheChoice] = ()  # tried only where nothing starts otherwise, and said so
    extras: Extras = NO_EXTRAS  # whatever the layout
    additions: Additions = NO_ADDITIONS  # spread as the model is
    excluded_vendors: tuple[str, ...] = ()  # makers of accelerators, in any case
    options_per_accelerator: int = 2
    simulated_options: int = 6
    seed: int = 1

    def __post_init__(self) -> None:
        if not self.weights:
            raise InvalidWorkload("no_weight_format", "/weights_format")
        if not self.caches:
            raise InvalidWorkload("no_cache_format", "/kv_format")
        stated = (self.traffic.concurrent_requests, self.traffic.requests_per_s)
        if sum(value is not None for value in stated) != 1:
            raise InvalidWorkload("load_not_stated_once", "/traffic")
        if any(value is not None and value <= 0 for value in stated):
            raise InvalidWorkload("load_not_positive", "/traffic")
        if self.traffic.input_tokens.mean < 1 or self.traffic.output_tokens.mean < 1:
            raise InvalidWorkload("lengths_below_one_token", "/traffic")
