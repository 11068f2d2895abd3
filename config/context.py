"""What every page knows: organisation, role, theme, languages, version."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from config.accounts.selectors import allowed_actions, current_organisation, membership_of, theme_of


def page(request: HttpRequest) -> dict[str, Any]:
    """`theme` is "light", "dark" or "" (follow the system); `may` is the set of allowed actions.

    Organisation, membership and `may` are read from the database only where a template asks.
    """
    organisation = SimpleLazyObject(lambda: current_organisation(request))
    return {
        "theme": theme_of(request),
        "languages": settings.LANGUAGES,
        "organisation": organisation,
        "membership": SimpleLazyObject(lambda: membership_of(request.user, current_organisation(request))),
        "may": SimpleLazyObject(lambda: allowed_actions(request.user, current_organisation(request))),
        "kvote_version": settings.VERSION,
    }
