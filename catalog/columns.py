"""Which columns of a table are shown: `?columns=price&columns=weeks` keeps those two, nothing asked keeps all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One column that may be left out."""

    key: str
    label: str | Promise
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnChoice:
    """What the control offers; `changed` where somebody left columns out."""

    columns: list[Choice]
    changed: bool


def chosen_columns(keys: Iterable[str], asked: Sequence[str]) -> tuple[str, ...]:
    """The columns to show, in their own order; all of them where none of those asked for exists."""
    every = tuple(keys)
    return tuple(key for key in every if key in asked) or every


def column_choice(labels: Mapping[str, str | Promise], asked: Sequence[str]) -> ColumnChoice:
    """The control's view of `chosen_columns`."""
    shown = chosen_columns(labels, asked)
    return ColumnChoice(
        columns=[Choice(key=key, label=label, shown=key in shown) for key, label in labels.items()],
        changed=len(shown) < len(labels),
    )
