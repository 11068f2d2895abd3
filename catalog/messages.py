"""Words for the catalogue's message codes, in the reader's language."""

import re
from datetime import date
from decimal import Decimal

from babel.numbers import format_decimal
from django.utils.translation import gettext, gettext_noop

from catalog import cells
from sizing.core.values import Message

_DECIMAL = re.compile(r"-?\d{1,15}\.\d{1,6}")
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

TEXTS = {
    "rate_looks_sparse": gettext_noop(
        "%(rate)s is above %(ceiling)s, the most that this chip reaches without sparsity. "
        "Enter the dense rate, probably %(half)s."
    ),
    "memory_looks_like_mib": gettext_noop("%(memory_gb)s GB looks like MiB or MB. Enter GB (10^9 bytes)."),
    "memory_looks_like_bytes": gettext_noop(
        "%(memory_gb)s GB looks like %(printed_gb)s GiB. Enter the capacity that the maker prints."
    ),
    "memory_looks_like_gib": gettext_noop(
        "%(memory_gb)s GB looks like %(printed_gb)s GB converted to GiB. Enter the capacity that the maker prints."
    ),
    "usable_memory_far_from_printed": gettext_noop(
        "The driver's total of %(usable_gb)s GB does not belong to %(memory_gb)s GB."
    ),
    "power_unit": gettext_noop(
        "%(value)s W lies outside %(low)s to %(high)s W. Check whether it is in milliwatts or kilowatts."
    ),
    "height_unit": gettext_noop("%(value)s U lies outside %(low)s to %(high)s U."),
    "temperature_unit": gettext_noop("%(value)s °C lies outside %(low)s to %(high)s °C."),
    "lowest_power_above_highest": gettext_noop("The lowest power, %(low_w)s W, is above the highest, %(high_w)s W."),
    "card_above_its_connector": gettext_noop(
        "%(tdp_w)s W is more than a card draws through its connector (%(limit_w)s W). Is it a module?"
    ),
    "bandwidth_equals_link": gettext_noop(
        "%(bandwidth_gb_s)s GB/s equals the link between accelerators (%(link_gb_s)s GB/s). "
        "Enter the memory's bandwidth."
    ),
    "bandwidth_not_of_this_memory": gettext_noop(
        "%(bandwidth_gb_s)s GB/s is not a bandwidth of %(memory_type)s. Check TB/s, Gbit/s and the link's speed."
    ),
    "bandwidth_unit": gettext_noop(
        "At %(bandwidth_gb_s)s GB/s the memory would be read in %(read_ms)s ms. Check TB/s and Gbit/s."
    ),
    "card_named_as_module": gettext_noop("The name says module (SXM or OAM), the form factor says %(form_factor)s."),
    "module_named_as_card": gettext_noop("The name says card (PCIe or NVL), the form factor says %(form_factor)s."),
    "module_with_slots": gettext_noop("A module (%(form_factor)s) takes no slots."),
    "module_without_link": gettext_noop("A module (%(form_factor)s) has a link to its neighbours."),
    "rate_without_support": gettext_noop("A rate is given (%(field)s), but the format is marked as not supported."),
    "bandwidth_against_channels": gettext_noop(
        "%(bandwidth_gb_s)s GB/s does not follow from channels and speed (%(expected_gb_s)s GB/s)."
    ),
    "threads_against_cores": gettext_noop("%(threads)s threads do not belong to %(cores)s cores."),
    "implausible": gettext_noop("These figures cannot be true: %(fields)s."),
    "field_not_editable": gettext_noop("The field %(field)s cannot be edited."),
    "price_replaced_already": gettext_noop("The price %(price)s has been replaced already. Replace the newer one."),
    "price_of_another_part": gettext_noop("The price %(price)s belongs to another part or owner."),
    "price_none": gettext_noop("No price is on file. Add one, or import a supplier's list."),
    "price_chosen": gettext_noop("Offers that count: %(candidates)s; age of this one in days: %(age_days)s."),
    "price_converted": gettext_noop("Converted from %(currency)s at %(rate)s, rate of %(as_of)s."),
    "price_rounded_to_pack": gettext_noop("Sold in packs of %(pack_size)s, so %(quantity)s must be ordered."),
    "price_upper_end": gettext_noop("The source gives a range; its upper end counts."),
    "price_stale": gettext_noop("The price is %(age_days)s days old, more than the limit of %(limit_days)s."),
    "price_not_yet_valid": gettext_noop("Offers not valid yet: %(count)s."),
    "price_expired": gettext_noop("Offers that have expired: %(count)s."),
    "price_outlier": gettext_noop("Offers far from the others and not believed: %(count)s."),
    "price_quantity_not_reached": gettext_noop("Offers for a larger quantity only: %(count)s."),
    "price_other_end_customer": gettext_noop("Offers for another end customer: %(count)s."),
    "price_tax_inside": gettext_noop("Offers that include VAT: %(count)s."),
    "price_not_new": gettext_noop("Offers of used or refurbished goods: %(count)s."),
    "price_no_exchange_rate": gettext_noop("Offers in a currency without an exchange rate: %(count)s."),
    "price_press_estimate": gettext_noop("Press estimates, which are no offers: %(count)s."),
    "price_weak_source": gettext_noop("Prices from weak or unverified sources: %(count)s."),
    "lead_time_none": gettext_noop("No lead time is on file. Ask a supplier and enter the answer."),
    "lead_time_chosen": gettext_noop(
        "The newest statement; statements that count: %(candidates)s, age in days: %(age_days)s."
    ),
    "lead_time_stale": gettext_noop("The lead time is %(age_days)s days old, more than the limit of %(limit_days)s."),
    "lead_time_not_yet_valid": gettext_noop("Statements not valid yet: %(count)s."),
    "lead_time_expired": gettext_noop("Statements that have expired: %(count)s."),
    "lead_time_outlier": gettext_noop("Statements that are not believed: %(count)s."),
    "lead_time_weak_source": gettext_noop("Statements from weak or unverified sources: %(count)s."),
    "lead_time_discontinued": gettext_noop("Suppliers that name it discontinued: %(count)s."),
    "lead_time_promise_passed": gettext_noop("Promised dates that have passed: %(count)s."),
    "lead_time_stock_too_small": gettext_noop("Suppliers with fewer in stock than needed: %(count)s."),
    "lead_time_no_figure": gettext_noop("Statements without a figure: %(count)s."),
}

