"""Typed reading of a config file: aliases, absent values, text numbers, sanity limits, JSON pointers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sizing.core.errors import InvalidModel
from sizing.core.values import Message, Param

ABSENT = (None, "null", "None", "")
SANE_MAXIMUM = 16_777_216  # no width, count or vocabulary of a published model comes near
LIMITS = {
    "layers": 2_048,
    "heads": 4_096,
    "experts": 65_536,
    "head_dim": 32_768,
    "context": 1_000_000_000,
    "parameters": 10**15,
}
"""Largest value taken as a model's; far above anything published (Kimi-K3: 93 layers, 896 experts, 2.8e12)."""
MAX_LIST = 65_536
LARGEST_REAL = 1e12


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledDefault:
    """A value that the file does not state. `reason` is class_default, rule or derived."""

    field: str
    value: Param
    reason: str


class Notes:
    """Collects what was filled and what must be warned about while one file is read."""

    def __init__(self) -> None:
        self.filled: list[FilledDefault] = []
        self.warnings: list[Message] = []

    def fill(self, field: str, value: Param, reason: str) -> None:
        entry = FilledDefault(field=field, value=value, reason=reason)
        if entry not in self.filled:
            self.filled.append(entry)

    def warn(self, code: str, **params: Param) -> None:
        message = Message(code, params)
        if message not in self.warnings:
            self.warnings.append(message)


class Fields:
    """One object of the file. All access goes through here, so that no wrong type gets further."""

    def __init__(
        self,
        values: Mapping[str, object],
        notes: Notes,
        *,
        pointer: str = "",
        fallback: "Fields | None" = None,
        defaults: Mapping[str, Param] | None = None,
    ) -> None:
        self.values = values
        self.notes = notes
        self.pointer = pointer
        self.fallback = fallback
        self.defaults = defaults or {}

    def at(self, key: str) -> str:
        return f"{self.pointer}/{key.replace('~', '~0').replace('/', '~1')}"

    def raw(self, key: str) -> object:
        """The value, None where absent (missing, null, "null", "None", empty)."""
        value = self.values.get(key)
        if isinstance(value, str) and value.strip() in ABSENT:
            return None
        return value

    def has(self, key: str) -> bool:
        return self.raw(key) is not None

    def first(self, keys: Sequence[str]) -> str | None:
        """The first key that is present."""
        return next((key for key in keys if self.has(key)), None)

    def integer(self, *keys: str, minimum: int = 0, limit: str = "") -> int | None:
        """First present key as a whole number, or its class default, or None."""
        key = self.first(keys)
        if key is not None:
            return self._whole(key, minimum=minimum, maximum=LIMITS.get(limit, SANE_MAXIMUM))
        for name in keys:
            default = self.defaults.get(name)
            if isinstance(default, int) and not isinstance(default, bool):
                self.notes.fill(name, default, "class_default")
                return default
        return None

    def required(self, *keys: str, minimum: int = 1, limit: str = "") -> int:
        value = self.integer(*keys, minimum=minimum, limit=limit)
        if value is None:
            raise InvalidModel("model_keys_missing", self.pointer, keys=keys[0], alternatives=", ".join(keys[1:]))
        return value

    def number(self, key: str) -> float | None:
        value = self.raw(key)
        if value is None:
            return None
        number = as_number(value)
        if number is None or not -LARGEST_REAL < number < LARGEST_REAL:  # NaN fails both
            raise self.wrong(key, "model_number_expected")
        return float(number)

    def boolean(self, key: str) -> bool | None:
        value = self.raw(key)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        if isinstance(value, int) and value in (0, 1):
            return bool(value)
        raise self.wrong(key, "model_boolean_expected")

    def flag(self, key: str) -> bool:
        return self.boolean(key) is True

    def text(self, key: str) -> str | None:
        value = self.raw(key)
        if value is None or isinstance(value, str):
            return value
        raise self.wrong(key, "model_text_expected")

    def items(self, key: str) -> Sequence[object] | None:
        value = self.raw(key)
        if value is None:
            return None
        if isinstance(value, (list, tuple)):
            if len(value) > MAX_LIST:
                raise InvalidModel("model_list_too_long", self.at(key), key=key, length=len(value), limit=MAX_LIST)
            return value
        raise self.wrong(key, "model_list_expected")

    def section(self, key: str) -> "Fields | None":
        """A nested object, or None where absent or not an object that holds keys."""
        value = self.raw(key)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self.wrong(key, "model_object_expected")
        return Fields(value, self.notes, pointer=self.at(key))

    def wrong(self, key: str, code: str) -> InvalidModel:
        return InvalidModel(code, self.at(key), key=key, value=shown(self.raw(key)))

    def _repeated(self, key: str) -> object:
        """The value, or the one that a list with an entry per layer repeats."""
        value = self.raw(key)
        if isinstance(value, (list, tuple)) and 1 < len(value) <= MAX_LIST and all(each == value[0] for each in value):
            return None if isinstance(value[0], (bool, str)) else value[0]
        return value

    def _whole(self, key: str, *, minimum: int, maximum: int) -> int:
        number = as_number(self._repeated(key))
        if number is None:
            raise self.wrong(key, "model_number_expected")
        if not -maximum <= number <= maximum:  # NaN lies nowhere
            raise InvalidModel(
                "model_number_beyond_sanity", self.at(key), key=key, value=shown(self.raw(key)), limit=maximum
            )
        if number != int(number):
            raise self.wrong(key, "model_number_not_whole")
        if number < minimum:
            raise InvalidModel("model_number_too_small", self.at(key), key=key, value=int(number), limit=minimum)
        return int(number)


def as_number(value: object) -> float | int | None:
    """A number from a number or its text; None where it is neither (booleans are not numbers)."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, str) and len(value) <= 40 and value.isascii():
        try:
            return int(value)
        except ValueError:
            try:
                return float(value)
            except ValueError:
                return None
    return None


def shown(value: object) -> str:
    """A value short enough for a message."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**30:
        return "> 10^30" if value > 0 else "< -10^30"
    if isinstance(value, Mapping):
        return "{…}"
    if isinstance(value, (list, tuple)):
        return f"[{len(value)} …]"
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "…"
