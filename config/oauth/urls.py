"""Routes of the page of programs, below /accounts/programs/."""

from django.urls import path

from config.oauth import views

app_name = "oauth"
urlpatterns = [
    path("", views.clients, name="clients"),
    path("<uuid:public_id>/remove/", views.remove, name="remove"),
]
