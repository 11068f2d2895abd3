"""What an option page says about failures, the hours of a day, ways to pay in words, and what would be sooner."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quotes.cost import in_words
from sizing import figures
from sizing.messages import render

HOURS_OF_A_DAY = 24


def problem_rows(option: Mapping[str, Any]) -> list[dict[str, str]]:
    """Broken constraints with what would mend each."""
    return [
        {"message": str(problem.get("message") or ""), "remedy": str(problem.get("remedy") or "")}
        for problem in option.get("problems") or []
    ]


def ways_in_words() -> list[dict[str, str]]:
    """Owning, renting and an API beside each other, topic by topic."""
    return [
        {"topic": render(topic), "own": render(own), "rent": render(rent), "api": render(api)}
        for topic, own, rent, api in in_words()
    ]


def against_rows(cost: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Offers to rent or to pay by the token, each with its terms and whether the buyer's limits allow it.

    `key` begins the names of the figures that open. `compared` is False where a break-even is
    not known, which is not never.
    """
    own_known = (cost.get("purchase") or {}).get("amount") is not None
    return [
        {
            "offer": offer,
            "key": f"offer-{number}",
            "is_rent": offer.get("kind") == "rent",
            "pricing": pricing_words(str(offer.get("pricing_model") or "")),
            "region": offer.get("region") or "",
            "allowed": offer.get("allowed", True),
            "compared": own_known and (offer.get("per_year") or {}).get("amount") is not None,
        }
        for number, offer in enumerate(cost.get("against") or [])
    ]


def pricing_words(model: str) -> str:
    words = {
        "on_demand": _("on demand"),
        "reserved": _("reserved"),
        "spot": _("spot: may end at any hour"),
        "marketplace": _("marketplace: may end at any hour"),
        "market_range": _("range of the market"),
        "unspecified": _("terms not stated"),
    }
    return words.get(model, model)


def redundancy_rows(option: Mapping[str, Any]) -> list[dict[str, str]]:
    """What stops with one accelerator and with one server, and whether the rest carries the peak."""
    facts = option.get("redundancy") or {}
    replicas, lost = facts.get("replicas"), facts.get("lost_with_one_server")
    if not replicas:
        return []
    rows = [
        {"label": _("Installed"), "text": _installed(facts)},
        {"label": _("One accelerator fails"), "text": _("1 of %(all)s replicas stops") % {"all": replicas}},
    ]
    if lost is None:
        return [*rows, {"label": _("One server fails"), "text": _("unknown")}]
    rows.append({"label": _("One server fails"), "text": _stops(int(lost), int(replicas)), "key": "failure"})
    if facts.get("capacity_after_failure") is not None:
        left = figures.percent(float(facts["capacity_after_failure"]))
        rows.append({"label": _("Capacity left then"), "text": left, "key": "failure"})
    rows.append({"label": _("At the peak"), "text": _at_peak(facts)})
    return rows


def _installed(facts: Mapping[str, Any]) -> str:
    count, spare = int(facts["replicas"]), int(facts.get("spare_replicas") or 0)
    words = ngettext("%(count)s replica", "%(count)s replicas", count) % {"count": figures.number(count)}
    if spare:
        words += ", " + _("%(spare)s of them spare (N+%(spare)s)") % {"spare": figures.number(spare)}
    else:
        words += ", " + _("none spare (N)")
    return words


def _stops(lost: int, replicas: int) -> str:
    words = ngettext("%(lost)s of %(all)s replicas stops", "%(lost)s of %(all)s replicas stop", lost)
    return words % {"lost": figures.number(lost), "all": figures.number(replicas)}


def _at_peak(facts: Mapping[str, Any]) -> str:
    if facts.get("survives_failure_at_peak") is None:
        return _("unknown: the load of a replica is not known")
    if facts["survives_failure_at_peak"]:
        return _("the load is carried with one server out of order (N+1)")
    missing = int(facts.get("missing_for_one_failure") or 0)
    words = ngettext(
        "the load is not carried with one server out of order; %(count)s more replica would do",
        "the load is not carried with one server out of order; %(count)s more replicas would do",
        missing,
    )
    return words % {"count": figures.number(missing)}


