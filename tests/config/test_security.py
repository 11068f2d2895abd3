"""Headers, cookies, policy and log lines."""

import json
import logging
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from pytest_django import Settings

from config.accounts.addresses import client_address
from config.csp import POLICY
from config.logs import JsonLines, NoClockwork, PlainLines, RequestId, request_id


def test_every_answer_carries_the_policy(client: Client) -> None:
    header = client.get("/health/live")["Content-Security-Policy"]

    assert header == (
        "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'self'; "
        "object-src 'none'; frame-ancestors 'none'"
    )


def test_no_script_may_be_inline_or_evaluated() -> None:
    assert POLICY["script-src"] == ["'self'"]
    assert not any("unsafe-eval" in source for sources in POLICY.values() for source in sources)


def test_headers_against_sniffing_framing_and_leaking(client: Client) -> None:
    answer = client.get("/health/live")

    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"


SHOW = (
    "from django.conf import settings as s; import json; print(json.dumps([s.DEBUG, s.SESSION_COOKIE_SECURE, "
    "s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS, s.STORAGES['staticfiles']['BACKEND']]))"
)


def settings_with(**environment: str) -> "subprocess.CompletedProcess[str]":
    cleaned = {name: value for name, value in os.environ.items() if name not in {"DEBUG", "SECRET_KEY", "HTTPS"}}
    return subprocess.run(
        [sys.executable, "-c", SHOW],
        env=cleaned | {"DJANGO_SETTINGS_MODULE": "config.settings", "KVOTE_DATA": "/nonexistent"} | environment,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )


def test_behind_tls_cookies_are_secure_and_static_files_hashed() -> None:
    found = json.loads(settings_with(SECRET_KEY="x" * 50, HTTPS="1").stdout)

    assert found == [False, True, True, True, 31_536_000, "whitenoise.storage.CompressedManifestStaticFilesStorage"]


def test_production_without_a_signing_key_does_not_start() -> None:
    done = settings_with()

    assert done.returncode != 0
    assert "SECRET_KEY=''" in done.stderr


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "6.6.6.6", "10.0.0.1"),
        (1, "6.6.6.6, 7.7.7.7", "7.7.7.7"),
        (2, "6.6.6.6, 7.7.7.7", "6.6.6.6"),
        (2, "7.7.7.7", "7.7.7.7"),
        (1, "", "10.0.0.1"),
    ],
)
def test_only_our_own_proxies_are_believed(settings: Settings, proxies: int, forwarded: str, address: str) -> None:
    settings.PROXY_COUNT = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", headers={"x-forwarded-for": forwarded})

    assert client_address(request) == address


@pytest.mark.parametrize(
    ("given", "kept"), [("abc-123.DEF_4", True), ("short", False), ("x" * 65, False), ("new\nline0", False)]
)
def test_a_request_id_is_kept_if_it_is_harmless(client: Client, given: str, kept: bool) -> None:
    found = client.get("/health/live", headers={"x-request-id": given})["X-Request-ID"]

    assert (found == given) is kept
    assert len(found) >= 8


def record_with(**facts: object) -> logging.LogRecord:
    record = logging.makeLogRecord({"name": "sizing", "levelname": "INFO", "msg": "run finished"} | facts)
    RequestId().filter(record)
    return record


def test_a_json_line_holds_message_facts_and_request() -> None:
    token = request_id.set("abc")
    try:
        line = json.loads(JsonLines().format(record_with(run_id=7, name="sizing")))
    finally:
        request_id.reset(token)

    assert (line["message"], line["run_id"], line["request_id"], line["level"]) == ("run finished", 7, "abc", "info")


def test_a_plain_line_shows_the_facts_behind_the_message() -> None:
    assert PlainLines().format(record_with(run_id=7)).endswith("INFO    sizing: run finished run_id=7")


def test_the_sweepers_rounds_are_not_logged() -> None:
    assert not NoClockwork().filter(record_with(data={"name": "sizing.tasks.sweep_runs"}))
    assert NoClockwork().filter(record_with(data={"name": "sizing.tasks.run_sizing"}))
    assert NoClockwork().filter(record_with())
