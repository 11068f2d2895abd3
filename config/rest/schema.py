"""What the OpenAPI document says of every operation: parameters, conditional requests, problems, rate limits."""

from collections.abc import Iterator, Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

METHODS = frozenset({"get", "post", "put", "patch", "delete"})
PROBLEM = {
    "type": "object",
    "description": "What went wrong (RFC 9457). Branch on `code` and `status`, never on text.",
    "required": ["type", "title", "status", "detail", "instance", "code", "trace_id"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string", "description": "In the language of Accept-Language."},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "code": {"type": "string", "description": "Stable. New codes may be added."},
        "trace_id": {"type": "string", "description": "The X-Request-ID of this answer; name it when you ask."},
        "errors": {"type": "array", "items": {"$ref": "#/components/schemas/ProblemEntry"}},
        "allowed_states": {"type": "array", "items": {"type": "string"}, "description": "States that may come next."},
    },
}
PROBLEM_ENTRY = {
    "type": "object",
    "required": ["pointer", "code", "detail"],
    "properties": {
        "pointer": {"type": "string", "description": "JSON pointer (RFC 6901) into the body."},
        "parameter": {"type": "string", "description": "Name of the query parameter or header."},
        "code": {"type": "string"},
        "detail": {"type": "string"},
    },
}
WORDS = {
    "400": "A parameter, a header or the body cannot be read.",
    "401": "The access token is unknown, expired or revoked, or none was sent.",
    "403": "The role or the token's scope does not allow this.",
    "404": "Nothing here that the caller may see.",
    "406": "Only application/json can be sent.",
    "409": "Not possible in the present state.",
    "412": "Somebody changed it in the meantime.",
    "413": "The body is too large.",
    "415": "This media type is not read.",
    "422": "A field is wrong; `errors` names each.",
    "428": "If-Match is missing.",
    "429": "Too many requests; Retry-After says how long to wait.",
}
HEADERS = {
    "ETag": ("Version of what was read; send it as If-None-Match or If-Match.", {"type": "string"}),
    "RateLimit": ("Requests left in this window.", {"type": "string"}),
    "X-Request-ID": ("Identifies this request in the logs.", {"type": "string"}),
}
# Of the messages to other programs, in the Standard Webhooks form.
MESSAGE_HEADERS = {
    "webhook-id": "Equal when a message is sent again.",
    "webhook-timestamp": "Unix seconds.",
    "webhook-signature": "`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`; two while a secret is rotated.",
}


class ApiSchema(AutoSchema):
    """Adds what follows from the class of the view: its own parameters, `fields`, conditions, idempotency."""

    def is_deprecated(self) -> bool:
        view: Any = self.view
        return getattr(view, "action", None) in getattr(view, "deprecated", ()) or bool(super().is_deprecated())

    def get_override_parameters(self) -> list[Any]:
        view: Any = self.view
        action = getattr(view, "action", None)
        found: list[Any] = list(getattr(view, "parameters", {}).get(action, ()))
        if hasattr(view, "has_fields") and view.has_fields():
            names = ", ".join(view.field_names())
            found.append(
                OpenApiParameter("fields", str, description=f"Only these fields, with commas between: {names}.")
            )
        if self.method == "GET":
            found.append(_header("If-None-Match", "Answer 304 where this is the present ETag."))
        if action in getattr(view, "conditional", ()):
            found.append(_header("If-Match", "The ETag that was read; without it the answer is 428."))
        if getattr(getattr(view, action or "", None), "is_idempotent", False):
            found.append(_header("Idempotency-Key", "Sent twice, done once; the answer is kept for a day."))
        return found


def _header(name: str, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, description=description)


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """drf-spectacular's last step: problems, headers and answers that every operation can give."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {}).update({"Problem": PROBLEM, "ProblemEntry": PROBLEM_ENTRY})
    _allow_blank_text(components["schemas"])
    components["responses"] = {
        f"Problem{status}": {
            "description": words,
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, words in WORDS.items()
    }
    components["headers"] = {
        name: {"description": words, "schema": schema} for name, (words, schema) in HEADERS.items()
    }
    for path, method, operation in _operations(result):
        operation.setdefault("summary", _first_sentence(operation.get("description", "")))
        responses = operation["responses"]
        for status in _possible(path, method, operation):
            responses.setdefault(status, {"$ref": f"#/components/responses/Problem{status}"})
        for status, response in responses.items():
            if status.startswith("2"):
                names = HEADERS if method == "get" else [name for name in HEADERS if name != "ETag"]
                headers = response.setdefault("headers", {})
                for name in names:
                    headers.setdefault(name, {"$ref": f"#/components/headers/{name}"})
        if method == "get":
            responses.setdefault("304", {"description": "Not changed since the ETag that was sent."})
        operation["responses"] = dict(sorted(responses.items()))
    for item in result.get("webhooks", {}).values():
        item["post"]["security"] = []  # the signature is in the headers
        item["post"]["parameters"] = [
            {"name": name, "in": "header", "required": True, "schema": {"type": "string"}, "description": words}
            for name, words in MESSAGE_HEADERS.items()
        ]
    return result


def _first_sentence(text: str) -> str:
    """Without its full stop; what follows says more than a list of operations can show."""
    return " ".join(text.split()).partition(". ")[0].removesuffix(".")


def _allow_blank_text(node: Any) -> None:
    """An address or the empty text: both may match, as no validator must judge formats, so anyOf instead of oneOf."""
    if isinstance(node, dict):
        if {"type": "string", "maxLength": 0} in node.get("oneOf", ()):
            node["anyOf"] = node.pop("oneOf")
        for inner in node.values():
            _allow_blank_text(inner)
    elif isinstance(node, list):
        for inner in node:
            _allow_blank_text(inner)


def _operations(result: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in result["paths"].items():
        for method, operation in item.items():
            if method in METHODS:
                yield path, method, operation


def _possible(path: str, method: str, operation: Mapping[str, Any]) -> list[str]:
    headers = {each["name"] for each in operation.get("parameters", ()) if each.get("in") == "header"}
    found = ["400", "401", "403", "406", "429"]
    if "{" in path:
        found.append("404")
    if method != "get":
        found += ["413", "415"]
    if "requestBody" in operation:
        found.append("422")
    if "If-Match" in headers:
        found += ["409", "412", "428"]
    elif "If-None-Match" in headers:
        found.append("412")
    if "Idempotency-Key" in headers:
        found += ["409", "422"]
    return found


class StrictScheme(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A body that refuses unknown fields says so."""

    target_class = "config.rest.serializers.StrictMixin"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: str) -> Any:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return schema | {"additionalProperties": False} if direction == "request" else schema
