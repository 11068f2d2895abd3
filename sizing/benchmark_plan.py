"""How to measure an option: ready commands that reproduce the workload's token mix around the load it assumes.

Pure text from the contract's option and request. Option names are those of the tools' own command
lines: vLLM 0.11 and later (`vllm bench serve`), guidellm 0.7 (`guidellm run`), AIPerf 0.8, llama.cpp
(llama-bench), SGLang 0.5 (`sglang.bench_serving`), lm-evaluation-harness 0.4. Read 2026-11.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sizing.manifests import PORT
from sizing.recipes import model_name, wrapped

SWEEP = (0.25, 0.5, 1.0, 1.5, 2.0)  # around the load that the answer assumes
PROMPTS_PER_SLOT = 10
EVALUATION_TASKS = ("gsm8k", "ifeval", "mmlu_pro")
"""Arithmetic, following instructions, knowledge: where a narrow number format shows first. Choose your own too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkStep:
    """One measurement: which tool, at how many requests in flight, and the command. 0 in flight: none set."""

    tool: str
    concurrency: int
    command: str


def benchmark_plan(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[BenchmarkStep]:
    """A sweep of requests in flight per replica around the assumed load, for each tool that speaks to the engine."""
    if option["engine"] == "llama-cpp":
        return [BenchmarkStep(tool="llama-bench", concurrency=1, command=wrapped(_llama_bench(request)))]
    writers = {"vllm bench serve": _bench_vllm, "guidellm": _bench_guidellm, "aiperf": _bench_aiperf}
    if option["engine"] == "sglang":
        writers |= {"sglang.bench_serving": _bench_sglang}
    return [
        BenchmarkStep(tool=tool, concurrency=concurrency, command=wrapped(writer(request, concurrency)))
        for tool, writer in writers.items()
        for concurrency in sweep(option)
    ]


def sweep(option: Mapping[str, Any]) -> list[int]:
    """Requests in flight of one replica to measure at, ascending."""
    in_flight = float(option["performance"].get("requests_in_flight_per_replica") or 1.0)
    return sorted({max(1, round(in_flight * factor)) for factor in SWEEP})


def quality_check(request: Mapping[str, Any]) -> BenchmarkStep:
    """The evaluation to run twice: once against the reference format, once against the format that is served."""
    arguments = [
        *("lm_eval", "--model", "local-completions"),
        *("--model_args", f"model={model_name(request)},base_url=http://localhost:{PORT}/v1/completions,max_retries=3"),
        *("--tasks", ",".join(EVALUATION_TASKS)),
        *("--output_path", "quality"),
    ]
    return BenchmarkStep(tool="lm_eval", concurrency=0, command=wrapped(arguments))


def _tokens(request: Mapping[str, Any]) -> tuple[int, int, int]:
    """Mean tokens of a prompt without the shared prefix, of an answer, and of the prefix."""
    traffic = request["traffic"]
    prefix = int(traffic.get("shared_prefix_tokens") or 0)
    return round(_mean(traffic["input_tokens"])) - prefix, round(_mean(traffic["output_tokens"])), prefix


def _mean(stated: Any) -> float:
    return float(stated["mean"] if isinstance(stated, Mapping) else stated)


def _bench_vllm(request: Mapping[str, Any], concurrency: int) -> list[str]:
    given, answer, prefix = _tokens(request)
    return [
        *("vllm", "bench", "serve", "--model", model_name(request), "--base-url", f"http://localhost:{PORT}"),
        *("--dataset-name", "random", "--random-input-len", str(given), "--random-output-len", str(answer)),
        *("--random-prefix-len", str(prefix), "--ignore-eos"),
        *("--max-concurrency", str(concurrency), "--num-prompts", str(concurrency * PROMPTS_PER_SLOT)),
        *("--percentile-metrics", "ttft,tpot,itl,e2el", "--metric-percentiles", "50,95,99"),
        *("--save-result", "--result-filename", f"vllm-bench-{concurrency}.json"),
    ]


def _bench_sglang(request: Mapping[str, Any], concurrency: int) -> list[str]:
    given, answer, prefix = _tokens(request)
    return [
        *("python3", "-m", "sglang.bench_serving", "--backend", "sglang", "--port", str(PORT)),
        *("--model", model_name(request), "--dataset-name", "random", "--random-range-ratio", "1"),
        *("--random-input-len", str(given + prefix), "--random-output-len", str(answer)),
        *("--max-concurrency", str(concurrency), "--num-prompts", str(concurrency * PROMPTS_PER_SLOT)),
        *("--output-file", "sglang-bench.jsonl"),
    ]


def _bench_guidellm(request: Mapping[str, Any], concurrency: int) -> list[str]:
    given, answer, prefix = _tokens(request)
    shared = f",prefix_tokens={prefix},prefix_count=1" if prefix else ""
    return [
        *("guidellm", "run", "--backend", f"kind=openai_http,target=http://localhost:{PORT}"),
        *("--profile", f"kind=concurrent,streams={concurrency}"),
        *("--constraint", f"kind=max_requests,count={concurrency * PROMPTS_PER_SLOT}"),
        *("--data", f"kind=synthetic_text,prompt_tokens={given},output_tokens={answer}{shared}"),
        *("--output", f"kind=json,path=guidellm-{concurrency}.json"),
    ]


def _bench_aiperf(request: Mapping[str, Any], concurrency: int) -> list[str]:
    given, answer, prefix = _tokens(request)
    shared = ["--prefix-prompt-length", str(prefix), "--num-prefix-prompts", "1"] if prefix else []
    return [
        *("aiperf", "profile", "--model", model_name(request), "--url", f"http://localhost:{PORT}"),
        *("--endpoint-type", "chat", "--streaming", "--concurrency", str(concurrency)),
        *("--request-count", str(concurrency * PROMPTS_PER_SLOT)),
        *("--synthetic-input-tokens-mean", str(given), "--synthetic-input-tokens-stddev", "0"),
        *shared,
        *("--output-tokens-mean", str(answer), "--output-tokens-stddev", "0"),
        *("--artifact-dir", f"aiperf-{concurrency}"),
    ]


def _llama_bench(request: Mapping[str, Any]) -> list[str]:
    given, answer, prefix = _tokens(request)
    return [
        *("llama-bench", "--hf-repo", model_name(request), "--n-gpu-layers", "999"),
        *("--n-prompt", str(given + prefix), "--n-gen", str(answer), "--output", "json"),
    ]
