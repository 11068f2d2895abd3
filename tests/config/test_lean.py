"""A command that answers one question starts with few apps, and answers as a whole Kvote does."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from config import lean
from sizing.messages import localised
from sizing.pipeline import answer
from sizing.requests import read_request
from tests.processes import url_of_database

CONFIG = settings.BASE_DIR / "catalog" / "data" / "models" / "configs" / "meta-llama__Llama-3.1-8B-Instruct.json"
REQUEST: dict[str, Any] = {
    "kind": "llm_serving",
    "model": {"config": json.loads(CONFIG.read_text(encoding="utf-8")), "name": "Llama 3.1 8B"},
    "traffic": {"input_tokens": 1024, "output_tokens": 256, "concurrent_requests": 16},
    "as_of": "2026-11-30",
}
HEAVY = ("celery", "redis", "requests", "gguf", "allauth", "oauth2_provider", "quotes.models", "psycopg_pool")


def environment() -> dict[str, str]:
    database = str(connection.settings_dict["NAME"])
    return os.environ | {"DATABASE_URL": url_of_database(database), "DJANGO_SETTINGS_MODULE": "config.settings"}


def test_every_app_that_a_lean_command_keeps_is_installed() -> None:
    assert set(lean.APPS) <= set(settings.INSTALLED_APPS)


@pytest.mark.django_db
def test_a_lean_command_answers_as_the_whole_program_does(tmp_path: Path) -> None:
    asked = tmp_path / "request.json"
    asked.write_text(json.dumps(REQUEST))
    script = (
        "import json, sys, manage\n"
        "sys.argv = ['manage.py', 'size', sys.argv[1]]\n"
        "manage.main()\n"
        f"print(json.dumps(sorted(set(sys.modules) & set({HEAVY!r}))))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(asked)],
        env=environment(),
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told, loaded = done.stdout.splitlines()
    here = localised(answer(read_request(REQUEST, today=date(2026, 12, 1))))
    assert json.loads(told) == json.loads(json.dumps(here))
    assert json.loads(loaded) == []


@pytest.mark.django_db
def test_a_wrong_request_still_ends_in_a_problem_document() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "size", "-"],
        input=json.dumps(REQUEST | {"kind": "no_such_kind"}),
        env=environment(),
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(done.stderr)["errors"][0]["pointer"] == "/kind"
