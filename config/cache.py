"""The cache of all processes: Django's for Redis, with one client for a connection pool and counting in one step."""

from typing import Any, cast

from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class KeptClient(RedisCacheClient):
    """Django makes a client for every call, which takes longer than the call itself."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._clients: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]

    def count(self, key: str, step: int, timeout_s: int) -> int:
        pipeline = self.get_client(key, write=True).pipeline()
        pipeline.incr(key, step)
        pipeline.expire(key, timeout_s)
        return cast(int, pipeline.execute()[0])


class SharedCache(RedisCache):
    """Raises RedisError from every call while the server does not answer."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = KeptClient

    def count(self, key: str, step: int = 1, *, timeout_s: int) -> int:
        """Add to a number that begins at 0 and ends `timeout_s` after its last change; gives the new number."""
        return cast(KeptClient, self._cache).count(self.make_and_validate_key(key), step, timeout_s)
