"""A result file of any of the tools -> the loads that it reports."""

import json
from collections.abc import Callable
from typing import Any

from sizing.measurements import aiperf, guidellm, llama_bench, mlperf, perf_analyzer, plausible, sglang, trtexec, vllm
from sizing.measurements.fields import Fields
from sizing.measurements.point import MeasuredRun, MeasurementProblem

MAX_BYTES = 50_000_000  # a detailed result of 10,000 requests has about 30 MB
MAX_RUNS = 20_000
TOOLS = (
    "vllm bench serve, sglang.bench_serving, guidellm, aiperf, genai-perf, llama-bench, trtexec, perf_analyzer, "
    "MLPerf loadgen"
)
ENTRIES: tuple[tuple[Callable[[Fields], bool], Callable[[Fields], MeasuredRun]], ...] = (
    (sglang.recognises, sglang.read),
    (vllm.recognises, vllm.read),
    (aiperf.recognises, aiperf.read),
    (llama_bench.recognises, llama_bench.read),
)
TEXTS: tuple[tuple[Callable[[str], bool], Callable[[str], MeasuredRun | list[MeasuredRun]]], ...] = (
    (mlperf.recognises, mlperf.read),
    (trtexec.recognises_log, trtexec.read_log),
    (perf_analyzer.recognises, perf_analyzer.read),
    (aiperf.recognises_csv, aiperf.read_csv),
    (llama_bench.recognises_csv, llama_bench.read_csv),
    (llama_bench.recognises_sql, llama_bench.read_sql),
    (llama_bench.recognises_markdown, llama_bench.read_markdown),
)


def read_results(content: bytes) -> list[MeasuredRun]:
    """The loads in file order, each checked for plausibility.

    Raises MeasurementProblem for a file that is too large, no text, of no known tool, malformed (naming
    the line), empty, or whose figures cannot be true.
    """
    if len(content) > MAX_BYTES:
        raise MeasurementProblem("measurement_too_large", limit_mb=MAX_BYTES // 10**6)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise MeasurementProblem("measurement_not_text", line=line) from error
    as_json = text.lstrip()[:1] in ("{", "[") and not trtexec.recognises_log(text)  # its lines begin with "[" too
    runs = _from_json(text) if as_json else _from_text(text)
    if not runs:
        raise MeasurementProblem("measurement_empty", line=1)
    if len(runs) > MAX_RUNS:
        raise MeasurementProblem("measurement_too_many", limit=MAX_RUNS)
    return [plausible.checked(run) for run in runs]


def _from_text(text: str) -> list[MeasuredRun]:
    for recognises, read in TEXTS:
        if recognises(text):
            found = read(text)
            return found if isinstance(found, list) else [found]
    raise MeasurementProblem("measurement_unknown_tool", line=1, tools=TOOLS)


def _from_json(text: str) -> list[MeasuredRun]:
    entries = _entries(text)
    if trtexec.recognises_times([values for values, _ in entries]):
        return [trtexec.read_times([values for values, _ in entries], text)]
    runs: list[MeasuredRun] = []
    for values, start in entries:
        entry = Fields(values, text, start)
        if guidellm.recognises(entry):
            runs += guidellm.read_all(entry)
            continue
        reader = next((read for recognises, read in ENTRIES if recognises(entry)), None)
        if reader is None:
            raise MeasurementProblem("measurement_unknown_tool", line=entry.line, tools=TOOLS)
        runs.append(reader(entry))
    return runs


def _entries(text: str) -> list[tuple[dict[str, Any], int]]:
    """JSON objects with the offset where each begins: one object, a list of them, or one after another (JSONL)."""
    decoder = json.JSONDecoder()
    found: list[tuple[dict[str, Any], int]] = []
    at = _skip(text, 0)
    while at < len(text):
        try:
            values, end = decoder.raw_decode(text, at)
        except RecursionError:
            raise MeasurementProblem("measurement_too_deep", line=text.count("\n", 0, at) + 1) from None
        except json.JSONDecodeError as error:
            raise MeasurementProblem("measurement_not_json", line=error.lineno, detail=error.msg) from error
        except ValueError as error:  # an integer of thousands of digits
            raise MeasurementProblem(
                "measurement_not_json", line=text.count("\n", 0, at) + 1, detail=str(error)[:80]
            ) from error
        found += _objects(values, text, at)
        at = _skip(text, end)
    return found


def _objects(values: object, text: str, at: int) -> list[tuple[dict[str, Any], int]]:
    if isinstance(values, list):
        starts = []
        for each in values:
            first = next(iter(each), None) if isinstance(each, dict) else None
            if first is None:
                raise MeasurementProblem("measurement_not_objects", line=text.count("\n", 0, at) + 1)
            at = max(text.find(json.dumps(first), at + 1), at)
            starts.append((each, at))
        return starts
    if not isinstance(values, dict):
        raise MeasurementProblem("measurement_not_objects", line=text.count("\n", 0, at) + 1)
    return [(values, at)]


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,":
        at += 1
    return at
