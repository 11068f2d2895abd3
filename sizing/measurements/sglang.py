"""Results of `python -m sglang.bench_serving` (JSONL, one run a line, appended).

Format: python/sglang/bench_serving.py, from 0.5.23 sglang/benchmark/serving.py, the dictionary `result`: "backend",
"dataset_name", "request_rate" (a number, Infinity or "trace"), "max_concurrency", "random_input_len", "duration",
"completed", "total_input_tokens", "total_output_tokens", "output_throughput", "mean_e2e_latency_ms",
"median_ttft_ms", "p99_tpot_ms", "concurrency" (mean requests in flight by Little's law), "accept_length". Later
versions nest `server_info` beside it.
"""

import math

from sizing.core.values import Message
from sizing.measurements.fields import MS, Fields, mean_of, named_statistics, pattern_names
from sizing.measurements.point import MeasuredRun

WORDS = {"p50": "median"}
ENGINES = {"sglang": "sglang", "sglang-oai": "sglang", "sglang-oai-chat": "sglang", "sglang-native": "sglang",
           "vllm": "vllm", "vllm-chat": "vllm", "trt": "tensorrt-llm", "lmdeploy": "lmdeploy"}  # fmt: skip


def recognises(entry: Fields) -> bool:
    return {"completed", "total_output_tokens", "mean_e2e_latency_ms", "dataset_name"} <= entry.values.keys()


def read(entry: Fields) -> MeasuredRun:
    completed, rate = entry.count("completed"), entry.values.get("request_rate")
    unlimited = rate in (None, "inf", "trace") or (isinstance(rate, float) and math.isinf(rate))
    server = entry.maybe_part("server_info")
    return MeasuredRun(
        tool="sglang.bench_serving",
        line=entry.line,
        model=server.text_of("model_path") if server else "",
        engine=ENGINES.get(entry.text_of("backend"), ""),
        engine_version=server.text_of("version") if server else "",
        concurrent=entry.maybe("max_concurrency") or entry.maybe("concurrency"),
        requests_per_s=None if unlimited else entry.number("request_rate"),
        input_tokens=mean_of(entry.number("total_input_tokens"), completed, None),
        output_tokens=mean_of(entry.number("total_output_tokens"), completed, None),
        requests=completed,
        duration_s=entry.number("duration"),
        output_tokens_per_s=entry.number("output_throughput"),
        warnings=_speculative(entry),
        ttft_s=_times(entry, "ttft"),
        tpot_s=_times(entry, "tpot"),
        e2e_s=_times(entry, "e2e_latency"),
    )


def _times(entry: Fields, name: str) -> dict[str, float]:
    return named_statistics(entry, pattern_names(f"{{}}_{name}_ms", WORDS), scale=MS)


def _speculative(entry: Fields) -> tuple[Message, ...]:
    accepted = entry.maybe("accept_length")
    if accepted is None or accepted <= 1.0:
        return ()
    return (Message("measurement_speculative", {"tokens": accepted}),)
