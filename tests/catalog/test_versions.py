"""The catalogue's version and the snapshot of prices; each test starts with an empty catalogue."""

from datetime import date

import pytest
from django.core.cache import cache

from catalog import kept, selectors, versions
from catalog.freshness import freshness
from config.cache import SharedCache
from tests.catalog.rows import make_accelerator, make_organisation, make_part, make_price

pytestmark = pytest.mark.django_db


def test_the_version_counts_up_and_names_the_content() -> None:
    assert selectors.catalog_version() == "0-empty"
    first = versions.raise_version(reason="test")
    make_accelerator()
    second = versions.raise_version(reason="test")
    assert (first.number, second.number) == (1, 2)
    assert first.content_hash != second.content_hash
    assert selectors.catalog_version() == f"2-{second.content_hash[:12]}"


def test_the_price_snapshot_changes_with_a_visible_price_only() -> None:
    cache.clear()
    ours, theirs = make_organisation("Ours"), make_organisation("Theirs")
    part = make_part()
    versions.raise_version(reason="test")
    before = selectors.price_snapshot(ours)
    make_price(part, organisation=theirs)
    versions.raise_version(reason="price")
    assert selectors.price_snapshot(ours) == before
    make_price(part, organisation=ours)
    versions.raise_version(reason="price")
    assert selectors.price_snapshot(ours) != before


def test_freshness_is_counted_anew_after_a_write_and_apart_for_each_organisation() -> None:
    cache.clear()
    ours, theirs = make_organisation("Ours"), make_organisation("Theirs")
    part, day = make_part(), date(2026, 12, 1)
    versions.raise_version(reason="test")
    assert freshness(ours, as_of=day)[0].total == 0
    make_price(part, organisation=theirs)
    versions.raise_version(reason="price")
    assert [freshness(each, as_of=day)[0].total for each in (ours, theirs)] == [0, 1]


def test_without_a_cache_the_catalogue_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    versions.raise_version(reason="test")
    gone = SharedCache("redis://127.0.0.1:1", {})
    monkeypatch.setattr(kept, "cache", gone)
    assert kept.kept("test", None, lambda: 7) == 7
