"""One search over everything that the reader may open: pages, workloads, quotes, catalogue, terms, formulas."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from catalog.search import search as find_in_catalogue
from config.accounts.models import Organisation
from config.accounts.selectors import current_organisation
from config.help.glossary import find_terms, fold
from quotes.selectors import quotes_for
from sizing.core.explain import REGISTER
from sizing.drafts import drafts_for
from sizing.kinds.cards import CARDS
from sizing.people import VISITOR_DRAFTS, VISITOR_RUNS, person, secrets_of
from sizing.selectors import runs_for

HITS_PER_GROUP = 6
LETTERS = 100

# Route, its words, and whether one must be signed in
PAGES: tuple[tuple[str, str | Promise, bool], ...] = (
    ("sizing:start", gettext_lazy("Start"), False),
    ("sizing:workload", gettext_lazy("New workload: chat, RAG, code"), False),
    ("sizing:guide", gettext_lazy("Not sure? Four questions"), False),
    ("sizing:workloads", gettext_lazy("Workloads and runs"), False),
    ("quotes:list", gettext_lazy("Quotes"), True),
    ("quotes:verify", gettext_lazy("Verify a document"), False),
    ("quotes:evidence", gettext_lazy("Evidence of origin"), True),
    ("quotes:screening_lists", gettext_lazy("Screening lists"), True),
    ("catalog:start", gettext_lazy("Catalogue"), False),
    ("catalog:accelerators", gettext_lazy("Accelerators"), False),
    ("catalog:servers", gettext_lazy("Servers"), False),
    ("catalog:parts", gettext_lazy("Part numbers"), False),
    ("catalog:models", gettext_lazy("AI models"), False),
    ("catalog:software_list", gettext_lazy("Serving software"), False),
    ("catalog:cloud_rates", gettext_lazy("Rental and API rates"), False),
    ("catalog:rates", gettext_lazy("Exchange rates"), True),
    ("catalog:imports", gettext_lazy("Import a price file"), True),
    ("help:guide", gettext_lazy("Guide"), False),
    ("help:method", gettext_lazy("Method"), False),
    ("help:glossary", gettext_lazy("Glossary"), False),
    ("help:sources", gettext_lazy("Data sources"), False),
    ("api_docs", gettext_lazy("API reference"), False),
    ("accounts:organisation", gettext_lazy("Organisation"), True),
    ("accounts:people", gettext_lazy("People and roles"), True),
    ("accounts:tokens", gettext_lazy("Access tokens"), True),
    ("accounts:audit", gettext_lazy("Audit log"), True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One finding: its name, its address, a few words beside it."""

    name: str
    url: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Findings of one sort; `more` leads to all of them, or is empty."""

    title: str
    hits: list[Found]
    more: str = ""


def find(request: HttpRequest, query: str) -> list[Group]:
    """Groups with findings, in a fixed order. Without words only pages are offered."""
    query = query.strip()[:LETTERS]
    organisation = current_organisation(request)
    groups = [_pages(request, query)]
    if query:
        groups += [_workloads(request, query), *_quotes(request, query, organisation)]
        groups += [_catalogue(query, organisation), _terms(query), _formulas(query)]
    return [group for group in groups if group.hits]


def _pages(request: HttpRequest, query: str) -> Group:
    words, signed_in = fold(query).split(), person(request) is not None
    hits = [
        Found(name=str(name), url=reverse(route))
        for route, name, asks in PAGES
        if (signed_in or not asks) and all(word in fold(str(name)) for word in words)
    ]
    if words:
        hits += [
            Found(name=str(card.label), url=reverse("sizing:kind", args=[card.kind]), note=_("New workload"))
            for card in CARDS
            if all(word in fold(str(card.label)) for word in words)
        ]
    return Group(title=_("Pages"), hits=hits if not words else hits[:HITS_PER_GROUP])


def _workloads(request: HttpRequest, query: str) -> Group:
    user = person(request)
    runs = runs_for(user, secrets=secrets_of(request, VISITOR_RUNS)).filter(workload__name__icontains=query)
    kept = drafts_for(user, secrets=secrets_of(request, VISITOR_DRAFTS)).filter(name__icontains=query)
    hits = [
        Found(name=run.name, url=run.get_absolute_url(), note=run.get_state_display()) for run in runs[:HITS_PER_GROUP]
    ]
    hits += [Found(name=str(draft), url=draft.get_absolute_url(), note=_("Draft")) for draft in kept[:HITS_PER_GROUP]]
    return Group(title=_("Workloads"), hits=hits[:HITS_PER_GROUP], more=reverse("sizing:workloads", query={"q": query}))


def _quotes(request: HttpRequest, query: str, organisation: Organisation | None) -> Sequence[Group]:
    if person(request) is None:
        return ()
    matching = Q(number__icontains=query) | Q(title__icontains=query) | Q(buyer_name__icontains=query)
    rows = quotes_for(request.user, organisation=organisation).filter(matching)[:HITS_PER_GROUP]
    hits = [Found(name=quote.number, url=quote.get_absolute_url(), note=quote.title) for quote in rows]
    return [Group(title=_("Quotes"), hits=hits)]


def _catalogue(query: str, organisation: Organisation | None) -> Group:
    hits = [
        Found(name=hit.name, url=hit.url, note=hit.kind_word)
        for hit in find_in_catalogue(query, organisation=organisation, limit=HITS_PER_GROUP)
    ]
    return Group(title=_("Catalogue"), hits=hits, more=reverse("catalog:search", query={"q": query}))


def _terms(query: str) -> Group:
    language = "de" if (get_language() or "").startswith("de") else "en"
    address = reverse("help:glossary")
    hits = [
        Found(name=term.name(language), url=f"{address}#{term.key}", note=term.definition(language))
        for term in find_terms(query, language)[:HITS_PER_GROUP]
    ]
    return Group(title=_("Glossary"), hits=hits, more=reverse("help:start", query={"q": query}))


def _formulas(query: str) -> Group:
    address, words = reverse("help:method"), query.lower().split()
    names = [name for name in REGISTER if all(word in name.replace("_", " ") for word in words)]
    hits = [Found(name=name, url=f"{address}#{name}") for name in names[:HITS_PER_GROUP]]
    return Group(title=_("Formulas"), hits=hits)
