"""Result files of the tools become measured loads; what is wrong is refused with its line."""

import json
import random
import time
from typing import Any

import pytest

from sizing.core.errors import SizingError
from sizing.measurements.point import MeasuredRun, MeasurementProblem
from sizing.measurements.read import MAX_BYTES, read_results
from sizing.measurements.watch import _number
from tests.sizing.measurements import samples
from tests.sizing.measurements.samples import as_bytes, lines_of


def one(content: Any) -> MeasuredRun:
    (run,) = read_results(content if isinstance(content, bytes) else as_bytes(content))
    return run


def test_vllm_json() -> None:
    run = one(samples.VLLM)
    assert (run.tool, run.engine, run.model) == ("vllm bench serve", "vllm", "meta-llama/Llama-3.1-8B-Instruct")
    assert (run.concurrent, run.requests_per_s, run.requests, run.failed) == (32.0, None, 320, 0)
    assert (run.input_tokens, run.output_tokens) == (1024.0, 256.0)
    assert run.ttft_s == pytest.approx({"mean": 0.1805, "p50": 0.1712, "p95": 0.28, "p99": 0.4019})
    assert run.tpot_s == pytest.approx({"mean": 0.0231, "p50": 0.023, "p99": 0.0252})
    assert (run.output_tokens_per_s, run.measured_on) == (1334.2, "2026-11-12")


def test_vllm_before_it_counted_failures() -> None:
    run = one(
        {**samples.VLLM_OLD, "completed": 312, "total_input_tokens": 312 * 1024, "total_output_tokens": 312 * 256}
    )
    assert (run.failed, run.requests) == (8, 312)
    assert [warning.code for warning in run.warnings] == ["measurement_some_failed"]


def test_vllm_appended_runs_are_one_a_line() -> None:
    runs = read_results(lines_of(samples.VLLM, {**samples.VLLM, "max_concurrency": 64, "num_prompts": 320}))
    assert [(run.line, run.concurrent) for run in runs] == [(1, 32.0), (2, 64.0)]


def test_sglang_jsonl_with_unlimited_rate() -> None:
    run = one(lines_of(samples.SGLANG))
    assert (run.tool, run.engine, run.concurrent) == ("sglang.bench_serving", "sglang", 16.0)
    assert run.requests_per_s is None
    assert run.tpot_s["mean"] == pytest.approx(0.022)
    assert run.e2e_s["p99"] == pytest.approx(5.9)


def test_sglang_that_replays_a_trace_has_no_rate() -> None:
    assert one(lines_of({**samples.SGLANG, "request_rate": "trace"})).requests_per_s is None


def test_sglang_with_speculative_decoding_says_so() -> None:
    run = one(lines_of({**samples.SGLANG, "accept_length": 2.6}))
    assert [warning.code for warning in run.warnings] == ["measurement_speculative"]


def test_guidellm_has_one_run_a_benchmark() -> None:
    runs = read_results(as_bytes(samples.GUIDELLM))
    assert [(run.concurrent, run.tool_version) for run in runs] == [(8.0, "0.7.3"), (32.0, "0.7.3")]
    assert runs[1].tpot_s["mean"] == pytest.approx(0.016)  # inter-token latency, not time_per_output_token_ms
    assert runs[0].line < runs[1].line
    assert runs[0].model == "Qwen/Qwen3-32B"


def test_guidellm_before_0_4_kept_its_strategy_elsewhere() -> None:
    benchmark = samples.guidellm_benchmark(8, 12.0)
    old = benchmark | {"args": {"strategy": benchmark["config"]["strategy"]}, "config": None}
    run = one({"benchmarks": [old], "args": {"backend_kwargs": {"model": "m"}}})
    assert (run.concurrent, run.model) == (8.0, "m")


