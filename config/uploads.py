"""A file that is larger than an upload may be, on a page: the file goes, the rest of the form stays."""

import io
from collections.abc import Iterator
from typing import Any, NoReturn

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler


class DroppedFile(UploadedFile):  # type: ignore[type-arg]  # generic for the type checker alone
    """Name and size of a file that was not kept: a form refuses it by its size; to read it raises, which is a 413."""

    def read(self, *_arguments: Any) -> NoReturn:
        raise RequestDataTooBig(f"{self.name} has {self.size} bytes")

    def open(self, *_arguments: Any) -> NoReturn:
        self.read()

    def chunks(self, chunk_size: int | None = None) -> NoReturn:
        self.read()

    def __iter__(self) -> Iterator[bytes]:
        self.read()


class DropFiles(FileUploadHandler):
    """Reads the files of a request to their ends and keeps nothing but their names and sizes."""

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        return None

    def file_complete(self, file_size: int) -> DroppedFile:
        return DroppedFile(io.BytesIO(), self.file_name, self.content_type, file_size, self.charset)
