"""Page routes of sizing."""

from django.urls import URLPattern

app_name = "sizing"
urlpatterns: list[URLPattern] = []
