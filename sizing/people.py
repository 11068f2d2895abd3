"""Who looks at a page of the sizing app: the person, and what a visitor's browser may still open."""

from django.http import HttpRequest

from config.accounts.models import User
from config.accounts.permissions import Action, may
from config.accounts.selectors import current_organisation
from sizing import services
from sizing.models_draft import WorkloadDraft

VISITOR_RUNS = "visitor_runs"  # session key: secrets of the runs that this browser started
VISITOR_DRAFTS = "visitor_drafts"  # session key: secrets of the drafts that it saved
REMEMBERED = 50


def person(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


def secrets_of(request: HttpRequest, key: str) -> list[str]:
    """The secrets that this browser keeps under a session key."""
    return list(request.session.get(key, []))


def remember(request: HttpRequest, key: str, secret: str) -> None:
    """Keep a secret in the session; the oldest ones go first."""
    kept = [each for each in secrets_of(request, key) if each != secret]
    request.session[key] = [*kept, secret][-REMEMBERED:]


def claim_visitor_rows(request: HttpRequest) -> None:
    """Runs and drafts from before signing in go to the organisation that the person acts for now."""
    user, organisation = person(request), current_organisation(request)
    if user is None or organisation is None or not may(user, organisation, Action.SIZE):
        return
    runs, drafts = request.session.pop(VISITOR_RUNS, []), request.session.pop(VISITOR_DRAFTS, [])
    if runs:
        services.claim_runs(secrets=runs, user=user, organisation=organisation)
    if drafts:
        WorkloadDraft.objects.filter(secret__in=drafts, organisation=None).update(
            organisation=organisation, created_by=user
        )
