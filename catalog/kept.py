"""What pages read of the catalogue again and again, kept until the next write."""

from collections.abc import Callable
from typing import cast

from django.core.cache import cache
from redis.exceptions import RedisError

from catalog.versions import KEPT_S, key_of
from config.accounts.models import Organisation


def kept[T](name: str, organisation: Organisation | None, build: Callable[[], T]) -> T:
    """What `build` reads for an organisation, from the cache where nothing was written since.

    Before anything was loaded, and without a cache, it is built each time.
    """
    key = key_of(name, organisation)
    try:
        return cast("T", cache.get_or_set(key, build, timeout=KEPT_S)) if key else build()
    except RedisError:
        return build()
