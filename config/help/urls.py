"""Page routes of the help."""

from django.urls import path

from config.help import views

app_name = "help"
urlpatterns = [
    path("", views.start, name="start"),
    path("glossary/", views.glossary, name="glossary"),
    path("method/", views.method, name="method"),
    path("sources/", views.sources, name="sources"),
    path("guide/", views.guide, name="guide"),
]
