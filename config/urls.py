"""Page routes. Each app brings its own; the API hangs below /api/v1/."""

from django.contrib import admin
from django.urls import include, path

from config import health
from config.search.views import search
from config.style.views import style

urlpatterns = [
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
    path("api/v1/", include("config.api")),
    path("", include("config.oauth.server_urls")),
    path("accounts/programs/", include("config.oauth.urls")),
    path("accounts/webhooks/", include("config.webhooks.urls")),
    path("accounts/", include("config.accounts.urls")),
    path("accounts/", include("config.sso.urls")),
    path("catalog/", include("catalog.urls")),
    path("quotes/", include("quotes.urls")),
    path("help/", include("config.help.urls")),
    path("search/", search, name="search"),
    path("style/", style, name="style"),
    path("admin/", admin.site.urls),
    path("", include("sizing.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
