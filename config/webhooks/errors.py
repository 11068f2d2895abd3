"""What the services of this app refuse."""

from typing import Any

from config.webhooks.words import words


class WebhookError(ValueError):
    """A code and its parameters; `str()` is the sentence in the reader's language."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code, self.params = code, params

    def __str__(self) -> str:
        return words(self.code, self.params)


class RefusedTarget(WebhookError):
    """An address that no message is sent to."""
