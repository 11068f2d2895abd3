"""Generated clients and the examples of the documentation, from a workload to a PDF, against a server that listens."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from config.accounts.choices import Role
from quotes.models import Quote
from sizing.execute import execute_run
from sizing.models import SizingRun
from tests.factories import make_membership, make_organisation, make_token

pytestmark = pytest.mark.django_db(transaction=True)
EXAMPLES = Path(settings.BASE_DIR) / "docs" / "examples"
SCHEMA = Path(settings.BASE_DIR) / "docs" / "openapi.yaml"
NODE = Path(settings.BASE_DIR) / ".venv" / "clients" / "node_modules"
HOW = "run .ci/clients, which fetches it from npm"


@pytest.fixture
def key(live_kvote: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """An access token for a server with the shipped catalogue; runs are done at once, in the server's thread."""
    monkeypatch.setattr("sizing.services._send", execute_run)
    call_command("seed", verbosity=0)
    member = make_membership(role=Role.PLANNER, organisation=make_organisation(country="US"))
    return make_token(member)[1]


def call(command: list[str | Path], folder: Path, **environment: str) -> str:
    """What the command prints; AssertionError with its complaint where it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python_client(folder: Path) -> None:
    tool = Path(sys.executable).with_name("openapi-python-client")
    options = ["--path", SCHEMA, "--meta", "none", "--config", EXAMPLES / "python-client.yaml"]
    call([tool, "generate", *options, "--output-path", folder / "kvote_client"], folder)


def typescript_client(folder: Path) -> None:
    assert NODE.is_dir(), HOW
    (folder / "node_modules").symlink_to(NODE)
    shutil.copy(EXAMPLES / "quote.ts", folder)
    shutil.copy(EXAMPLES / "package.json", folder)
    call([NODE / ".bin" / "openapi-typescript", SCHEMA, "-o", folder / "kvote.ts"], folder)
    options = [
        "--strict",
        "--noUncheckedIndexedAccess",
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--types",
        "node",
        "--skipLibCheck",
    ]
    call([NODE / ".bin" / "tsc", *options, "quote.ts"], folder)


def curl_example() -> str:
    text = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text(encoding="utf-8")
    found = re.search(r"## From a workload to a PDF\n\n```sh\n(.*?)```", text, re.S)
    assert found is not None
    return found[1]


def test_both_clients_and_the_curl_example_bring_a_workload_to_a_pdf(live_kvote: str, key: str, tmp_path: Path) -> None:
    python_client(tmp_path)
    typescript_client(tmp_path)
    shell = curl_example().replace("http://localhost:8000", live_kvote)
    python, workload = sys.executable, EXAMPLES / "workload.json"
    said = [
        call([python, EXAMPLES / "quote.py", live_kvote, key, workload, "python.pdf"], tmp_path, PYTHONPATH="."),
        call(["node", "quote.js", live_kvote, key, "typescript.pdf"], tmp_path),
    ]
    call(["bash", "-euo", "pipefail", "-c", shell], tmp_path, KVOTE_KEY=key)

    assert said[0] == said[1]
    assert re.fullmatch(r"\d+ x [\w-]+, [\d.]+ USD\n", said[0])
    assert SizingRun.objects.count() == Quote.objects.count() == 3
    for name in ("python.pdf", "typescript.pdf", "quote.pdf"):
        assert (tmp_path / name).read_bytes().startswith(b"%PDF-"), name


def test_the_script_stays_as_short_as_it_is_promised() -> None:
    lines = [line for line in (EXAMPLES / "quote.py").read_text(encoding="utf-8").splitlines() if line.strip()]

    assert len(lines) <= 21  # twenty and the line that says how to call it


@pytest.mark.full
def test_the_schema_is_clean_in_a_linter(tmp_path: Path) -> None:
    assert NODE.is_dir(), HOW

    call([NODE / ".bin" / "redocly", "lint", SCHEMA, "--max-problems", "500"], tmp_path)