def test_aiperf_json_reads_unit_model_and_concurrency() -> None:
    run = one(samples.AIPERF)
    assert (run.tool, run.tool_version, run.model) == ("aiperf", "0.11.0", "Qwen/Qwen3-32B")
    assert (run.concurrent, run.requests) == (16.0, 160)
    assert run.ttft_s["p95"] == pytest.approx(0.3)
    seconds = {**samples.AIPERF, "time_to_first_token": {"unit": "s", "avg": 0.2}}
    assert one(seconds).ttft_s == {"mean": 0.2}


def test_genai_perf_json_and_csv() -> None:
    run = one(samples.GENAI_PERF)
    assert (run.tool, run.model, run.concurrent) == ("genai-perf", "llama-3.1-8b", 16.0)
    table = one(samples.GENAI_PERF_CSV)
    assert table.tool == "genai-perf"
    assert table.ttft_s["mean"] == pytest.approx(1.14631)
    assert table.input_tokens == pytest.approx(3000.05)
    assert table.output_tokens_per_s == pytest.approx(432.10)


def test_aiperf_csv() -> None:
    run = one(samples.AIPERF_CSV)
    assert (run.tool, run.requests) == ("aiperf", 50)
    assert run.tpot_s["mean"] == pytest.approx(0.00281)


@pytest.mark.parametrize("content", [as_bytes(samples.LLAMA_BENCH), lines_of(*samples.LLAMA_BENCH)])
def test_llama_bench_json_and_jsonl(content: bytes) -> None:
    prompt, answer = read_results(content)
    assert prompt.ttft_s["mean"] == pytest.approx(512 / 7285.676949)
    assert answer.tpot_s["mean"] == pytest.approx(1 / 119.844681)
    assert (answer.input_tokens, answer.output_tokens, answer.concurrent) == (512.0, 128.0, 1.0)
    assert (answer.accelerator, answer.engine_version) == ("NVIDIA GeForce RTX 4080", "5163")


def test_llama_bench_sql() -> None:
    head = "CREATE TABLE IF NOT EXISTS llama_bench (\n  model_type TEXT,\n  n_prompt INTEGER\n);\n"
    names = "model_type, n_prompt, n_gen, n_depth, avg_ts, test_time"
    values = "'llama 8B Q4_K, Medium', '{}', '{}', '0', '{}', '2026-11-01'"
    row = f"INSERT INTO llama_bench ({names}) VALUES ({values});\n"
    prompt, answer = read_results((head + row.format(512, 0, 2048.0) + row.format(0, 128, 128.0)).encode())
    assert (prompt.input_tokens, prompt.ttft_s, prompt.line) == (512.0, {"mean": 0.25}, 5)
    assert (answer.tpot_s, answer.model) == ({"mean": 0.0078125}, "llama 8B Q4_K, Medium")
    for wrong in (row.format(0, 128, "fast"), row.format(0, 128, 1.0)[:-20] + "\n", row.replace("'0', ", "")):
        with pytest.raises(MeasurementProblem) as refused:
            read_results((head + wrong).encode())
        assert refused.value.message.params["line"] == 5


def test_an_integer_that_no_float_holds_is_refused_with_its_line() -> None:
    with pytest.raises(MeasurementProblem) as refused:
        read_results(as_bytes(samples.VLLM | {"completed": 10**400}))
    assert refused.value.code == "measurement_field_wrong"
    assert _number(10**400) is None  # of a production metric


def test_llama_bench_csv_and_markdown() -> None:
    assert one(samples.LLAMA_BENCH_CSV).ttft_s["mean"] == pytest.approx(512 / 7285.676949)
    prompt, answer = read_results(as_bytes(samples.LLAMA_BENCH_MD))
    assert (prompt.line, answer.line) == (4, 5)
    assert answer.tpot_s["mean"] == pytest.approx(1 / 116.71)
    assert answer.input_tokens == 512.0


def test_trtexec_log_takes_the_latency_and_no_other_section() -> None:
    run = one(samples.TRTEXEC_LOG)
    assert (run.queries_per_s, run.engine_version) == (258.892, "10.3.0")
    assert run.e2e_s["p50"] == pytest.approx(0.00432526)


