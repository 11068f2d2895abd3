"""Routes of the OAuth server: consent, token, revocation, and its metadata (RFC 8414) at the root."""

from django.urls import path
from oauth2_provider import views
from oauth2_provider.urls import metadata_urlpatterns

from config.oauth.views import ConsentView

app_name = "oauth2_provider"  # the name under which the library looks up its routes
urlpatterns = [
    *metadata_urlpatterns[:1],
    path("oauth/authorize/", ConsentView.as_view(), name="authorize"),
    path("oauth/token/", views.TokenView.as_view(), name="token"),
    path("oauth/revoke_token/", views.RevokeTokenView.as_view(), name="revoke-token"),
]
