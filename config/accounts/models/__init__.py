from config.accounts.models.audit import AuditEvent
from config.accounts.models.idempotency import IdempotencyKey
from config.accounts.models.organisation import Membership, Organisation
from config.accounts.models.stored_file import StoredFile
from config.accounts.models.token import ApiToken, SignInLink
from config.accounts.models.user import User

__all__ = [
    "ApiToken",
    "AuditEvent",
    "IdempotencyKey",
    "Membership",
    "Organisation",
    "SignInLink",
    "StoredFile",
    "User",
]
