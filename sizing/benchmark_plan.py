"""How to measure an option: ready commands that reproduce the workload's token mix around the load it assumes.

Pure text from the contract's option and request. Option names are those of the tools' own command
lines, by version and with source in data/benchmark_options.json: `vllm bench serve`, `guidellm run`, AIPerf,
llama-bench, SGLang's serving benchmark, lm-evaluation-harness.

A load in requests a second (or a trace) is sent at rates, whatever the answers take: a client that holds a number of
requests in flight would wait for a slow server and hide its queue. Gaps between requests are gamma distributed:
`burstiness` of a workload is their coefficient of variation c, that of vLLM and the smoothness of AIPerf the shape
1 / c^2 (docs.vllm.ai, bench serve; docs.nvidia.com/aiperf, arrival patterns). guidellm and SGLang know Poisson (c = 1).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sizing.manifests import PORT
from sizing.recipes import gguf_of, model_name, wrapped
from sizing.software import version_numbers

SGLANG_RENAMED = (0, 5, 23)  # sglang/bench_serving.py warns of the newer name
SWEEP = (0.25, 0.5, 1.0, 1.5, 2.0)  # around the load that the answer assumes
PER_SLOT = 10  # prompts for each request in flight
SECONDS, MIN_PROMPTS = 120, 50  # of a run at a rate: long enough for its queue to settle
EVALUATION_TASKS = ("gsm8k", "ifeval", "mmlu_pro")
"""Arithmetic, following instructions, knowledge: where a narrow number format shows first. Choose your own too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkStep:
    """One measurement: which tool, at how many requests in flight or a second, and the command. 0: not set."""

    tool: str
    concurrency: int
    command: str
    rate_per_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What one run of a client sends to one replica: so many requests in flight, or so many a second."""

    in_flight: int = 0
    rate_per_s: float = 0.0
    shape: float = 1.0  # of the gamma distributed gaps; 1: Poisson

    @property
    def prompts(self) -> int:
        return max(MIN_PROMPTS, round(self.rate_per_s * SECONDS)) if self.rate_per_s else self.in_flight * PER_SLOT

    @property
    def name(self) -> str:
        """For the names of result files."""
        return f"{self.rate_per_s:g}-per-s" if self.rate_per_s else str(self.in_flight)


def benchmark_plan(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[BenchmarkStep]:
    """A sweep of requests in flight per replica around the assumed load, for each tool that speaks to the engine."""
    if option["engine"] == "llama-cpp":
        return [BenchmarkStep(tool="llama-bench", concurrency=1, command=wrapped(_llama_bench(option, request)))]
    writers = {"vllm bench serve": _bench_vllm, "guidellm": _bench_guidellm, "aiperf": _bench_aiperf}
    if option["engine"] == "openvino":  # whose addresses begin with /v3
        writers = {"vllm bench serve": partial(_bench_vllm, endpoint="/v3/completions")}
    if option["engine"] == "sglang":
        newer = version_numbers(str(option["engine_version"])) >= SGLANG_RENAMED
        module = "sglang.benchmark.serving" if newer else "sglang.bench_serving"
        writers |= {"sglang.bench_serving": partial(_bench_sglang, module=module)}
    return [
        BenchmarkStep(
            tool=tool,
            concurrency=load.in_flight,
            rate_per_s=load.rate_per_s,
            command=wrapped(writer(request, load)),
        )
        for tool, writer in writers.items()
        for load in loads(option, request)
    ]


def loads(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[Load]:
    """The sweep of one replica: in requests a second where the workload is, else in requests in flight."""
    stated = request["traffic"].get("requests_per_s")
    if stated is None:
        return [Load(in_flight=count) for count in sweep(option)]
    rate_per_s = float(stated) / max(1, int(option.get("replicas") or 1) - int(option.get("spare_replicas") or 0))
    variation = float(request["traffic"].get("burstiness") or 1.0)
    return [Load(rate_per_s=float(f"{rate_per_s * factor:.3g}"), shape=variation**-2) for factor in SWEEP]


def sweep(option: Mapping[str, Any]) -> list[int]:
    """Requests in flight of one replica to measure at, ascending."""
    in_flight = float(option["performance"].get("requests_in_flight_per_replica") or 1.0)
    return sorted({max(1, round(in_flight * factor)) for factor in SWEEP})


def quality_check(request: Mapping[str, Any], *, engine: str = "") -> BenchmarkStep:
    """The evaluation to run twice: once against the reference format, once against the format that is served."""
    version = "v3" if engine == "openvino" else "v1"
    arguments = [
        *("lm_eval", "--model", "local-completions"),
        *(
            "--model_args",
            f"model={model_name(request)},base_url=http://localhost:{PORT}/{version}/completions,max_retries=3",
        ),
        *("--tasks", ",".join(EVALUATION_TASKS)),
        *("--output_path", "quality"),
    ]
    return BenchmarkStep(tool="lm_eval", concurrency=0, command=wrapped(arguments))


def _tokens(request: Mapping[str, Any]) -> tuple[int, int, int]:
    """Mean tokens of a prompt without the shared prefix, of an answer, and of the prefix."""
    traffic = request["traffic"]
    prefix = int(traffic.get("shared_prefix_tokens") or 0)
    return round(mean_of(traffic["input_tokens"])) - prefix, round(mean_of(traffic["output_tokens"])), prefix


def mean_of(stated: Any) -> float:
    """Of a length as requests state it: a number or a distribution."""
    return float(stated["mean"] if isinstance(stated, Mapping) else stated)


def _bench_vllm(request: Mapping[str, Any], load: Load, *, endpoint: str = "") -> list[str]:
    given, answer, prefix = _tokens(request)
    return [
        *("vllm", "bench", "serve", "--model", model_name(request), "--base-url", f"http://localhost:{PORT}"),
        *(("--endpoint", endpoint) if endpoint else ()),
        *("--dataset-name", "random", "--random-input-len", str(given), "--random-output-len", str(answer)),
        *("--random-prefix-len", str(prefix), "--ignore-eos"),
        *_vllm_load(load),
        *("--percentile-metrics", "ttft,tpot,itl,e2el", "--metric-percentiles", "50,95,99"),
        *("--save-result", "--result-filename", f"vllm-bench-{load.name}.json"),
    ]


def _vllm_load(load: Load) -> list[str]:
    if not load.rate_per_s:
        return ["--max-concurrency", str(load.in_flight), "--num-prompts", str(load.prompts)]
    rate = ["--request-rate", f"{load.rate_per_s:g}", "--burstiness", f"{load.shape:.4g}"]
    return [*rate, "--num-prompts", str(load.prompts)]


def _sglang_load(load: Load) -> list[str]:
    kept = ["--request-rate", f"{load.rate_per_s:g}"] if load.rate_per_s else ["--max-concurrency", str(load.in_flight)]
    return [*kept, "--num-prompts", str(load.prompts)]


def _guidellm_load(load: Load) -> str:
    return f"kind=poisson,rate={load.rate_per_s:g}" if load.rate_per_s else f"kind=concurrent,streams={load.in_flight}"


def _aiperf_load(load: Load) -> list[str]:
    if not load.rate_per_s:
        return ["--concurrency", str(load.in_flight)]
    pattern = ["poisson"] if load.shape == 1.0 else ["gamma", "--arrival-smoothness", f"{load.shape:.4g}"]
    return ["--request-rate", f"{load.rate_per_s:g}", "--arrival-pattern", *pattern]


def _bench_sglang(request: Mapping[str, Any], load: Load, *, module: str) -> list[str]:
    given, answer, prefix = _tokens(request)
    lengths = ["--dataset-name", "random", "--random-range-ratio", "1", "--random-input-len", str(given)]
    lengths += ["--random-output-len", str(answer)]
    if prefix:
        lengths = ["--dataset-name", "generated-shared-prefix", "--gsp-num-groups", "1"]
        lengths += ["--gsp-prompts-per-group", str(load.prompts), "--gsp-system-prompt-len", str(prefix)]
        lengths += ["--gsp-question-len", str(given), "--gsp-output-len", str(answer)]
    return [
        *("python3", "-m", module, "--backend", "sglang", "--port", str(PORT)),
        *("--model", model_name(request), *lengths),
        *_sglang_load(load),
        *("--output-file", "sglang-bench.jsonl"),
    ]


def _bench_guidellm(request: Mapping[str, Any], load: Load) -> list[str]:
    given, answer, prefix = _tokens(request)
    shared = f",prefix_tokens={prefix},prefix_count=1" if prefix else ""
    return [
        *("guidellm", "run", "--backend", f"kind=openai_http,target=http://localhost:{PORT}"),
        *("--profile", _guidellm_load(load)),
        *("--constraint", f"kind=max_requests,count={load.prompts}"),
        *("--data", f"kind=synthetic_text,prompt_tokens={given},output_tokens={answer}{shared}"),
        *("--output", f"kind=json,path=guidellm-{load.name}.json"),
    ]


def _bench_aiperf(request: Mapping[str, Any], load: Load) -> list[str]:
    given, answer, prefix = _tokens(request)
    shared = ["--prefix-prompt-length", str(prefix), "--num-prefix-prompts", "1"] if prefix else []
    return [
        *("aiperf", "profile", "--model", model_name(request), "--url", f"http://localhost:{PORT}"),
        *("--endpoint-type", "chat", "--streaming", *_aiperf_load(load)),
        *("--request-count", str(load.prompts)),
        *("--synthetic-input-tokens-mean", str(given), "--synthetic-input-tokens-stddev", "0"),
        *shared,
        *("--output-tokens-mean", str(answer), "--output-tokens-stddev", "0"),
        *("--artifact-dir", f"aiperf-{load.name}"),
    ]


def _llama_bench(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[str]:
    given, answer, prefix = _tokens(request)
    return [
        *("llama-bench", "--hf-repo", gguf_of(option, request), "--n-gpu-layers", "999"),
        *("--n-prompt", str(given + prefix), "--n-gen", str(answer), "--output", "json"),
    ]
