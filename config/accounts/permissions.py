"""Which role may do what. One table for pages, API and commands."""

from enum import StrEnum

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied

from config.accounts.choices import Role
from config.accounts.models import Membership, Organisation, User


class Action(StrEnum):
    """What a person can do within an organisation."""

    VIEW = "view"  # runs, quotes, prices, lead times
    SIZE = "size"  # workloads and sizing runs
    QUOTE = "quote"  # make and edit quotes, submit them, export, share
    APPROVE = "approve"  # approve or refuse somebody else's quote, lock it
    EDIT_PRICES = "edit_prices"  # import price lists, add prices, lead times, origin claims
    EDIT_CATALOGUE = "edit_catalogue"  # parts, servers, models
    ADMINISTER = "administer"  # people, roles, access tokens, organisation settings, audit trail


_VIEWER = frozenset({Action.VIEW})
_PLANNER = _VIEWER | {Action.SIZE, Action.QUOTE}

MAY: dict[str, frozenset[Action]] = {
    Role.VIEWER: _VIEWER,
    Role.PLANNER: _PLANNER,
    Role.BUYER: _PLANNER | {Action.EDIT_PRICES},
    Role.APPROVER: _PLANNER | {Action.APPROVE},
    Role.CATALOGUE_EDITOR: _PLANNER | {Action.EDIT_PRICES, Action.EDIT_CATALOGUE},
    Role.ADMINISTRATOR: frozenset(Action),
}


def role_of(user: User | AnonymousUser, organisation: Organisation | None) -> str:
    """The person's role there, or "" where they are no active member."""
    if organisation is None or not user.is_authenticated or not user.is_active:
        return ""
    row = Membership.objects.filter(user_id=user.pk, organisation_id=organisation.pk).values_list("role").first()
    return row[0] if row else ""


def may(user: User | AnonymousUser, organisation: Organisation | None, action: str) -> bool:
    """Whether the person may do that; raises ValueError for an action that does not exist."""
    return Action(action) in MAY.get(role_of(user, organisation), frozenset())


def require(user: User | AnonymousUser, organisation: Organisation | None, action: str) -> None:
    """Raises PermissionDenied (403) unless the person may do that in this organisation."""
    if not may(user, organisation, action):
        raise PermissionDenied(f"{action} needs another role")
