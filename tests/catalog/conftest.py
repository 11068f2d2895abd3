"""Fixtures for catalogue tests."""

from collections.abc import Iterator

import pytest
from django.utils import translation


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """A request leaves its language active in the thread; every test starts and ends in English."""
    with translation.override("en"):
        yield
