"""The catalogue in Django's admin: to look, not to edit. Changes go through the services, which audit them."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from catalog import models


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Every field shown, nothing to add, change or delete."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


LISTS: dict[type[Model], dict[str, Any]] = {
    models.Accelerator: {
        "list_display": ["slug", "vendor", "memory_gb", "tdp_w", "status", "verification", "edited_at"],
        "list_filter": ["vendor", "status", "kind"],
        "search_fields": ["slug", "name"],
    },
    models.Processor: {"list_display": ["slug", "cores", "tdp_w", "status"], "search_fields": ["slug"]},
    models.Server: {
        "list_display": ["slug", "vendor", "basis", "max_accelerators", "confidence"],
        "list_filter": ["basis", "vendor"],
        "search_fields": ["slug", "model"],
    },
    models.Component: {"list_display": ["slug", "category", "mpn"], "search_fields": ["slug", "mpn"]},
    models.Part: {
        "list_display": ["slug", "kind", "manufacturer", "mpn", "organisation"],
        "search_fields": ["slug", "mpn", "description"],
    },
    models.Supplier: {"list_display": ["name", "organisation"], "search_fields": ["name"]},
    models.PriceObservation: {
        "list_display": ["part", "unit_price", "currency", "kind", "observed_on", "valid_to", "organisation"],
        "list_filter": ["kind", "currency", "confidence"],
        "list_select_related": ["part", "organisation"],
    },
    models.LeadTimeObservation: {
        "list_display": ["item", "part", "weeks_low", "weeks_typical", "weeks_high", "observed_on"],
        "list_select_related": ["part"],
    },
    models.OriginClaim: {"list_display": ["part", "text", "grade", "stated_on"], "list_select_related": ["part"]},
    models.CloudRate: {"list_display": ["offer", "provider", "usd_per_gpu_hour", "as_of"], "list_filter": ["kind"]},
    models.ServingSoftware: {"list_display": ["name", "licence", "status"]},
    models.AiModel: {"list_display": ["model_id", "architecture", "licence"], "search_fields": ["model_id"]},
    models.ExchangeRate: {"list_display": ["base_currency", "quote_currency", "rate", "as_of", "organisation"]},
    models.CatalogVersion: {"list_display": ["number", "content_hash", "reason", "created_at"]},
    models.BomRule: {"list_display": ["slug", "value", "unit", "kind", "source_date", "edited_at"]},
    models.ImportBatch: {"list_display": ["file_name", "state", "organisation", "created_at"]},
}

for _model, _options in LISTS.items():
    admin.site.register(_model, type(f"{_model.__name__}Admin", (ReadOnlyAdmin,), _options))
