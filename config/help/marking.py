"""Terms of the glossary found in running text, so that a page can explain them where they stand."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from config.help.glossary import Term, terms_by_key

# Words of the trade; common words that the glossary also defines (line, target, server) would only clutter a text.
MARKED = (
    "kv_cache", "prefill", "decode", "ttft", "tpot", "itl", "e2e_latency", "percentile", "quantisation",
    "weight_format", "tensor_parallelism", "pipeline_parallelism", "expert_parallelism", "speculative_decoding",
    "continuous_batching", "mixture_of_experts", "shared_prefix", "prefix_cache", "concurrent_requests", "burstiness",
    "context_length", "activations", "roofline", "arithmetic_intensity", "bottleneck", "saturation", "knee",
    "headroom", "utilisation", "memory_bandwidth", "throughput", "replica", "interconnect", "nvlink", "mig_slice",
    "tdp", "heat_load", "liquid_cooling", "rack_unit", "pdu", "bom", "open_market_item", "evidence_grade", "taa",
    "section_889", "country_of_origin", "eccn", "lead_time", "quantity_break", "write_off", "residual_value",
    "break_even", "pue", "tco", "rag", "embedding", "real_time_factor", "serving_software", "nearest_measurement",
    "frontier", "sensitivity", "substitute", "incoterm", "reverse_charge", "designated_country",
)  # fmt: skip
ENDINGS = {"en": "(?:s|es)?", "de": "(?:s|es|e|en|er|n)?"}
SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text; `term` is set where it is a word of the glossary."""

    text: str
    term: Term | None = None


def pieces(text: str, language: str, *, taken: set[str]) -> Iterator[Piece]:
    """The text in pieces, each term marked where it first occurs; `taken` are the keys that were marked before."""
    pattern, keys = _pattern(language)
    at = 0
    for found in pattern.finditer(text):
        key = keys[found["name"].casefold()]
        if key in taken:
            continue
        taken.add(key)
        if found.start() > at:
            yield Piece(text[at : found.start()])
        yield Piece(found[0], terms_by_key()[key])
        at = found.end()
    if at < len(text):
        yield Piece(text[at:])


@lru_cache(maxsize=4)
def _pattern(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """One expression of all names, the longest first, and the key of each name in lower case."""
    keys: dict[str, str] = {}
    for key in MARKED:
        term = terms_by_key().get(key)
        for name in _spellings(term.name(language)) if term is not None else ():
            keys.setdefault(name.casefold(), key)
    names = "|".join(re.escape(name) for name in sorted(keys, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?P<name>{names}){ENDINGS[language]}(?![\w-])", re.IGNORECASE), keys


def _spellings(name: str) -> list[str]:
    """A name and the abbreviation that stands in brackets behind it, each on its own."""
    full, _bracket, short = name.partition(" (")
    return [each for each in (full, short.rstrip(")")) if len(each) >= SHORTEST]
