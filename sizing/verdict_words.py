"""The eight verdicts of an option in words: one short value and one line of facts each, in a fixed order."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sizing import figures
from sizing.engines import engine_name

LABELS: dict[str, str | Promise] = {
    "memory": gettext_lazy("Memory"),
    "speed": gettext_lazy("Speed"),
    "software": gettext_lazy("Software"),
    "power": gettext_lazy("Power"),
    "rack": gettext_lazy("Rack"),
    "cooling": gettext_lazy("Cooling"),
    "delivery": gettext_lazy("Delivery"),
    "budget": gettext_lazy("Budget"),
}
STATE_WORDS: dict[str, str | Promise] = {
    "ok": gettext_lazy("fits"),
    "caution": gettext_lazy("fits, tight"),
    "fail": gettext_lazy("does not fit"),
    "unknown": gettext_lazy("not judged"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """One verdict as shown: state, the margin in words, the facts behind it, the full reason."""

    key: str
    label: str
    state: str
    value: str
    note: str
    reason: str


def verdict_views(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[VerdictView]:
    """All eight, in the order that never changes. A verdict that the result lacks is unknown."""
    return [_view(key, option, request) for key in LABELS]


def _view(key: str, option: Mapping[str, Any], request: Mapping[str, Any]) -> VerdictView:
    verdict = (option.get("verdicts") or {}).get(key) or {}
    state = str(verdict.get("state") or "unknown")
    margin = verdict.get("margin")
    value = _value(key, state, margin, option, request)
    return VerdictView(
        key=key,
        label=str(LABELS[key]),
        state=state,
        value=value,
        note=NOTES[key](option, request),
        reason=str(verdict.get("reason") or ""),
    )


def _value(key: str, state: str, margin: float | None, option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """The margin in words: "40 % free", "4 weeks early"; signs are for differences between options only."""
    exact = {"delivery": _weeks_to_date, "budget": _money_to_budget, "software": _runs}.get(key)
    words = exact(state, option, request) if exact and state != "unknown" else ""
    if words:
        return words
    if margin is None or state == "unknown":
        return str(STATE_WORDS.get(state, state))
    words = _over(key) if state == "fail" or margin < 0 else _under(key)
    return words % {"share": figures.percent(abs(margin))}


def _runs(state: str, option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    return _("does not run") if state == "fail" else _("runs")


def _under(key: str) -> str:
    words = {"speed": _("%(share)s to spare"), "budget": _("%(share)s under"), "delivery": _("%(share)s early")}
    return words.get(key, _("%(share)s free"))


def _over(key: str) -> str:
    words = {"memory": _("%(share)s short"), "speed": _("%(share)s too slow"), "delivery": _("%(share)s late")}
    return words.get(key, _("%(share)s over"))


def _weeks_to_date(state: str, option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """Whole weeks between the careful delivery date (p90) and the date wanted."""
    wanted = (request.get("procurement") or {}).get("needed_by")
    comes = (option.get("delivery") or {}).get("date_p90")
    if not wanted or not comes:
        return ""
    days = (date.fromisoformat(wanted) - date.fromisoformat(comes)).days
    weeks = abs(days) // 7
    if weeks == 0:
        return _("just in time") if days >= 0 else _("days late")
    if days > 0:
        words = ngettext("%(count)s week early", "%(count)s weeks early", weeks)
    else:
        words = ngettext("%(count)s week late", "%(count)s weeks late", weeks)
    return words % {"count": figures.number(weeks)}


def _money_to_budget(state: str, option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    budget = (request.get("procurement") or {}).get("budget")
    cost = (option.get("cost") or {}).get("purchase") or {}
    if budget is None or cost.get("amount") is None or state != "fail":
        return ""
    over = Decimal(str(cost["amount"])) - Decimal(str(budget))
    if over <= 0 or cost.get("currency") != (request.get("procurement") or {}).get("currency"):
        return ""
    return _("%(money)s over") % {"money": figures.amount(over, str(cost["currency"]))}


def _memory_note(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """Gigabytes that the stated load fills, of those usable, over all accelerators of the option."""
    memory = option.get("memory_per_accelerator") or {}
    usable = memory.get("usable_bytes")
    if not usable:
        return ""
    devices = int(option.get("accelerators_total") or 1)
    used = sum(memory.get(part) or 0 for part in ("weight_bytes", "activation_bytes", "runtime_bytes"))
    share = ((option.get("utilisation") or {}).get("kv") or {}).get("value")
    if share is not None:
        used += (memory.get("kv_pool_bytes") or 0) * min(1.0, share)
    return _("%(used)s of %(usable)s") % {
        "used": figures.number(used * devices / 1e9),
        "usable": figures.gigabytes(usable * devices, 0),
    }


def _speed_note(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """The tightest stated target: reached value, limit and percentile."""
    tightest, words = None, ""
    for metric, limits in (request.get("targets") or {}).items():
        if not isinstance(limits, Mapping):
            continue
        reached = (option.get("performance") or {}).get(metric) or {}
        for percentile, limit in limits.items():
            value = (reached.get(percentile) or {}).get("value")
            if value is None or not limit or (tightest is not None and value / limit <= tightest):
                continue
            tightest = value / limit
            short = {"ttft_ms": "TTFT", "tpot_ms": "TPOT", "e2e_ms": "E2E"}.get(metric, metric)
            words = _("%(metric)s %(value)s of %(limit)s, %(percentile)s") % {
                "metric": short,
                "value": figures.figure(value),
                "limit": figures.with_unit(figures.figure(limit), "ms"),
                "percentile": percentile,
            }
    return words


def _software_note(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    return f"{engine_name(option.get('engine'))}, {str(option.get('weights_format') or '').upper()}".strip(", ")


def _power_note(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """What the margin is of: the power supplies where they are tighter, else the site's limit."""
    supplies = ((option.get("verdicts") or {}).get("power") or {}).get("params") or {}
    if "load_w" in supplies and "left_w" in supplies:
        words = {"power": figures.watts(supplies["load_w"]), "limit": figures.watts(supplies["left_w"])}
        return _("%(power)s of %(limit)s of supplies") % words
    needed = (option.get("power_max_w") or option.get("power_w") or {}).get("value")
    limit = (request.get("site") or {}).get("max_power_w")
    if needed is None:
        return _("need not known")
    if limit is None:
        return _("%(need)s, no limit given") % {"need": figures.watts(needed)}
    return _("%(power)s of %(limit)s") % {"power": figures.watts(needed), "limit": figures.watts(limit)}


