"""Secrets of receivers: derived, never stored, so that a copy of the database signs nothing."""

import base64
import secrets

from django.utils import timezone
from django.utils.crypto import salted_hmac

from config.webhooks.models import WebhookEndpoint

PREFIX = "whsec_"  # of the Standard Webhooks form; lets secret scanners recognise one
_SALT = "config.webhooks.secret"


def new_salt() -> str:
    return secrets.token_hex(16)


def secret_of(endpoint: WebhookEndpoint) -> str:
    """The present secret, as it is shown once."""
    return _derived(endpoint, endpoint.salt)


def signing_secrets(endpoint: WebhookEndpoint) -> list[str]:
    """The secrets that sign now: the present one, and for a day after a rotation the one before."""
    salts = [endpoint.salt]
    if endpoint.previous_salt and endpoint.previous_until and endpoint.previous_until > timezone.now():
        salts.append(endpoint.previous_salt)
    return [_derived(endpoint, salt) for salt in salts]


def _derived(endpoint: WebhookEndpoint, salt: str) -> str:
    digest = salted_hmac(_SALT, f"{endpoint.public_id}:{salt}", algorithm="sha256").digest()
    return PREFIX + base64.b64encode(digest).decode()
