"""Results of llama-bench: `-o json`, `-o jsonl`, `-o csv`, `-o md`, `-o sql`.

Format: tools/llama-bench/README.md of llama.cpp. Rows with "n_prompt", "n_gen", "n_depth" (since 2025),
"avg_ts" and "stddev_ts" in tokens per second, "avg_ns", "gpu_info", "model_filename", "model_type",
"build_number", "test_time". A row tests a prompt alone (pp), generation alone (tg) or both (pg); always one
sequence. Markdown: columns "test" ("pp 512", "tg128", "pp512+tg128", "tg128 @ d512") and "t/s" ("131.42 ± 0.59").
SQL: INSERT INTO llama_bench (names) VALUES ('…', …); one a line, "test" in place of "llama_bench" in older builds.
The times include neither tokenising nor sampling.
"""

import csv
import io
import re
from typing import Any

from sizing.measurements.fields import Fields
from sizing.measurements.point import MeasuredRun, MeasurementProblem

TEST = re.compile(r"^(?:pp ?(\d{1,7}))?\+?(?:tg ?(\d{1,7}))?(?: @ d(\d{1,7}))?$")

INSERT = re.compile(r"^INSERT INTO (?:llama_bench|test) \(([\w, ]+)\) VALUES \((.*)\);$")


def recognises(entry: Fields) -> bool:
    return {"n_prompt", "n_gen", "avg_ts"} <= entry.values.keys()


def read(entry: Fields) -> MeasuredRun:
    prompt, answer = entry.number("n_prompt"), entry.number("n_gen")
    return _run(
        line=entry.line,
        prompt=prompt,
        answer=answer,
        depth=entry.maybe("n_depth") or 0.0,
        rate=entry.number("avg_ts"),
        refusal=entry.refuse("avg_ts", entry.values.get("avg_ts")),
        model=entry.text_of("model_filename", "model_type").rpartition("/")[2],
        accelerator=entry.text_of("gpu_info", "cpu_info"),
        engine_version=str(entry.values.get("build_number", ""))[:20],
        measured_on=entry.text_of("test_time")[:10],
    )


def _run(
    *,
    line: int,
    prompt: float,
    answer: float,
    depth: float,
    rate: float,
    refusal: Exception,
    model: str = "",
    accelerator: str = "",
    engine_version: str = "",
    measured_on: str = "",
) -> MeasuredRun:
    if rate <= 0 or prompt + answer <= 0:
        raise refusal
    seconds = (prompt + answer) / rate
    both = prompt > 0 and answer > 0
    return MeasuredRun(
        tool="llama-bench",
        line=line,
        engine="llama-cpp",
        concurrent=1.0,
        input_tokens=depth + prompt,
        output_tokens=answer,
        ttft_s={"mean": seconds} if prompt and not answer else {},
        tpot_s={"mean": seconds / answer} if answer and not prompt else {},
        e2e_s={"mean": seconds} if both else {},
        output_tokens_per_s=rate if answer and not prompt else None,
        model=model,
        accelerator=accelerator,
        engine_version=engine_version,
        measured_on=measured_on,
    )


def recognises_csv(text: str) -> bool:
    head = text[:4000].splitlines()[:1]
    return bool(head) and {"n_prompt", "n_gen", "avg_ts"} <= set(head[0].split(","))


def read_csv(text: str) -> list[MeasuredRun]:
    reader = csv.DictReader(io.StringIO(text), strict=True)
    runs = []
    try:
        for row in reader:
            values: dict[str, Any] = {key: _typed(key, value) for key, value in row.items() if key}
            runs.append(read(Fields(values, "\n" * (reader.line_num - 1), reader.line_num)))
    except csv.Error as error:
        raise MeasurementProblem("measurement_not_csv", line=reader.line_num, detail=str(error)) from error
    return runs


def _typed(key: str, value: str | None) -> Any:
    if key not in ("n_prompt", "n_gen", "n_depth", "avg_ts"):
        return value
    try:
        return float(value or "")
    except ValueError:
        return value


def recognises_sql(text: str) -> bool:
    return any(line.startswith(("INSERT INTO llama_bench ", "INSERT INTO test ")) for line in text[:9000].splitlines())


def read_sql(text: str) -> list[MeasuredRun]:
    return [
        _inserted(line.strip(), number)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.startswith("INSERT INTO")
    ]


def _inserted(line: str, number: int) -> MeasuredRun:
    refusal = MeasurementProblem("measurement_field_wrong", field="VALUES", line=number, value=line[-60:])
    found = INSERT.match(line)
    if not found:
        raise refusal
    names = [name.strip() for name in found[1].split(",")]
    try:
        values = next(csv.reader([found[2]], quotechar="'", skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise refusal from error
    if len(values) != len(names):
        raise refusal
    row = {name: _typed(name, value) for name, value in zip(names, values, strict=True)}
    return read(Fields(row, "\n" * (number - 1), number))


def recognises_markdown(text: str) -> bool:
    return any(line.startswith("|") and "t/s" in line and "test" in line for line in text[:4000].splitlines())


def read_markdown(text: str) -> list[MeasuredRun]:
    head: list[str] = []
    runs = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("|"):
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if "t/s" in cells:
            head = cells
        elif head and not set(line) <= set("|-: "):
            runs.append(_markdown_row(dict(zip(head, cells, strict=False)), number))
    return runs


def _markdown_row(row: dict[str, str], line: int) -> MeasuredRun:
    refusal = MeasurementProblem(
        "measurement_field_wrong",
        field="test, t/s",
        line=line,
        value=f"{row.get('test', '')} {row.get('t/s', '')}"[:60],
    )
    found = TEST.match(row.get("test", ""))
    try:
        rate = float(row.get("t/s", "").split("±")[0])
    except ValueError:
        raise refusal from None
    if not found or not 0.0 < rate < 1e12:
        raise refusal
    prompt, answer, depth = (float(part or 0) for part in found.groups())
    return _run(
        line=line,
        prompt=prompt,
        answer=answer,
        depth=depth,
        rate=rate,
        refusal=refusal,
        model=row.get("model", "")[:200],
    )
