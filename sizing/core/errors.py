"""What can be wrong with an input of the core. Every error carries a Message that is fit to show."""

from sizing.core.values import Message


class SizingError(ValueError):
    """The base of all errors of the core.

    `pointer` is the JSON pointer of the offending field ("/traffic/input_tokens"), or "" where
    the whole request is meant. `message` is rendered in the reader's language at the edge;
    str() gives the code and parameters for logs.
    """

    def __init__(self, code: str, pointer: str = "", **params: str | int | float | None) -> None:
        self.message = Message(code, params)
        self.pointer = pointer
        super().__init__(f"{code} {params}" if params else code)

    @property
    def code(self) -> str:
        return self.message.code


class InvalidModel(SizingError):
    """A config file or shape that cannot be read as a model."""


class InvalidHardware(SizingError):
    """An accelerator, link or server with impossible figures, or one that is not known."""


class InvalidWorkload(SizingError):
    """A traffic, target or site statement that contradicts itself, the model or sense."""


class InvalidDeployment(SizingError):
    """A pinned layout that the model, engine or accelerator cannot run (tensor parallel 3, for instance)."""


class Cancelled(Exception):
    """Raised by a progress callback to end a run early."""
