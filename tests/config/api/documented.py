"""Holds every answer that a test gets against the committed schema."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml
from django.conf import settings
from jsonschema import Draft202012Validator

SCHEMA_FILE = "docs/openapi.yaml"
UNSPECIFIED = {405, 500}  # an answer to a method that is not there, and a fault provoked by a test


@cache
def schema() -> dict[str, Any]:
    text = (Path(settings.BASE_DIR) / SCHEMA_FILE).read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return loaded


@cache
def routes() -> list[tuple[re.Pattern[str], str]]:
    """Patterns of the paths, those with the fewest variables first. Only a model's id holds a slash."""
    found = []
    for path in schema()["paths"]:
        pattern = re.sub(r"\{(\w+)\}", lambda name: ".+" if name[1] == "model_id" else "[^/]+", path)
        found.append((re.compile(pattern), path))
    return sorted(found, key=lambda entry: entry[1].count("{"))


@cache
def validator(path: str, method: str, status: str, media_type: str) -> Draft202012Validator | None:
    """None where the schema describes no JSON body. Raises KeyError for a status or type that is not documented."""
    response = schema()["paths"][path][method]["responses"][status]
    if "$ref" in response:
        response = schema()["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
    content = response.get("content")
    if content is None:
        return None
    described = content[media_type].get("schema", {})
    if described.get("format") == "binary":
        return None
    return Draft202012Validator(described | {"components": schema()["components"]})


def hold(method: str, address: str, answer: Any) -> None:
    """AssertionError where status, media type or body of the answer is not what the schema says."""
    path = unquote(urlsplit(address).path)
    operation = next((known for pattern, known in routes() if pattern.fullmatch(path)), None)
    if operation is None or answer.status_code in UNSPECIFIED or method.lower() not in schema()["paths"][operation]:
        return
    media_type = answer.get("Content-Type", "").partition(";")[0]
    try:
        judge = validator(operation, method.lower(), str(answer.status_code), media_type)
    except KeyError as missing:
        raise AssertionError(f"{method} {operation}: {answer.status_code} {media_type} lacks {missing}") from None
    if judge is not None and "fields=" not in urlsplit(address).query:
        problem = next(iter(judge.iter_errors(json.loads(answer.content))), None)
        assert problem is None, f"{method} {operation} {answer.status_code}: {problem}"
