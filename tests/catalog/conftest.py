"""Fixtures for catalogue tests."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from catalog.seed.load import load_seed
from catalog.seed.report import SeedReport


@pytest.fixture(scope="module")
def shipped(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[SeedReport]:
    """The shipped catalogue, loaded once for all tests of a module and rolled back after them."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield load_seed()
        transaction.set_rollback(True)


@pytest.fixture
def seeded(shipped: SeedReport, db: None) -> SeedReport:
    """The shipped catalogue; what the test changes is rolled back after it."""
    return shipped
