"""Quotes in the admin: to look at, not to change. Changes go through the services, which audit them."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from quotes.models import ApprovalRule, NameClearance, Quote, QuoteRevision, TelecomStatement


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Quote)
class QuoteAdmin(ReadOnly):
    list_display = ["number", "title", "organisation", "created_at"]
    list_select_related = ["organisation"]
    search_fields = ["number", "title", "buyer_name"]


@admin.register(QuoteRevision)
class QuoteRevisionAdmin(ReadOnly):
    list_display = ["quote", "number", "state", "locked_at", "content_hash"]
    list_select_related = ["quote"]
    exclude = ["content", "sizing"]


@admin.register(NameClearance)
class NameClearanceAdmin(ReadOnly):
    list_display = ["name", "entity_id", "subject", "state", "proposed_by", "confirmed_by", "organisation"]
    list_select_related = ["organisation", "proposed_by", "confirmed_by"]
    search_fields = ["name", "entity_id", "subject"]


@admin.register(TelecomStatement)
class TelecomStatementAdmin(ReadOnly):
    list_display = ["firm", "mpn", "says", "stated_on", "evidence_type", "organisation"]
    list_select_related = ["organisation"]
    search_fields = ["firm", "mpn"]


@admin.register(ApprovalRule)
class ApprovalRuleAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["organisation", "currency", "total_from", "approvals_needed"]
    list_select_related = ["organisation"]
