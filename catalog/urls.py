"""Page routes of the catalogue. Everybody may read; the pages that write ask for a role."""

from django.urls import path

from catalog import edits, import_urls, policy_views, views

app_name = "catalog"
urlpatterns = [
    path("", views.start, name="start"),
    path("search/", views.search, name="search"),
    path("accelerators/", views.table, {"name": "accelerators"}, name="accelerators"),
    path("accelerators/compare/", views.compare, name="compare"),
    path("accelerators/<str:slug>/", views.accelerator, name="accelerator"),
    path("servers/", views.table, {"name": "servers"}, name="servers"),
    path("servers/<str:slug>/", views.server, name="server"),
    path("processors/", views.table, {"name": "processors"}, name="processors"),
    path("processors/<str:slug>/", views.processor, name="processor"),
    path("components/", views.table, {"name": "components"}, name="components"),
    path("components/<str:slug>/", views.component, name="component"),
    path("parts/", views.table, {"name": "parts"}, name="parts"),
    path("parts/<str:slug>/", views.part, name="part"),
    path("parts/<str:slug>/prices/new/", edits.add_price, name="add_price"),
    path("parts/<str:slug>/lead-times/new/", edits.add_lead_time, name="add_lead_time"),
    path("parts/<str:slug>/names/forget/", edits.forget_name, name="forget_name"),
    path("software/", views.table, {"name": "software"}, name="software_list"),
    path("software/<str:slug>/", views.software, name="software"),
    path("models/", views.table, {"name": "models"}, name="models"),
    path("models/<path:model_id>/", views.model, name="model"),
    path("workloads/", views.workloads, name="workloads"),
    path("rules/", edits.rules, name="rules"),
    path("rules/<str:slug>/edit/", edits.edit_rule, name="edit_rule"),
    path("exchange-rates/", edits.rates, name="rates"),
    path("prices/", policy_views.prices, name="prices"),
    path("prices/rules/<uuid:rule_id>/end/", policy_views.end_rule, name="end_rule"),
    *import_urls.urlpatterns,
    path("cloud-rates/", views.table, {"name": "cloud_rates"}, name="cloud_rates"),
    *(
        path(f"{table}/<str:slug>/correct/", edits.correct, {"table": table}, name=f"correct_{table}")
        for table in edits.CORRECTIONS
    ),
]
