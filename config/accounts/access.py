"""What a program was let in with: an access token of ours, or one of OAuth."""

from dataclasses import dataclass
from datetime import datetime

from config.accounts.models import Organisation

SCOPES = ("read", "write")


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """`request.auth` of every request that carries a token. `key` names the credential in counts and kept answers."""

    key: str
    organisation: Organisation
    scopes: tuple[str, ...]
    expires_at: datetime

    @property
    def organisation_id(self) -> int:
        return self.organisation.pk


def access_of(request: object) -> Access | None:
    """The token's access, or None for a browser session or a visitor."""
    found = getattr(request, "auth", None)
    return found if isinstance(found, Access) else None
