from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.choices import Confidence, DateKind, PricingModel, RateKind
from catalog.models.base import SeedRow, Sourced


class CloudRate(SeedRow, Sourced):
    """One rental rate (USD per accelerator and hour) or API price (USD per million tokens)."""

    kind = models.CharField(_("kind"), max_length=10, choices=RateKind.choices)
    provider = models.CharField(_("provider"), max_length=60)
    offer = models.CharField(_("accelerator or model"), max_length=100)
    accelerator = models.ForeignKey(
        "catalog.Accelerator", null=True, blank=True, on_delete=models.PROTECT, related_name="cloud_rates"
    )
    accelerator_slug = models.CharField(max_length=100, blank=True)
    sku = models.CharField(_("provider's number"), max_length=60, blank=True)
    gpus_in_sku = models.PositiveSmallIntegerField(_("accelerators in one instance"), null=True, blank=True)
    usd_per_gpu_hour = models.DecimalField(
        _("USD per accelerator and hour"), max_digits=12, decimal_places=6, null=True, blank=True
    )
    usd_per_1m_input = models.DecimalField(
        _("USD per million input tokens"), max_digits=12, decimal_places=6, null=True, blank=True
    )
    usd_per_1m_output = models.DecimalField(
        _("USD per million output tokens"), max_digits=12, decimal_places=6, null=True, blank=True
    )
    context_tokens = models.PositiveIntegerField(_("context (tokens)"), null=True, blank=True)
    pricing_model = models.CharField(_("terms"), max_length=12, choices=PricingModel.choices)
    region = models.CharField(_("region"), max_length=30, blank=True)
    as_of = models.DateField(_("as of"))
    date_kind = models.CharField(_("kind of date"), max_length=10, choices=DateKind.choices)
    confidence = models.CharField(_("confidence"), max_length=1, choices=Confidence.choices)

    class Meta:
        ordering = ["kind", "offer", "usd_per_gpu_hour", "provider", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=(
                    Q(kind="gpu_hour", usd_per_gpu_hour__gte=0, usd_per_1m_output__isnull=True)
                    | Q(kind="api_token", usd_per_gpu_hour__isnull=True)
                ),
                name="cloud_rate_has_the_price_of_its_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.offer}"
