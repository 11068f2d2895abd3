"""API routes of the sizing app, below /api/v1/."""

from django.urls import path

from sizing.api.measurements import CalibrationViewSet, MeasurementViewSet
from sizing.api.views import ModelFactsViewSet, SizingPreviewViewSet, SizingRunViewSet

urlpatterns = [
    path("sizing-runs", SizingRunViewSet.as_view({"get": "list", "post": "create"}), name="sizing-runs"),
    path(
        "sizing-runs/<str:key>",
        SizingRunViewSet.as_view({"get": "retrieve", "delete": "destroy"}),
        name="sizing-run",
    ),
    path("sizing-runs/<str:key>/result", SizingRunViewSet.as_view({"get": "result"}), name="sizing-run-result"),
    path(
        "sizing-runs/<str:key>/options/<int:rank>",
        SizingRunViewSet.as_view({"get": "option"}),
        name="sizing-run-option",
    ),
    path(
        "sizing-runs/<str:key>/options/<int:rank>/benchmark-plan",
        SizingRunViewSet.as_view({"get": "plan"}),
        name="sizing-run-benchmark-plan",
    ),
    path(
        "sizing-runs/<str:key>/options/<int:rank>/measurements",
        MeasurementViewSet.as_view({"post": "create"}),
        name="api-option-measurements",
    ),
    path("measurements", MeasurementViewSet.as_view({"get": "list"}), name="api-measurements"),
    path("calibrations", CalibrationViewSet.as_view({"get": "list", "post": "create"}), name="api-calibrations"),
    path("calibrations/in-use", CalibrationViewSet.as_view({"put": "use"}), name="api-calibration-in-use"),
    path("sizing-preview", SizingPreviewViewSet.as_view({"post": "create"}), name="sizing-preview"),
    path("model-facts", ModelFactsViewSet.as_view({"post": "create"}), name="model-facts"),
]
