"""Commands that answer one question and end: they load the apps whose data they read, nothing of pages and jobs."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings

COMMANDS = frozenset({"size"})
APPS = {
    "config.accounts": "config.accounts",
    "catalog": "catalog",
    "sizing": "sizing",
    "quotes": "quotes.apps.QuotesWordsConfig",
    "django.contrib.auth": "django.contrib.auth",
    "django.contrib.contenttypes": "django.contrib.contenttypes",
    "django.contrib.postgres": "django.contrib.postgres",
}
NOT_ASKED = ("pygments", "requests", "uritemplate", "yaml")
"""What REST framework imports for its own pages and its test client wherever it is installed."""

OBJECTS_BETWEEN_COLLECTIONS = 200_000


@contextmanager
def one_answer() -> Iterator[None]:
    """Around such a command, before Django is set up: little to load, and nothing to tidy up at the end."""
    trim()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        yield
    finally:
        gc.freeze()  # the process ends: looking once more for garbage would take a third of a second


def trim() -> None:
    """Cut the settings down. One connection takes no pool of threads; what one process reads it keeps itself."""
    settings.INSTALLED_APPS = [APPS[app] for app in settings.INSTALLED_APPS if app in APPS]
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    for database in settings.DATABASES.values():
        database["OPTIONS"]["pool"] = False
    modules: dict[str, Any] = sys.modules
    absent = [name for name in NOT_ASKED if name not in modules]
    modules |= dict.fromkeys(absent)  # None: an import of it fails
    import rest_framework.compat  # noqa: F401, PLC0415 - looks for them once

    for name in absent:
        del modules[name]
