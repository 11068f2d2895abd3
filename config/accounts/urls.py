"""Routes below /accounts/."""

from django.urls import path

from config.accounts import settings_views, views

app_name = "accounts"
urlpatterns = [
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-out/", views.sign_out, name="sign_out"),
    path("link/<str:secret>/", views.link, name="link"),
    path("password/", views.password, name="password"),
    path("language/", views.set_language, name="set_language"),
    path("theme/", views.set_theme, name="set_theme"),
    path("switch/", views.switch_organisation, name="switch"),
    path("organisation/", settings_views.organisation, name="organisation"),
    path("people/", settings_views.people, name="people"),
    path("people/<int:pk>/role/", settings_views.role, name="role"),
    path("people/<int:pk>/remove/", settings_views.remove, name="remove"),
    path("tokens/", settings_views.tokens, name="tokens"),
    path("tokens/<uuid:public_id>/revoke/", settings_views.revoke, name="revoke"),
    path("audit/", settings_views.audit, name="audit"),
]
