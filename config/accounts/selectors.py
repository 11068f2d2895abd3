"""Reads around people: whose request, which organisation, which role."""

from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import HttpRequest

from config.accounts.access import access_of
from config.accounts.models import ApiToken, AuditEvent, Membership, Organisation, User
from config.accounts.permissions import MAY, Action, role_of

SESSION_KEY = "organisation"
THEMES = ("light", "dark")


def current_organisation(request: HttpRequest) -> Organisation | None:
    """The organisation that this request acts for, or None for a visitor.

    An access token is bound to one; in the browser it is the one chosen in the session, else the first.
    Asked once per request.
    """
    access = access_of(request)
    if access is not None:
        return access.organisation
    plain: Any = getattr(request, "_request", request)
    if not hasattr(plain, "_kvote_organisation"):
        plain._kvote_organisation = _chosen_organisation(request)
    return cast("Organisation | None", plain._kvote_organisation)


def _chosen_organisation(request: HttpRequest) -> Organisation | None:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    mine = organisations_of(user)
    chosen = request.session.get(SESSION_KEY) if hasattr(request, "session") else None
    return (mine.filter(pk=chosen).first() if chosen else None) or mine.first()


def organisations_of(user: User) -> QuerySet[Organisation]:
    return Organisation.objects.filter(memberships__user=user).order_by("memberships__created_at", "pk")


def membership_of(user: User | AnonymousUser, organisation: Organisation | None) -> Membership | None:
    """The person's membership there, or None."""
    if organisation is None or not user.is_authenticated:
        return None
    return Membership.objects.filter(user_id=user.pk, organisation=organisation).first()


def allowed_actions(user: User | AnonymousUser, organisation: Organisation | None) -> frozenset[Action]:
    """Every action that the person may take there; templates ask `{% if "quote" in may %}`."""
    return MAY.get(role_of(user, organisation), frozenset())


def people_of(organisation: Organisation) -> QuerySet[Membership]:
    return organisation.memberships.select_related("user").order_by("user__email")


def tokens_of(organisation: Organisation) -> QuerySet[ApiToken]:
    return organisation.tokens.select_related("user").filter(revoked_at=None)


def events_of(organisation: Organisation) -> QuerySet[AuditEvent]:
    """The organisation's audit trail, newest first."""
    return AuditEvent.objects.filter(organisation=organisation).select_related("actor").order_by("-pk")


def theme_of(request: HttpRequest) -> str:
    """ "light" or "dark" as saved by the person or in the browser; "" follows the system."""
    user = getattr(request, "user", None)
    saved = getattr(user, "theme", "") or request.COOKIES.get(settings.THEME_COOKIE_NAME, "")
    return saved if saved in THEMES else ""
