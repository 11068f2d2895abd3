from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class EventType(models.TextChoices):
    """What a receiver may hear of. Types may be added; a receiver ignores those it does not know."""

    RUN_DONE = "sizing_run.done", _("A sizing run is done")
    RUN_FAILED = "sizing_run.failed", _("A sizing run failed")
    QUOTE_CREATED = "quote.created", _("A quote was made")
    QUOTE_STATE = "quote.state_changed", _("A quote changed its state")
    QUOTE_REVISED = "quote.revised", _("A quote got a new revision")
    QUOTE_SCREENING = "quote.screening_changed", _("Screening flags of an open quote changed")
    IMPORT_DONE = "import.done", _("A price list was imported")
    IMPORT_FAILED = "import.failed", _("The import of a price list failed")
    TEST = "webhook.test", _("A test message")


class DeliveryState(models.TextChoices):
    """Where one message to one receiver stands."""

    PENDING = "pending", pgettext_lazy("delivery of a message", "waiting")
    DELIVERED = "delivered", pgettext_lazy("delivery of a message", "delivered")
    FAILED = "failed", pgettext_lazy("delivery of a message", "given up")
