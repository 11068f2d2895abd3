"""Page routes of sizing."""

from django.urls import path

from sizing import loop_views, mix_views, model_views, views, workload_views
from sizing.advisor import advisor
from sizing.kinds import views as kinds
from sizing.kinds.guide import choose

app_name = "sizing"
urlpatterns = [
    path("", views.start, name="start"),
    path("workloads/new/", views.workload, name="workload"),
    path("workloads/models/", workload_views.model_search, name="model-search"),
    path("workloads/", workload_views.workloads, name="workloads"),
    path("workloads/drafts/<str:key>/<str:action>/", workload_views.draft_action, name="draft"),
    path("compare/", workload_views.compare, name="compare"),
    path("choose/", choose, name="guide"),
    path("software/", advisor, name="advisor"),
    path("workloads/<slug:kind>/new/", kinds.workload, name="kind"),
    path("workloads/<slug:kind>/preview/", kinds.live_preview, name="kind-preview"),
    path("workloads/preview/", views.workload_preview, name="preview"),
    path("model/", model_views.model, name="model"),
    path("runs/<str:key>/model/", model_views.run_model, name="run-model"),
    path("runs/<str:key>/", views.run, name="run"),
    path("runs/<str:key>/mix/", mix_views.mix, name="mix"),
    path("runs/<str:key>/progress/", views.progress, name="progress"),
    path("runs/<str:key>/cancel/", views.cancel, name="cancel"),
    path("runs/<str:key>/options/<int:rank>/", views.option, name="option"),
    path("runs/<str:key>/options/<int:rank>/serve/", loop_views.serve, name="serve"),
    path("runs/<str:key>/options/<int:rank>/measurements/", loop_views.import_file, name="import-measurements"),
    path("runs/<str:key>/options/<int:rank>/calibrate/", loop_views.calibrate, name="calibrate"),
    path("runs/<str:key>/options/<int:rank>/quality/", loop_views.import_evaluation, name="import-quality"),
    path("runs/<str:key>/options/<int:rank>/watch/", loop_views.watch_load, name="watch"),
    path("runs/<str:key>/options/<int:rank>/size-again/", loop_views.size_again, name="size-again"),
    path("runs/<str:key>/options/<int:rank>/serve/<str:name>", loop_views.serve_file, name="serve-file"),
]