def _rack_note(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    count, height = int(option.get("servers") or 0), option.get("rack_units")
    free = (request.get("site") or {}).get("rack_units")
    if height is None:
        return ngettext("%(count)s server", "%(count)s servers", count) % {"count": count}
    if free is None:
        return _("%(need)s, no limit given") % {"need": figures.with_unit(figures.figure(height), _("U"))}
    return _("%(need)s of %(free)s U") % {"need": figures.figure(height), "free": figures.figure(free)}


def _cooling_note(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    heat = (option.get("power_w") or {}).get("value")
    return "" if heat is None else _("%(power)s of heat") % {"power": figures.watts(heat)}


def _delivery_note(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    delivery = option.get("delivery") or {}
    late = delivery.get("weeks_p90")
    if late is None:
        return _("lead time open")
    words = _("p90 in %(weeks)s") if delivery.get("complete") else _("p90 in at least %(weeks)s")
    return words % {"weeks": figures.weeks(late)}


def _budget_note(option: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    cost = option.get("cost") or {}
    purchase = cost.get("purchase") or {}
    if purchase.get("amount") is None or (not cost.get("complete") and not Decimal(str(purchase["amount"]))):
        return _("price open")
    words = figures.amount(purchase["amount"], str(purchase["currency"]))
    if not cost.get("complete"):
        return _("at least %(money)s") % {"money": words}
    budget = (request.get("procurement") or {}).get("budget")
    if budget is None:
        return _("%(money)s, no budget given") % {"money": words}
    return _("%(money)s of %(budget)s") % {"money": words, "budget": figures.amount(budget, purchase["currency"])}


NOTES = {
    "memory": _memory_note,
    "speed": _speed_note,
    "software": _software_note,
    "power": _power_note,
    "rack": _rack_note,
    "cooling": _cooling_note,
    "delivery": _delivery_note,
    "budget": _budget_note,
}
