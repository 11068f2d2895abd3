"""Writes around programs: make one known, forget one. Both are audited."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from oauth2_provider.generators import generate_client_secret
from oauth2_provider.models import get_application_model

from config.accounts.audit import record_event
from config.accounts.models import Organisation, User
from config.oauth.models import OAuthClient

# What a program is -> the grant of OAuth and the kind of client.
KINDS = {
    "machine": ("client-credentials", "confidential"),
    "web": ("authorization-code", "confidential"),
    "device": ("authorization-code", "public"),
}


def clients_of(organisation: Organisation) -> QuerySet[OAuthClient]:
    return OAuthClient.objects.select_related("application", "user").filter(organisation=organisation)


@transaction.atomic
def add_client(
    *, organisation: Organisation, user: User, name: str, kind: str, redirect_uris: str = ""
) -> tuple[OAuthClient, str]:
    """A program and its secret, which is shown this once; "" for programs on people's devices, which keep none."""
    grant, client_type = KINDS[kind]
    secret = generate_client_secret() if client_type == "confidential" else ""
    application = get_application_model()(
        name=name,
        user=user,
        client_type=client_type,
        authorization_grant_type=grant,
        client_secret=secret,
        redirect_uris=redirect_uris,
        skip_authorization=False,
    )
    application.full_clean(exclude=["client_secret"])
    application.save()
    client = OAuthClient.objects.create(application=application, organisation=organisation, user=user)
    _audit("oauth.add", client, user, after={"name": name, "kind": kind, "redirect_uris": redirect_uris})
    return client, secret


@transaction.atomic
def remove_client(*, client: OAuthClient, user: User) -> None:
    """The program is refused from now on, with every token that it was given."""
    _audit("oauth.remove", client, user, before={"name": client.application.name})
    client.application.delete()


def _audit(action: str, client: OAuthClient, user: User, **parts: Any) -> None:
    record_event(
        action=action,
        object_kind="oauthclient",
        object_id=client.public_id,
        actor=user,
        organisation=client.organisation,
        **parts,
    )
