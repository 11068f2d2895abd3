"""Whom a request of the API acts for."""

from rest_framework.request import Request

from config.accounts.access import access_of
from config.accounts.models import Organisation, User
from config.accounts.permissions import Action, require
from config.accounts.selectors import current_organisation


def person(request: Request) -> User | None:
    """The signed-in person, or None for a visitor."""
    return request.user if request.user is not None and request.user.is_authenticated else None


def organisation(request: Request) -> Organisation | None:
    """The organisation that the request acts for: the token's, or the one chosen in the browser."""
    return current_organisation(request)


def in_reach(request: Request, organisation_id: int | None) -> bool:
    """False for a row of another organisation than the token's, even where its person is a member of both."""
    access = access_of(request)
    return access is None or organisation_id in (None, access.organisation_id)


def require_action(request: Request, action: Action) -> tuple[Organisation, User]:
    """The organisation and person for a write. Raises PermissionDenied where the role does not allow it."""
    acting = organisation(request)
    user = person(request)
    require(request.user, acting, action)
    assert acting is not None  # noqa: S101 - `require` has refused everybody else
    assert user is not None  # noqa: S101
    return acting, user