def test_trtexec_exported_times() -> None:
    run = one(samples.TRTEXEC_TIMES)
    assert run.requests == 101
    assert run.e2e_s["mean"] == pytest.approx(0.00475)
    assert run.queries_per_s == pytest.approx(250.0)


def test_perf_analyzer_csv_counts_inferences_and_microseconds() -> None:
    alone, busy = read_results(as_bytes(samples.PERF_ANALYZER))
    assert (alone.tool, alone.line, alone.concurrent, alone.queries_per_s) == ("perf_analyzer", 2, 1.0, 1432.1)
    assert busy.e2e_s == pytest.approx({"p50": 0.00174, "p90": 0.001905, "p95": 0.00199, "p99": 0.00235})


@pytest.mark.parametrize("wrong", ["x", "", "-4", "1e40"])
def test_a_wrong_figure_of_perf_analyzer_is_named_with_its_line(wrong: str) -> None:
    with pytest.raises(MeasurementProblem) as refused:
        read_results(as_bytes(samples.PERF_ANALYZER.replace("9120.5", wrong)))
    assert refused.value.message.params["line"] == 3
    assert refused.value.message.params["field"] == "Inferences/Second"


def test_mlperf_summary_in_the_server_scenario() -> None:
    run = one(samples.MLPERF)
    assert run.tool == "MLPerf loadgen"
    assert run.tpot_s["mean"] == pytest.approx(0.061403731)
    assert run.output_tokens == pytest.approx(74638.54 / 264.96)
    assert run.concurrent == pytest.approx(264.96 * 17.499356575)
    invalid = one(samples.MLPERF.replace("Result is : VALID", "Result is : INVALID"))
    assert [warning.code for warning in invalid.warnings] == ["measurement_mlperf_invalid"]


def refusal(content: bytes) -> MeasurementProblem:
    with pytest.raises(MeasurementProblem) as caught:
        read_results(content)
    return caught.value


def test_a_missing_field_is_refused_with_the_line_of_its_object() -> None:
    spoiled = {key: value for key, value in samples.VLLM.items() if key != "output_throughput"}
    problem = refusal(lines_of(samples.VLLM, spoiled))
    assert (problem.code, problem.message.params["field"]) == ("measurement_field_missing", "output_throughput")
    assert problem.message.params["line"] == 2


@pytest.mark.parametrize("value", ["fast", -3.0, True, float("nan"), 1e30, [1.0]])
def test_a_wrong_value_is_refused_with_its_own_line(value: Any) -> None:
    content = as_bytes({**samples.VLLM, "mean_tpot_ms": value})
    problem = refusal(content)
    expected = 1 + content.decode()[: content.decode().index('"mean_tpot_ms"')].count("\n")
    assert (problem.code, problem.message.params["line"]) == ("measurement_field_wrong", expected)


def test_a_csv_cell_that_is_no_number_is_refused_with_its_line() -> None:
    problem = refusal(samples.AIPERF_CSV.replace("49.87,17.15", "fast,17.15").encode())
    assert (problem.code, problem.message.params["line"]) == ("measurement_field_wrong", 3)


def test_cut_json_is_refused_with_its_line() -> None:
    content = as_bytes(samples.GUIDELLM)
    problem = refusal(content[: len(content) // 2])
    assert problem.code == "measurement_not_json"
    assert isinstance(problem.message.params["line"], int)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "measurement_unknown_tool"),
        (b"hello", "measurement_unknown_tool"),
        (b"[]", "measurement_empty"),
        (b"{}", "measurement_unknown_tool"),
        (b'{"a": 1}', "measurement_unknown_tool"),
        (b"[1, 2]", "measurement_not_objects"),
        (b"\xff\xfe\x00", "measurement_not_text"),
        (b"[" * 200_000, "measurement_too_deep"),
        (b'{"completed": ' + b"9" * 6000 + b"}", "measurement_not_json"),
        (b'{"benchmarks": []}', "measurement_empty"),
    ],
)
def test_what_is_no_result_file_is_refused(content: bytes, code: str) -> None:
    assert refusal(content).code == code


