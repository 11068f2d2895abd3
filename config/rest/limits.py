"""How many requests a caller may send: one count for all processes, told in every answer.

Names follow draft-ietf-httpapi-ratelimit-headers; the X- names carry the same figures for older clients.
"""

import logging
import time
from dataclasses import dataclass
from typing import Any, cast

from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from config.accounts.access import access_of
from config.accounts.addresses import client_address
from config.cache import SharedCache

logger = logging.getLogger(__name__)
WINDOW_S = 60
KEPT_S = 2 * WINDOW_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How often one caller has asked in the present window."""

    policy: str
    key: str
    limit: int
    used: int
    reset_s: int

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.used)

    def headers(self) -> dict[str, str]:
        return {
            "RateLimit-Policy": f'"{self.policy}";q={self.limit};w={WINDOW_S}',
            "RateLimit": f'"{self.policy}";r={self.remaining};t={self.reset_s}',
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(int(time.time()) + self.reset_s),
        }


class SharedLimit(BaseThrottle):
    """A fixed window of a minute for each token, person or address. Counting is one atomic step of the cache."""

    def allow_request(self, request: Request, view: object) -> bool:
        self.count = _counted(request)
        plain: Any = request._request
        plain.rate_count = self.count  # read when the answer is finished
        return self.count is None or self.count.used <= self.count.limit

    def wait(self) -> float:
        return self.count.reset_s if self.count is not None else 0


def uncount(count: Count) -> None:
    """A 304 costs nothing, so that polling politely is never punished."""
    try:
        _shared().count(count.key, -1, timeout_s=KEPT_S)
    except RedisError:
        logger.info("a count was not taken back, the cache does not answer")


def _counted(request: Request) -> Count | None:
    """None while the cache does not answer: better unlimited for a minute than closed."""
    policy, caller = _caller(request)
    limit = int(str(api_settings.DEFAULT_THROTTLE_RATES["anon" if policy == "anonymous" else "user"]).split("/")[0])
    now = int(time.time())
    window, elapsed_s = divmod(now, WINDOW_S)
    key = f"rate:{policy}:{caller}:{window}"
    try:
        used = _shared().count(key, timeout_s=KEPT_S)
    except RedisError:
        logger.warning("requests are not counted, the cache does not answer")
        return None
    return Count(policy=policy, key=key, limit=limit, used=used, reset_s=WINDOW_S - elapsed_s)


def _shared() -> SharedCache:
    return cast(SharedCache, cache)


def _caller(request: Request) -> tuple[str, str]:
    if access := access_of(request):
        return "token", access.key
    if request.user is not None and request.user.is_authenticated:
        return "person", str(request.user.pk)
    return "anonymous", client_address(request._request)
