"""Help: glossary, method, data sources, guide. Everybody may read."""

from functools import lru_cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from config.accounts.selectors import current_organisation
from config.help import glossary as words
from config.help import markdown
from config.help import sources as data
from sizing.core.explain import REGISTER, SECTIONS, Formula
from sizing.formulas import FORMULAS
from sizing.worked import worked

METHOD_FILE = Path(__file__).resolve().parents[2] / "docs" / "method.md"
QUERY_LETTERS = 100


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Search over glossary and formulas, and the ways in."""
    query = request.GET.get("q", "")[:QUERY_LETTERS]
    language = _language()
    context = {
        "query": query,
        "hits": [_entry(term, language) for term in words.find_terms(query, language)],
        "formulas": _formulas_with(query),
        "term_count": len(words.terms()),
        "formula_count": len(REGISTER),
    }
    part = "#hits" if request.headers.get("HX-Target") == "hits" else ""
    return render(request, f"help/start.html{part}", context)


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """Every term in the reader's language, with its name in the other one."""
    language = _language()
    letters: dict[str, list[dict[str, str]]] = {}
    for term in words.sorted_terms(language):
        letters.setdefault(words.fold(term.name(language))[:1].upper(), []).append(_entry(term, language))
    return render(request, "help/glossary.html", {"letters": letters, "term_count": len(words.terms())})


@require_safe
def method(request: HttpRequest) -> HttpResponse:
    """How figures come about: short formulas in the reader's language, then the register as computed."""
    register = [
        (title, key, [entry for entry in REGISTER.values() if entry.section == key]) for key, title in SECTIONS.items()
    ]
    short = [(name, formula, worked(name)) for name, formula in FORMULAS.items()]
    context = {"short": short, "register": register, "document": _document()}
    return render(request, "help/method.html", context)


@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    """Where the data comes from, with dates."""
    context = {
        "tables": data.catalogue_sources(current_organisation(request)),
        "lists": data.list_versions(),
        "fit": data.fit_of_speed(),
    }
    return render(request, "help/sources.html", context)


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """From a workload to a quote, step by step."""
    return render(request, "help/guide.html")


def _language() -> str:
    return (get_language() or "en").split("-")[0]


def _entry(term: words.Term, language: str) -> dict[str, str]:
    return {
        "key": term.key,
        "name": term.name(language),
        "other": term.other_name(language),
        "other_language": "en" if language == "de" else "de",
        "article": term.article if language == "de" else "",
        "definition": term.definition(language),
    }


def _formulas_with(query: str) -> list[Formula]:
    wanted = words.fold(query).split()
    if not wanted:
        return []
    return [
        entry
        for entry in REGISTER.values()
        if all(word in words.fold(f"{entry.name.replace('_', ' ')} {' '.join(entry.inputs)}") for word in wanted)
    ]


@lru_cache(maxsize=1)
def _document() -> list[markdown.Block]:
    """The written method without the register, which stands above it on the page."""
    if not METHOD_FILE.exists():
        return []
    text = METHOD_FILE.read_text(encoding="utf-8")
    before, _marker, rest = text.partition("<!-- begin formulas -->")
    _register, _marker, after = rest.partition("<!-- end formulas -->")
    before = before.rpartition("## Formulas")[0]
    return [block for block in markdown.blocks(before + after) if block.kind != "heading" or block.level > 1]
