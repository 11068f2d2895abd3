"""What stands beside an option, opened: other layouts, failures, hours of the day, rented peaks, sooner parts."""

from collections.abc import Callable, Mapping
from decimal import Decimal

from django.utils.translation import gettext as _

from sizing import figures
from sizing.chart_parts import signed
from sizing.cost_explanations import money_words
from sizing.explanation_parts import Explanation, SumRow
from sizing.option_details import hour_words, sooner_parts
from sizing.option_speed import neighbour_words, split_words
from sizing.presentation import OptionView, known_money


def beside_explanation(option: OptionView, key: str) -> Explanation | None:
    """The explanation of `failure`, or of `beside-0`, `hour-7`, `split-1`, `sooner-0`, numbered as on the page."""
    if key == "failure":
        return failure(option)
    name, _dash, number = key.partition("-")
    build = NUMBERED.get(name)
    return build(option, int(number), key) if build and number.isdecimal() and len(number) < 4 else None


def failure(option: OptionView) -> Explanation | None:
    """What the replicas that a failing server takes along leave, against the peak."""
    facts = option.data.get("redundancy") or {}
    replicas, lost = facts.get("replicas"), facts.get("lost_with_one_server")
    if not replicas or lost is None:
        return None
    left, needed = int(replicas) - int(lost), facts.get("needed_at_peak")
    rows = [
        SumRow(label=_("Replicas installed"), value=figures.number(replicas)),
        SumRow(label=_("stop with one server"), term=figures.MINUS, value=figures.number(lost)),
        SumRow(label=_("Replicas left"), term="=", value=figures.number(left)),
    ]
    if needed is not None and facts.get("replica_requests_per_s"):
        term = f"{figures.figure(facts['peak_requests_per_s'])} / {figures.figure(facts['replica_requests_per_s'])}"
        rows.append(SumRow(label=_("Peak load over what a replica carries"), term=term, value=figures.number(needed)))
    return Explanation(
        key="failure",
        title=_("One server fails"),
        text=_("%(left)s of %(all)s replicas run on")
        % {"left": figures.number(left), "all": figures.number(replicas)},
        rule=_("A replica stops with the first of its accelerators. The peak is carried while as many replicas run as "
               "the requests of the busiest hour need."),
        rows=rows,
        source=_computed(),
    )  # fmt: skip


def beside(option: OptionView, number: int, key: str) -> Explanation | None:
    """One layout beside the chosen one: latencies of the option, changed by what the step model says of it."""
    found = option.data.get("neighbours") or []
    if number >= len(found) or not found[number].get("replicas"):
        return None
    each = found[number]
    return Explanation(
        key=key,
        title=neighbour_words(str(each["kind"])),
        text=split_words(each),
        reason=" ".join(filter(None, (str(each.get("message") or ""), str(each.get("reason") or "")))),
        rule=_("The same step model at the same load, with the accelerators split this way; the best of its kind "
               "within the limits is shown. What it carries is the highest load that keeps the limits."),
        rows=list(filter(None, (
            _changed(option, "tpot", _("Time per output token, mean"), each.get("tpot_change")),
            _changed(option, "ttft", _("Time to first token, mean"), each.get("ttft_change")),
            _share(_("Load carried within the limits"), each.get("capacity_change")),
        ))),
        source=_computed(),
    )  # fmt: skip


def hour(option: OptionView, number: int, key: str) -> Explanation | None:
    """The replicas that one hour of the load profile needs."""
    facts, failures = option.data.get("elasticity") or {}, option.data.get("redundancy") or {}
    rates, each = facts.get("requests_per_s") or [], failures.get("replica_requests_per_s")
    if number >= len(rates) or not each:
        return None
    needed, idle = facts["replicas_needed"][number], facts["replicas_idle"][number]
    return Explanation(
        key=key,
        title=_("Replicas needed, %(hour)s") % {"hour": hour_words(number, len(rates))},
        text=figures.number(needed),
        rule=_("requests of a second in this hour / requests of a second that a replica carries, rounded up"),
        rows=[
            SumRow(label=_("Requests per second"), value=figures.figure(rates[number])),
            SumRow(label=_("One replica carries"), term="/", value=figures.figure(each)),
            SumRow(label=_("Replicas installed"), value=figures.number(failures.get("replicas") or 0)),
            SumRow(label=_("Idle"), term="=", value=figures.number(idle)),
        ],
        source=_computed(),
    )


