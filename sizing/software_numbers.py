"""What each serving software brings to the numbers of an answer: batching, cache, drafted tokens, prefix cache.

The same figures enter the search: `sizing/available.py` makes the engines of a run from them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalog.models import ServingSoftware
from sizing import figures
from sizing.available import LLM_ENGINES, SEPARATE_PREFILL, engine_choice
from sizing.core.engines import EngineMemory, FractionOf, engine_memory
from sizing.engines import ENGINE_NAMES
from sizing.software import Compatibility
from sizing.software_facts import FULL, LIGHT, Seen, prefix_hits, span, speculation_gains


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """An example prompt: its tokens, and how many at its head all requests share."""

    tokens: float
    shared_tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure in words with the statements behind it; empty text where no source says anything."""

    text: str = ""
    seen: tuple[Seen, ...] = ()
    source: str = ""  # in words

    @property
    def sources(self) -> list[str]:
        """Pages of the statements, each once."""
        return list(dict.fromkeys(each.source for each in self.seen))


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """One software: its row of the catalogue (None where it has none) and its figures."""

    engine: str
    name: str
    row: ServingSoftware | None
    batching: Figure
    cache: Figure
    light: Figure
    full: Figure
    prefix: Figure
    licence: str

    @property
    def figures(self) -> tuple[Figure, ...]:
        """In the order of the page's columns."""
        return self.batching, self.cache, self.light, self.full, self.prefix


def software_rows() -> dict[str, ServingSoftware]:
    """The catalogue's rows by engine slug."""
    return {row.slug: row for row in ServingSoftware.objects.filter(slug__in=ENGINE_NAMES)}


def numbers_of(engine: str, row: ServingSoftware | None, prompt: Prompt, compatibility: Compatibility) -> Numbers:
    """Figures of one software for an example prompt."""
    language = engine in LLM_ENGINES
    return Numbers(
        engine=engine,
        name=ENGINE_NAMES[engine],
        row=row,
        batching=Figure(text=_batching(engine, row)),
        cache=_cache(engine_memory(engine)) if language else _absent(row, "paged_kv"),
        light=_gain(engine, row, LIGHT),
        full=_gain(engine, row, FULL),
        prefix=_prefix(engine, prompt, compatibility) if language else _absent(row, "prefix_caching"),
        licence=row.licence if row else "",
    )


def _batching(engine: str, row: ServingSoftware | None) -> str:
    """How requests are put together, as the answer counts it."""
    if engine in SEPARATE_PREFILL:
        return _("continuous; prompts in steps of their own")
    if engine in LLM_ENGINES and engine != "triton":
        return _("continuous; prompts ride along with answers")
    stated = row.dynamic_batching if row else ""
    words = {
        "yes": _("dynamic: waits for a fuller batch"),
        "no": _("none of its own: batches come from outside"),
        "automatic batching on GPU only": _("automatic batching on GPU only"),
    }
    return words.get(stated, stated)


def _absent(row: ServingSoftware | None, feature: str) -> Figure:
    """ "Not offered" where the source says so; unknown for everything that was not measured."""
    return Figure(text=_("not offered") if getattr(row, feature, "") == "no" else "")


def _cache(memory: EngineMemory) -> Figure:
    """Tokens of one block and the share of memory that the cache may take."""
    words = ngettext("blocks of %(tokens)s token", "blocks of %(tokens)s tokens", memory.block_tokens)
    blocks = words % {"tokens": figures.number(memory.block_tokens)}
    shares = {
        FractionOf.DEVICE: _("%(share)s of the device with weights"),
        FractionOf.STATIC: _("%(share)s of the device for weights and cache"),
        FractionOf.FREE: _("%(share)s of what is free after weights"),
        FractionOf.NONE: _("all that is left"),
    }
    share = shares[memory.fraction_of] % {"share": figures.percent(memory.fraction)}
    return Figure(text=f"{blocks}; {share}", source=memory.source)


def _gain(engine: str, row: ServingSoftware | None, load: str) -> Figure:
    """Lowest to highest published gain; "none" where the software drafts nothing."""
    seen = speculation_gains(engine, load)
    ends = span(seen)
    if ends is None:
        return _absent(row, "speculative_decoding")
    return Figure(text=figures.times(*ends), seen=seen)


def _prefix(engine: str, prompt: Prompt, compatibility: Compatibility) -> Figure:
    """Hit rate of the example prompt in whole blocks, and what sources saw."""
    kept = engine_choice(engine, compatibility).kept_prefix_tokens(min(prompt.shared_tokens, prompt.tokens - 1))
    return Figure(text=figures.percent(kept / prompt.tokens, 1), seen=prefix_hits(engine))


def all_numbers(prompt: Prompt, compatibility: Compatibility, rows: Mapping[str, ServingSoftware]) -> Sequence[Numbers]:
    """Every software in the order of ENGINE_NAMES."""
    return [numbers_of(engine, rows.get(engine), prompt, compatibility) for engine in ENGINE_NAMES]


def measured_rows(numbers: Sequence[Numbers]) -> list[dict[str, object]]:
    """Every statement behind the figures, one a row: with its page, or in words where it has several."""
    labels = {
        "light": _("Speculative decoding, few requests"),
        "full": _("Speculative decoding, full device"),
        "prefix": _("Prefix cache, hit rate"),
    }
    rows: list[dict[str, object]] = []
    for each in numbers:
        rows += [
            {"name": each.name, "figure": label, "value": _value(seen, shares=name == "prefix"), "seen": seen}
            for name, label in labels.items()
            for seen in getattr(each, name).seen
        ]
        if each.cache.source:
            rows.append({"name": each.name, "figure": _("KV cache"), "value": "", "words": each.cache.source})
    return rows


def _value(seen: Seen, *, shares: bool) -> str:
    if not shares:
        return figures.times(seen.low, seen.high)
    low, high = figures.number(seen.low * 100, 0), figures.percent(seen.high)
    return f"{low}–{high}"