def test_a_file_over_the_limit_is_refused_unread() -> None:
    assert refusal(b" " * (MAX_BYTES + 1)).code == "measurement_too_large"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"p99_ttft_ms": 100.0}, "measurement_percentiles_disordered"),
        ({"mean_e2el_ms": 100.0}, "measurement_parts_not_whole"),  # shorter than the time to first token
        ({"mean_tpot_ms": 0.0231, "median_tpot_ms": 0.023, "p99_tpot_ms": 0.0252}, "measurement_parts_not_whole"),
        ({"output_throughput": 1334.2 * 8}, "measurement_more_in_flight"),
        ({"completed": 0}, "measurement_nothing_completed"),
        ({"mean_tpot_ms": 0.0}, "measurement_time_impossible"),
        ({"failed": 400}, "measurement_mostly_failed"),
    ],
)
def test_figures_that_contradict_each_other_are_refused(changes: dict[str, Any], code: str) -> None:
    assert refusal(as_bytes({**samples.VLLM, **changes})).code == code


def test_a_short_run_gets_a_warning() -> None:
    run = one({**samples.VLLM, "max_concurrency": 128, "num_prompts": 320})
    assert [warning.code for warning in run.warnings] == ["measurement_short"]


def outcome(content: bytes) -> str:
    """ "read", or the code of the refusal; any other exception goes through."""
    try:
        runs = read_results(content)
    except SizingError as error:
        return error.code
    return "read" if all(run.line >= 1 for run in runs) else "no line"


EVERY = [
    as_bytes(content)
    for content in (
        samples.VLLM, samples.GUIDELLM, samples.AIPERF, samples.GENAI_PERF, samples.GENAI_PERF_CSV, samples.AIPERF_CSV,
        samples.LLAMA_BENCH, samples.LLAMA_BENCH_CSV, samples.LLAMA_BENCH_MD, samples.TRTEXEC_LOG, samples.MLPERF,
    )
]  # fmt: skip


@pytest.mark.parametrize("content", EVERY, ids=range(len(EVERY)))
def test_spoiled_files_are_read_or_refused_and_never_crash(content: bytes) -> None:
    chance = random.Random(11)
    for _ in range(150):
        spoiled = bytearray(content)
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(spoiled))
            kind = chance.randrange(3)
            if kind == 0:
                spoiled[at] = chance.randrange(256)
            elif kind == 1:
                del spoiled[at : at + chance.randint(1, 40)]
            else:
                spoiled[at:at] = chance.choice([b"1e999", b"-", b"null", b"{", b'"', b"\n", b"NaN"])
        assert outcome(bytes(spoiled)).startswith(("read", "measurement_"))


def test_values_of_the_wrong_type_anywhere_are_refused_and_never_crash() -> None:
    for source in (samples.VLLM, samples.AIPERF, samples.GUIDELLM["benchmarks"][0], samples.LLAMA_BENCH[0]):
        for key in source:
            for value in (None, [], {}, "x", 1, {"successful": 3}, [{}]):
                spoiled: Any = {**source, key: value}
                if source is samples.GUIDELLM["benchmarks"][0]:
                    spoiled = {"benchmarks": [spoiled]}
                assert outcome(as_bytes(spoiled)).startswith(("read", "measurement_"))


def test_a_detailed_result_of_ten_megabytes_is_read_in_a_few_seconds() -> None:
    detailed = {**samples.VLLM, "itls": [[0.023] * 256] * 3000, "generated_texts": ["word " * 100] * 3000}
    content = json.dumps(detailed).encode()
    started = time.perf_counter()
    assert one(content).concurrent == 32.0
    assert len(content) > 6_000_000
    assert time.perf_counter() - started < 5.0
