"""What can be wrong with a write to the catalogue."""

from collections.abc import Sequence

from catalog.plausibility import Doubt
from sizing.core.values import Message


class CatalogError(ValueError):
    """The base of the catalogue's errors; `message` is worded by `catalog.messages`."""

    def __init__(self, code: str, **params: str | int | float | None) -> None:
        self.message = Message(code, params)
        super().__init__(f"{code} {params}" if params else code)


class Implausible(CatalogError):
    """Figures that cannot be true; `doubts` names each field with its reason."""

    def __init__(self, doubts: Sequence[Doubt]) -> None:
        self.doubts = tuple(doubts)
        super().__init__("implausible", fields=", ".join(doubt.field for doubt in doubts))
