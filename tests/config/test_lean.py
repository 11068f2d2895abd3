"""A command that answers one question starts with few apps, and answers as a whole Kvote does."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from catalog.seed.report import SeedReport
from config import lean
from sizing.messages import localised
from sizing.pipeline import answer
from sizing.requests import read_request
from tests.processes import url_of_database

REQUEST: dict[str, Any] = {
    "kind": "llm_serving",
    "model": {"id": "meta-llama/Llama-3.1-8B-Instruct"},
    "traffic": {"input_tokens": 1024, "output_tokens": 256, "concurrent_requests": 16},
    "deployment": {"accelerator": "nvidia-h100-sxm5-80gb", "count": 1, "engine": "vllm"},
    "as_of": "2026-11-30",
}
HEAVY = ("celery", "redis", "requests", "gguf", "allauth", "oauth2_provider", "quotes.models", "psycopg_pool")


def environment() -> dict[str, str]:
    database = str(connection.settings_dict["NAME"])
    return os.environ | {"DATABASE_URL": url_of_database(database), "DJANGO_SETTINGS_MODULE": "config.settings"}


def facts(result: dict[str, Any]) -> dict[str, Any]:
    """A result without what counts the writes of this test run."""
    return {key: value for key, value in result.items() if key not in ("catalog_version", "input_hash")}


def test_every_app_that_a_lean_command_keeps_is_installed() -> None:
    assert set(lean.APPS) <= set(settings.INSTALLED_APPS)


def test_a_lean_command_answers_as_the_whole_program_does(shipped: SeedReport, db: None, tmp_path: Path) -> None:
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
    here = json.loads(json.dumps(localised(answer(read_request(REQUEST, today=date(2026, 12, 1))))))
    assert facts(json.loads(told)) == facts(here)
    assert json.loads(loaded) == []


def test_a_wrong_request_still_ends_in_a_problem_document(shipped: SeedReport, db: None) -> None:
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
