from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """What a member of an organisation may do; each role is a row of `permissions.MAY`."""

    VIEWER = "viewer", _("Viewer")
    PLANNER = "planner", _("Planner")
    BUYER = "buyer", _("Buyer")
    APPROVER = "approver", _("Approver")
    CATALOGUE_EDITOR = "catalogue_editor", _("Catalogue editor")
    ADMINISTRATOR = "administrator", _("Administrator")
