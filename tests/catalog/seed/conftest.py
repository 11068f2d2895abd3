"""Fixtures for tests of the shipped data."""

import shutil
from pathlib import Path

import pytest

from catalog.seed.files import DATA_DIR


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A copy of the shipped tables, without model files, that a test may spoil."""
    return Path(shutil.copytree(DATA_DIR, tmp_path / "data", ignore=shutil.ignore_patterns("models")))
