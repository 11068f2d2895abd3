"""Every failure has a designed page, or below /api/ a problem document, in the reader's language."""

import json
import re

import pytest
from django.core.exceptions import PermissionDenied
from django.core.exceptions import ValidationError as DjangoValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import include, path
from django.utils import translation
from django.views.decorators.http import require_POST
from rest_framework import exceptions, serializers
from rest_framework.decorators import api_view, permission_classes, throttle_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle
from rest_framework.views import APIView

from config.errors import bad_request, csrf_failure, problem_handler
from config.errors import page as error_page
from config.problems import PROBLEMS, problem
from sizing.core.errors import InvalidWorkload

# What only a program understands
PROGRAM_WORDS = re.compile(r"header|body|Allow\b|Retry-After|Kopfzeile|trace id|access token|Zugangsschlüssel")
MEMBERS = {"type", "title", "status", "detail", "instance", "code", "trace_id"}


class OneAMinute(AnonRateThrottle):
    rate = "1/min"


class Inner(serializers.Serializer):
    tokens = serializers.IntegerField(min_value=1)


class Outer(serializers.Serializer):
    name = serializers.CharField()
    parts = Inner(many=True)

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        raise serializers.ValidationError("These contradict each other.", code="contradiction")


@api_view(["GET", "POST"])
@permission_classes([AllowAny])
def read(request: Request) -> Response:
    Outer(data=request.data).is_valid(raise_exception=True)
    return Response({})


@api_view(["GET"])
@permission_classes([AllowAny])
@throttle_classes([OneAMinute])
def limited(request: Request) -> Response:
    return Response({})


@api_view(["GET"])
def members_only(request: Request) -> Response:
    return Response({})


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("secret words")


@require_POST
def post_only(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def forbidden(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


urlpatterns = [
    path("api/v1/read", read),
    path("api/v1/limited", limited),
    path("api/v1/members", members_only),
    path("api/v1/broken", broken),
    path("api/v1/post-only", post_only),
    path("broken", broken),
    path("forbidden", forbidden),
    path("", include("config.urls")),
]
handler404 = "config.errors.not_found"
handler403 = "config.errors.permission_denied"
handler500 = "config.errors.server_error"
pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db]


@pytest.fixture
def caller() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("method", "address", "status", "code"),
    [
        ("GET", "/api/v1/nowhere", 404, "not_found"),
        ("GET", "/api/nowhere", 404, "not_found"),
        ("GET", "/api", 404, "not_found"),
        ("GET", "/api/v1/members", 401, "not_signed_in"),
        ("DELETE", "/api/v1/read", 405, "method_not_allowed"),
        ("GET", "/api/v1/post-only", 405, "method_not_allowed"),
        ("GET", "/api/v1/broken", 500, "internal_error"),
    ],
)
def test_every_failure_below_api_is_a_problem_document(
    caller: Client, method: str, address: str, status: int, code: str
) -> None:
    answer = caller.generic(method, address)

    document = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert set(document) >= MEMBERS
    assert (answer.status_code, document["status"], document["code"]) == (status, status, code)
    assert document["instance"] == address
    assert document["trace_id"] == answer["X-Request-ID"]


def test_a_fault_of_ours_tells_nothing_about_itself(caller: Client) -> None:
    for address in ("/api/v1/broken", "/broken"):
        assert "secret words" not in caller.get(address).content.decode()


def test_405_names_the_allowed_methods(caller: Client) -> None:
    assert caller.get("/api/v1/post-only")["Allow"] == "POST"


def test_429_says_when_to_come_back(caller: Client) -> None:
    assert caller.get("/api/v1/limited").status_code == 200
    answer = caller.get("/api/v1/limited")

    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert 0 < int(answer["Retry-After"]) <= 61


def test_wrong_fields_are_listed_with_pointers(caller: Client) -> None:
    body = {"parts": [{"tokens": 5}, {"tokens": -1}, {}]}

    answer = caller.post("/api/v1/read", json.dumps(body), content_type="application/json")

    assert answer.status_code == 422
    assert [(error["pointer"], error["code"]) for error in answer.json()["errors"]] == [
        ("/name", "required"),
        ("/parts/1/tokens", "min_value"),
        ("/parts/2/tokens", "required"),
    ]


