"""What each page of the sizing app shows, gathered from a run: the views hand it to their templates."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from catalog.selectors import catalog_version
from sizing import charts, figures, option_details, option_speed, presentation
from sizing.choices import Kind, RunState, Stage
from sizing.cluster_form import CLUSTER_FIELDS
from sizing.examples import EXAMPLES
from sizing.forms import WorkloadForm, field_of
from sizing.kept_html import kept
from sizing.kinds.forms import label_of, value_of
from sizing.kinds.presentation import kind_of
from sizing.leads import lead_lines
from sizing.measurements.pages import own_sources
from sizing.measurements.quality import narrowed
from sizing.memory_bar import MemoryBar, memory_bar
from sizing.memory_figures import figure_row
from sizing.messages import localised, render
from sizing.models import SizingOption, SizingRun
from sizing.models_draft import form_address
from sizing.names import device_names
from sizing.option_charts import option_charts
from sizing.place_form import BUYING_LISTS, BUYING_NUMBERS, SITE_NUMBERS
from sizing.stored import frame_of
from sizing.templatetags.kvote import flag_word
from sizing.trace_form import TRACE_FIELDS


def workload_page(form: WorkloadForm, request: HttpRequest) -> dict[str, Any]:
    """`open_parts` names the folded parts that hold an error or an edited field, so that they open."""
    title = form["name"].value() or _("New workload")
    return {
        "form": form,
        "page_title": title,
        "models": sorted(form.known_models.values()),
        "examples": EXAMPLES,
        "open_parts": {name for name, fields in FOLDED.items() if any(_touched(form, field) for field in fields)},
    }


FOLDED = {
    "model": ("config_file", "config_text"),
    "traffic": (
        "concurrent_requests",
        "requests_per_s",
        "max_context_tokens",
        "shared_prefix_tokens",
        "burstiness",
        *TRACE_FIELDS,
    ),
    "targets": ("e2e_s", "output_tokens_per_s"),
    "site": ("rack_units", "cooling", "max_ambient_c", "electricity_price", "pue", "spare_replicas"),
    "procurement": ("currency", "buyer_type", "destination_country", "excluded_vendors", "on_premises_only"),
    "cluster": CLUSTER_FIELDS,
    "place": (*SITE_NUMBERS, "form_factors", "ports", "environment", "mounting"),
    "buying": (*BUYING_NUMBERS, *BUYING_LISTS, "residual_pct", "uninterruptible_supply", "load_profile"),
}


def _touched(form: WorkloadForm, name: str) -> bool:
    if name not in form.fields:
        return False
    field = form[name]
    shown = (*FOLDED["traffic"], *CLUSTER_FIELDS, "config_text")
    return bool(field.errors) or (name in shown and field.value() not in (None, ""))


def progress_page(run: SizingRun) -> dict[str, Any]:
    """Steps with their state, and whether the page must ask again."""
    return {
        "run": run,
        "steps": steps(run),
        "polls": not run.is_finished,
        "can_cancel": run.state in (RunState.QUEUED, RunState.RUNNING),
        "message": render(run.message),
        "again_url": again_url(run),
    }


def again_url(run: SizingRun) -> str:
    """The filled form of this run's kind."""
    return form_address(run.request.get("kind") or Kind.LLM_SERVING, **{"from": run.key})


def steps(run: SizingRun) -> list[dict[str, Any]]:
    """The stages of a run in their order. A stage counts what it has seen; there are no made-up per cents."""
    order = [stage.value for stage in Stage]
    at = order.index(run.stage) if run.stage in order else -1
    entries = []
    for index, stage in enumerate(Stage):
        state, note = _step_state(run, index, at)
        entry = {"label": stage.label, "state": state, "note": note, "done": 0, "total": 0}
        if state == "current":
            entry |= {"done": run.progress_done, "total": run.progress_total}
        entries.append(entry)
    return entries


def _step_state(run: SizingRun, index: int, at: int) -> tuple[str, str]:
    if run.state == RunState.DONE or index < at:
        return "done", ""
    if index > at:
        return "waiting", ""
    if run.state == RunState.FAILED:
        return "failed", _("stopped here")
    if run.state == RunState.CANCELLED:
        return "waiting", _("cancelled here")
    if not run.progress_total:
        return "current", ""
    note = _("%(done)s of %(total)s") % {
        "done": figures.number(run.progress_done),
        "total": figures.number(run.progress_total),
    }
    return "current", note


