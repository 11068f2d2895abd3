"""One POST to a judged address: no redirect, no proxy, no cookie, a limit in time and in bytes."""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from config.webhooks.targets import Target

CONNECT_S = 5
TOTAL_S = 15
EXCERPT_BYTES = 400
GONE = 410


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a POST: `code` is "delivered" or a key of `words.WORDS`; `status` is None without an answer."""

    code: str
    status: int | None = None
    duration_ms: int = 0
    excerpt: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_delivered(self) -> bool:
        return self.code == "delivered"


def post(target: Target, *, headers: Mapping[str, str], body: bytes) -> Answer:
    """Send the bytes. Whatever the receiver or the network does becomes an Answer; nothing is raised."""
    started = time.monotonic()
    try:
        status, excerpt = _exchange(target, headers, body)
        code = _code_of(status)
    except ssl.SSLError:
        code, status, excerpt = "tls_failed", None, ""
    except TimeoutError:
        code, status, excerpt = "timeout", None, ""
    except OSError:
        code, status, excerpt = "connect_failed", None, ""
    except http.client.HTTPException:
        code, status, excerpt = "bad_answer", None, ""
    passed_s = time.monotonic() - started
    if status is None and passed_s >= TOTAL_S:
        code = "timeout"
    params = {"status": status, "limit_s": TOTAL_S}
    return Answer(code=code, status=status, duration_ms=int(passed_s * 1000), excerpt=excerpt, params=params)


def _exchange(target: Target, headers: Mapping[str, str], body: bytes) -> tuple[int, str]:
    connection = http.client.HTTPConnection(target.host, target.port, timeout=CONNECT_S)
    connection.sock = _connected(target)
    # A receiver that sends a byte now and then would never run into the time limit of a single read.
    watch = threading.Timer(TOTAL_S, _cut, [connection.sock])
    watch.daemon = True
    watch.start()
    try:
        connection.putrequest("POST", target.path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": target.authority, "Content-Length": str(len(body)), **headers}.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        return response.status, _plain(response.read(EXCERPT_BYTES))
    finally:
        watch.cancel()
        connection.close()


def _connected(target: Target) -> socket.socket:
    """A connection to the first judged address that takes one; the certificate must be that of the name."""
    plain = _first(target)
    plain.settimeout(TOTAL_S)
    if target.scheme != "https":
        return plain
    try:
        return tls_context().wrap_socket(plain, server_hostname=target.host)
    except BaseException:
        plain.close()
        raise


def tls_context() -> ssl.SSLContext:
    """The certificates that this machine trusts."""
    return ssl.create_default_context()


def _first(target: Target) -> socket.socket:
    failure: OSError = ConnectionError("no address")
    for address in target.addresses:
        try:
            return socket.create_connection((address, target.port), timeout=CONNECT_S)
        except OSError as error:
            failure = error
    raise failure


def _cut(sock: socket.socket) -> None:
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


def _code_of(status: int) -> str:
    if 200 <= status < 300:
        return "delivered"
    if 300 <= status < 400:
        return "redirect"
    return "gone" if status == GONE else "http_status"


def _plain(content: bytes) -> str:
    text = content.decode("utf-8", errors="replace")
    return "".join(letter if letter.isprintable() else " " for letter in text)[:200]
