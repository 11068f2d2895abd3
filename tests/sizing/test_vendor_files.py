"""Third-party files are the ones that VENDOR.toml names, and nothing loads from elsewhere."""

import hashlib
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import plotly.offline
import pytest
from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "static"
VENDOR = STATIC / "vendor"
LISTED = tomllib.loads((VENDOR / "VENDOR.toml").read_text())


@pytest.mark.parametrize("name", sorted(LISTED))
def test_a_vendored_file_has_its_checksum_and_licence(name: str) -> None:
    entry = LISTED[name]
    assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == entry["sha256"]
    assert entry["licence"] in {"MIT", "OFL-1.1"}


def test_every_vendored_file_is_listed_and_has_a_licence_text_beside_it() -> None:
    files = [path for path in VENDOR.rglob("*") if path.is_file() and path.suffix in {".js", ".css", ".woff2"}]
    assert {path.relative_to(VENDOR).as_posix() for path in files} == set(LISTED)
    assert all(any(path.parent.glob("LICENSE*")) for path in files)


def test_the_browser_draws_with_the_plotly_whose_validators_hold_the_figures() -> None:
    assert LISTED["plotly/plotly-basic.min.js"]["version"] == plotly.offline.get_plotlyjs_version()
    assert version("plotly")


@pytest.mark.parametrize("path", sorted((STATIC / "css").glob("*.css")), ids=lambda path: path.name)
def test_style_sheets_load_nothing_from_another_host(path: Path) -> None:
    assert re.findall(r"url\(\s*[\"']?(https?:)?//", path.read_text()) == []


@pytest.mark.parametrize(
    "path", sorted(Path(settings.BASE_DIR, "templates").rglob("*.html")), ids=lambda path: path.name
)
def test_templates_have_no_inline_script_and_no_inline_style(path: Path) -> None:
    text = path.read_text()
    assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", text) == []
    assert re.findall(r"\sstyle=|\son[a-z]+=\"|<style", text) == []
