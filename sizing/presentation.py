"""A run's result as what its pages show: sentences, cards, table rows, reasons. No figure is made here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, cast

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sizing import figures
from sizing.engines import engine_name
from sizing.kinds import presentation as kinds
from sizing.verdict_words import VerdictView, verdict_views

ROLES: dict[str, str | Promise] = {
    "lowest_cost": gettext_lazy("Lowest cost"),
    "earliest_delivery": gettext_lazy("Earliest delivery"),
    "most_headroom": gettext_lazy("Most headroom"),
}
EMPTY_ROLES: dict[str, str | Promise] = {
    "lowest_cost": gettext_lazy("No option has a price. Import a price list, then run again."),
    "earliest_delivery": gettext_lazy("No option has a known lead time. Ask suppliers or import lead times."),
    "most_headroom": gettext_lazy("No option has a speed margin to compare: state a target."),
}
AT_LEAST = "at_least"  # basis of a sum in which something is missing
STATE_ORDER = {"fail": 0, "caution": 1, "unknown": 2, "ok": 3}


@dataclass(frozen=True, kw_only=True)  # no slots: cached properties need a place
class OptionView:
    """An option with everything that its card and its table row say."""

    data: Mapping[str, Any]
    rank: int
    hardware: str
    maker: str
    engine: str
    url: str
    roles: list[str]
    request: Mapping[str, Any]

    @cached_property
    def verdicts(self) -> list[VerdictView]:
        return verdict_views(self.data, self.request)

    @cached_property
    def layout(self) -> str:
        return layout_words(self.data)

    @property
    def open_points(self) -> list[VerdictView]:
        """The verdicts that failed or are tight, the worst first."""
        bad = [verdict for verdict in self.verdicts if verdict.state in ("fail", "caution")]
        return sorted(bad, key=lambda verdict: STATE_ORDER[verdict.state])

    @property
    def deciding(self) -> VerdictView | None:
        """The one verdict that a table row shows: the worst, None where all is well."""
        worst = min(self.verdicts, key=lambda verdict: STATE_ORDER.get(verdict.state, 1))
        return None if worst.state == "ok" else worst

    @property
    def price(self) -> Mapping[str, Any]:
        """The purchase as money of the contract. A sum of nothing but open lines is unknown, not zero."""
        cost = self.data.get("cost") or {}
        money = known_money(cost.get("purchase"))
        return money if cost.get("accelerators_priced", True) else {**money, "amount": None}

    @property
    def amount(self) -> Decimal | None:
        return None if self.price.get("amount") is None else Decimal(str(self.price["amount"]))

    @property
    def at_most(self) -> Decimal | None:
        """What the option costs at most: the price, where it is complete, else with open lines at their ceiling."""
        ceiling = ((self.data.get("cost") or {}).get("at_most") or {}).get("amount")
        return self.amount if self.price_complete or ceiling is None else Decimal(str(ceiling))

    @property
    def indicative(self) -> Mapping[str, Any] | None:
        """The sum with weak prices in it, where it differs from the price: to be shown, never to be ranked by."""
        weak = (self.data.get("cost") or {}).get("indicative")
        if not weak or weak.get("amount") is None or self.price_complete:
            return None
        if Decimal(str(weak["amount"])) in (0, self.amount):
            return None
        return cast(Mapping[str, Any], weak)

    @property
    def price_complete(self) -> bool:
        return bool((self.data.get("cost") or {}).get("complete"))

    @property
    def open_lines(self) -> str:
        """What is missing from the price, empty where it is complete."""
        count = int((self.data.get("cost") or {}).get("open_lines") or 0)
        if self.price_complete or not count:
            return ""
        return ngettext("+ %(count)s open line", "+ %(count)s open lines", count) % {"count": count}

    @property
    def delivery(self) -> Mapping[str, Any]:
        return self.data.get("delivery") or {}

    @property
    def delivery_words(self) -> str:
        """ "7 weeks", "at least 7 weeks", or empty where nothing is known."""
        weeks = self.delivery.get("weeks_p50")
        if weeks is None:
            return ""
        words = figures.weeks(weeks)
        return words if self.delivery.get("complete") else _("at least %(weeks)s") % {"weeks": words}

    @property
    def weeks_pair(self) -> str:
        """ "7 / 11", "≥ 7 / 11", or the word for unknown: p50 and p90 of a table."""
        early, late = self.delivery.get("weeks_p50"), self.delivery.get("weeks_p90")
        if early is None:
            return _("unknown")
        pair = f"{figures.number(early)} / {_('unknown') if late is None else figures.number(late)}"
        return pair if self.delivery.get("complete") else f"≥{figures.NBSP}{pair}"

    @property
    def role_words(self) -> str:
        return " · ".join(str(ROLES[role]) for role in self.roles)

    def estimate(self, metric: str, percentile: str = "p95") -> Mapping[str, Any] | None:
        return ((self.data.get("performance") or {}).get(metric) or {}).get(percentile)

    @cached_property
    def kind_figures(self) -> list[kinds.FigureRow]:
        """All figures of a kind besides language models; empty for those."""
        return kinds.figure_rows(self.data, self.request)

    @cached_property
    def kind_headline(self) -> list[kinds.FigureRow]:
        """The figures of such a kind that cards and the table show."""
        return kinds.headline_rows(self.data, self.request)

    @property
    def ttft(self) -> Mapping[str, Any] | None:
        return self.estimate("ttft_ms")

    @property
    def tpot(self) -> Mapping[str, Any] | None:
        return self.estimate("tpot_ms")

    @property
    def throughput(self) -> Mapping[str, Any] | None:
        return (self.data.get("performance") or {}).get("output_tokens_per_s_total")

    @property
    def power(self) -> Mapping[str, Any] | None:
        return self.data.get("power_w")

    @property
    def efficiency(self) -> Mapping[str, Any]:
        """Throughput for each watt and each rack unit, and the headroom; empty in results of older releases."""
        return self.data.get("efficiency") or {}

    @property
    def capacity(self) -> int | None:
        """Requests that all replicas hold in memory at once."""
        each = self.data.get("max_concurrent_requests_per_replica")
        return None if each is None else int(each) * int(self.data.get("replicas") or 1)


def option_views(
    options: Iterable[Mapping[str, Any]],
    request: Mapping[str, Any],
    *,
    names: Mapping[str, tuple[str, str]],
    run_url: str,
) -> list[OptionView]:
    """All options in their order. `names` maps a slug to (maker, name)."""
    return [option_view(option, request, names=names, run_url=run_url) for option in options]


def option_view(
    option: Mapping[str, Any], request: Mapping[str, Any], *, names: Mapping[str, tuple[str, str]], run_url: str
) -> OptionView:
    slug = str(option.get("accelerator") or "")
    maker, name = names.get(slug, ("", str(option.get("accelerator_name") or slug)))
    count = int(option.get("accelerators_total") or 0)
    return OptionView(
        data=option,
        rank=int(option["rank"]),
        hardware=f"{figures.number(count)}{figures.NBSP}×{figures.NBSP}{name}",
        maker=maker,
        engine=engine_name(option.get("engine")),
        url=f"{run_url}options/{option['rank']}/",
        roles=[role for role in ROLES if role in (option.get("labels") or [])],
        request=request,
    )


def layout_words(option: Mapping[str, Any]) -> str:
    """Replicas, splits, engine, servers: "1 replica of 2, tensor parallel 2 · vLLM · 1 server"."""
    replicas = int(option.get("replicas") or 1)
    parts = [ngettext("%(count)s replica", "%(count)s replicas", replicas) % {"count": figures.number(replicas)}]
    splits = (option.get("parallelism") or {}) if option.get("kv_format") else {}
    words = {
        "tensor": _("tensor parallel %(n)s"),
        "pipeline": _("pipeline parallel %(n)s"),
        "expert": _("expert parallel %(n)s"),
    }
    parts += [words[key] % {"n": splits[key]} for key in words if int(splits.get(key) or 1) > 1]
    if phases := option.get("phases"):
        parts.append(
            _("%(prefill)s for prefill, %(decode)s for decode")
            % {"prefill": phases["prefill_instances"], "decode": phases["decode_instances"]}
        )
    servers = int(option.get("servers") or 0)
    tail = ngettext("%(count)s server", "%(count)s servers", servers) % {"count": figures.number(servers)}
    if not servers:
        tail = ""
    elif option.get("rack_units"):
        tail += ", " + figures.with_unit(figures.figure(option["rack_units"]), _("U"))
    return " · ".join(part for part in (", ".join(parts), engine_name(option.get("engine")), tail) if part)


def cards(
    options: Sequence[OptionView], *, roles: Sequence[Mapping[str, Any]] = (), chosen: OptionView | None = None
) -> list[dict[str, Any]]:
    """The three roles in their order; a role whose option already has a card joins that card.

    Deltas stand against `chosen`, without it against the first card. Where no option meets all limits there
    are no roles, and the closest option has the only card. `roles` are those of the result: where nothing
    fills a role, its message says why.
    """
    if options and not any(option.roles for option in options):
        return [{"role": _("Closest"), "option": closest(options), "deltas": [], "suggested": False, "alone": True}]
    reasons = {str(role.get("name")): words_of(role.get("message")) for role in roles}
    shown: set[int] = set()
    entries: list[dict[str, Any]] = []
    for role, label in ROLES.items():
        option = next((option for option in options if role in option.roles), None)
        if option is None:
            entries.append({"role": str(label), "option": None, "reason": reasons.get(role) or str(EMPTY_ROLES[role])})
        elif option.rank not in shown:
            entry: dict[str, Any] = {"role": option.role_words, "option": option, "suggested": not shown}
            entries.append(entry | {"note": _role_note(option, roles)})
            shown.add(option.rank)
    named = [entry for entry in entries if entry["option"]]
    reference = chosen or named[0]["option"] if named else chosen
    for entry in named:
        is_reference = reference is not None and entry["option"].rank == reference.rank
        against = [] if is_reference or reference is None else deltas_between(reference, entry["option"])
        entry |= {"chosen": is_reference, "deltas": against}
    return entries


def _role_note(option: OptionView, roles: Sequence[Mapping[str, Any]]) -> str:
    """Why an option fills a role although another states a smaller figure as a lower bound; mostly empty."""
    return next(
        (
            words_of(role.get("message"))
            for role in roles
            if role.get("name") in option.roles and str(role.get("code") or "").endswith("_complete")
        ),
        "",
    )


def closest(options: Sequence[OptionView]) -> OptionView:
    """The option that misses the fewest limits, by the least; equal ones by rank. `options` is not empty."""

    def missed(option: OptionView) -> tuple[int, float, int]:
        failed = [verdict for verdict in option.data["verdicts"].values() if verdict.get("state") == "fail"]
        return len(failed), sum(-(verdict.get("margin") or 0) for verdict in failed), option.rank

    return min(options, key=missed)


def deltas_between(reference: OptionView, option: OptionView) -> list[dict[str, str]]:
    """Differences to the reference in the order money, weeks, watts, requests. Unknown ones have no text."""
    same = _("same")
    money = None
    both_complete = reference.price_complete and option.price_complete
    if both_complete and reference.amount is not None and option.amount is not None:
        money = option.amount - reference.amount
    weeks = _difference(reference.delivery.get("weeks_p50"), option.delivery.get("weeks_p50"))
    if not (reference.delivery.get("complete") and option.delivery.get("complete")):
        weeks = None
    power = _difference((reference.power or {}).get("value"), (option.power or {}).get("value"))
    held = _difference(reference.capacity, option.capacity)
    currency = str(option.price.get("currency") or "")
    return [
        _delta(_("price"), money, lambda value: figures.amount(value, currency), same),
        _delta(_("delivery"), None if weeks is None else round(weeks), figures.weeks, same),
        _delta(_("power"), power, figures.watts, same),
        _delta(_("held at once"), held, lambda value: figures.with_unit(figures.number(value), _("requests")), same),
    ]


def _difference(before: Any, after: Any) -> float | None:
    return None if before is None or after is None else after - before


def _delta(what: str, value: Any, words: Any, same: str) -> dict[str, str]:
    if value is None:
        return {"what": what, "text": ""}
    if value == 0:
        return {"what": what, "text": f"{what}: {same}"}
    return {"what": what, "text": figures.signed(value, words(abs(value)))}


def sentence(
    options: Sequence[OptionView], request: Mapping[str, Any], *, kept: Mapping[str, Any] | None = None
) -> str:
    """The one sentence that can be read aloud. It inherits what is unknown."""
    if not options:
        return _("No option meets all targets.")
    option = options[0]
    missed = [verdict for verdict in option.verdicts if verdict.state == "fail"]
    if missed and not option.roles:
        words = _("No option meets all targets. Closest: %(hardware)s. %(subject)s: %(value)s.")
        return words % {"hardware": option.hardware, "subject": missed[0].label, "value": missed[0].value}
    servers = int(option.data.get("servers") or 0)
    where = ngettext("in %(count)s server", "in %(count)s servers", servers) % {"count": figures.number(servers)}
    words = ngettext(
        "%(hardware)s %(where)s carries %(load)s %(price)s, %(delivery)s.",
        "%(hardware)s %(where)s carry %(load)s %(price)s, %(delivery)s.",
        int(option.data.get("accelerators_total") or 0),
    )
    return words % {
        "hardware": option.hardware,
        "where": figures.NBSP.join(where.rsplit(" ", 1)),
        "load": load_words(request),
        "price": _price_words(option),
        "delivery": _delivery_words(option),
    }


def load_words(request: Mapping[str, Any]) -> str:
    """The load as it was stated: users, requests in flight or requests per second."""
    if kinds.kind_of(request):
        return kinds.load_words(request)
    traffic = request.get("traffic") or {}
    if traffic.get("users") is not None:
        count = round(traffic["users"])
        return ngettext("%(count)s user", "%(count)s users", count) % {"count": figures.number(count)}
    if traffic.get("requests_per_s") is not None:
        return _("%(count)s requests per second") % {"count": figures.figure(traffic["requests_per_s"])}
    return _("%(count)s requests in flight") % {"count": figures.number(traffic.get("concurrent_requests") or 0)}


def _price_words(option: OptionView) -> str:
    if option.amount is None:
        return _("at a price that is still open")
    money = figures.amount(option.amount, str(option.price["currency"]))
    if option.price_complete:
        return _("for %(money)s net") % {"money": money}
    return _("for at least %(money)s net") % {"money": money}


def _delivery_words(option: OptionView) -> str:
    weeks = option.delivery.get("weeks_p50")
    if weeks is None:
        return _("with a delivery date that is still open")
    words = _("delivered in about %(weeks)s") if option.delivery.get("complete") else _("in at least %(weeks)s")
    return words % {"weeks": figures.weeks(weeks)}


def second_sentence(option: OptionView) -> str:
    """The tightest point, what is open and what was not judged."""
    parts = []
    tight = [verdict for verdict in option.verdicts if verdict.state in ("fail", "caution")]
    for verdict in tight[:2]:
        parts.append(f"{verdict.label}: {verdict.value}" + (f" ({verdict.note})." if verdict.note else "."))
    if option.open_lines:
        count = int(option.data["cost"].get("open_lines") or 0)
        words = ngettext("%(count)s line has no price yet.", "%(count)s lines have no price yet.", count)
        parts.append(words % {"count": count})
    if not option.delivery.get("complete"):
        parts.append(_("At least one line has no lead time yet."))
    open_verdicts = [verdict.label for verdict in option.verdicts if verdict.state == "unknown"]
    if open_verdicts:
        parts.append(_("Not judged: %(verdicts)s.") % {"verdicts": get_text_list(open_verdicts, _("and"))})
    return " ".join(parts)


def rejected_rows(result: Mapping[str, Any], names: Mapping[str, tuple[str, str]]) -> list[dict[str, Any]]:
    """Each rejected accelerator with the reason, the cheapest change that would help, and the others."""
    rows = []
    for entry in result.get("rejected") or []:
        slug = str(entry.get("accelerator") or "")
        maker, name = names.get(slug, ("", slug))
        cheapest = words_of(entry.get("cheapest_fix"))
        rows.append(
            {
                "name": f"{maker} {name}".strip(),
                "reason": words_of(entry.get("reason")) or str(entry.get("code") or ""),
                "fix": cheapest,
                "other_fixes": [words for fix in entry.get("fixes") or [] if (words := words_of(fix)) != cheapest],
            }
        )
    return rows


def known_money(money: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Money of the contract; a lower bound of zero says nothing and counts as unknown."""
    if not money:
        return {}
    if money.get("basis") == AT_LEAST and money.get("amount") is not None and Decimal(str(money["amount"])) == 0:
        return {**money, "amount": None}
    return money


def words_of(value: Any) -> str:
    """The sentence of a localised message, or plain text as it is."""
    if isinstance(value, Mapping):
        return str(value.get("reason") or value.get("code") or "")
    return "" if value is None else str(value)


def bottleneck_words(option: Mapping[str, Any]) -> str:
    """What limits the speed of an option; empty where the result does not say."""
    words = {
        "memory_bandwidth": _("memory bandwidth"),
        "compute": _("compute"),
        "interconnect": _("interconnect"),
        "memory_capacity": _("memory capacity"),
        "host": _("host"),
        "queueing": _("queueing"),
    }
    key = str(option.get("bottleneck") or "")
    return words.get(key, key)
