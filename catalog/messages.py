"""Words for the catalogue's message codes, in the reader's language."""

from django.utils.translation import gettext, gettext_noop

from sizing.core.values import Message

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
}


def render(message: Message) -> str:
    """The sentence for a message. Raises KeyError for a code that has no words."""
    return gettext(TEXTS[message.code]) % {name: _shown(value) for name, value in message.params.items()}


def _shown(value: object) -> object:
    return f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else value