def test_an_error_of_the_whole_body_points_at_it(caller: Client) -> None:
    body = {"name": "x", "parts": []}

    answer = caller.post("/api/v1/read", json.dumps(body), content_type="application/json")

    assert answer.json()["errors"] == [
        {"pointer": "", "code": "contradiction", "detail": "These contradict each other."}
    ]


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b'{"a": NaN}'])
def test_a_body_that_is_no_json_is_400(caller: Client, body: bytes) -> None:
    answer = caller.post("/api/v1/read", body, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert "JSON" in answer.json()["detail"]


def test_another_media_type_is_415(caller: Client) -> None:
    answer = caller.post("/api/v1/read", b"<a/>", content_type="application/xml")

    assert answer.status_code == 415


@pytest.mark.parametrize(
    ("address", "status"), [("/nowhere", 404), ("/forbidden", 403), ("/broken", 500), ("/accounts/sign-out/", 405)]
)
def test_pages_fail_as_pages(caller: Client, address: str, status: int) -> None:
    answer = caller.get(address)

    assert answer.status_code == status
    assert answer["Content-Type"].startswith("text/html")


def test_an_error_page_says_what_to_do_and_how_to_ask(caller: Client) -> None:
    answer = caller.get("/nowhere")
    shown = answer.content.decode()

    assert "Nothing here" in shown
    assert "Check it for a typing mistake" in shown
    assert answer["X-Request-ID"] in shown


def test_errors_speak_the_readers_language(caller: Client) -> None:
    german = {"accept-language": "de"}

    assert "Hier ist nichts" in caller.get("/nowhere", headers=german).content.decode()
    assert caller.get("/api/v1/nowhere", headers=german).json()["title"] == "Hier ist nichts"
    assert caller.get("/api/v1/nowhere").json()["title"] == "Nothing here"


@pytest.mark.parametrize("address", ["/api/v1/read", "/accounts/sign-in/"])
def test_an_upload_above_the_limit_is_refused_before_it_is_read(caller: Client, address: str) -> None:
    answer = caller.post(address, b"x" * 20_000_001, content_type="application/json")

    assert answer.status_code == 413
    assert "at most 20 MB" in answer.content.decode()


def test_a_form_without_its_token_is_refused_with_a_page() -> None:
    strict = Client(enforce_csrf_checks=True)

    answer = strict.post("/accounts/sign-in/", {})

    assert answer.status_code == 403
    assert "The form is no longer valid" in answer.content.decode()


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_page_of_an_error_says_what_a_person_does_next(language: str) -> None:
    request = RequestFactory().get("/")
    with translation.override(language):
        pages = {status: error_page(request, status) for status in (400, 403, 404, 405, 410, 413, 429, 500, 503)}
        pages[-1] = csrf_failure(request)
    words = set()
    for status, answer in pages.items():
        shown = answer.content.decode()
        body = shown[shown.index("<main") : shown.index("</main>")]
        assert (shown.count("<h1"), body.count('href="/"')) == (1, 1), status
        assert not PROGRAM_WORDS.search(body), status
        words.add(re.sub(r"\s+", " ", body.split("</h1>")[1].split("</p>")[0]))
    assert len(words) == len(pages)
    assert ("Go back" in str(words)) == (language == "en")


def test_the_address_of_a_form_answers_a_visit_with_a_page(caller: Client) -> None:
    answer = caller.get("/accounts/sign-out/")

    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "Go back and use the button on the page." in answer.content.decode()


def handled(error: Exception) -> Response | None:
    request = APIView().initialize_request(RequestFactory().get("/api/v1/x"))
    return problem_handler(error, {"request": request})


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Http404(), 404),
        (PermissionDenied(), 403),
        (DjangoValidationError({"name": ["Too long."]}), 422),
        (exceptions.NotAcceptable(), 406),
    ],
)
def test_djangos_own_exceptions_become_problems(error: Exception, status: int) -> None:
    answer = handled(error)

    assert answer is not None
    assert answer.status_code == status
    assert answer.data["status"] == status


def test_an_error_of_the_core_is_worded_and_pointed_at() -> None:
    answer = handled(InvalidWorkload("negative_tokens", "/traffic/input_tokens", value=-1))

    assert answer is not None
    assert answer.status_code == 422
    assert answer.data["code"] == "negative_tokens"
    assert answer.data["errors"][0]["pointer"] == "/traffic/input_tokens"
    assert answer.data["errors"][0]["detail"]


def test_an_error_may_bring_its_own_status_and_members() -> None:
    error = InvalidWorkload("wrong_state", "")
    error.status, error.extra = 409, {"allowed_states": ["locked"]}  # type: ignore[attr-defined]

    answer = handled(error)

    assert answer is not None
    assert (answer.status_code, answer.data["allowed_states"]) == (409, ["locked"])


def test_an_unforeseen_error_is_left_to_the_500_page() -> None:
    assert handled(KeyError("x")) is None


def test_too_large_a_form_is_413() -> None:
    too_big = type("RequestDataTooBig", (Exception,), {})()

    assert bad_request(RequestFactory().get("/"), too_big).status_code == 413
    assert bad_request(RequestFactory().get("/")).status_code == 400


def test_each_kind_of_problem_is_explained_at_its_address(client: Client) -> None:
    listed = client.get("/api/v1/problems/").json()["results"]

    assert {kind["status"] for kind in listed} == set(PROBLEMS)
    for status in PROBLEMS:
        kind = client.get(problem(status)["type"]).json()
        assert (kind["status"], kind["title"]) == (status, problem(status)["title"])
    assert client.get("/api/v1/problems/invented").status_code == 404