def option_page(request: HttpRequest, run: SizingRun, row: SizingOption) -> dict[str, Any]:
    """The page of an option as its template takes it: what stands in its head, and its body as markup.

    The body is kept in the cache for as long as nothing that it shows changes.
    """
    parts = ("option", run.key, run.name, row.rank, row.evaluations.count(), catalog_version())
    kept_parts: dict[str, Any] = kept(*parts, build=lambda: _option_parts(request, run, row))
    return {"run": run, "quote_option": str(row.public_id), **kept_parts}


def _option_parts(request: HttpRequest, run: SizingRun, row: SizingOption) -> dict[str, Any]:
    context = option_context(run, row)
    option: presentation.OptionView = context["option"]
    head = {name: getattr(option, name) for name in ("hardware", "layout", "url", "role_words")}
    body = render_to_string("sizing/option_body.html", context, request)
    return {"option": head | {"price": dict(option.price)}, "body": body}


def opened_option(run: SizingRun, row: SizingOption) -> presentation.OptionView:
    """One option with all of its data, in the reader's language."""
    return _opened(run, row, localised(row.data))


def _opened(run: SizingRun, row: SizingOption, data: Mapping[str, Any]) -> presentation.OptionView:
    names = device_names([row.accelerator])
    return presentation.option_view(data, run.request, names=names, run_url=run.get_absolute_url())


def option_context(run: SizingRun, row: SizingOption) -> dict[str, Any]:
    """One option opened: figures, verdicts, memory, delivery, bill of materials, assumptions."""
    data = localised(row.data)
    open_points = [*(data.get("problems") or []), *(data.get("unknowns") or []), *(data.get("warnings") or [])]
    open_points += (data.get("cost") or {}).get("missing") or []
    result = localised(frame_of(run))
    option = _opened(run, row, data)
    return {
        "run": run,
        "option": option,
        "memory": option_memory(option),
        "memory_figures": [figure_row(figure) for figure in data.get("memory_figures") or []],
        "charts": option_charts(option),
        "claims": option_speed.claim_rows(data),
        "use_rows": option_speed.use_rows(data),
        "neighbours": option_speed.neighbour_rows(data),
        "sensitivity_rows": option_speed.sensitivity_rows(data),
        "nearest": _with_sources(option_speed.nearest_rows(data, _measured_on(data)), run),
        "leads": lead_lines(data),
        "costs": cost_rows(data.get("cost") or {}, of_items=bool(kind_of(run.request))),
        "problems": option_details.problem_rows(data),
        "against": option_details.against_rows(data.get("cost") or {}),
        "ways": option_details.ways_in_words(),
        "redundancy": option_details.redundancy_rows(data),
        "elasticity": option_details.elasticity_view(data),
        "what_if": option_details.what_if_view(data),
        "bom": [bom_row(line) for line in data.get("bom") or []],
        "screening": screening_rows(data),
        "bottleneck": presentation.bottleneck_words(data),
        "open_points": list(dict.fromkeys(filter(None, map(presentation.words_of, open_points)))),
        "assumptions": assumption_rows(result),
        "model": result.get("model") or {},
        "unverified": ", ".join(narrowed(row.data)) if not row.evaluations.exists() else "",
    }


def _with_sources(rows: list[dict[str, Any]], run: SizingRun) -> list[dict[str, Any]]:
    """Rows of measured points, those of the organisation itself with the file and the page that they came from."""
    own = own_sources((row["source"] for row in rows), run.organisation)
    for row in rows:
        row["source"], row["url"] = own.get(row["source"], (row["source"], ""))
    return rows


def _measured_on(data: Mapping[str, Any]) -> dict[str, str]:
    """Names of the accelerators of the measured points near an option, by slug."""
    points = data.get("nearest_measured") or []
    slugs = sorted({str((point.get("description") or {}).get("accelerator") or "") for point in points})
    return {slug: name for slug, (_maker, name) in device_names(slugs).items()}


def option_memory(option: presentation.OptionView) -> MemoryBar | None:
    """The memory bar of one accelerator, or None where the option says nothing about memory."""
    memory = option.data.get("memory_per_accelerator") or {}
    if not memory.get("usable_bytes"):
        return None
    split = {key: gigabytes * 1e9 for key, gigabytes in charts.memory_parts(option).items()}
    return memory_bar(split, usable_bytes=float(memory["usable_bytes"]), why=f"{option.url}?why=mem-")


COST_KEYS = {"purchase": "price"}  # what opens a sum, where it is not its own name
OF_TOKENS = ("per_million_tokens",)  # costs that kinds without tokens do not have


