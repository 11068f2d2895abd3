"""Calls of the API as a program makes them. Every answer is held against the committed schema."""

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

from config.accounts.choices import Role
from config.accounts.models import Membership
from tests.config.api.documented import hold
from tests.factories import make_membership, make_token

ROOT = "/api/v1/"
CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 256,
    "intermediate_size": 512,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 1000,
    "max_position_embeddings": 2048,
    "torch_dtype": "bfloat16",
}


class Caller:
    """A program with an access token, or a visitor without one. Answers of GET are plain responses."""

    def __init__(self, key: str = "", member: Membership | None = None) -> None:
        self.key = key
        self.member = member
        self.client = Client(raise_request_exception=False)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """`path` below /api/v1/ or a whole address; header names with underscores."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key:
            sent["authorization"] = f"Bearer {self.key}"
        address = path if path.startswith(("/", "http")) else ROOT + path
        content = b"" if body is None else json.dumps(body).encode()
        kind = "application/octet-stream" if body is None else "application/json"
        answer: HttpResponse = self.client.generic(method, address, content, content_type=kind, headers=sent)
        hold(method, address, answer)
        return answer

    def get(self, path: str, **headers: str) -> Any:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.send("POST", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str) -> Any:
        return self.send("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.send("DELETE", path, **headers)


def visitor() -> Caller:
    return Caller()


def caller(role: str = Role.PLANNER, *, scopes: tuple[str, ...] = ("read", "write"), **fields: Any) -> Caller:
    """A program that acts for a new member with this role; `organisation` and `user` may be given."""
    member = make_membership(role=role, **fields)
    return Caller(make_token(member, scopes=scopes)[1], member)
