"""Whom a provider's word lets in: people who are known or invited, and those of a domain that the operator names."""

from django.conf import settings
from django.db import transaction

from config.accounts.audit import record_event
from config.accounts.models import Membership, Organisation, User


def person_for(email: str, *, first_name: str = "", last_name: str = "") -> User | None:
    """The active person with this (verified) address; a new one where their domain belongs to an organisation.

    Nobody else: there is no registration.
    """
    known = User.objects.filter(email__iexact=email).first()
    if known is not None:
        return known if known.is_active else None
    entry = settings.SSO_ORGANISATIONS.get(email.rpartition("@")[2].lower())
    if entry is None:
        return None
    name, role = entry
    organisation = Organisation.objects.filter(name=name).order_by("pk").first()
    return _joined(email, organisation, role, first_name, last_name) if organisation else None


@transaction.atomic
def _joined(email: str, organisation: Organisation, role: str, first_name: str, last_name: str) -> User:
    user = User(username=email, email=email, first_name=first_name[:150], last_name=last_name[:150])
    user.set_unusable_password()
    user.full_clean(exclude=["password"])
    user.save()
    Membership.objects.create(organisation=organisation, user=user, role=role)
    record_event(
        action="join_by_domain",
        object_kind="user",
        object_id=user.public_id,
        actor=user,
        organisation=organisation,
        after={"role": role},
    )
    return user
