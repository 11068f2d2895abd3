"""Words for the codes that rows and refusals of this app hold."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

WORDS: Mapping[str, Any] = {
    "delivered": _("Delivered."),
    "http_status": _("The receiver answered with status %(status)s; 2xx is expected."),
    "redirect": _(
        "The receiver answered with a redirect (%(status)s), which is never followed. Give the final address."
    ),
    "gone": _("The receiver answered 410 Gone: it wants no more messages."),
    "timeout": _("The receiver did not answer in %(limit_s)s seconds."),
    "connect_failed": _("No connection to the receiver."),
    "tls_failed": _("The receiver's certificate is not valid for this address."),
    "bad_answer": _("The receiver's answer is not HTTP."),
    "days_of_failures": _("Nothing could be delivered for five days."),
    "disabled_by_hand": _("Switched off by an administrator."),
    "webhook_url_invalid": _("Write a whole address such as https://example.org/kvote, without a user name or #."),
    "webhook_needs_https": _("Use https, so that nobody on the way reads or changes the messages."),
    "webhook_name_unknown": _("The host name %(host)s is not known. Check it for a typing mistake."),
    "webhook_address_refused": _(
        "%(host)s leads to %(address)s, which is private, of this machine or reserved. Use an address on the internet, "
        "or ask the operator to allow the network (WEBHOOK_ALLOWED_NETWORKS)."
    ),
    "webhook_too_many": _("An organisation has at most %(most)s receivers. Remove one first."),
}


def words(code: str, params: Mapping[str, Any]) -> str:
    """The sentence for a code, in the reader's language; the code itself where it is unknown."""
    known = WORDS.get(code)
    return str(known) % params if known is not None else code
