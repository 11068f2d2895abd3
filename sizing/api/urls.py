"""API routes of the sizing app, below /api/v1/."""

from django.urls import path

from sizing.api import views

urlpatterns = [
    path("sizing-runs", views.SizingRunsView.as_view(), name="sizing-runs"),
    path("sizing-runs/<str:key>", views.SizingRunView.as_view(), name="sizing-run"),
    path("sizing-runs/<str:key>/result", views.SizingRunResultView.as_view(), name="sizing-run-result"),
]
