"""Routes of sign-in by a provider, below /accounts/: none of the library's other pages exist."""

from importlib.util import find_spec

from django.conf import settings
from django.urls import include, path
from django.views.generic import RedirectView

urlpatterns = [
    path("", include("allauth.socialaccount.providers.openid_connect.urls")),
    # the library looks these names up
    path("login/", RedirectView.as_view(pattern_name=settings.LOGIN_URL), name="account_login"),
    path("cancelled/", RedirectView.as_view(pattern_name=settings.LOGIN_URL), name="socialaccount_login_cancelled"),
]
if find_spec("onelogin") is not None:
    urlpatterns.append(path("", include("allauth.socialaccount.providers.saml.urls")))