def cost_rows(cost: Mapping[str, Any], *, of_items: bool = False) -> list[dict[str, Any]]:
    """What owning costs, each sum with whether it is only a lower bound; kinds without tokens count items."""
    labels = {
        "purchase": _("Purchase, net"),
        "indicative": _("With indicative prices"),
        "per_year": _("Per year"),
        "per_million_tokens": _("Per million tokens"),
        "per_request": _("Per item") if of_items else _("Per request"),
    }
    rows = []
    for key, label in labels.items():
        if of_items and key in OF_TOKENS:
            continue
        money = presentation.known_money(cost.get(key))
        if key == "indicative" and (
            not money.get("amount") or money["amount"] == (cost.get("purchase") or {}).get("amount")
        ):
            continue
        rows.append(
            {
                "key": COST_KEYS.get(key, key),
                "label": label,
                "money": money,
                "at_least": money.get("basis") == presentation.AT_LEAST,
            }
        )
    return rows


def bom_row(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line of the bill with its lead time in words and its reason as a sentence."""
    lead = line.get("lead_weeks") or {}
    low, high = lead.get("low"), lead.get("high")
    words = ""
    if low is not None and high is not None:
        words = figures.weeks_span(low, high)
    return {
        "line": line,
        "price_label": _("Unit price, net: %(line)s") % {"line": line.get("line")},
        "lead_label": _("Lead time: %(line)s") % {"line": line.get("line")},
        "lead": words,
        "lead_source": ", ".join(
            part for part in (str(lead.get("source") or ""), figures.day(lead.get("as_of"))) if part
        ),
        "reason": presentation.words_of(line.get("reason")),
        "origin": line.get("origin") or {},
        "needs_number": line.get("kind") in (None, "base") and not line.get("included"),
        "is_base": line.get("kind") in (None, "base", "service", "licence"),
        "flags": [flag for flag in flag_views(line.get("screening") or {}) if flag["flag"] != "not_applicable"],
    }


REGIMES = {"taa": "TAA", "s889": "Section 889"}


def flag_views(screening: Mapping[str, Any]) -> list[dict[str, str]]:
    """Findings by regime. "No finding" is neutral; nothing here ever says compliant."""
    views = []
    for regime, label in REGIMES.items():
        finding = screening.get(regime) or {}
        flag = str(finding.get("flag") or "unknown")
        if finding.get("applicability") == "not_applicable":
            flag = "not_applicable"
        grade = str(finding.get("grade") or "")
        reason = str(finding.get("reason") or "")
        views.append({"regime": label, "flag": flag, "text": flag_word(flag), "grade": grade, "reason": reason})
    return views


def screening_rows(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The findings over the whole bill, with how many lines have which flag."""
    screening = data.get("screening") or {}
    rows: list[dict[str, Any]] = []
    for view, regime in zip(flag_views(screening), REGIMES, strict=True):
        finding = screening.get(regime) or {}
        counts = {flag: count for flag, count in (finding.get("counts") or {}).items() if count}
        rows.append(view | {"applicability": finding.get("applicability"), "counts": counts})
    return rows


def assumption_rows(result: Mapping[str, Any]) -> list[dict[str, str]]:
    """Each assumption: the input it stands for, the value taken, the reason."""
    return [
        {
            "field": input_name(str(entry.get("field") or "")),
            "value": value_of(str(entry.get("field") or ""), entry.get("value")) or taken_value(entry.get("value")),
            "reason": presentation.words_of(entry.get("reason")),
        }
        for entry in result.get("assumptions") or []
    ]


def input_name(path: str) -> str:
    """The label that the form gives to an input such as `traffic.max_context_tokens`; else the path itself."""
    names = {
        "delivery.integration_weeks": _("Weeks of integration"),
        "delivery.shipping_weeks": _("Weeks of shipping"),
        "cost.write_off_years": _("Years of depreciation"),
        "traffic.load_profile": _("Load over the day"),
        "traffic.prompts_per_slot": _("Requests per slot"),
        "site.network_gbit_s_per_accelerator": _("Network per accelerator, Gbit/s"),
    }
    field = field_of("/" + path.replace(".", "/"))
    if path not in names and field is not None:
        return str(WorkloadForm.base_fields[field].label)
    return names.get(path) or label_of(path) or path


def taken_value(value: Any) -> str:
    """An assumed value as the reader writes it; empty where there is none."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int | float):
        return figures.figure(value)
    words = {"flat": _("even"), "unknown": _("unknown")}
    return words.get(value, str(value)) if value is not None else ""
