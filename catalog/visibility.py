"""The one filter that keeps an organisation's parts, prices and claims to itself."""

from django.db.models import Q

from config.accounts.models import Organisation


def visible(organisation: Organisation | None) -> Q:
    """Rows that an organisation may see: the public ones and its own."""
    public = Q(organisation__isnull=True)
    return public if organisation is None else public | Q(organisation=organisation)
