from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from catalog.models.base import SeedRow
from config.accounts.ids import uuid7


class Supplier(SeedRow):
    """Who states a price or a lead time: a shop, distributor, maker or publication.

    Without an organisation it is a public source; with one, only that organisation sees it.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    name = models.CharField(_("name"), max_length=100)
    website = models.URLField(_("website"), blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                "organisation",
                Lower("name"),
                nulls_distinct=False,
                name="one_supplier_of_a_name",
                violation_error_message=_("A supplier of this name exists already."),
            )
        ]

    def __str__(self) -> str:
        return self.name
