"""API routes of people and organisations, below /api/v1/."""

from django.urls import path

from config.accounts.api.views import MemberViewSet, MeViewSet, OrganisationViewSet, TokenViewSet

urlpatterns = [
    path("me", MeViewSet.as_view({"get": "retrieve"}), name="api-me"),
    path("organisations", OrganisationViewSet.as_view({"get": "list"}), name="api-organisations"),
    path(
        "organisations/<uuid:public_id>",
        OrganisationViewSet.as_view({"get": "retrieve", "patch": "partial_update"}),
        name="api-organisation",
    ),
    path("members", MemberViewSet.as_view({"get": "list"}), name="api-members"),
    path("tokens", TokenViewSet.as_view({"get": "list", "post": "create"}), name="api-tokens"),
    path("tokens/<uuid:public_id>", TokenViewSet.as_view({"delete": "destroy"}), name="api-token"),
]
