"""Two questions of whoever watches Kvote: is the process alive, and can it work?"""

import logging
from collections.abc import Callable

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers; touches nothing else."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when database, schema and broker are usable, else 503 with the part that is not."""
    parts = {"database": _state(_ask_database), "broker": _state(_ask_broker)}
    good = all(state == "ok" for state in parts.values())
    return JsonResponse({"status": "ok" if good else "failed", **parts}, status=200 if good else 503)


def _state(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except (DatabaseError, RedisError, OSError) as error:
        logger.warning("not ready", extra={"why": type(error).__name__})
        return "failed"


def _ask_database() -> str:
    executor = MigrationExecutor(connection)
    return "migrations missing" if executor.migration_plan(executor.loader.graph.leaf_nodes()) else "ok"


def _ask_broker() -> str:
    cache.set("health", "ok", timeout=5)
    return "ok" if cache.get("health") == "ok" else "failed"
