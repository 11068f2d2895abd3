"""Plain functions that make rows; a test says only what it is about."""

import itertools

from config.accounts.choices import Role
from config.accounts.models import ApiToken, Membership, Organisation, User
from config.accounts.services import issue_token

PASSWORD = "a long sentence of words"
_numbers = itertools.count(1)


def make_user(*, email: str = "", password: str = PASSWORD, **fields: object) -> User:
    """A person without any organisation."""
    email = email or f"person{next(_numbers)}@example.org"
    user = User(username=email, email=email, **fields)
    user.set_password(password)
    user.save()
    return user


def make_organisation(*, name: str = "", **fields: object) -> Organisation:
    return Organisation.objects.create(name=name or f"Organisation {next(_numbers)}", **fields)


def make_membership(
    *, role: str = Role.ADMINISTRATOR, user: User | None = None, organisation: Organisation | None = None
) -> Membership:
    """A member with that role; person and organisation are made where none is given."""
    return Membership.objects.create(
        user=user or make_user(), organisation=organisation or make_organisation(), role=role
    )


def make_token(member: Membership, *, scopes: tuple[str, ...] = ("read", "write")) -> tuple[ApiToken, str]:
    """An access token of the member, and its key."""
    return issue_token(organisation=member.organisation, user=member.user, name="test", scopes=list(scopes))
