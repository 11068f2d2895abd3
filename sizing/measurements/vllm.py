"""Results of `vllm bench serve --save-result` (JSON) and `--append-result` (one JSON object a line).

Format: vllm/benchmarks/serve.py of vLLM (and benchmarks/benchmark_serving.py before 0.10). Header: "date"
(%Y%m%d-%H%M%S), "endpoint_type" and "backend", "model_id", "num_prompts", "request_rate" (a number, or the
text "inf"), "burstiness", "max_concurrency". Result: "duration", "completed", "failed" (since 0.11),
"total_input_tokens", "total_output_tokens", "output_throughput", and per chosen metric (ttft, tpot, itl, e2el)
"mean_ttft_ms", "median_ttft_ms", "std_ttft_ms" and "p99_ttft_ms" for each of --metric-percentiles. TPOT is
(latency - TTFT) / (output tokens - 1). With --save-detailed also "input_lens", "ttfts", "itls" and more.
"""

from datetime import datetime

from sizing.measurements.fields import MS, Fields, mean_of, named_statistics, pattern_names
from sizing.measurements.point import MeasuredRun

WORDS = {"p50": "median"}
SERVERS = {"openai": "", "openai-chat": "", "openai-comp": "", "tgi": "tgi", "tensorrt-llm": "tensorrt-llm",
           "lmdeploy": "lmdeploy", "sglang": "sglang", "vllm": "vllm", "llama.cpp": "llama-cpp"}  # fmt: skip


def recognises(entry: Fields) -> bool:
    return {"completed", "total_output_tokens", "model_id"} <= entry.values.keys()


def read(entry: Fields) -> MeasuredRun:
    completed = entry.count("completed")
    return MeasuredRun(
        tool="vllm bench serve",
        line=entry.line,
        model=entry.text_of("model_id"),
        engine=SERVERS.get(entry.text_of("backend", "endpoint_type"), ""),
        concurrent=entry.maybe("max_concurrency"),
        requests_per_s=None if entry.values.get("request_rate") in ("inf", None) else entry.number("request_rate"),
        input_tokens=mean_of(entry.number("total_input_tokens"), completed, entry.values.get("input_lens")),
        output_tokens=mean_of(entry.number("total_output_tokens"), completed, entry.values.get("output_lens")),
        requests=completed,
        failed=_failed(entry, completed),
        duration_s=entry.number("duration"),
        output_tokens_per_s=entry.number("output_throughput"),
        measured_on=_day(entry.text_of("date")),
        ttft_s=_times(entry, "ttft"),
        tpot_s=_times(entry, "tpot"),
        e2e_s=_times(entry, "e2el"),
    )


def _times(entry: Fields, name: str) -> dict[str, float]:
    """The median is always there, `p50` only where it was asked for."""
    return named_statistics(entry, pattern_names(f"{{}}_{name}_ms", WORDS), scale=MS)


def _failed(entry: Fields, completed: int | None) -> int | None:
    """Stated since 0.11; before that the prompts sent less those completed."""
    stated, sent = entry.count("failed"), entry.count("num_prompts")
    if stated is not None or sent is None or completed is None:
        return stated
    return max(sent - completed, 0)


def _day(stamp: str) -> str:
    try:
        return datetime.strptime(stamp, "%Y%m%d-%H%M%S").date().isoformat()
    except ValueError:
        return ""
