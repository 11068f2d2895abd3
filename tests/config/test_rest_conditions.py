"""ETags, rate limits, request ids and problem documents of real endpoints."""

import pytest
from pytest_django import Settings
from redis.exceptions import ConnectionError as CacheGone
from rest_framework.settings import api_settings

from tests.catalog.rows import make_accelerator, make_part, make_price
from tests.config.api.calls import Caller, caller, visitor

pytestmark = pytest.mark.django_db
H100 = "accelerators/nvidia-h100-sxm5-80gb"
PROBLEM = "application/problem+json"


@pytest.fixture
def anyone() -> Caller:
    make_accelerator()
    return visitor()


@pytest.fixture
def three_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", {"anon": "3/min", "user": "5/min"}, raising=False)


@pytest.mark.parametrize("address", ["accelerators", H100])
def test_what_has_not_changed_is_answered_304(anyone: Caller, address: str) -> None:
    etag = anyone.get(address)["ETag"]

    again = anyone.get(address, if_none_match=etag)
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)

    make_accelerator(slug="newer")
    assert anyone.get("accelerators", if_none_match=etag).status_code == 200


def test_answers_are_private_and_vary_by_language_and_caller(anyone: Caller) -> None:
    answer = anyone.get(H100)

    assert answer["Cache-Control"] == "private, no-cache"
    assert {"Accept-Language", "Authorization"} <= {name.strip() for name in answer["Vary"].split(",")}


def test_every_answer_tells_what_is_left(anyone: Caller, three_a_minute: None) -> None:
    left = [anyone.get(H100) for _ in range(4)]

    assert [answer.status_code for answer in left] == [200, 200, 200, 429]
    assert [answer["X-RateLimit-Remaining"] for answer in left] == ["2", "1", "0", "0"]
    assert left[0]["RateLimit-Policy"] == '"anonymous";q=3;w=60'
    assert left[0]["RateLimit"].startswith('"anonymous";r=2;t=')
    assert left[3]["Content-Type"] == PROBLEM
    assert 0 < int(left[3]["Retry-After"]) <= 61


def test_polling_without_change_costs_nothing(anyone: Caller, three_a_minute: None) -> None:
    etag = anyone.get(H100)["ETag"]

    assert [anyone.get(H100, if_none_match=etag).status_code for _ in range(6)] == [304] * 6


def test_tokens_and_visitors_are_counted_apart(anyone: Caller, three_a_minute: None) -> None:
    member = caller()
    for _ in range(4):
        anyone.get(H100)

    assert anyone.get(H100).status_code == 429
    assert member.get(H100)["RateLimit"].startswith('"token";r=4;')


def test_without_a_cache_requests_are_answered_uncounted(anyone: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def count(self, *_args: object, **_options: object) -> None:
            raise CacheGone

    monkeypatch.setattr("config.rest.limits.cache", Gone())
    answer = anyone.get(H100)

    assert answer.status_code == 200
    assert "RateLimit" not in answer


def test_the_request_id_comes_back_and_stands_in_the_problem(anyone: Caller) -> None:
    answer = anyone.get("accelerators/unheard-of", x_request_id="my-own-id-1234")

    assert (answer["X-Request-ID"], answer.json()["trace_id"]) == ("my-own-id-1234", "my-own-id-1234")


def test_failures_of_real_endpoints_are_problems(anyone: Caller, settings: Settings) -> None:
    settings.UPLOAD_MAX_MB = 1
    cases = [
        (anyone.get("accelerators/unheard-of"), 404, "not_found"),
        (anyone.get("accelerators/%00"), 404, "not_found"),
        (anyone.get("no-such-thing"), 404, "not_found"),
        (anyone.delete("accelerators"), 405, "method_not_allowed"),
        (anyone.get("accelerators", accept="application/xml"), 406, "not_acceptable"),
        (anyone.post("sizing-runs", {"name": "x" * 1_000_100}), 413, "too_large"),
        (anyone.client.post("/api/v1/sizing-runs", b"<a/>", content_type="text/xml"), 415, "wrong_media_type"),
        (anyone.post("sizing-runs", {}), 422, "request_invalid"),
        (anyone.get("sizing-runs"), 401, "not_signed_in"),
        (caller("viewer").post("sizing-runs", {}), 403, "not_allowed"),
    ]
    for answer, status, code in cases:
        assert (answer.status_code, answer["Content-Type"], answer.json()["code"]) == (status, PROBLEM, code)
    assert cases[3][0]["Allow"] == "GET, HEAD, OPTIONS"


def test_words_follow_the_reader_and_codes_do_not(anyone: Caller) -> None:
    german = anyone.get("accelerators?typo=1", accept_language="de").json()
    english = anyone.get("accelerators?typo=1").json()

    assert german["errors"][0]["code"] == english["errors"][0]["code"] == "unknown_parameter"
    assert english["errors"][0]["detail"].startswith("There is no such parameter.")
    assert german["errors"][0]["detail"].startswith("Diesen Parameter gibt es nicht.")


def test_a_fault_of_ours_is_a_problem_without_its_words(anyone: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object, **_options: object) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr("catalog.api.views.AcceleratorViewSet.rows", broken)
    answer = anyone.get("accelerators")

    assert (answer.status_code, answer["Content-Type"], answer.json()["code"]) == (500, PROBLEM, "internal_error")
    assert "secret words" not in answer.content.decode()


def test_if_match_on_a_read_is_judged_too(anyone: Caller) -> None:
    answer = anyone.get(H100, if_match='"other"')

    assert (answer.status_code, answer["Content-Type"]) == (412, PROBLEM)


def test_prices_of_an_organisation_are_its_own(anyone: Caller) -> None:
    owner = caller("viewer")
    assert owner.member is not None
    price = make_price(make_part(), organisation=owner.member.organisation)
    stranger = caller("administrator")

    assert len(owner.get("prices").json()["results"]) == 1
    assert owner.get(f"prices/{price.public_id}").json()["own"] is True
    for other in (anyone, stranger):
        assert other.get("prices").json()["results"] == []
        assert other.get(f"prices/{price.public_id}").status_code == 404