def split(option: OptionView, owned: int, key: str) -> Explanation | None:
    """Owning so many replicas and renting the rest of what the hours need."""
    found = (option.data.get("elasticity") or {}).get("own_and_rent") or {}
    each = next((one for one in found.get("splits") or () if int(one["owned_replicas"]) == owned), None)
    installed = (option.data.get("redundancy") or {}).get("replicas")
    own = known_money((option.data.get("cost") or {}).get("per_year"))
    if each is None or not installed or own.get("amount") is None:
        return None
    total, share = each["per_year"], Decimal(str(own["amount"])) * owned / int(installed)
    rented = Decimal(str(total["amount"])) - share
    return Explanation(
        key=key,
        title=_("Replicas owned: %(count)s, the peak rented") % {"count": figures.number(owned)},
        text=money_words(total, exact=True),
        rule=_("own cost of a year × replicas owned / replicas installed + replica-hours rented × price of an hour"),
        rows=[
            SumRow(
                label=_("Owning, per year"),
                term=f"× {figures.number(owned)} / {figures.number(installed)}",
                value=figures.amount(share, total["currency"], exact=True),
                url=f"{option.url}?why=per_year",
            ),
            SumRow(
                label=_("Rented from %(provider)s") % {"provider": found.get("provider") or ""},
                term=figures.with_unit(figures.number(each["rented_replica_hours"]), _("replica-hours")),
                value=figures.amount(rented, total["currency"], exact=True),
            ),
        ],
        total=money_words(total, exact=True),
        notes=[_("Servers come whole, so that the share of owning is an approximation.")],
        source=", ".join(filter(None, (str(found.get("source") or ""), figures.day(found.get("as_of"))))),
    )


def sooner(option: OptionView, number: int, key: str) -> Explanation | None:
    """A part in place of the one that decides the date."""
    found = sooner_parts(option.data)
    if number >= len(found):
        return None
    each, delivery = found[number], option.data.get("delivery") or {}
    now, then = delivery.get("weeks_p50"), each.get("weeks_p50")
    rows: list[SumRow | None] = []
    if now is not None and then is not None:
        rows = [
            SumRow(label=_("Delivery then"), value=figures.weeks(then)),
            SumRow(label=_("Delivery now"), term=figures.MINUS, value=figures.weeks(now)),
        ]
    share = each.get("performance_share")
    rows.append(_share(_("Performance"), share - 1) if share else None)
    return Explanation(
        key=key,
        title=str(each["name"]),
        text=figures.weeks(then) if then is not None else _("unknown"),
        is_open=then is None,
        rule=_("The bill with this part in its place: the slowest line, then integration, validation and shipping, "
               "in one case of two. The price differs by that of the part times its quantity; performance is the "
               "ratio of the figure that binds this kind of part."),
        rows=[row for row in rows if row],
        source=_("Lead times and prices of the catalogue: each is named on the page of the part."),
    )  # fmt: skip


def _changed(option: OptionView, metric: str, label: str, change: float | None) -> SumRow | None:
    """The option's own mean, and what becomes of it."""
    mean = ((option.data.get("performance") or {}).get(f"{metric}_ms") or {}).get("mean") or {}
    if change is None or mean.get("value") is None:
        return None
    return SumRow(
        label=label,
        term=f"{figures.milliseconds(mean['value'])} × (1 {signed(change)})",
        value=figures.milliseconds(mean["value"] * (1 + change)),
        url=f"{option.url}?why={metric}-mean",
    )


def _share(label: str, change: float | None) -> SumRow | None:
    return None if change is None else SumRow(label=label, value=signed(change))


def _computed() -> str:
    return _("Computed by Kvote at your load; the method page has the formulas.")


NUMBERED: Mapping[str, Callable[[OptionView, int, str], Explanation | None]] = {
    "beside": beside, "hour": hour, "split": split, "sooner": sooner,
}  # fmt: skip
