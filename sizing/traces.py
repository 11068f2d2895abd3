"""Recorded requests to replay: CSV, JSON lines or rows of the request become (seconds, input tokens, output tokens)."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import ceil, isfinite
from typing import Any

from sizing.core.errors import InvalidWorkload

type Row = tuple[float, int, int]

MAX_ROWS = 20_000
MAX_CHARACTERS = 4_000_000
MAX_TOKENS = 100_000_000
POINTER = "/traffic/trace"
TIMES = ("time_s", "timestamp", "arrival_s", "arrival_time", "time", "arrived_at")
INPUTS = ("input_tokens", "contexttokens", "request tokens", "input_length", "prompt_tokens", "num_prefill_tokens")
OUTPUTS = ("output_tokens", "generatedtokens", "response tokens", "output_length", "completion_tokens",
           "num_decode_tokens")  # fmt: skip
"""Column names, any case: Kvote's own, then those of published traces (Azure LLM inference, BurstGPT, Mooncake)."""

MILLISECONDS = frozenset({"input_length"})  # Mooncake traces count milliseconds


def trace_rows(stated: str | Sequence[Any]) -> list[Row]:
    """The rows in order of time, the first at zero. Raises InvalidWorkload naming the first line that is wrong."""
    rows = _of_text(stated) if isinstance(stated, str) else [_of_item(item, n) for n, item in enumerate(stated, 1)]
    if not 2 <= len(rows) <= MAX_ROWS:
        raise InvalidWorkload("trace_row_count", POINTER, count=len(rows), limit=MAX_ROWS)
    rows.sort()
    start = rows[0][0]
    if rows[-1][0] <= start:
        raise InvalidWorkload("trace_without_span", POINTER)
    return [(round(time_s - start, 6), inputs, outputs) for time_s, inputs, outputs in rows]


def lengths_of(rows: Sequence[Row], position: int) -> dict[str, float]:
    """Mean, 95th percentile and bounds of the input (1) or output (2) tokens."""
    values = sorted(row[position] for row in rows)
    p95 = values[ceil(0.95 * len(values)) - 1]
    mean = sum(values) / len(values)
    return {"mean": mean, "p95": max(p95, mean), "min": values[0], "max": values[-1]}


def _of_text(text: str) -> list[Row]:
    if len(text) > MAX_CHARACTERS:
        raise InvalidWorkload("trace_too_large", POINTER, limit=MAX_CHARACTERS)
    if text.lstrip().startswith(("{", "[")):
        return _of_json(text)
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    heads = [cell.strip().casefold() for cell in next(reader, [])]
    places = [next((i for i, head in enumerate(heads) if head in names), None) for names in (TIMES, INPUTS, OUTPUTS)]
    if None in places:
        raise InvalidWorkload("trace_columns_missing", POINTER, found=", ".join(heads)[:200] or "—")
    time_at, input_at, output_at = (place for place in places if place is not None)
    scale = 1e-3 if heads[input_at] in MILLISECONDS else 1.0
    found = []
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) <= max(time_at, input_at, output_at):
            raise InvalidWorkload("trace_row_wrong", POINTER, line=reader.line_num)
        found.append(_row(cells[time_at], cells[input_at], cells[output_at], line=reader.line_num, scale=scale))
    return found


def _of_json(text: str) -> list[Row]:
    try:
        if text.lstrip().startswith("["):
            items = json.loads(text)
        else:
            items = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        raise InvalidWorkload("trace_not_readable", POINTER) from None
    return [_of_item(item, number) for number, item in enumerate(items, 1)]


def _of_item(item: Any, line: int) -> Row:
    """A row as [seconds, input tokens, output tokens], or as an object with named values."""
    if isinstance(item, Mapping):
        named = {str(key).casefold(): value for key, value in item.items()}
        values = [next((named[n] for n in names if n in named), None) for names in (TIMES, INPUTS, OUTPUTS)]
        scale = 1e-3 if MILLISECONDS & named.keys() else 1.0
        return _row(*values, line=line, scale=scale)
    if isinstance(item, Sequence) and not isinstance(item, str) and len(item) == 3:
        return _row(*item, line=line)
    raise InvalidWorkload("trace_row_wrong", POINTER, line=line)


def _row(time: Any, inputs: Any, outputs: Any, *, line: int, scale: float = 1.0) -> Row:
    try:
        row = (_seconds(time) * scale, int(float(inputs)), int(float(outputs)))
    except (TypeError, ValueError, OverflowError):
        raise InvalidWorkload("trace_row_wrong", POINTER, line=line) from None
    if not isfinite(row[0]) or row[0] < 0 or not 0 < row[1] <= MAX_TOKENS or not 0 <= row[2] <= MAX_TOKENS:
        raise InvalidWorkload("trace_row_wrong", POINTER, line=line)
    return row[0], row[1], max(row[2], 1)


def _seconds(time: Any) -> float:
    """A number of seconds, or a date with time (ISO 8601, UTC where no zone is stated)."""
    try:
        return float(time)
    except ValueError:
        moment = datetime.fromisoformat(str(time).strip()[:26])
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
