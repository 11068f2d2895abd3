"""Search over everything in the catalogue: words with German and English stems, and parts of names and numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.search import SearchQuery, SearchQueryCombinable, SearchRank, TrigramWordSimilarity
from django.db.models import F, Func, JSONField, Model, Q, QuerySet, TextField, Value
from django.db.models.functions import Greatest
from django.utils.translation import gettext, gettext_noop

from catalog.models import Accelerator, AiModel, Component, Part, Processor, Server, ServingSoftware
from catalog.part_numbers import normalise_mpn
from catalog.visibility import visible
from config.accounts.models import Organisation

MOST_HITS = 50
MOST_BY_NUMBER = 100
MOST_BY_WORDS = 300
"""Rows of parts that are ranked; more than that and the words say too little to rank by."""
SIMILAR_ENOUGH = 0.45
SHORTEST_NUMBER = 4

NAMES: tuple[tuple[type[Model], str, tuple[str, ...]], ...] = (
    (Accelerator, "accelerator", ("vendor", "name", "variant", "slug", "architecture")),
    (Server, "server", ("vendor", "model", "slug")),
    (Processor, "processor", ("vendor", "name", "generation", "slug")),
    (Component, "component", ("vendor", "model", "mpn", "key_specs")),
    (ServingSoftware, "software", ("name", "project")),
    (AiModel, "model", ("model_id", "architecture")),
)

KIND_WORDS = {
    "accelerator": gettext_noop("accelerator"),
    "server": gettext_noop("server"),
    "processor": gettext_noop("processor"),
    "component": gettext_noop("component"),
    "software": gettext_noop("software"),
    "model": gettext_noop("model"),
    "part": gettext_noop("part"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One finding: what it is, its name, its address and how well it matches (0..1)."""

    kind: str
    name: str
    url: str
    score: float

    @property
    def kind_word(self) -> str:
        return gettext(KIND_WORDS[self.kind])


def search(text: str, *, organisation: Organisation | None = None, limit: int = MOST_HITS) -> list[Hit]:
    """The best findings for what a person typed, best first; empty for empty text.

    One query for each table, three for parts. Parts are those that the organisation may see.
    """
    words = " ".join(text.split())[:200]
    if not words:
        return []
    hits = [hit for model, kind, names in NAMES for hit in _by_name(model, kind, names, words)]
    hits += _part_hits(words, organisation)
    return sorted(hits, key=lambda hit: (-hit.score, hit.kind, hit.name))[:limit]


def by_words(rows: QuerySet[Any], words: str, names: Iterable[str]) -> QuerySet[Any]:
    """Rows of a small table whose joined names hold every word, or are spelled much like the words."""
    joined = Func(Value(" "), *map(F, names), function="concat_ws", output_field=TextField())
    every = Q()
    for word in words.split():
        every &= Q(joined__icontains=word)
    similar = TrigramWordSimilarity(words, "joined")
    found: QuerySet[Any] = rows.alias(joined=joined).annotate(likeness=similar)
    return found.filter(every | Q(likeness__gte=SIMILAR_ENOUGH))


def parts_by_words(rows: QuerySet[Part], words: str) -> QuerySet[Part]:
    """Parts by number (with or without separators) or by words of the description, stems of both languages."""
    return rows.filter(_number_matches(words) | _words_match(words))


def _by_name(model: type[Model], kind: str, names: tuple[str, ...], words: str) -> list[Hit]:
    bulky = [field.name for field in model._meta.concrete_fields if isinstance(field, JSONField)]
    rows = by_words(model._default_manager.defer(*bulky), words, names).order_by("-likeness", "pk")[:MOST_HITS]
    return [Hit(kind=kind, name=str(row), url=row.get_absolute_url(), score=round(row.likeness, 3)) for row in rows]


def _part_hits(words: str, organisation: Organisation | None) -> list[Hit]:
    """Candidates by number and by words, each from its own index, then ranked together."""
    numbered = Part.objects.filter(visible(organisation)).exclude(mpn="", oem_part_number="").order_by()
    candidates = {
        *numbered.filter(_number_matches(words)).values_list("pk", flat=True)[:MOST_BY_NUMBER],
        *numbered.filter(_words_match(words)).values_list("pk", flat=True)[:MOST_BY_WORDS],
    }
    rank = Greatest(
        SearchRank(F("search_vector"), _query(words)),
        TrigramWordSimilarity(normalise_mpn(words) or words, "mpn_normalised"),
        TrigramWordSimilarity(words, "description"),
    )
    rows = Part.objects.filter(pk__in=candidates).annotate(score=rank).order_by("-score", "pk")[:MOST_HITS]
    return [
        Hit(kind="part", name=f"{row} {row.description}"[:120], url=row.get_absolute_url(), score=round(row.score, 3))
        for row in rows
    ]


def _number_matches(words: str) -> Q:
    number = normalise_mpn(words)
    return Q(mpn_normalised__contains=number) if len(number) >= SHORTEST_NUMBER else Q(mpn_normalised=number or "-")


def _words_match(words: str) -> Q:
    return Q(search_vector=_query(words))


def _query(words: str) -> SearchQueryCombinable:
    """The words as they are, and by their German and English stems."""
    simple, german, english = (
        SearchQuery(words, config=config, search_type="websearch") for config in ("simple", "german", "english")
    )
    return simple | german | english
