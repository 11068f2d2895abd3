"""The cache that all processes share."""

import pytest
from django.core.cache import cache
from redis import Redis

from config.cache import SharedCache

KEY = "test-cache:count"


@pytest.fixture
def counter() -> SharedCache:
    cache.delete(KEY)
    assert isinstance(cache._connections[cache._alias], SharedCache)  # type: ignore[attr-defined]
    return cache  # type: ignore[return-value]


def test_counting_begins_at_nothing_and_goes_both_ways(counter: SharedCache) -> None:
    assert [counter.count(KEY, timeout_s=60), counter.count(KEY, timeout_s=60)] == [1, 2]
    assert counter.count(KEY, -1, timeout_s=60) == 1
    assert cache.get(KEY) == 1


def test_a_count_ends_by_itself(counter: SharedCache) -> None:
    counter.count(KEY, timeout_s=60)
    client: Redis = counter._cache.get_client(write=True)  # type: ignore[attr-defined]

    assert 0 < client.ttl(cache.make_key(KEY)) <= 60


def test_one_client_serves_every_call(counter: SharedCache) -> None:
    clients = counter._cache  # type: ignore[attr-defined]

    assert clients.get_client(write=True) is clients.get_client(write=True)
