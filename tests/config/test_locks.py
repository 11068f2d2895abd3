"""Rows are held so that others may still name them: a deferred reference is checked while the trail is locked."""

import re

from django.conf import settings

APPS = ("catalog", "config", "quotes", "sizing")


def test_every_held_row_may_be_referred_to() -> None:
    """FOR UPDATE would bar the check of foreign keys at a commit, which by then holds the lock of the audit trail."""
    calls = [
        (str(path.relative_to(settings.BASE_DIR)), call)
        for app in APPS
        for path in (settings.BASE_DIR / app).rglob("*.py")
        for call in re.findall(r"select_for_update\(([^)]*)", path.read_text(encoding="utf-8"))
    ]

    assert len(calls) > 30
    assert [each for each in calls if "no_key=True" not in each[1]] == []
