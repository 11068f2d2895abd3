"""What an organisation's own records change in the screening of its options.

The records are the quotes app's, which stands above this one: it registers here how they are read.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from config.accounts.models import Organisation
from quotes.compliance.screen import ScreeningContext, ScreeningLine, ScreeningLists


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRecords:
    """Policies, cleared names, own lists and filed statements. `key` changes with each of them."""

    key: str
    context: Callable[[ScreeningContext], ScreeningContext]
    lists: Callable[[ScreeningLists, Iterable[str]], ScreeningLists]  # the names are those that will be looked up
    line: Callable[[ScreeningLine], ScreeningLine]


type Reader = Callable[[Organisation, date], OwnRecords]

_readers: list[Reader] = []


def register(reader: Reader) -> None:
    """Name the one way in which records are read; a second call replaces the first."""
    _readers[:] = [reader]


def records_of(organisation: Organisation | None, day: date) -> OwnRecords | None:
    """The records of an organisation as they count on a day; None for visitors."""
    return _readers[0](organisation, day) if organisation is not None and _readers else None
