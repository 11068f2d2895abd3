"""API routes of the catalogue, below /api/v1/."""

from typing import Any

from django.urls import URLPattern, path

from catalog.api import import_views, offer_views, search_views, views

LIST: dict[str, Any] = {"get": "list"}
ITEM: dict[str, Any] = {"get": "retrieve"}


def table(plural: str, name: str, view: type[views.CatalogueViewSet], key: str = "<str:slug>") -> list[URLPattern]:
    """List and detail, and the offer where rows have prices."""
    offer = [path(f"{plural}/{key}/offer", view.as_view({"get": "offer"}), name=f"api-{name}-offer")]
    return [
        path(plural, view.as_view(LIST), name=f"api-{name}-list"),
        *(offer if issubclass(view, views.OfferedViewSet) else ()),
        path(f"{plural}/{key}", view.as_view(ITEM), name=f"api-{name}"),
    ]


IMPORT = "imports/<uuid:public_id>"


def step(name: str, action: str, method: str = "post") -> URLPattern:
    """One step of an import."""
    view = import_views.ImportViewSet.as_view({method: action})
    return path(f"{IMPORT}/{name}", view, name=f"api-import-{name}")


urlpatterns = [
    path("imports", import_views.ImportViewSet.as_view({"get": "list", "post": "create"}), name="api-imports"),
    path(
        IMPORT,
        import_views.ImportViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
        name="api-import",
    ),
    step("rows", "rows", "get"),
    step("errors", "errors", "get"),
    step("dry-run", "dry_run"),
    step("matches", "decide"),
    step("commit", "commit"),
    step("undo", "undo"),
    path("search", search_views.SearchViewSet.as_view({"get": "search"}), name="api-search"),
    path("accelerators/compare", views.AcceleratorViewSet.as_view({"get": "compare"}), name="api-compare"),
    *table("accelerators", "accelerator", views.AcceleratorViewSet),
    *table("servers", "server", views.ServerViewSet),
    *table("processors", "processor", views.ProcessorViewSet),
    *table("components", "component", views.ComponentViewSet),
    path("parts/<str:slug>/origin-claims", views.PartViewSet.as_view({"get": "origin_claims"}), name="api-claims"),
    *table("parts", "part", views.PartViewSet),
    *table("software", "software", views.SoftwareViewSet),
    path("software-compatibility", views.CompatibilityViewSet.as_view(LIST), name="api-compatibility"),
    *table("storage-formats", "storage-format", views.StorageFormatViewSet),
    *table("models", "model", views.AiModelViewSet, "<path:model_id>"),
    path("workload-models", views.WorkloadModelViewSet.as_view(LIST), name="api-workload-models"),
    path("cloud-rates", views.CloudRateViewSet.as_view(LIST), name="api-cloud-rates"),
    path("energy-tariffs", views.EnergyTariffViewSet.as_view(LIST), name="api-energy-tariffs"),
    path("suppliers", views.SupplierViewSet.as_view(LIST), name="api-suppliers"),
    path(
        "exchange-rates",
        offer_views.ExchangeRateViewSet.as_view({"get": "list", "post": "create"}),
        name="api-exchange-rates",
    ),
    path("prices", offer_views.PriceViewSet.as_view({"get": "list", "post": "create"}), name="api-prices"),
    path("prices/bulk", offer_views.PriceViewSet.as_view({"post": "bulk"}), name="api-prices-bulk"),
    path("prices/<uuid:public_id>", offer_views.PriceViewSet.as_view(ITEM), name="api-price"),
    path("lead-times", offer_views.LeadTimeViewSet.as_view({"get": "list", "post": "create"}), name="api-lead-times"),
    path("lead-times/<uuid:public_id>", offer_views.LeadTimeViewSet.as_view(ITEM), name="api-lead-time"),
]
