"""The API below /api/v1/: each app's routes, the schema and its page, the kinds of problems."""

from django.http import HttpRequest, JsonResponse
from django.urls import include, path
from django.views.decorators.http import require_safe
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from config.api_status import StatusViewSet
from config.problems import PROBLEMS, problem_response


@require_safe
def problems(request: HttpRequest, code: str = "") -> JsonResponse:
    """What a problem's `type` address says: its usual status, its title and the remedy."""
    kinds = [
        {"type": f"/api/v1/problems/{name}", "status": status, "title": str(title), "detail": str(remedy)}
        for status, (name, title, remedy) in PROBLEMS.items()
        if code in ("", name)
    ]
    if not kinds:
        return problem_response(request, 404)
    return JsonResponse(kinds[0] if code else {"results": kinds})


urlpatterns = [
    path("status", StatusViewSet.as_view({"get": "retrieve"}), name="api-status"),
    path("", include("config.accounts.api.urls")),
    path("", include("config.webhooks.api.urls")),
    path("", include("sizing.api.urls")),
    path("", include("catalog.api.urls")),
    path("", include("quotes.api.urls")),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path(
        "docs/",
        SpectacularSwaggerSplitView.as_view(url_name="api_schema", template_name="config/api_docs.html"),
        name="api_docs",
    ),
    path("problems/", problems, name="api_problems"),
    path("problems/<slug:code>", problems, name="api_problem"),
]
