"""Fixed-width text: columns are where most lines have blanks at the same places."""

import re
import unicodedata

from catalog.imports.cells import Record
from catalog.imports.columns import header_score

SAMPLE = 200
BLANK_SHARE = 0.98
_RULE = re.compile(r"^[-=_*+| ]{5,}$")  # a line drawn under the header


def split_fixed_width(text: str) -> tuple[Record, ...]:
    """Records cut at the gaps that the lines share; one column where there is no gap.

    A gap is a run of two or more blanks in almost every line of data, or one blank under a header's
    gap of two.
    """
    lines = [line.rstrip("\r") for line in text.split("\n")]
    head = _header_at(lines)
    is_row = _has_gap if head is not None else _is_data
    body = [line for line in lines[head or 0 :] if is_row(line) and not _RULE.match(line)][:SAMPLE]
    starts = _column_starts(body, lines[head] if head is not None else "")
    return tuple(
        Record(number, tuple(_cut(line, starts)))
        for number, line in enumerate(lines, start=1)
        if (line or number < len(lines)) and not _RULE.match(line)
    )


def _header_at(lines: list[str]) -> int | None:
    """The line above which nothing tells how the columns run: titles and dates stand anywhere."""
    scores = [(header_score(re.split(r" {2,}", line.strip())), -at) for at, line in enumerate(lines[:SAMPLE])]
    best, at = max(scores, default=(0.0, 0))
    return -at if best >= 2 else None


def _has_gap(line: str) -> bool:
    return bool(re.search(r"\S {2,}\S", line))


def _is_data(line: str) -> bool:
    return len(re.findall(r"\S {2,}\S", line)) >= 1 or len(line.split()) >= 3


def _column_starts(lines: list[str], header: str) -> list[int]:
    """Where columns begin. One blank is a gap only where header and data both go on behind it."""
    if len(lines) < 2:
        return [0]
    width = max(map(len, lines))
    padded = [line.ljust(width) for line in lines]
    need = max(1, round(BLANK_SHARE * len(padded)))
    blank = [sum(line[at] == " " for line in padded) >= need for at in range(width)]
    starts = [0]
    at = 0
    while at < width:
        if not blank[at]:
            at += 1
            continue
        end = at
        while end < width and blank[end]:
            end += 1
        if end < width and at > 0 and (end - at > 1 or not header or _is_headed(padded, header, blank, end)):
            starts.append(end)
        at = end
    return starts


def _is_headed(lines: list[str], header: str, blank: list[bool], start: int) -> bool:
    """Whether from `start` to the next gap the header and the data under it both hold something."""
    end = next((at for at in range(start, len(blank)) if blank[at]), len(blank))
    return bool(header[start:end].strip()) and any(
        line[start:end].strip() for line in lines if line.strip() != header.strip()
    )


def _cut(line: str, starts: list[int]) -> list[str]:
    ends = [*starts[1:], len(line)]
    cells = [unicodedata.normalize("NFC", line[start:end]).strip() for start, end in zip(starts, ends, strict=True)]
    return cells if any(cells) else [""] * len(starts)
