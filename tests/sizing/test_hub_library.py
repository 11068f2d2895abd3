"""Hub lookup through the real library over HTTP: a loopback server answers with the hub's own status and headers.

Codes and headers: huggingface_hub.utils._http.hf_raise_for_status (X-Error-Code, X-Error-Message) and
huggingface_hub.file_download (X-Repo-Commit, ETag).
"""

import json
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi

from sizing.core.errors import InvalidModel
from sizing.hub import HubModel, hub_model

COMMIT = "0" * 40
HEADER = json.dumps(
    {
        "__metadata__": {"format": "pt"},
        "a": {"dtype": "F32", "shape": [10, 5], "data_offsets": [0, 200]},
        "b": {"dtype": "BF16", "shape": [30], "data_offsets": [200, 260]},
    }
).encode()
WEIGHTS = struct.pack("<Q", len(HEADER)) + HEADER  # the tensors are never asked for
CONFIG = json.dumps({"model_type": "llama", "hidden_size": 8}).encode()


class Answers(BaseHTTPRequestHandler):
    """The three routes that a lookup uses; `failure` (status, headers) answers those in `fails`."""

    files: dict[str, bytes] = {}
    failure: tuple[int, dict[str, str]] = (0, {})
    fails = ""
    asked: list[str] = []
    tokens: list[str | None] = []

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def _answer(self) -> None:
        path = self.path.split("?")[0]
        self.asked.append(f"{self.command} {path} {self.headers.get('range') or ''}".strip())
        self.tokens.append(self.headers.get("authorization"))
        if self.failure[0] and self.fails in path:
            self._send(self.failure[0], b"", self.failure[1])
        elif path == "/api/models/org/model":
            siblings = [{"rfilename": name, "size": len(data)} for name, data in self.files.items()]
            self._send(200, json.dumps({"id": "org/model", "sha": COMMIT, "siblings": siblings}).encode(), {})
        elif (name := path.rpartition("/")[2]) in self.files:
            self._send(200, self.files[name], {"ETag": f'"{name}"', "X-Repo-Commit": COMMIT})
        else:
            self._send(404, b"", {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT})

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Keeps the requests out of the test's output."""


@contextmanager
def hub(**answers: Any) -> Iterator[tuple[str, type[Answers]]]:
    handler = type("Handler", (Answers,), {"asked": [], "tokens": [], **answers})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", handler
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def look_up(address: str, *, token: str | None = None) -> HubModel:
    return hub_model("org/model", token=token, api=HfApi(endpoint=address, token=token or False))


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of an earlier lookup, nor an ambient token of the machine, may help."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_TOKEN", "ambient-token-of-the-server")


def test_config_and_bytes_by_format_arrive_and_only_headers_travel() -> None:
    with hub(files={"config.json": CONFIG, "model.safetensors": WEIGHTS}) as (address, handler):
        found = look_up(address)
    assert found.config == {"model_type": "llama", "hidden_size": 8}
    assert found.bytes_by_format == {"F32": 200, "BF16": 60}
    assert found.revision == COMMIT
    read = [line for line in handler.asked if line.startswith("GET") and "model.safetensors" in line]
    assert all("bytes=" in line for line in read)
    assert set(handler.tokens) == {None}


def test_the_token_of_the_user_is_passed_on() -> None:
    with hub(files={"config.json": CONFIG}) as (address, handler):
        assert look_up(address, token="hf_of-the-user").bytes_by_format == {}
    assert set(handler.tokens) == {"Bearer hf_of-the-user"}


@pytest.mark.parametrize(
    ("status", "headers", "fails", "code"),
    [
        (404, {"X-Error-Code": "RepoNotFound"}, "/api/models", "hub_not_found"),
        (401, {"X-Error-Code": "RepoNotFound"}, "/api/models", "hub_not_found"),  # missing or private, no token
        (401, {"X-Error-Message": "Invalid credentials in Authorization header"}, "/api/models", "hub_token_refused"),
        (403, {}, "/api/models", "hub_token_refused"),
        (401, {"X-Error-Code": "GatedRepo"}, "/resolve/", "hub_gated"),  # the description of a gated model is public
        (403, {"X-Error-Code": "GatedRepo"}, "/resolve/", "hub_gated"),
        (404, {"X-Error-Code": "EntryNotFound"}, "config.json", "hub_failed"),
        (500, {}, "/api/models", "hub_failed"),
        (429, {}, "/api/models", "hub_failed"),
    ],
)
def test_each_refusal_of_the_hub_is_told_apart(status: int, headers: dict[str, str], fails: str, code: str) -> None:
    with (
        hub(files={"config.json": CONFIG}, failure=(status, headers), fails=fails) as (address, _),
        pytest.raises(InvalidModel) as caught,
    ):
        look_up(address, token="hf_of-the-user")
    assert caught.value.code == code
    assert caught.value.pointer == "/model/id"


def test_without_a_token_a_closed_door_asks_for_one() -> None:
    with hub(failure=(403, {}), fails="/api/models") as (address, _), pytest.raises(InvalidModel) as caught:
        look_up(address)
    assert caught.value.code == "hub_gated"


def test_a_hub_that_nobody_reaches_is_offline() -> None:
    with hub() as (address, _):
        pass  # the server is gone, the port is closed
    with pytest.raises(InvalidModel) as caught:
        look_up(address)
    assert caught.value.code == "hub_offline"


def test_the_offline_mode_of_the_library_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with hub(files={"config.json": CONFIG}) as (address, handler), pytest.raises(InvalidModel) as caught:
        look_up(address)
    assert caught.value.code == "hub_offline"
    assert handler.asked == []


def test_a_huge_config_is_never_asked_for() -> None:
    with hub(files={"config.json": b" " * 8_000_001}) as (address, handler), pytest.raises(InvalidModel) as caught:
        look_up(address)
    assert caught.value.code == "model_file_too_large"
    assert not [line for line in handler.asked if "config.json" in line]
