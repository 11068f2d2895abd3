"""Words of delivery and cost: one template per message code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DELIVERY: dict[str, str | Promise] = {
    "delivery_unknown": _("No line has a known lead time."),
    "delivery_decided_by": _("Line %(line)s (%(name)s) decides: %(weeks_p50)s weeks from order."),
    "delivery_at_least": _(
        "At least %(weeks_p50)s weeks from order, decided by line %(line)s (%(name)s); %(unknown)s lines have no known "
        "lead time."
    ),
    "delivery_no_date": _("No date is stated by which it is needed."),
    "delivery_in_time": _("In time for %(needed_by)s: %(weeks_p90)s of %(weeks)s weeks with 90 %% certainty."),
    "delivery_tight": _(
        "Tight for %(needed_by)s: %(weeks_p50)s weeks are likely, %(weeks_p90)s possible, %(weeks)s are left."
    ),
    "delivery_too_late": _("Too late for %(needed_by)s: %(weeks_p50)s weeks are likely, %(weeks)s are left."),
    "delivery_incomplete": _("Whether %(needed_by)s can be kept is not known: lead times are missing."),
}

COST: dict[str, str | Promise] = {
    "cost_open_line": _("Price open: line %(line)s %(name)s."),
    "cost_open_line_unnamed": _("Price open: line %(line)s."),
    "cost_power_unknown": _("Energy is not known: power or load of the option is missing."),
    "cost_electricity_unknown": _("The electricity price is not stated."),
    "cost_pue_unknown": _("The PUE of the site is not stated; cooling is not counted."),
    "cost_space_unknown": _("The height of the servers is not known; space is not counted."),
    "cost_no_comparison": _("No firm rate for renting or for an API is known."),
    "cost_only_owning_allowed": _("Your limits exclude renting and APIs; owning is what is left."),
    "cost_load_unknown": _("The requests per day are not known, so no break-even can be named."),
    "cost_do_not_buy_below_rent": _(
        "Do not buy below %(break_even_requests_per_day)s requests per day: renting from %(name)s is cheaper. The "
        "stated load is %(requests_per_day)s. Rule of thumb in circulation: %(rule_of_thumb_requests_per_day)s."
    ),
    "cost_do_not_buy_below_api": _(
        "Do not buy below %(break_even_requests_per_day)s requests per day: the API of %(name)s is cheaper. The "
        "stated load is %(requests_per_day)s. Rule of thumb in circulation: %(rule_of_thumb_requests_per_day)s."
    ),
    "cost_alternative_always_cheaper": _(
        "Do not buy: %(name)s stays cheaper up to the full capacity of this option. The stated load is "
        "%(requests_per_day)s requests per day. Rule of thumb in circulation: %(rule_of_thumb_requests_per_day)s."
    ),
    "cost_undecided_incomplete": _(
        "Not decided: %(open_lines)s prices are open. Owning pays off at %(break_even_requests_per_day)s requests per "
        "day at the earliest; the stated load is %(requests_per_day)s."
    ),
    "cost_undecided_no_prices": _(
        "Not decided: %(open_lines)s prices are open, so nobody can say from how many requests per day owning pays "
        "off; the stated load is %(requests_per_day)s."
    ),
    "cost_buy": _(
        "Buying pays off from %(break_even_requests_per_day)s requests per day against %(name)s; the stated load is "
        "%(requests_per_day)s."
    ),
    "cost_signal_queue": _("Queue length: add a replica when requests wait."),
    "cost_signal_in_flight": _("Requests in flight: add a replica before the tested number is reached."),
    "cost_signal_ttft": _("Time to first token: add a replica when its 95th percentile nears the target."),
    "cost_signal_free_kv": _("Free KV cache: add a replica before requests are set back."),
    "cost_input_prices": _("Prices within their printed range"),
    "cost_input_write_off": _("Write-off period"),
    "cost_input_electricity": _("Electricity price"),
    "cost_input_pue": _("Cooling (PUE)"),
    "cost_input_load": _("Load"),
    "cost_input_residual": _("Value at the end"),
}

COMPARED: dict[str, str | Promise] = {
    "cost_words_privacy": _("Privacy"),
    "cost_words_privacy_own": _("Data stay on your site."),
    "cost_words_privacy_rent": _("Data lie with the provider, under your own software."),
    "cost_words_privacy_api": _("Every request goes to the provider; the contract decides what is kept."),
    "cost_words_latency": _("Latency"),
    "cost_words_latency_own": _("Local network; no waiting for others."),
    "cost_words_latency_rent": _("Distance to the region; the machine is yours while rented."),
    "cost_words_latency_api": _("Distance to the provider and shared queues."),
    "cost_words_control": _("Control"),
    "cost_words_control_own": _("Model, version, limits and time of change are yours."),
    "cost_words_control_rent": _("Model and version are yours; the hardware is what is offered."),
    "cost_words_control_api": _("The provider may change or end a model."),
    "cost_words_maintenance": _("Maintenance"),
    "cost_words_maintenance_own": _("Hardware, software and spare parts are your task."),
    "cost_words_maintenance_rent": _("Software is your task, hardware the provider's."),
    "cost_words_maintenance_api": _("The provider's task."),
    "cost_words_setup": _("Set-up"),
    "cost_words_setup_own": _("Lead time of the hardware, then installation."),
    "cost_words_setup_rent": _("Days, where capacity is free."),
    "cost_words_setup_api": _("Hours."),
    "cost_words_pricing": _("Pricing"),
    "cost_words_pricing_own": _("Fixed purchase; the cost of a request falls with the load."),
    "cost_words_pricing_rent": _("By the hour: on demand, or cheaper and bound when reserved."),
    "cost_words_pricing_api": _("By the token: nothing without load, no discount at full load."),
    "cost_words_migration": _("When to change"),
    "cost_words_migration_own": _("Above the break-even of the table, when the load is steady."),
    "cost_words_migration_rent": _("For peaks above your own base, and to try before buying."),
    "cost_words_migration_api": _("Below the break-even of the table, and for rare models."),
}
