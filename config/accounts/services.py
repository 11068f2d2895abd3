"""Writes around people: administrators, invitations, roles, ways in, tokens, files. Every one is audited."""

import hashlib
import secrets
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from config.accounts.access import SCOPES
from config.accounts.audit import first_broken_event, record_event
from config.accounts.choices import Role
from config.accounts.models import ApiToken, Membership, Organisation, SignInLink, StoredFile, User

__all__ = [
    "LastAdministrator",
    "adopt_superuser",
    "authenticate_token",
    "change_role",
    "create_first_administrator",
    "first_broken_event",
    "invite",
    "issue_token",
    "make_sign_in_link",
    "read_file",
    "record_event",
    "remove_member",
    "revoke_token",
    "save_organisation",
    "store_file",
    "use_sign_in_link",
]

FIRST_EMAIL = "admin@localhost"
LINK_LIFE = timedelta(hours=1)
INVITATION_LIFE = timedelta(days=7)
TOKEN_LIFE = timedelta(days=90)
TOKEN_PREFIX = "kvote_"  # noqa: S105 - lets secret scanners recognise a leaked key


class LastAdministrator(ValueError):
    """The change would leave an organisation without an administrator."""


@transaction.atomic
def create_first_administrator() -> User:
    """The administrator of a new installation, with an organisation to act for; an existing one is returned."""
    known = Membership.objects.filter(role=Role.ADMINISTRATOR, user__is_active=True).order_by("pk").first()
    if known is not None:
        return known.user
    user = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if user is None:
        user = User(username=FIRST_EMAIL, email=FIRST_EMAIL, is_superuser=True, is_staff=True)
        user.set_unusable_password()
        user.save()
        record_event(action="create", object_kind="user", object_id=user.public_id, after={"email": user.email})
    adopt_superuser(user)
    return user


@transaction.atomic
def adopt_superuser(user: User) -> Membership | None:
    """Make a superuser without any organisation administrator of the first one; others are left alone."""
    if not user.is_superuser or user.memberships.exists():
        return None
    organisation = Organisation.objects.order_by("pk").first()
    if organisation is None:
        organisation = Organisation.objects.create(name=_("My organisation"))
        _record("create", organisation, actor=user, organisation=organisation, after={"name": organisation.name})
    member = Membership.objects.create(organisation=organisation, user=user, role=Role.ADMINISTRATOR)
    _record("join", user, actor=user, organisation=organisation, after={"role": member.role})
    return member


# People


@transaction.atomic
def invite(*, organisation: Organisation, email: str, role: str, actor: User) -> tuple[Membership, str]:
    """Add a person by e-mail address; returns the membership and the secret of a sign-in link for them.

    The link is for the inviting administrator to hand over. Raises ValidationError for a wrong address
    or a person who is a member already.
    """
    user = User.objects.filter(email__iexact=email).first()
    if user is None:
        user = User(username=email, email=email)
        user.set_unusable_password()
        user.full_clean(exclude=["password"])
        user.save()
    member = Membership(organisation=organisation, user=user, role=Role(role))
    member.full_clean()
    member.save()
    _record("invite", user, actor=actor, organisation=organisation, after={"role": member.role})
    fresh = not user.has_usable_password() and user.last_login is None
    return member, make_sign_in_link(user, life=INVITATION_LIFE) if fresh else ""


@transaction.atomic
def change_role(*, membership: Membership, role: str, actor: User) -> Membership:
    """Give the member another role; raises LastAdministrator where nobody could administer afterwards."""
    before = membership.role
    if before == Role.ADMINISTRATOR and role != Role.ADMINISTRATOR:
        _keep_one_administrator(membership)
    membership.role = Role(role)
    membership.save(update_fields=["role"])
    _record(
        "change_role",
        membership.user,
        actor=actor,
        organisation=membership.organisation,
        before={"role": before},
        after={"role": membership.role},
    )
    return membership


@transaction.atomic
def remove_member(*, membership: Membership, actor: User) -> None:
    """End the membership and revoke the person's tokens there; what they made stays."""
    if membership.role == Role.ADMINISTRATOR:
        _keep_one_administrator(membership)
    ApiToken.objects.filter(user=membership.user, organisation=membership.organisation, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    _record(
        "remove",
        membership.user,
        actor=actor,
        organisation=membership.organisation,
        before={"role": membership.role},
    )
    membership.delete()


def _keep_one_administrator(leaving: Membership) -> None:
    others = (
        Membership.objects.select_for_update(no_key=True)
        .filter(organisation=leaving.organisation, role=Role.ADMINISTRATOR, user__is_active=True)
        .exclude(pk=leaving.pk)
    )
    if not others.exists():
        raise LastAdministrator(_("An organisation needs at least one administrator. Appoint another one first."))


@transaction.atomic
def save_organisation(*, organisation: Organisation, changed: list[str], actor: User) -> Organisation:
    """Store the changed fields of an organisation that a form has checked."""
    before = Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)
    organisation.save(update_fields=changed or None)
    _record(
        "change",
        organisation,
        actor=actor,
        organisation=organisation,
        before={name: _shown(before, name) for name in changed},
        after={name: _shown(organisation, name) for name in changed},
    )
    return organisation


