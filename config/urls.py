"""Page routes. Each app brings its own; the API hangs below /api/v1/."""

from django.contrib import admin
from django.urls import include, path

from config import health

urlpatterns = [
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
    path("api/v1/", include("config.api")),
    path("accounts/", include("config.accounts.urls")),
    path("catalog/", include("catalog.urls")),
    path("quotes/", include("quotes.urls")),
    path("help/", include("config.help.urls")),
    path("admin/", admin.site.urls),
    path("", include("sizing.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
