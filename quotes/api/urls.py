"""API routes of quotes, below /api/v1/."""

from typing import Any

from django.urls import path

from quotes.api.documents import DocumentViewSet, RevisionViewSet, VerifyViewSet
from quotes.api.evidence import ClaimViewSet, FeedViewSet, PartyListViewSet
from quotes.api.extras import (
    AttachmentFileViewSet,
    AttachmentViewSet,
    CommentViewSet,
    RescreenViewSet,
    SentDocumentViewSet,
)
from quotes.api.registers import ClearanceViewSet, StatementViewSet
from quotes.api.steps import StepViewSet
from quotes.api.views import LineViewSet, QuoteViewSet

QUOTE = "quotes/<uuid:public_id>"
ROWS: dict[str, Any] = {"get": "list", "post": "create"}
STEPS = {
    "submit": "submit",
    "approve": "approve",
    "send-back": "send_back",
    "lock": "lock",
    "accept": "accept",
    "decline": "decline",
    "revisions": "revise",
    "decisions": "decide",
    "share-links": "share",
}

urlpatterns = [
    path("quotes", QuoteViewSet.as_view({"get": "list", "post": "create"}), name="api-quotes"),
    path(QUOTE, QuoteViewSet.as_view({"get": "retrieve", "patch": "partial_update"}), name="api-quote"),
    path(
        f"{QUOTE}/lines",
        LineViewSet.as_view({"get": "read", "patch": "partial_update", "post": "create"}),
        name="api-quote-lines",
    ),
    path(f"{QUOTE}/lines/<str:number>", LineViewSet.as_view({"delete": "destroy"}), name="api-quote-line"),
    *(
        path(f"{QUOTE}/{step}", StepViewSet.as_view({"post": action}), name=f"api-quote-{step}")
        for step, action in STEPS.items()
    ),
    path(f"{QUOTE}/revisions/<int:number>", RevisionViewSet.as_view({"get": "retrieve"}), name="api-quote-revision"),
    path(f"{QUOTE}/open-items", RevisionViewSet.as_view({"get": "open_items"}), name="api-quote-open-items"),
    path(f"{QUOTE}/screening", RevisionViewSet.as_view({"get": "screening"}), name="api-quote-screening"),
    path(f"{QUOTE}/documents", RevisionViewSet.as_view({"get": "formats"}), name="api-quote-documents"),
    path(f"{QUOTE}/documents/<str:name>", DocumentViewSet.as_view({"get": "retrieve"}), name="api-quote-document"),
    path(f"{QUOTE}/rescreen", RescreenViewSet.as_view({"post": "create"}), name="api-quote-rescreen"),
    path(f"{QUOTE}/comments", CommentViewSet.as_view(ROWS), name="api-quote-comments"),
    path(f"{QUOTE}/emails", SentDocumentViewSet.as_view(ROWS), name="api-quote-emails"),
    path(f"{QUOTE}/attachments", AttachmentViewSet.as_view(ROWS), name="api-quote-attachments"),
    path(
        f"{QUOTE}/attachments/<uuid:attachment>",
        AttachmentFileViewSet.as_view({"get": "retrieve", "delete": "destroy"}),
        name="api-quote-attachment",
    ),
    path("evidence", ClaimViewSet.as_view(ROWS), name="api-evidence"),
    path("evidence-feeds", FeedViewSet.as_view(ROWS), name="api-evidence-feeds"),
    path("evidence-feeds/<uuid:public_id>", FeedViewSet.as_view({"get": "retrieve"}), name="api-evidence-feed"),
    path("section-889-statements", StatementViewSet.as_view(ROWS), name="api-section-889-statements"),
    path("name-clearances", ClearanceViewSet.as_view(ROWS), name="api-name-clearances"),
    path("name-clearances/<uuid:public_id>", ClearanceViewSet.as_view({"get": "retrieve"}), name="api-name-clearance"),
    *(
        path(
            f"name-clearances/<uuid:public_id>/{step}",
            ClearanceViewSet.as_view({"post": step}),
            name=f"api-name-clearance-{step}",
        )
        for step in ("confirm", "close")
    ),
    path("party-lists", PartyListViewSet.as_view(ROWS), name="api-party-lists"),
    path("party-lists/<uuid:public_id>", PartyListViewSet.as_view({"get": "retrieve"}), name="api-party-list"),
    *(
        path(
            f"party-lists/<uuid:public_id>/{step}",
            PartyListViewSet.as_view({"post": step}),
            name=f"api-party-list-{step}",
        )
        for step in ("activate", "retire")
    ),
    path("verify", VerifyViewSet.as_view({"post": "create"}), name="api-verify"),
    path("verify/<str:value>", VerifyViewSet.as_view({"get": "retrieve"}), name="api-verify-value"),
]
