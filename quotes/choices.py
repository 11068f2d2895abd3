"""States, kinds and parties of quotes."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from sizing.choices import BuyerType


class QuoteState(models.TextChoices):
    DRAFT = "draft", pgettext_lazy("quote", "Draft")
    IN_REVIEW = "in_review", pgettext_lazy("quote", "In review")
    APPROVED = "approved", pgettext_lazy("quote", "Approved")
    LOCKED = "locked", pgettext_lazy("quote", "Locked")
    ACCEPTED = "accepted", pgettext_lazy("quote", "Accepted")
    DECLINED = "declined", pgettext_lazy("quote", "Declined")
    EXPIRED = "expired", pgettext_lazy("quote", "Expired")
    SUPERSEDED = "superseded", pgettext_lazy("quote", "Superseded")


EDITABLE = frozenset({QuoteState.DRAFT, QuoteState.IN_REVIEW, QuoteState.APPROVED})
FROZEN = frozenset(QuoteState) - EDITABLE

# The only changes of state there are; everything else is refused with this list.
NEXT_STATES: dict[str, tuple[QuoteState, ...]] = {
    QuoteState.DRAFT: (QuoteState.IN_REVIEW,),
    QuoteState.IN_REVIEW: (QuoteState.APPROVED, QuoteState.DRAFT),
    QuoteState.APPROVED: (QuoteState.LOCKED, QuoteState.DRAFT),
    QuoteState.LOCKED: (QuoteState.ACCEPTED, QuoteState.DECLINED, QuoteState.EXPIRED, QuoteState.SUPERSEDED),
    QuoteState.ACCEPTED: (),
    QuoteState.DECLINED: (QuoteState.SUPERSEDED,),
    QuoteState.EXPIRED: (QuoteState.SUPERSEDED,),
    QuoteState.SUPERSEDED: (),
}


class LineKind(models.TextChoices):
    BASE = "base", _("Base")
    OPTION = "option", pgettext_lazy("line kind", "Option")
    ALTERNATIVE = "alternative", _("Alternative")
    INCLUDED = "included", _("Included")
    SERVICE = "service", _("Service")
    LICENCE = "licence", _("Licence")
    DISCOUNT = "discount", _("Discount")


class PriceState(models.TextChoices):
    """Only a firm price counts in a total."""

    FIRM = "firm", _("Firm")
    OPEN = "open", _("Price open")
    INDICATIVE = "indicative", _("Indicative, not counted")


class PriceKind(models.TextChoices):
    """What a price source is; supplier names never leave the seller."""

    PRICE_LIST = "price_list", _("Price list")
    WRITTEN_OFFER = "written_offer", _("Written offer")
    CONTRACT = "contract", _("Contract price")
    PUBLIC_PRICE = "public_price", _("Public price")
    MANUAL = "manual", _("Entered by the seller")
    NONE = "", _("No source")


FEDERAL_BUYERS = frozenset({BuyerType.US_FEDERAL_CIVILIAN, BuyerType.US_DOD, BuyerType.US_GSA_MAS})


class TaxTreatment(models.TextChoices):
    BY_RATE = "by_rate", _("Tax by rate")
    FEDERAL_BUYER = "federal_buyer", _("None: US federal buyer")
    NOT_INCLUDED = "not_included", _("Not included, by ship-to address")
    REVERSE_CHARGE = "reverse_charge", _("Reverse charge: the buyer owes the tax")
    OPEN = "open", _("Tax open")


class Region(models.TextChoices):
    """Paper, number style and legal fields of the documents."""

    US = "us", _("United States, Letter")
    DE = "de", _("Germany, A4")
    AT = "at", _("Austria, A4")
    CH = "ch", _("Switzerland, A4")
    INT = "int", _("International, A4")


class Binding(models.TextChoices):
    BINDING = "binding", pgettext_lazy("offer", "Binding until the date named")
    SUBJECT_TO_CONFIRMATION = "subject", pgettext_lazy("offer", "Subject to confirmation")


GERMAN_SPEAKING = frozenset({Region.DE, Region.AT, Region.CH})


class OpenKind(models.TextChoices):
    """What a recorded decision is about."""

    FINDING = "finding", _("Screening finding")
    PRICE = "price", _("Price")
    LEAD_TIME = "lead_time", _("Lead time")
    FIELD = "field", _("Field")


class SendState(models.TextChoices):
    """What became of an e-mail with a document."""

    WAITING = "waiting", pgettext_lazy("e-mail", "waiting")
    SENT = "sent", pgettext_lazy("e-mail", "sent")
    FAILED = "failed", pgettext_lazy("e-mail", "failed")


class PartyListKind(models.TextChoices):
    """The public lists of parties that a user may load."""

    CSL = "csl", _("Consolidated Screening List")
    SAM = "sam", _("SAM exclusions")


class PartyListState(models.TextChoices):
    """From the upload to its use; a replaced version is kept."""

    READING = "reading", pgettext_lazy("party list", "being read")
    FAILED = "failed", pgettext_lazy("party list", "not readable")
    STAGED = "staged", pgettext_lazy("party list", "read, not in use")
    ACTIVE = "active", pgettext_lazy("party list", "in use")
    REPLACED = "replaced", pgettext_lazy("party list", "replaced")


class ClearanceState(models.TextChoices):
    """From one person's finding that a name is another firm to a second person's word."""

    PROPOSED = "proposed", pgettext_lazy("clearance", "waits for a second person")
    CONFIRMED = "confirmed", pgettext_lazy("clearance", "confirmed")
    REFUSED = "refused", pgettext_lazy("clearance", "refused")
    WITHDRAWN = "withdrawn", pgettext_lazy("clearance", "withdrawn")


class StatementScope(models.TextChoices):
    """What a Section 889 statement speaks of."""

    PART = "part", pgettext_lazy("statement", "one article")
    MAKER = "maker", pgettext_lazy("statement", "everything the firm supplies")


class StatementSays(models.TextChoices):
    """What it says; a feed is never read as either."""

    NONE = "none", pgettext_lazy("statement", "no covered equipment or services")
    SOME = "some", pgettext_lazy("statement", "covered equipment or services are named")
    UNCLEAR = "unclear", pgettext_lazy("statement", "not read as either")


class FeedState(models.TextChoices):
    """What became of a feed with origins."""

    WAITING = "waiting", pgettext_lazy("feed", "being read")
    DONE = "done", pgettext_lazy("feed", "read")
    FAILED = "failed", pgettext_lazy("feed", "refused")
