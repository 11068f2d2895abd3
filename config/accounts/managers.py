"""The filter that every tenant row goes through."""

from typing import Any, Self

from django.contrib.auth.models import AnonymousUser
from django.db import models


class TenantQuerySet(models.QuerySet[Any]):
    """For models with an `organisation`: `Quote.objects.for_user(user)` holds nothing of anybody else.

    Use as `objects = TenantQuerySet.as_manager()`. `tenant_path` may be overridden where the
    organisation hangs on a parent row ("quote__organisation").
    """

    tenant_path = "organisation"

    def for_user(self, user: Any) -> Self:
        """Rows of the organisations that the person is a member of; none for a visitor."""
        if isinstance(user, AnonymousUser) or not getattr(user, "is_active", False):
            return self.none()
        return self.filter(**{f"{self.tenant_path}__in": user.organisations.order_by().values("pk")})

    def of_organisation(self, organisation: Any) -> Self:
        """Rows of this one organisation; none where it is None."""
        if organisation is None:
            return self.none()
        return self.filter(**{self.tenant_path: organisation})
