from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.choices import PartKind
from catalog.models.base import SeedRow, Sourced
from catalog.part_numbers import normalise_mpn
from config.accounts.ids import uuid7


class Part(SeedRow, Sourced):
    """Something that can be ordered, by its manufacturer's number.

    `mpn` is text from end to end; `mpn_normalised` is for matching only. A part without a number
    stands for the product as such (the slug of an accelerator, server or component), so that
    prices and lead times that name no number have a place. A board partner's card is a part of
    its own that links to the accelerator. Parts of an organisation are seen by it alone.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    slug = models.SlugField(max_length=150, unique=True)
    kind = models.CharField(_("kind"), max_length=12, choices=PartKind.choices, default=PartKind.OTHER)
    manufacturer = models.CharField(_("manufacturer"), max_length=100, blank=True)
    mpn = models.CharField(_("manufacturer's number"), max_length=80, blank=True)
    mpn_normalised = models.CharField(max_length=80, blank=True, editable=False)
    oem = models.CharField(_("system maker"), max_length=50, blank=True)
    oem_part_number = models.CharField(_("system maker's number"), max_length=80, blank=True)
    description = models.CharField(_("description"), max_length=500, blank=True)
    gtin = models.CharField("GTIN", max_length=14, blank=True)
    unspsc = models.CharField("UNSPSC", max_length=8, blank=True)
    eclass = models.CharField("ECLASS", max_length=12, blank=True)
    hts = models.CharField("HTS", max_length=13, blank=True)
    eccn = models.CharField("ECCN", max_length=15, blank=True)
    accelerator = models.ForeignKey(
        "catalog.Accelerator", null=True, blank=True, on_delete=models.PROTECT, related_name="parts", db_index=False
    )
    processor = models.ForeignKey(
        "catalog.Processor", null=True, blank=True, on_delete=models.PROTECT, related_name="parts", db_index=False
    )
    server = models.ForeignKey(
        "catalog.Server", null=True, blank=True, on_delete=models.PROTECT, related_name="parts", db_index=False
    )
    component = models.ForeignKey(
        "catalog.Component", null=True, blank=True, on_delete=models.PROTECT, related_name="parts", db_index=False
    )
    accelerators_in_part = models.PositiveSmallIntegerField(_("accelerators in the part"), null=True, blank=True)
    confidence = models.CharField(_("confidence"), max_length=1, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    search_vector = models.GeneratedField(
        expression=(
            SearchVector("mpn", "manufacturer", "oem_part_number", config="simple", weight="A")
            + SearchVector("description", config="german", weight="B")
            + SearchVector("description", config="english", weight="B")
        ),
        output_field=SearchVectorField(),
        db_persist=True,
        editable=False,
    )

    class Meta:
        ordering = ["manufacturer", "mpn", "slug"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "manufacturer", "mpn"],
                condition=~Q(mpn=""),
                nulls_distinct=False,
                name="one_part_per_manufacturer_number",
                violation_error_message=_("This manufacturer's number exists already."),
            ),
            models.CheckConstraint(
                condition=Q(gtin="") | Q(gtin__regex=r"^[0-9]{8}$|^[0-9]{12,14}$"),
                name="part_gtin_is_digits",
                violation_error_message=_("A GTIN has 8, 12, 13 or 14 digits."),
            ),
            models.CheckConstraint(
                condition=Q(accelerators_in_part__isnull=True) | Q(accelerators_in_part__gte=1),
                name="part_accelerators_positive",
            ),
        ]
        indexes = [
            models.Index(fields=["manufacturer", "mpn", "slug"], include=["organisation", "id"], name="part_in_order"),
            models.Index(fields=["mpn"], name="part_by_mpn"),
            models.Index(fields=["mpn_normalised"], name="part_by_normalised_mpn"),
            models.Index(fields=["organisation", "kind"], name="part_by_owner_and_kind"),
            *(
                models.Index(fields=[link], condition=Q(**{f"{link}__isnull": False}), name=f"part_of_{link}")
                for link in ("accelerator", "processor", "server", "component")
            ),
            GinIndex(fields=["search_vector"], name="part_full_text"),
            GinIndex(OpClass("mpn_normalised", "gin_trgm_ops"), name="part_mpn_trigrams"),
        ]

    def __str__(self) -> str:
        number = self.mpn or self.oem_part_number
        if not number and self.description.casefold().startswith(self.manufacturer.casefold()):
            return self.description or self.slug
        return " ".join(text for text in (self.manufacturer, number or self.description or self.slug) if text)

    def save(self, *args: object, **kwargs: object) -> None:
        self.mpn_normalised = normalise_mpn(self.mpn)
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def get_absolute_url(self) -> str:
        return reverse("catalog:part", args=[self.slug])

    @property
    def order_number(self) -> str:
        """The number to order by: the manufacturer's, else the system maker's, else nothing."""
        return self.mpn or self.oem_part_number


class PartAlias(models.Model):
    """A supplier's name for a part that a person (or an exact match) has decided once."""

    organisation = models.ForeignKey(
        "accounts.Organisation", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    supplier = models.ForeignKey("catalog.Supplier", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=500)
    text_normalised = models.CharField(max_length=500)
    part = models.ForeignKey(Part, null=True, blank=True, on_delete=models.CASCADE, related_name="aliases")
    is_no_part = models.BooleanField(default=False, help_text="Decided: this line is none of our parts.")
    decided_by = models.ForeignKey("accounts.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)
    import_batch = models.ForeignKey(
        "catalog.ImportBatch", null=True, blank=True, on_delete=models.PROTECT, related_name="aliases"
    )

    class Meta:
        ordering = ["text_normalised", "pk"]
        verbose_name_plural = "part aliases"
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "supplier", "text_normalised"],
                nulls_distinct=False,
                name="one_meaning_per_supplier_text",
            ),
            models.CheckConstraint(
                condition=Q(part__isnull=False, is_no_part=False) | Q(part__isnull=True, is_no_part=True),
                name="alias_means_a_part_or_none",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.text} = {self.part or 'no part'}"
