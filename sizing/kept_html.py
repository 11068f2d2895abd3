"""Parts of pages that say the same until something they show changes: rendered once, then kept in the cache.

A finished run never changes, so what its pages show depends on a few things that a key can name. Templates, code
and translations are part of every key: a new release never shows the pages of the old one.
"""

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import get_language

KEPT_S = 3600
SOURCES = (("templates", "*.html"), ("sizing", "*.py"), ("config/locale", "*.mo"))


def kept[T](*parts: object, build: Callable[[], T]) -> T:
    """What `build` returns, from the cache where the same parts were asked for in the same language before.

    While developing nothing is kept, so that every edit shows.
    """
    if settings.DEBUG:
        return build()
    text = "\n".join(map(str, (get_language(), release(), *parts)))
    key = f"kept-html:{hashlib.sha256(text.encode()).hexdigest()}"
    found: T | None = cache.get(key)
    if found is None:
        found = build()
        cache.set(key, found, KEPT_S)
    return found


@lru_cache(maxsize=1)
def release() -> str:
    """A hash over all that words and shapes the pages of sizing: templates, code, translations."""
    digest = hashlib.sha256()
    for folder, pattern in SOURCES:
        for path in sorted((Path(settings.BASE_DIR) / folder).rglob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()
