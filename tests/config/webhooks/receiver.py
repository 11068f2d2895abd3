"""A receiver of messages that really listens, and can be told to be down."""

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks.webhooks import Webhook


@dataclass
class Receiver:
    """Answers every POST with `status` and keeps what was sent."""

    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers), body))
                self.send_response(receiver.status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_parts: Any) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return self.server.server_address[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?for=kvote"

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _body in self.got]

    def verified(self, secret: str, index: int = -1) -> dict[str, Any]:
        """The message as a receiver reads it: signature checked by the library of the form."""
        headers, body = self.got[index]
        Webhook(secret).verify(body, headers)
        found: dict[str, Any] = json.loads(body)
        return found

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
