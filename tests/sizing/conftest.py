"""Fixtures for tests of the sizing app."""

from collections.abc import Iterator

import pytest
from django.utils import translation


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Tests start in English, whatever language the request of an earlier one left active."""
    with translation.override("en"):
        yield
