"""Values that every pure module speaks: messages, estimates, verdicts, money."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

type Param = str | int | float | None


@dataclass(frozen=True, slots=True)
class Message:
    """A reason, warning or explanation as code and parameters; `messages.py` of each app words it.

    Numbers in `params` are raw and carry their unit in the key (`short_bytes`, `limit_ms`).
    """

    code: str
    params: Mapping[str, Param] = field(default_factory=dict)


class Basis(StrEnum):
    """What an estimate rests on."""

    MEASURED = "measured"
    INTERPOLATED = "interpolated"
    CALIBRATED = "calibrated"
    FORMULA = "formula"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A figure with its 90 % interval. `value` is None exactly where `basis` is unknown."""

    value: float | None
    low: float | None
    high: float | None
    unit: str
    basis: Basis
    source: str = ""
    explain: str = ""  # name of the formula in the explanation register

    @classmethod
    def unknown(cls, unit: str, *, source: str = "") -> "Estimate":
        return cls(value=None, low=None, high=None, unit=unit, basis=Basis.UNKNOWN, source=source)

    @classmethod
    def exact(cls, value: float, unit: str, *, explain: str = "", source: str = "") -> "Estimate":
        return cls(value=value, low=value, high=value, unit=unit, basis=Basis.FORMULA, source=source, explain=explain)


class State(StrEnum):
    OK = "ok"
    CAUTION = "caution"
    FAIL = "fail"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One judgement: state, relative margin (0.21 = 21 % to spare, None where unknown) and the reason."""

    state: State
    margin: float | None
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Money:
    """An amount in one currency. `amount` None means unknown, never zero.

    `basis` says what it is (list, street, estimate, sum), `source` and `as_of` (ISO date) where
    and when it was seen. `low` and `high` bound it where the source prints a range.
    """

    amount: Decimal | None
    currency: str
    low: Decimal | None = None
    high: Decimal | None = None
    basis: str = ""
    source: str = ""
    as_of: str = ""
