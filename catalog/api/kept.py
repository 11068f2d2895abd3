"""Lists of facts that everybody may see, kept until the catalogue changes: integrators poll them."""

import hashlib
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from redis.exceptions import RedisError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from catalog.versions import stamp

KEPT_S = 300
"""A new release shows its shape after this time at the latest; a change of the catalogue shows at once."""


def kept_list(request: Request, build: Callable[[], Response]) -> HttpResponseBase:
    """The answer of `build`, from the cache where the same address was read since the catalogue last changed.

    Every write of a public fact raises the catalogue's version, which is part of the key. While developing, before
    anything was loaded and without a cache, each answer is built.
    """
    state = "" if settings.DEBUG else stamp()
    if not state:
        return build()
    asked = f"{get_language()} {request.build_absolute_uri()}"
    key = f"api-list:{state}:{hashlib.sha256(asked.encode()).hexdigest()}"
    try:
        body: Any = cache.get_or_set(key, lambda: JSONRenderer().render(build().data), timeout=KEPT_S)
    except RedisError:
        return build()
    return HttpResponse(body, content_type=JSONRenderer.media_type)
