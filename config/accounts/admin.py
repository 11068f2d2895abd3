"""Accounts in Django's admin: people can be found and closed; the audit trail can only be read."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from config.accounts.models import AuditEvent, Membership, Organisation, User

admin.site.register(User, UserAdmin)


class Members(admin.TabularInline):  # type: ignore[type-arg]
    model = Membership
    extra = 0


@admin.register(Organisation)
class OrganisationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "legal_name", "country", "created_at"]
    search_fields = ["name", "legal_name"]
    exclude = ["logo"]
    inlines = [Members]


@admin.register(AuditEvent)
class AuditEventAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["at", "actor", "action", "object_kind", "object_id"]
    list_filter = ["action", "object_kind"]

    def has_add_permission(self, request: Any) -> bool:
        return False

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: Any, obj: Any = None) -> bool:
        return False