REFUSALS = {
    "not_yet_valid": gettext_noop("not valid yet"),
    "expired": gettext_noop("expired"),
    "replaced": gettext_noop("replaced by a newer one"),
    "outlier": gettext_noop("far from the others"),
    "quantity_not_reached": gettext_noop("for a larger quantity"),
    "other_end_customer": gettext_noop("for another customer"),
    "tax_inside": gettext_noop("includes VAT"),
    "not_new": gettext_noop("not new"),
    "no_exchange_rate": gettext_noop("no exchange rate"),
    "press_estimate": gettext_noop("press estimate"),
    "weak_source": gettext_noop("weak source"),
    "discontinued": gettext_noop("discontinued"),
    "promise_passed": gettext_noop("date has passed"),
    "stock_too_small": gettext_noop("stock too small"),
    "no_figure": gettext_noop("no figure"),
}


def refusal(code: str) -> str:
    """Why one offer cannot win, in two or three words."""
    return gettext(REFUSALS[code])


def render(message: Message) -> str:
    """The sentence for a message. Raises KeyError for a code that has no words."""
    return gettext(TEXTS[message.code]) % {name: _shown(value) for name, value in message.params.items()}


def _shown(value: object) -> object:
    if isinstance(value, str) and _ISO_DAY.fullmatch(value):
        return cells.day(date.fromisoformat(value)).text
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        return _figure(Decimal(value))
    return _figure(Decimal(f"{value:g}")) if isinstance(value, float) and abs(value) < 1e6 else value


def _figure(value: Decimal) -> str:
    """A figure with the reader's decimal sign and without separators: a person may type it as it stands."""
    return str(format_decimal(value, "0.######", locale=cells.locale()))
