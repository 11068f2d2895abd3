"""How to measure an option of a kind without tokens: ready commands at the batch and rate that its figures assume.

trtexec (docs.nvidia.com/deeplearning/tensorrt, command-line programs), perf_analyzer (triton-inference-server, CLI),
`vllm bench serve --backend openai-embeddings`, and MLPerf's load generator: its settings file (mlcommons/inference,
loadgen/README: model.scenario.key = value) and, for the networks that MLPerf itself runs, MLCFlow's command.
Read 2026-12.
"""

from collections.abc import Mapping
from typing import Any

from sizing.benchmark_plan import BenchmarkStep
from sizing.kinds.recipes import SERVED_AS_ONE_NETWORK, batch_of, shapes
from sizing.manifests import PORT
from sizing.recipes import model_name, slug_of, wrapped

SECONDS = 60
SECONDS_PER_HOUR = 3600.0
LATENCY_SHARE = 2.0  # of the batch time: the bound of the Server scenario where the workload states none
MLPERF_NAMES = {
    "resnet-50": "resnet50", "retinanet": "retinanet", "bert-large": "bert-99", "dlrm-v2": "dlrm-v2-99",
    "stable-diffusion-xl-base-1-0": "sdxl", "whisper-large-v3": "whisper",
}  # fmt: skip
"""Our slug -> MLPerf Inference 6.0 benchmark."""


def kind_plan(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[BenchmarkStep]:
    """Every tool that speaks to the engine, at the assumed batch and below it."""
    engine, kind = str(option["engine"]), str(request["kind"])
    steps: list[BenchmarkStep] = []
    if engine == "tensorrt":
        steps += [_step("trtexec", size, _trtexec(request, size)) for size in batches(option)]
    if engine in ("tensorrt", "onnxruntime", "triton") and kind in SERVED_AS_ONE_NETWORK:
        steps += [_step("perf_analyzer", size, _perf_analyzer(request, size)) for size in batches(option)]
    if engine == "vllm" and kind == "embedding":
        steps += [_step("vllm bench serve", size, _vllm(request, size)) for size in batches(option)]
    return [*steps, *_loadgen(option, request)]


def batches(option: Mapping[str, Any]) -> list[int]:
    """1, half of the assumed batch and the batch itself, ascending."""
    full = batch_of(option)
    return sorted({1, max(1, full // 2), full})


def per_s(option: Mapping[str, Any]) -> float | None:
    """Items a second that one replica is expected to do, whatever the kind counts; None where it counts none."""
    for name, estimate in option["performance"].items():
        if name.endswith("_per_replica") and isinstance(estimate, Mapping) and estimate.get("value") is not None:
            return float(estimate["value"]) / (SECONDS_PER_HOUR if str(estimate["unit"]).endswith("/h") else 1.0)
    return None


def _step(tool: str, count: int, command: str) -> BenchmarkStep:
    return BenchmarkStep(tool=tool, concurrency=count, command=command)


def _trtexec(request: Mapping[str, Any], batch: int) -> str:
    shaped = shapes(request, batch)
    parts = [
        "trtexec --loadEngine=model.plan",
        *([f'--shapes="{shaped}"'] if shaped else []),
        f"--warmUp=2000 --duration={SECONDS} --useCudaGraph --useSpinWait",
        f"--percentile=95,99 --exportTimes=trtexec-{batch}.json > trtexec-{batch}.log",
    ]
    return " \\\n  ".join(parts)


def _perf_analyzer(request: Mapping[str, Any], batch: int) -> str:
    parts = [
        f"perf_analyzer -m {slug_of(model_name(request))} -u localhost:8001 -i grpc",
        f"-b 1 --concurrency-range {2 * batch} --percentile=95",  # twice: one batch waits while one runs
        f"--measurement-interval {SECONDS * 1000} -f perf-analyzer-{batch}.csv",
    ]
    return " \\\n  ".join(parts)


def _vllm(request: Mapping[str, Any], batch: int) -> str:
    tokens = round(float(request["embedding"].get("tokens_per_document") or 1))
    return wrapped(
        [
            *("vllm", "bench", "serve", "--backend", "openai-embeddings", "--endpoint", "/v1/embeddings"),
            *("--model", model_name(request), "--base-url", f"http://localhost:{PORT}"),
            *("--dataset-name", "random", "--random-input-len", str(tokens)),
            *("--max-concurrency", str(batch), "--num-prompts", str(50 * batch)),
            *("--save-result", "--result-filename", f"vllm-bench-{batch}.json"),
        ]
    )


def _loadgen(option: Mapping[str, Any], request: Mapping[str, Any]) -> list[BenchmarkStep]:
    """Settings of both scenarios at the expected rate, and the ready command where MLPerf runs the model itself."""
    rate = per_s(option)
    if rate is None:
        return []
    device_ms = (option["performance"].get("device_ms") or {}).get("value") or 1e3 * batch_of(option) / rate
    bound_ms = _target_ms(request) or LATENCY_SHARE * device_ms
    settings = [
        f"*.Offline.target_qps = {rate:.4g}",
        f"*.Server.target_qps = {rate:.4g}",
        f"*.Server.target_latency = {bound_ms:.4g}",
        f"*.*.min_duration = {SECONDS * 10 * 1000}",
    ]
    written = "cat > user.conf <<'END'\n" + "\n".join(settings) + "\nEND"
    steps = [BenchmarkStep(tool="MLPerf loadgen", concurrency=0, command=written)]
    name = MLPERF_NAMES.get(slug_of(model_name(request)))
    if name:
        steps += [_mlperf(name, option, scenario, rate) for scenario in ("Offline", "Server")]
    return steps


def _target_ms(request: Mapping[str, Any]) -> float | None:
    stated = (request.get("targets") or {}).get("latency_ms")
    value = stated.get("p95") if isinstance(stated, Mapping) else stated
    return float(value) if value else None


def _mlperf(name: str, option: Mapping[str, Any], scenario: str, rate: float) -> BenchmarkStep:
    device = "cuda" if str(option["accelerator"]).startswith("nvidia-") else "cpu"
    implementation = ("nvidia", "tensorrt") if option["engine"] == "tensorrt" else ("reference", "onnxruntime")
    command = [
        *("mlcr", "run-mlperf,inference,_full,_performance-only", f"--model={name}"),
        *(f"--implementation={implementation[0]}", f"--framework={implementation[1]}", "--category=datacenter"),
        *(
            f"--scenario={scenario}",
            f"--device={device}",
            f"--target_qps={rate:.4g}",
            "--execution_mode=test",
            "--quiet",
        ),
    ]
    return BenchmarkStep(tool="MLPerf loadgen", concurrency=0, command=wrapped(command))
