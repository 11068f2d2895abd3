"""Quotes in the admin: to look at, not to change. Changes go through the services, which audit them."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from quotes.models import ApprovalRule, Quote, QuoteRevision


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


@admin.register(ApprovalRule)
class ApprovalRuleAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["organisation", "currency", "total_from", "approvals_needed"]
    list_select_related = ["organisation"]
