"""What loading the shipped data did, and what it did not understand."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A name in a file that no row carries. The row that uses it is kept."""

    file: str
    line: int
    column: str
    value: str


@dataclass(slots=True)
class SeedReport:
    """Counts per table, names that are not known, figures that look wrong, and errors.

    Only `errors` (unreadable cells, keys used twice) make the command fail.
    """

    version: str
    created: Counter[str] = field(default_factory=Counter)
    updated: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)
    kept_edited: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)
    unknown: list[UnknownName] = field(default_factory=list)
    implausible: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        return any((self.created.total(), self.updated.total(), self.closed.total()))

    def unknown_names(self) -> dict[str, set[str]]:
        """Unknown names by file, each once."""
        names: dict[str, set[str]] = {}
        for entry in self.unknown:
            names.setdefault(entry.file, set()).add(entry.value)
        return names

    def lines(self) -> list[str]:
        """The report as plain lines for a terminal."""
        lines = [f"catalogue data {self.version}"]
        tables = sorted({*self.created, *self.updated, *self.unchanged, *self.kept_edited, *self.closed})
        for table in tables:
            lines.append(
                f"  {table:24} {self.created[table]:5} new {self.updated[table]:5} changed "
                f"{self.unchanged[table]:5} unchanged {self.kept_edited[table]:3} edited by hand and kept "
                f"{self.closed[table]:3} closed"
            )
        for file, names in sorted(self.unknown_names().items()):
            lines.append(f"unknown in {file} (rows kept): {', '.join(sorted(names))}")
        lines += [f"implausible: {text}" for text in self.implausible]
        lines += [f"ERROR {text}" for text in self.errors]
        return lines
