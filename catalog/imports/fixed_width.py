"""Fixed-width text: columns are where most lines have blanks at the same places."""

import re
import unicodedata

from catalog.imports.cells import Record

SAMPLE = 200
BLANK_SHARE = 0.98


def split_fixed_width(text: str) -> tuple[Record, ...]:
    """Records cut at the gaps that the lines share; one column where there is no gap.

    A gap is a run of two or more blanks in almost every line of data, or one blank under a header's
    gap of two.
    """
    lines = [line.rstrip("\r") for line in text.split("\n")]
    body = [line for line in lines if _is_data(line)][:SAMPLE]
    starts = _column_starts(body)
    return tuple(
        Record(number, tuple(_cut(line, starts)))
        for number, line in enumerate(lines, start=1)
        if line or number < len(lines)
    )


def _is_data(line: str) -> bool:
    return len(re.findall(r"\S {2,}\S", line)) >= 1 or len(line.split()) >= 3


def _column_starts(lines: list[str]) -> list[int]:
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
        if end < width and at > 0:
            starts.append(end)
        at = end
    return starts


def _cut(line: str, starts: list[int]) -> list[str]:
    ends = [*starts[1:], len(line)]
    cells = [unicodedata.normalize("NFC", line[start:end]).strip() for start, end in zip(starts, ends, strict=True)]
    return cells if any(cells) else [""] * len(starts)
