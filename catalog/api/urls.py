"""API routes of catalog, below /api/v1/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
