"""What the result page shows: the suggested option, cards, table, charts, what fell out and why."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string

from catalog.columns import chosen_columns, column_choice
from catalog.selectors import catalog_version
from sizing import charts, presentation
from sizing.kept_html import kept
from sizing.leads import lead_lines
from sizing.messages import localised
from sizing.models import Measurement, SizingOption, SizingRun
from sizing.names import device_names, slugs_of
from sizing.option_charts import option_charts
from sizing.option_columns import COLUMNS, options_csv
from sizing.option_table import SORTS, option_table
from sizing.pages import again_url, assumption_rows
from sizing.planning import planning_steps
from sizing.stored import frame_of, light_options
from sizing.trying import try_url

REJECTIONS_IN_VIEW = 8
KNOWN = frozenset({"option", "maker", "engine", "sort", "all", "columns"})  # what the address of the page may carry


def result_page(request: HttpRequest, run: SizingRun) -> dict[str, Any]:
    """The result page as its template takes it: what stands in its head, and its body as markup.

    The body is kept in the cache for as long as nothing that it shows changes.
    """
    if not KNOWN.issuperset(request.GET):
        return _shown(request, run)
    loads = Measurement.objects.filter(option__run=run).count()
    parts = ("result", run.key, run.name, loads, catalog_version(), request.GET.urlencode())
    return {"run": run, **kept(*parts, build=lambda: _without_run(_shown(request, run)))}


def _without_run(shown: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in shown.items() if key != "run"}


def _shown(request: HttpRequest, run: SizingRun) -> dict[str, Any]:
    """The body rendered, and of its context what the head and the dock of the page say again."""
    context = result_context(run, request.GET, columns=request.GET.getlist("columns"))
    selected: presentation.OptionView | None = context["selected"]
    head = {key: context.get(key, "") for key in ("run", "sentence", "second_sentence", "again_url", "quote_option")}
    if selected is not None:
        head["selected"] = {
            "hardware": selected.hardware,
            "price": dict(selected.price),
            "delivery_words": selected.delivery_words,
        }
    return head | {"body": render_to_string("sizing/result_body.html", context, request)}


def result_context(run: SizingRun, query: Mapping[str, str], *, columns: Sequence[str] = ()) -> dict[str, Any]:
    """Everything the body shows; `query` filters and sorts the table of options, `columns` are its columns."""
    frame, light = frame_of(run), light_options(run)
    result = localised(frame)
    names = device_names(slugs_of([*light, *(result.get("rejected") or [])]))
    options = presentation.option_views(light, run.request, names=names, run_url=run.get_absolute_url())
    chosen = next((option for option in options if str(option.rank) == query.get("option")), None)
    cards = presentation.cards(options, roles=result.get("roles") or [], chosen=chosen)
    named = [card["option"] for card in cards if card["option"]]
    selected = chosen or (named[0] if named else (options[0] if options else None))
    rejected = presentation.rejected_rows(result, names)
    for row, entry in zip(rejected, frame.get("rejected") or [], strict=True):
        row["try_url"] = try_url(run, entry)
    context: dict[str, Any] = {
        "run": run,
        "result": result,
        "sentence": presentation.sentence([selected] if selected else [], run.request),
        "selected": selected,
        "planning": planning_steps(run, selected, result, again_url=again_url(run)) if selected else [],
        "cards": cards,
        "table": option_table(options, query),
        "sorts": SORTS,
        "columns": chosen_columns(COLUMNS, columns),
        "column_choice": column_choice(COLUMNS, columns),
        "rejected": rejected[:REJECTIONS_IN_VIEW],
        "more_rejected": rejected[REJECTIONS_IN_VIEW:],
        "assumptions": assumption_rows(result),
        "warnings": [presentation.words_of(warning) for warning in result.get("warnings") or []],
        "again_url": again_url(run),
    }
    return context | (_about(run, selected, named, options) if selected else {})


def result_csv(run: SizingRun, query: Mapping[str, str]) -> bytes:
    """The table of options as a file, with the page's filter and order, every row and every column."""
    light = light_options(run)
    options = presentation.option_views(
        light, run.request, names=device_names(slugs_of(light)), run_url=run.get_absolute_url()
    )
    return options_csv(option_table(options, {**query, "all": "1"}).rows)


def _about(
    run: SizingRun,
    selected: presentation.OptionView,
    named: Sequence[presentation.OptionView],
    options: Sequence[presentation.OptionView],
) -> dict[str, Any]:
    """What the page says of the suggested option, and the charts around it."""
    row = SizingOption.objects.get(run=run, rank=selected.rank)
    drawn = kept(
        "result-charts", run.public_id, run.finished_at, selected.rank,
        build=lambda: _drawn(run, row, [selected, *named], options),
    )  # fmt: skip
    return drawn | {
        "second_sentence": presentation.second_sentence(selected),
        "leads": lead_lines(localised(row.data)),
        "quote_option": str(row.public_id),
    }


def _drawn(
    run: SizingRun,
    row: SizingOption,
    named: Sequence[presentation.OptionView],
    options: Sequence[presentation.OptionView],
) -> dict[str, Any]:
    """The charts of a result around its first named option. A finished run does not change, so they are kept."""
    budget = (run.request.get("procurement") or {}).get("budget")
    selected = named[0]
    return {
        "frontier": charts.frontier_chart(options, budget=float(budget) if budget else None),
        "memory": charts.memory_chart([selected, *(option for option in named if option.rank != selected.rank)]),
        "charts": option_charts(_whole(selected, row)),
    }


def _whole(option: presentation.OptionView, row: SizingOption) -> presentation.OptionView:
    """The option with the curves that the list of options leaves out."""
    return replace(option, data=localised(row.data))
