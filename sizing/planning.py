"""The seven steps of planning a system, and how far a result has come with each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sizing import figures
from sizing.kinds.forms import label_of
from sizing.kinds.forms_tabular import METHODS
from sizing.kinds.presentation import kind_of
from sizing.models import Measurement, SizingRun
from sizing.presentation import STATE_ORDER, OptionView, load_words
from sizing.verdict_words import STATE_WORDS, VerdictView

SMALLEST_SHOWN = 10_000_000  # parameters, which are written in billions with one or two places
PLATFORM = ("speed", "software", "power", "rack", "cooling")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningStep:
    """`state` is ok, caution, fail or unknown, `word` says it; `url` leads to where the step is taken further."""

    label: str
    state: str
    word: str
    note: str
    url: str


def planning_steps(
    run: SizingRun, option: OptionView, result: Mapping[str, Any], *, again_url: str
) -> list[PlanningStep]:
    """Model, request profile, targets, memory, platform, test with real load, cost: in the order of the work."""
    assumed = [str(entry.get("field") or "") for entry in result.get("assumptions") or []]
    return [
        _model(result, assumed, again_url),
        _profile(run.request, assumed, again_url),
        _targets(run.request, again_url),
        _of_verdict(_("Memory"), option.verdicts, ("memory",), f"{option.url}?why=memory"),
        _of_verdict(_("Platform"), option.verdicts, PLATFORM, f"{option.url}#figures"),
        _test(run, option),
        _cost(option),
    ]


def _model(result: Mapping[str, Any], assumed: Sequence[str], url: str) -> PlanningStep:
    model = result.get("model") or {}
    name = str(model.get("name") or "")
    parts = [str(dict(METHODS).get(name, name))]
    if int(model.get("parameters_total") or 0) >= SMALLEST_SHOWN:
        parts.append(figures.count_of_parameters(model["parameters_total"]))
    guessed = [field for field in assumed if field.startswith(("model", "weights_format", "kv_format"))]
    note = " · ".join(part for part in parts if part)
    return _stated(_("Model"), guessed, note, url)


def _profile(request: Mapping[str, Any], assumed: Sequence[str], url: str) -> PlanningStep:
    guessed = [field for field in assumed if field.startswith("traffic")]
    return _stated(_("Request profile"), guessed, load_words(request), url)


def _stated(label: str, guessed: Sequence[str], note: str, url: str) -> PlanningStep:
    """A step of stated inputs: settled, or resting on assumptions."""
    if not guessed:
        return PlanningStep(label=label, state="ok", word=_("stated"), note=note, url=url)
    count = len(guessed)
    word = ngettext("%(count)s input assumed", "%(count)s inputs assumed", count) % {"count": figures.number(count)}
    return PlanningStep(label=label, state="caution", word=word, note=note, url="#assumptions")


def _states(limit: object) -> bool:
    """Whether a limit is stated: a number, or one for some percentile."""
    return any(value is not None for value in limit.values()) if isinstance(limit, Mapping) else bool(limit)


def _targets(request: Mapping[str, Any], url: str) -> PlanningStep:
    label = _("Targets")
    named = [name for name, limit in (request.get("targets") or {}).items() if _states(limit)]
    if kind_of(request) and not named:
        note = _("The kind's own limits apply.")
        return PlanningStep(label=label, state="ok", word=_("as stated"), note=note, url=url)
    if not named:
        note = _("Nothing can be judged without.")
        return PlanningStep(label=label, state="unknown", word=_("none stated"), note=note, url=url)
    words = {"ttft_ms": "TTFT", "tpot_ms": "TPOT", "e2e_ms": "E2E", "output_tokens_per_s": _("output in total")}
    names = [str(words.get(name) or label_of(f"targets.{name}", kind_of(request)) or name) for name in named]
    note = get_text_list(names, _("and"))
    return PlanningStep(label=label, state="ok", word=_("stated"), note=note, url=url)


def _of_verdict(label: str, verdicts: Sequence[VerdictView], keys: Sequence[str], url: str) -> PlanningStep:
    """The worst of some verdicts; one that is not judged counts before those that fit."""
    views = [view for view in verdicts if view.key in keys]
    order = STATE_ORDER | {"unknown": 1, "caution": 2}
    worst = min(views, key=lambda view: order.get(view.state, 1))
    same = [view.label for view in views if view.state == worst.state]
    note = worst.value if len(views) == 1 else get_text_list(same, _("and"))
    return PlanningStep(label=label, state=worst.state, word=str(STATE_WORDS[worst.state]), note=note, url=url)


def _test(run: SizingRun, option: OptionView) -> PlanningStep:
    label, url = _("Test with real load"), f"{option.url}serve/"
    if kind_of(run.request):
        note = _("Measure it on borrowed or rented hardware.")
        return PlanningStep(label=label, state="unknown", word=_("not tested yet"), note=note, url=option.url)
    loads = Measurement.objects.filter(option__run=run, option__rank=option.rank).count()
    if not loads:
        note = _("The plan for it is ready.")
        return PlanningStep(label=label, state="unknown", word=_("not tested yet"), note=note, url=url)
    note = ngettext("%(count)s measured load", "%(count)s measured loads", loads) % {"count": figures.number(loads)}
    return PlanningStep(label=label, state="ok", word=_("measured"), note=note, url=url)


def _cost(option: OptionView) -> PlanningStep:
    label, url = _("Cost"), f"{option.url}#cost"
    if option.amount is None:
        return PlanningStep(
            label=label, state="unknown", word=_("price open"), note=option.open_lines.removeprefix("+ "), url=url
        )
    note = figures.amount(option.amount, str(option.price["currency"]))
    if option.price_complete:
        return PlanningStep(label=label, state="ok", word=_("complete"), note=note, url=url)
    note = _("at least %(money)s") % {"money": note}
    return PlanningStep(label=label, state="caution", word=option.open_lines.removeprefix("+ "), note=note, url=url)
