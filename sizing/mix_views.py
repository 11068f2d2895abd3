"""The page of the cheapest mix: which servers of several options together carry the load for least money."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sizing.mix import Limits, Mix, Node, best_mix
from sizing.models import SizingRun
from sizing.names import device_names, slugs_of
from sizing.presentation import OptionView, option_views
from sizing.stored import light_options
from sizing.views import run_or_404


@require_safe
def mix(request: HttpRequest, key: str) -> HttpResponse:
    """The exact answer over whole servers of every option that meets all limits."""
    run = run_or_404(request, key)
    return render(request, "sizing/mix.html", {"run": run, **_mix_page(run)})


def _mix_page(run: SizingRun) -> dict[str, Any]:
    light = light_options(run)
    options = option_views(light, run.request, names=device_names(slugs_of(light)), run_url=run.get_absolute_url())
    usable = [option for option in options if not any(verdict.state == "fail" for verdict in option.verdicts)]
    nodes = {option.rank: node for option in usable if (node := node_of(option)) is not None}
    found = best_mix(list(nodes.values()), limits_of(run.request))
    by_rank = {option.rank: option for option in options}
    single = min((option for option in usable if option.at_most is not None), key=_price_order, default=None)
    return {
        "rows": [_row(by_rank[rank], nodes[rank], count) for rank, count in found.counts.items()] if found else [],
        "mix": found,
        "total": _money(found.cost, by_rank) if found else None,
        "single": single,
        "single_total": _money(single.at_most, by_rank) if single is not None and single.at_most is not None else None,
        "saves": _saving(found, single, by_rank),
        "considered": len(nodes),
    }


def node_of(option: OptionView) -> Node | None:
    """One server of an option (or the servers of one replica that spans several); None where a part is unknown.

    It costs its share of what the option costs at most and carries its share of what the option carries.
    """
    facts = option.data.get("redundancy") or {}
    rate, peak = facts.get("replica_requests_per_s"), facts.get("peak_requests_per_s")
    servers, spanned = facts.get("servers"), facts.get("servers_per_replica")
    if option.at_most is None or not rate or not peak or not servers or not spanned:
        return None
    units = max(int(servers) // int(spanned), 1)
    power = (option.data.get("power_max_w") or {}).get("value")
    height = option.data.get("rack_units")
    return Node(
        key=option.rank,
        load_share=float(rate) / float(peak) * int(facts.get("replicas") or 1) / units,
        cost=option.at_most / units,
        power_w=None if power is None else float(power) / units,
        rack_units=None if height is None else float(height) / units,
    )


def limits_of(request: Mapping[str, Any]) -> Limits:
    site, budget = request.get("site") or {}, (request.get("procurement") or {}).get("budget")
    return Limits(
        power_w=site.get("max_power_w"),
        rack_units=site.get("rack_units"),
        budget=None if budget is None else Decimal(str(budget)),
    )


def _price_order(option: OptionView) -> tuple[Decimal, int]:
    return (option.at_most or Decimal(0), option.rank)


def _row(option: OptionView, node: Node, count: int) -> dict[str, Any]:
    return {
        "option": option,
        "server": option.data.get("server_name") or "",
        "count": count,
        "load_share": node.load_share * count,
        "money": _money(node.cost * count, {option.rank: option}),
    }


def _money(amount: Decimal, options: Mapping[int, OptionView]) -> dict[str, str]:
    currency = next((str(option.price.get("currency") or "") for option in options.values()), "")
    return {"amount": str(amount.quantize(Decimal("0.01"))), "currency": currency}


def _saving(found: Mix | None, single: OptionView | None, options: Mapping[int, OptionView]) -> dict[str, str] | None:
    """What the mix costs less than the cheapest option of one kind; None where it does not."""
    if found is None or single is None or single.at_most is None or found.cost >= single.at_most:
        return None
    return _money(single.at_most - found.cost, options)
