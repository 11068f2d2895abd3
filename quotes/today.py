"""The day it is where an organisation sits: its quotes are issued, end and are judged by it."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from config.accounts.models import Organisation


def today_of(organisation: Organisation, *, now: datetime | None = None) -> date:
    """The calendar day at `now` (the present where absent) in the organisation's time zone."""
    return timezone.localdate(now, timezone=ZoneInfo(organisation.time_zone))