def _shown(row: models.Model, name: str) -> Any:
    value = getattr(row, name)
    return str(value) if isinstance(value, models.Model) else value


# Ways in


def make_sign_in_link(user: User, *, life: timedelta = LINK_LIFE) -> str:
    """The secret of a new one-time link; only its hash is kept."""
    secret = secrets.token_urlsafe(32)
    SignInLink.objects.create(user=user, secret_hash=_hash(secret), expires_at=timezone.now() + life)
    return secret


def sign_in_link(secret: str) -> SignInLink | None:
    """The link behind a secret while it can still be used."""
    return (
        SignInLink.objects.select_related("user")
        .filter(secret_hash=_hash(secret), used_at=None, expires_at__gt=timezone.now(), user__is_active=True)
        .first()
    )


@transaction.atomic
def use_sign_in_link(secret: str) -> User | None:
    """Use the link up and return its person; None if it is unknown, used or too old."""
    link = sign_in_link(secret)
    if link is None:
        return None
    used = SignInLink.objects.filter(pk=link.pk, used_at=None).update(used_at=timezone.now())
    if not used:
        return None
    record_event(action="use_link", object_kind="user", object_id=link.user.public_id, actor=link.user)
    return link.user


@transaction.atomic
def issue_token(
    *,
    organisation: Organisation,
    user: User,
    name: str,
    scopes: list[str],
    expires_at: datetime | None = None,
    allowed_networks: list[str] | None = None,
) -> tuple[ApiToken, str]:
    """A new access token and its key, which is shown this once. Default life: 90 days.

    Raises ValueError for a scope or network that does not exist.
    """
    if wrong := sorted(set(scopes) - set(SCOPES)):
        raise ValueError(f"unknown scope {wrong[0]!r}, use {' or '.join(SCOPES)}")
    networks = [str(ip_network(network)) for network in allowed_networks or []]
    key = TOKEN_PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        organisation=organisation,
        user=user,
        name=name,
        key_prefix=key[:12],
        key_hash=_hash(key),
        scopes=sorted(scopes),
        allowed_networks=networks,
        expires_at=expires_at or timezone.now() + TOKEN_LIFE,
    )
    after = {"name": name, "scopes": token.scopes, "expires_at": token.expires_at}
    _record("issue", token, actor=user, organisation=organisation, after=after)
    return token, key


@transaction.atomic
def revoke_token(*, token: ApiToken, actor: User) -> None:
    """The token is refused from now on."""
    token.revoked_at = timezone.now()
    token.save(update_fields=["revoked_at"])
    _record("revoke", token, actor=actor, organisation=token.organisation, before={"name": token.name})


def authenticate_token(key: str, *, address: str = "") -> ApiToken | None:
    """The live token behind a key: not revoked, not expired, from an allowed network, its person still a member."""
    now = timezone.now()
    token = (
        ApiToken.objects.select_related("user", "organisation")
        .filter(key_hash=_hash(key), revoked_at=None, expires_at__gt=now, user__is_active=True)
        .filter(organisation__memberships__user=models.F("user"))
        .first()
    )
    if token is None or not _from_allowed_network(token, address):
        return None
    if token.last_used_at is None or now - token.last_used_at > timedelta(minutes=1):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def _from_allowed_network(token: ApiToken, address: str) -> bool:
    if not token.allowed_networks:
        return True
    try:
        caller = ip_address(address)
    except ValueError:
        return False
    return any(caller in ip_network(network) for network in token.allowed_networks)


# Files


@transaction.atomic
def store_file(
    *, organisation: Organisation | None, name: str, content: bytes, content_type: str, actor: User | None = None
) -> StoredFile:
    """Keep the bytes under their SHA-256; the same file of the same organisation is stored once."""
    digest = hashlib.sha256(content).hexdigest()
    in_database = not settings.FILES_DIR
    stored, is_new = StoredFile.objects.get_or_create(
        organisation=organisation,
        sha256=digest,
        name=name[:255],
        defaults={
            "content_type": content_type,
            "size_bytes": len(content),
            "content": content if in_database else None,
        },
    )
    if not is_new:
        return stored
    if not in_database and not default_storage.exists(_path(digest)):
        default_storage.save(_path(digest), ContentFile(content))
    _record("store", stored, actor=actor, organisation=organisation, after={"name": name, "sha256": digest})
    return stored


def read_file(stored: StoredFile) -> bytes:
    """The bytes of a stored file, wherever they are kept."""
    if stored.content is not None:
        return bytes(stored.content)
    with default_storage.open(_path(stored.sha256)) as file:
        return bytes(file.read())


def _path(digest: str) -> str:
    return f"{digest[:2]}/{digest}"


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _record(action: str, row: Any, **parts: Any) -> None:
    record_event(action=action, object_kind=row._meta.model_name, object_id=row.public_id, **parts)