def elasticity_view(option: Mapping[str, Any]) -> dict[str, Any] | None:
    """The hours of the load profile as rows, what stands idle, and owning the base while renting the peak."""
    facts = option.get("elasticity")
    if not facts:
        return None
    needed: Sequence[int] = facts["replicas_needed"]
    most = max(*needed, int((option.get("redundancy") or {}).get("replicas") or 0), 1)
    hours = zip(needed, facts["replicas_idle"], facts["requests_per_s"], strict=True)
    uncovered = int(facts.get("uncovered_hours") or 0)
    return {
        "hours": [
            {
                "key": f"hour-{number}",
                "hour": hour_words(number, len(needed)),
                "needed": need,
                "idle": idle,
                "rate": rate,
                "share": f"{need / most * 100:.1f}",
            }
            for number, (need, idle, rate) in enumerate(hours)
        ],
        "range": _("%(least)s to %(most)s replicas")
        % {"least": facts["least_replicas"], "most": facts["most_replicas"]},
        "idle_share": figures.percent(float(facts["idle_share"])),
        "uncovered": uncovered,
        "signals": facts.get("signals") or [],
        "splits": _split_rows(facts.get("own_and_rent")),
        "provider": (facts.get("own_and_rent") or {}).get("provider") or "",
        "source": ", ".join(
            part
            for part in (
                str((facts.get("own_and_rent") or {}).get("source") or ""),
                figures.day((facts.get("own_and_rent") or {}).get("as_of")),
            )
            if part
        ),
    }


def hour_words(number: int, length: int) -> str:
    """The hour of the day; over a week with its day, which begins on Monday."""
    clock = f"{number % HOURS_OF_A_DAY:02d}:00"
    if length <= HOURS_OF_A_DAY:
        return clock
    days = (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))
    return f"{days[number // HOURS_OF_A_DAY % len(days)]} {clock}"


def _split_rows(found: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    if not found:
        return []
    cheapest = min((Decimal(str(split["per_year"]["amount"])) for split in found["splits"]), default=None)
    return [
        {
            "key": f"split-{split['owned_replicas']}",
            "owned": split["owned_replicas"],
            "rented_hours": split["rented_replica_hours"],
            "money": split["per_year"],
            "at_least": split["per_year"].get("basis") == "at_least",
            "cheapest": Decimal(str(split["per_year"]["amount"])) == cheapest,
        }
        for split in sorted(found["splits"], key=lambda split: int(split["owned_replicas"]))
    ]


def what_if_view(option: Mapping[str, Any]) -> dict[str, Any] | None:
    """The critical line, the one after it, and parts that would ship sooner; None where no line decides."""
    found = option.get("delivery_what_if")
    delivery = option.get("delivery") or {}
    if not found:
        return None
    names = {str(line.get("line")): str(line.get("description") or "") for line in option.get("bom") or []}
    without = found["without_line"]
    return {
        "dates": _dates(delivery),
        "line": names.get(str(without["line"]), without["name"]),
        "number": without["line"],
        "without": figures.weeks(without["weeks_p50"]),
        "saved": figures.weeks(without["weeks_saved"]) if without["weeks_saved"] else "",
        "next": names.get(str(without.get("next_line") or ""), ""),
        "after_parts": figures.weeks(found["after_parts_weeks"]),
        "substitutes": [
            _substitute(entry) | {"key": f"sooner-{number}"} for number, entry in enumerate(sooner_parts(option))
        ],
        "none_sooner": bool(found["substitutes"]) and not sooner_parts(option),
    }


def sooner_parts(option: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Parts in place of the one that decides the date with which the whole would come earlier."""
    found = (option.get("delivery_what_if") or {}).get("substitutes") or []
    return [entry for entry in found if (entry["weeks_saved"] or 0) > 0]


def _dates(delivery: Mapping[str, Any]) -> list[dict[str, str]]:
    """Weeks and date of both certainties; lower bounds say so."""
    bound = "" if delivery.get("complete") else _("at least") + " "
    return [
        {
            "label": label,
            "weeks": bound + figures.weeks(delivery[f"weeks_{key}"]),
            "date": figures.day(delivery[f"date_{key}"]),
        }
        for key, label in (("p50", _("one case of two")), ("p90", _("nine cases of ten")))
        if delivery.get(f"weeks_{key}") is not None
    ]


def _substitute(entry: Mapping[str, Any]) -> dict[str, Any]:
    share, saved = entry.get("performance_share"), entry.get("weeks_saved")
    money = entry.get("price_difference") or {}
    return {
        "name": entry["name"],
        "weeks": figures.weeks(entry["weeks_p50"]) if entry.get("weeks_p50") is not None else "",
        "saved": "" if saved is None else figures.signed(-saved, figures.weeks(abs(saved))),
        "money": ""
        if money.get("amount") is None
        else figures.signed(Decimal(money["amount"]), figures.amount(abs(Decimal(money["amount"])), money["currency"])),
        "performance": "" if share is None else figures.percent(share),
    }
