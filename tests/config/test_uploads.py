"""Files above the limit of an upload."""

import io

import pytest
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from config.middleware import UploadLimitMiddleware
from config.uploads import DroppedFile

FIELDS = {"name": "kept", "file": SimpleUploadedFile("list.csv", b"1;2\n" * 500_000)}


def seen(request: HttpRequest) -> list[HttpRequest]:
    """The requests that pass the middleware, each read as a view would read it."""
    passed: list[HttpRequest] = []

    def view(request: HttpRequest) -> HttpResponse:
        passed.append(request)
        return HttpResponse(request.POST.get("name", ""))

    UploadLimitMiddleware(view)(request)
    return passed


def test_a_page_gets_its_fields_and_a_file_of_name_and_size_alone(settings: Settings) -> None:
    settings.UPLOAD_MAX_MB = 1
    FIELDS["file"].seek(0)
    (request,) = seen(RequestFactory().post("/imports/", FIELDS))

    upload = request.FILES["file"]
    assert request.POST["name"] == "kept"
    assert isinstance(upload, DroppedFile)
    assert (upload.name, upload.size) == ("list.csv", 2_000_000)


@pytest.mark.parametrize("use", [bytes, io.BufferedReader, list])
def test_the_content_of_a_dropped_file_cannot_be_mistaken_for_an_empty_one(use: type) -> None:
    dropped = DroppedFile(io.BytesIO(), "list.csv", "text/csv", 2_000_000, None)

    with pytest.raises(RequestDataTooBig, match="2000000 bytes"):
        _ = {bytes: dropped.read, io.BufferedReader: dropped.open, list: lambda: list(dropped)}[use]()


@pytest.mark.parametrize(
    ("path", "content_type"), [("/api/v1/imports/", "multipart/form-data; boundary=x"), ("/x/", "text/csv")]
)
def test_anything_else_above_the_limit_reaches_no_view(settings: Settings, path: str, content_type: str) -> None:
    settings.UPLOAD_MAX_MB = 1
    request = RequestFactory().generic("POST", path, b"x" * 1_100_000, content_type=content_type)

    assert seen(request) == []
    assert request.read(1) == b""
