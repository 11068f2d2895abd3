"""Stored files: addressed by content, in Postgres or in a folder."""

from pathlib import Path

import pytest
from django.core.files.storage import storages
from pytest_django import Settings

from config.accounts.models import StoredFile
from config.accounts.services import read_file, store_file
from tests.factories import make_organisation

pytestmark = pytest.mark.django_db
CONTENT = bytes(range(256))


def test_bytes_come_back_as_they_went_in() -> None:
    stored = store_file(organisation=None, name="logo.png", content=CONTENT, content_type="image/png")

    again = StoredFile.objects.get(pk=stored.pk)
    assert read_file(again) == CONTENT
    assert again.size_bytes == 256
    assert again.sha256 == "40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880"


def test_the_same_file_is_stored_once_for_each_organisation() -> None:
    one, other = make_organisation(), make_organisation()
    parts = {"name": "a.csv", "content": b"a", "content_type": "text/csv"}

    first, second = store_file(organisation=one, **parts), store_file(organisation=one, **parts)
    foreign = store_file(organisation=other, **parts)

    assert first == second
    assert foreign != first


def test_with_a_folder_the_bytes_lie_there(settings: Settings, tmp_path: Path) -> None:
    settings.FILES_DIR = str(tmp_path)
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": tmp_path}}
    }
    assert storages["default"].location == str(tmp_path)

    stored = store_file(organisation=None, name="x.bin", content=CONTENT, content_type="application/octet-stream")

    assert stored.content is None
    assert (tmp_path / "40" / stored.sha256).read_bytes() == CONTENT
    assert read_file(StoredFile.objects.get(pk=stored.pk)) == CONTENT
