"""Search over everything in the catalogue: words with German and English stems, and parts of names and numbers."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib.postgres.search import SearchQuery, SearchQueryCombinable, TrigramWordSimilarity
from django.db import connection
from django.db.models import F, Func, JSONField, Model, Q, QuerySet, TextField, Value
from django.utils.translation import gettext, gettext_noop
from psycopg import sql

from catalog.models import Accelerator, AiModel, Component, Part, Processor, Server, ServingSoftware
from catalog.part_numbers import alias_text, normalise_mpn
from config.accounts.models import Organisation

MOST_HITS = 50
MOST_BY_NUMBER = 100
MOST_BY_WORDS = 150
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

MODELS: dict[str, type[Model]] = {"part": Part} | {kind: model for model, kind, _names in NAMES}

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The findings shown, best first, and how many of each kind there are, at most `MOST_HITS` of one."""

    hits: list[Hit]
    counts: dict[str, int]


def search(text: str, *, organisation: Organisation | None = None, limit: int = MOST_HITS) -> list[Hit]:
    """The best findings for what a person typed, best first; empty for empty text."""
    return search_by_kind(text, organisation=organisation, limit=limit).hits


def search_by_kind(
    text: str, *, kind: str = "", organisation: Organisation | None = None, limit: int = MOST_HITS
) -> Found:
    """The best findings, of one kind where `kind` names it, and the counts of all kinds.

    One statement ranks every table, one query for each kind found reads the names. Parts are those that the
    organisation may see.
    """
    words = " ".join(text.split())[:200]
    if not words:
        return Found(hits=[], counts={})
    scores: dict[str, dict[int, float]] = {}
    ranked = sorted(_ranked(words, organisation), key=lambda found: (-found[2], found[0], found[1]))
    counts = Counter(name for name, _key, _score in ranked)
    for name, key, score in [found for found in ranked if kind in ("", found[0])][:limit]:
        scores.setdefault(name, {})[key] = score
    hits = [_hit(name, row, scores[name][row.pk]) for name in scores for row in _rows(name, scores[name])]
    return Found(
        hits=sorted(hits, key=lambda hit: (-hit.score, hit.kind, hit.name)),
        counts={name: counts[name] for name in KIND_WORDS if counts[name]},
    )


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


def _ranked(words: str, organisation: Organisation | None) -> list[tuple[str, int, float]]:
    """Kind, key and score of the best rows of each table."""
    number = normalise_mpn(words)
    values: dict[str, Any] = {
        "words": words,
        "each": [f"%{_literal(word)}%" for word in words.split()],
        "alike": SIMILAR_ENOUGH,
        "number": number or words,
        "within": f"%{number}%" if len(number) >= SHORTEST_NUMBER else (number or "-"),
        "text": alias_text(words),
        "owner": organisation.pk if organisation else None,
        "by_number": MOST_BY_NUMBER,
        "by_words": MOST_BY_WORDS,
        "most": MOST_HITS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_statement(), values)
        return list(cursor.fetchall())


@lru_cache(maxsize=1)
def _statement() -> sql.Composed:
    """Every small table by its joined names, and parts by number and by words, each from its own index."""
    named = sql.SQL(" UNION ALL ").join(
        sql.SQL(
            "(SELECT {kind}, id, likeness FROM (SELECT id, joined, word_similarity(%(words)s, joined) AS likeness"
            " FROM (SELECT id, concat_ws(' ', {names}) AS joined FROM {table}) AS texts) AS likened"
            " WHERE joined ILIKE ALL (%(each)s) OR likeness >= %(alike)s"
            " ORDER BY likeness DESC, id LIMIT %(most)s)"
        ).format(
            kind=sql.Literal(kind),
            names=sql.SQL(", ").join(map(sql.Identifier, names)),
            table=sql.Identifier(model._meta.db_table),
        )
        for model, kind, names in NAMES
    )
    return sql.Composed([_PARTS, named])


_PARTS = sql.SQL("""
WITH asked AS (
    SELECT websearch_to_tsquery('simple', %(words)s) || websearch_to_tsquery('german', %(words)s)
           || websearch_to_tsquery('english', %(words)s) AS query
), candidates AS (
    (SELECT id FROM catalog_part
      WHERE mpn_normalised LIKE %(within)s AND (organisation_id IS NULL OR organisation_id = %(owner)s)
        AND NOT (mpn = '' AND oem_part_number = '') LIMIT %(by_number)s)
    UNION
    (SELECT part_id FROM catalog_partalias
      WHERE part_id IS NOT NULL AND text_normalised = %(text)s
        AND (organisation_id IS NULL OR organisation_id = %(owner)s) LIMIT %(by_number)s)
    UNION
    (SELECT id FROM catalog_part, asked
      WHERE search_vector @@ query AND (organisation_id IS NULL OR organisation_id = %(owner)s)
        AND NOT (mpn = '' AND oem_part_number = '') LIMIT %(by_words)s)
)
(SELECT 'part', part.id,
        greatest(ts_rank(part.search_vector, query), word_similarity(%(number)s, part.mpn_normalised),
                 word_similarity(%(words)s, part.description)) AS score
   FROM candidates JOIN catalog_part AS part ON part.id = candidates.id, asked
  ORDER BY score DESC, part.id LIMIT %(most)s)
UNION ALL
""")


def _literal(word: str) -> str:
    """A word for LIKE, its own signs taken as they are."""
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _rows(kind: str, scores: dict[int, float]) -> Iterable[Model]:
    model = MODELS[kind]
    bulky = [field.name for field in model._meta.concrete_fields if isinstance(field, JSONField) or field.generated]
    return model._default_manager.defer(*bulky).filter(pk__in=scores).order_by()


def _hit(kind: str, row: Any, score: float) -> Hit:
    name = str(row)
    if kind == "part" and row.description and row.description not in name:
        name = f"{name} {row.description}"[:120]
    return Hit(kind=kind, name=name, url=row.get_absolute_url(), score=round(score, 3))


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
