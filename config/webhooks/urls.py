"""Routes below /accounts/webhooks/."""

from django.urls import path

from config.webhooks import pages

app_name = "webhooks"
urlpatterns = [
    path("", pages.endpoints, name="endpoints"),
    path("<uuid:public_id>/", pages.endpoint, name="endpoint"),
    path("<uuid:public_id>/secret/", pages.rotate, name="rotate"),
    path("<uuid:public_id>/switch/", pages.switch, name="switch"),
    path("<uuid:public_id>/test/", pages.test, name="test"),
    path("<uuid:public_id>/remove/", pages.remove, name="remove"),
    path("<uuid:public_id>/deliveries/<uuid:delivery_id>/resend/", pages.resend, name="resend"),
]
