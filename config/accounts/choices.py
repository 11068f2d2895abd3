from django.db import models
from django.utils.translation import pgettext_lazy


class Role(models.TextChoices):
    """What a member of an organisation may do; each role is a row of `permissions.MAY`."""

    VIEWER = "viewer", pgettext_lazy("role", "Viewer")
    PLANNER = "planner", pgettext_lazy("role", "Planner")
    BUYER = "buyer", pgettext_lazy("role", "Buyer")
    APPROVER = "approver", pgettext_lazy("role", "Approver")
    CATALOGUE_EDITOR = "catalogue_editor", pgettext_lazy("role", "Catalogue editor")
    ADMINISTRATOR = "administrator", pgettext_lazy("role", "Administrator")
