"""The live preview of the forms of the kinds: the fewest devices that carry the load, before parts and prices.

Answers from documents would need a search of the language model: their preview shows the index and what goes into
the prompt, which is what grows unseen.
"""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from sizing import figures
from sizing.core.kinds.candidate import KindCandidate
from sizing.core.kinds.rag_question import RagQuestion
from sizing.kinds.answers import kind_recommendation
from sizing.kinds.presentation import HEADLINES, LABELS, SHOWN_HEADLINES
from sizing.kinds.questions import KindAsked, asked
from sizing.memory_bar import memory_bar
from sizing.messages import render as words
from sizing.requests import read_request

BILLION = 1e9
MEGABYTE = 1e6


def preview(request: Mapping[str, object]) -> dict[str, Any]:
    """What the panel beside the form shows. Raises RequestProblem and SizingError like a run."""
    stated = read_request(request, today=timezone.now().date())
    question = asked(stated)
    if isinstance(question.core, RagQuestion):
        return _documents(question, question.core)
    found = kind_recommendation(question)
    if not found.options:
        reason = words(found.rejected[0].message) if found.rejected else _("No device in the catalogue carries it.")
        return {"state": "fail", "words": reason, "rows": _facts(question)}
    return _shown(question, found.options[0], str(stated["kind"]))


def _shown(question: KindAsked, option: KindCandidate, kind: str) -> dict[str, Any]:
    deployment, memory = option.deployment, option.memory
    name = f"{figures.number(deployment.accelerators_total)}{figures.NBSP}×{figures.NBSP}{deployment.accelerator.name}"
    parts = {"weights": memory.weight_bytes, "activation": memory.activation_bytes, "runtime": memory.runtime_bytes}
    return {
        "hardware": name,
        "state": option.speed_verdict.state.value,
        "words": words(option.speed_verdict.message),
        "bar": memory_bar(parts, usable_bytes=float(memory.usable_bytes)),
        "scale": _("Per accelerator, of %(usable)s usable.") % {"usable": figures.gigabytes(memory.usable_bytes)},
        "rows": [*_figures(option, kind), *_facts(question)],
    }


def _figures(option: KindCandidate, kind: str) -> list[dict[str, str]]:
    """The figures that the cards of a result show."""
    found = option.performance.figures
    names = [name for name in HEADLINES[kind] if name in found and found[name].value is not None][:SHOWN_HEADLINES]
    return [{"label": str(LABELS[name]), "text": _text(found[name].value, found[name].unit)} for name in names]


def _text(value: float | None, unit: str) -> str:
    return figures.with_unit(figures.figure(value or 0.0), unit)


def _facts(question: KindAsked) -> list[dict[str, str]]:
    facts = question.facts
    rows = []
    if total := facts.get("parameters_total"):
        text = figures.count_of_parameters(total) if total >= BILLION else figures.number(total)
        rows.append({"label": _("Parameters"), "text": text})
    if weights := facts.get("weight_bytes"):
        small = figures.with_unit(figures.figure(weights / MEGABYTE), "MB")
        rows.append({"label": _("Weights"), "text": figures.gigabytes(weights) if weights >= BILLION else small})
    return rows


def _documents(question: KindAsked, core: RagQuestion) -> dict[str, Any]:
    prompt = core.answer.traffic.input_tokens.mean
    return {
        "hardware": _("With the run"),
        "state": "unknown",
        "words": _("the language model is sized by the run"),
        "rows": [
            *_facts(question),
            {"label": _("Index in main memory"), "text": figures.gigabytes(core.index.memory_bytes)},
            {"label": _("Index and texts on NVMe"), "text": figures.gigabytes(core.index.drive_bytes)},
            {"label": _("Tokens in the prompt"), "text": figures.number(round(prompt))},
        ],
    }
