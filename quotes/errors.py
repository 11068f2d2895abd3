"""What can be refused about a quote. Each error carries a Message that is fit to show."""

from sizing.core.values import Message, Param


class QuoteError(ValueError):
    """The base of all errors of this app; `messages.py` words the code."""

    def __init__(self, code: str, **params: Param) -> None:
        self.message = Message(code, params)
        super().__init__(f"{code} {params}" if params else code)

    @property
    def code(self) -> str:
        return self.message.code


class WrongState(QuoteError):
    """A change that the present state does not allow; `allowed` lists the next states."""

    def __init__(self, *, state: str, wanted: str, allowed: tuple[str, ...]) -> None:
        self.allowed = allowed
        super().__init__("quote_wrong_state", state=state, wanted=wanted, allowed=", ".join(allowed))


class StaleEdit(QuoteError):
    """Somebody else changed the same line or revision in between; nothing was written."""


class NotAllowed(QuoteError):
    """The person's role, or the four-eyes rule, forbids this."""


class OpenItems(QuoteError):
    """Locking was refused; `items` lists what is open."""

    def __init__(self, items: tuple[object, ...]) -> None:
        self.items = items
        super().__init__("quote_open_items", count=len(items))
