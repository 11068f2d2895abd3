"""The small part of Markdown that our own documents use, as blocks for a template: no HTML passes through."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_HEADING = re.compile(r"^(#{1,4}) (.+?)(?: \{#([\w-]+)\})?$")
_INLINE = re.compile(r"\*\*`(?P<name>[^`]+)`\*\*|\*\*(?P<strong>[^*]+)\*\*|`(?P<code>[^`]+)`")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line: `kind` is "text", "code", "strong" or "name"."""

    kind: str
    text: str


@dataclass(slots=True, kw_only=True)
class Block:
    """A heading, paragraph, list or table. `level` is that of a heading, `anchor` its address."""

    kind: str
    level: int = 0
    anchor: str = ""
    lines: list[list[Span]] = field(default_factory=list)
    rows: list[list[list[Span]]] = field(default_factory=list)


def blocks(text: str) -> list[Block]:
    """The blocks of a document in their order; comments are left out."""
    found: list[Block] = []
    for part in _parts(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)):
        heading = _HEADING.match(part[0])
        if heading:
            found.append(
                Block(kind="heading", level=len(heading[1]), anchor=heading[3] or "", lines=[spans(heading[2])])
            )
        elif part[0].startswith("|"):
            rows = [line for line in part if not re.fullmatch(r"[|\s:-]+", line)]
            found.append(Block(kind="table", rows=[[spans(cell) for cell in _cells(line)] for line in rows]))
        elif part[0].startswith("- "):
            items = re.split(r"(?:^|\n)- ", "\n".join(part))[1:]
            found.append(Block(kind="list", lines=[spans(item.replace("\n", " ")) for item in items]))
        else:
            found.append(Block(kind="text", lines=[spans(" ".join(part))]))
    return found


def spans(text: str) -> list[Span]:
    """A line cut at code, strong text and names of formulas."""
    found: list[Span] = []
    at = 0
    for match in _INLINE.finditer(text):
        if match.start() > at:
            found.append(Span("text", text[at : match.start()]))
        kind = str(match.lastgroup)
        found.append(Span(kind, match[kind]))
        at = match.end()
    if at < len(text):
        found.append(Span("text", text[at:]))
    return found


def _parts(text: str) -> Iterator[list[str]]:
    """Lines that belong together: between blank lines, each heading alone."""
    part: list[str] = []
    for line in [*text.splitlines(), ""]:
        if part and (not line.strip() or line.startswith("#")):
            yield part
            part = []
        if line.startswith("#"):
            yield [line]
        elif line.strip():
            part.append(line.strip())


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
