"""Result files of each tool in its own format, written by hand after the sources that the readers quote."""

# ruff: noqa: E501 - lines of real files are as long as they are

import json
from typing import Any

VLLM: dict[str, Any] = {
    "date": "20261112-094501", "endpoint_type": "openai-comp", "backend": "vllm", "label": None,
    "model_id": "meta-llama/Llama-3.1-8B-Instruct", "tokenizer_id": "meta-llama/Llama-3.1-8B-Instruct",
    "num_prompts": 320, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 32, "duration": 61.4,
    "completed": 320, "failed": 0, "total_input_tokens": 327680, "total_output_tokens": 81920,
    "request_throughput": 5.2117, "request_goodput": None, "output_throughput": 1334.2, "total_token_throughput": 6671.0,
    "mean_ttft_ms": 180.5, "median_ttft_ms": 171.2, "std_ttft_ms": 60.1, "p50_ttft_ms": 171.2, "p95_ttft_ms": 280.0,
    "p99_ttft_ms": 401.9, "mean_tpot_ms": 23.1, "median_tpot_ms": 23.0, "std_tpot_ms": 0.9, "p99_tpot_ms": 25.2,
    "mean_itl_ms": 23.0, "median_itl_ms": 22.1, "std_itl_ms": 8.0, "p99_itl_ms": 61.0,
    "mean_e2el_ms": 6071.0, "median_e2el_ms": 6060.0, "std_e2el_ms": 120.0, "p99_e2el_ms": 6400.0,
}  # fmt: skip
VLLM_OLD = {
    key: value for key, value in VLLM.items() if key not in ("failed", "endpoint_type", "p50_ttft_ms", "p95_ttft_ms")
}
SGLANG: dict[str, Any] = {
    "backend": "sglang", "dataset_name": "random", "request_rate": float("inf"), "max_concurrency": 16,
    "sharegpt_output_len": None, "random_input_len": 1024, "random_output_len": 256, "random_range_ratio": 1.0,
    "duration": 58.0, "completed": 160, "total_input_tokens": 163840, "total_output_tokens": 40960,
    "total_output_tokens_retokenized": 40950, "request_throughput": 2.7586, "input_throughput": 2824.8,
    "output_throughput": 706.2, "mean_e2e_latency_ms": 5770.0, "median_e2e_latency_ms": 5760.0,
    "std_e2e_latency_ms": 40.0, "p99_e2e_latency_ms": 5900.0, "mean_ttft_ms": 150.0, "median_ttft_ms": 148.0,
    "std_ttft_ms": 20.0, "p99_ttft_ms": 210.0, "mean_tpot_ms": 22.0, "median_tpot_ms": 21.9, "std_tpot_ms": 0.4,
    "p99_tpot_ms": 23.5, "mean_itl_ms": 22.0, "median_itl_ms": 21.0, "std_itl_ms": 4.0, "p95_itl_ms": 25.0,
    "p99_itl_ms": 40.0, "concurrency": 15.92, "accept_length": None,
}  # fmt: skip


def distribution(mean: float, tail: float = 1.2) -> dict[str, Any]:
    shares = {"p50": mean, "p90": mean * tail, "p95": mean * tail, "p99": mean * tail**2}
    return {"successful": {"mean": mean, "median": mean, "percentiles": shares}, "errored": None, "incomplete": None}


def guidellm_benchmark(streams: int, tpot_ms: float) -> dict[str, Any]:
    e2e_s = 0.12 + 255 * tpot_ms / 1000
    return {
        "type_": "generative_benchmark", "start_time": 1794470000.0,
        "config": {"strategy": {"type_": "concurrent", "streams": streams},
                   "backend": {"model": "Qwen/Qwen3-32B", "target": "http://localhost:8000"}},
        "metrics": {
            "request_totals": {"successful": streams * 10, "errored": 0, "incomplete": 0, "total": streams * 10},
            "request_concurrency": distribution(streams * 0.97), "prompt_token_count": distribution(1024.0),
            "output_token_count": distribution(256.0), "time_to_first_token_ms": distribution(120.0),
            "time_per_output_token_ms": distribution(e2e_s * 1000 / 256), "inter_token_latency_ms": distribution(tpot_ms),
            "request_latency": distribution(e2e_s), "output_tokens_per_second": distribution(streams * 256 / e2e_s),
        },
    }  # fmt: skip


GUIDELLM = {
    "metadata": {"guidellm_version": "0.7.3", "version": 1},
    "args": {"profile": "concurrent"},
    "benchmarks": [guidellm_benchmark(8, 12.0), guidellm_benchmark(32, 16.0)],
}
AIPERF: dict[str, Any] = {
    "schema_version": "1.4", "aiperf_version": "0.11.0", "start_time": "2026-11-10T08:00:00Z",
    "request_latency": {"unit": "ms", "avg": 5300.0, "p50": 5280.0, "p90": 5400.0, "p95": 5450.0, "p99": 5600.0},
    "time_to_first_token": {"unit": "ms", "avg": 200.0, "p50": 190.0, "p90": 260.0, "p95": 300.0, "p99": 380.0},
    "inter_token_latency": {"unit": "ms", "avg": 20.0, "p50": 19.9, "p90": 20.5, "p95": 20.9, "p99": 22.0},
    "input_sequence_length": {"unit": "tokens", "avg": 1024.0}, "output_sequence_length": {"unit": "tokens", "avg": 256.0},
    "output_token_throughput": {"unit": "tokens/sec", "avg": 772.0}, "request_count": {"unit": "requests", "avg": 160.0},
    "input_config": {"models": {"items": [{"name": "Qwen/Qwen3-32B"}]}, "phases": {"profiling": {"concurrency": 16}}},
}  # fmt: skip
GENAI_PERF: dict[str, Any] = {
    key: value
    for key, value in AIPERF.items()
    if key not in ("schema_version", "aiperf_version", "start_time", "request_count", "input_config")
} | {"input_config": {"model": ["llama-3.1-8b"], "perf_analyzer": {"stimulus": {"concurrency": 16}}}}
GENAI_PERF_CSV = (
    "Metric,avg,min,max,p99,p95,p90,p75,p50,p25\r\n"
    'Time To First Token (ms),"1,146.31",249.48,"3,485.23","3,457.97","3,349.56","3,215.06","1,330.93",640.07,286.52\r\n'
    'Request Latency (ms),"6,406.20","5,371.47","9,608.72","9,436.13","9,046.58","9,028.16","6,549.60","5,690.23","5,493.63"\r\n'
    "Inter Token Latency (ms),30.35,27.59,35.60,35.23,33.88,32.53,31.05,30.13,29.04\r\n"
    "Output Sequence Length (tokens),174.45,164.00,187.00,186.22,183.10,180.10,177.00,174.00,171.75\r\n"
    'Input Sequence Length (tokens),"3,000.05","2,999.00","3,001.00","3,001.00","3,001.00","3,000.00","3,000.00","3,000.00","3,000.00"\r\n'
    "\r\nMetric,Value\r\nOutput Token Throughput (per sec),432.10\r\nRequest Throughput (per sec),2.48\r\n"
)
AIPERF_CSV = (
    "Metric,avg,min,max,p25,p50,p75,p99,std\n"
    "Inter Token Latency (ms),2.81,2.66,2.88,2.79,2.83,2.84,2.87,0.04\n"
    "Time to First Token (ms),49.87,17.15,99.91,49.35,49.87,50.52,92.31,9.20\n"
    "Request Latency (ms),1452.30,1203.61,2433.87,1453.19,1462.99,1466.72,2431.16,176.18\n"
    "Output Sequence Length (tokens),498.06,410.00,501.00,500.00,500.00,500.00,501.00,12.62\n"
    "Input Sequence Length (tokens),300.00,300.00,300.00,300.00,300.00,300.00,300.00,0.00\n"
    "\nMetric,Value\nOutput Token Throughput (tokens/sec),342.78\nRequest Throughput (requests/sec),0.69\nRequest Count,50.00\n"
)
LLAMA_BENCH = [
    {"build_commit": "8cf427ff", "build_number": 5163, "cpu_info": "AMD Ryzen 7 7800X3D", "gpu_info": "NVIDIA GeForce RTX 4080",
     "backends": "CUDA", "model_filename": "models/Qwen2.5-7B-Instruct-Q4_K_M.gguf", "model_type": "qwen2 7B Q4_K - Medium",
     "model_size": 4677120000, "model_n_params": 7615616512, "n_batch": 2048, "n_ubatch": 512, "type_k": "f16", "n_prompt": 512,
     "n_gen": 0, "n_depth": 0, "test_time": "2025-04-24T11:57:09Z", "avg_ns": 70285660, "stddev_ns": 982040,
     "avg_ts": 7285.676949, "stddev_ts": 100.064434},
    {"build_commit": "8cf427ff", "build_number": 5163, "cpu_info": "AMD Ryzen 7 7800X3D", "gpu_info": "NVIDIA GeForce RTX 4080",
     "backends": "CUDA", "model_filename": "models/Qwen2.5-7B-Instruct-Q4_K_M.gguf", "model_type": "qwen2 7B Q4_K - Medium",
     "n_prompt": 0, "n_gen": 128, "n_depth": 512, "test_time": "2025-04-24T11:57:10Z", "avg_ns": 1067431600,
     "stddev_ns": 7000, "avg_ts": 119.844681, "stddev_ts": 0.699739},
]  # fmt: skip
LLAMA_BENCH_CSV = (
    "build_commit,build_number,cpu_info,gpu_info,backends,model_filename,model_type,model_size,model_n_params,n_batch,"
    "n_ubatch,n_threads,cpu_mask,cpu_strict,poll,type_k,type_v,n_gpu_layers,split_mode,main_gpu,no_kv_offload,flash_attn,"
    "tensor_split,use_mmap,embeddings,n_prompt,n_gen,n_depth,test_time,avg_ns,stddev_ns,avg_ts,stddev_ts\n"
    '"8cf427ff","5163","AMD Ryzen 7","NVIDIA GeForce RTX 4080","CUDA","models/Qwen2.5-7B-Instruct-Q4_K_M.gguf",'
    '"qwen2 7B Q4_K - Medium","4677120000","7615616512","2048","512","8","0x0","0","50","f16","f16","99","layer","0","0","0",'
    '"0.00","1","0","512","0","0","2025-04-24T11:57:09Z","70285660","982040","7285.676949","100.064434"\n'
)
LLAMA_BENCH_MD = (
    "ggml_cuda_init: found 1 CUDA devices\n"
    "| model                          |       size |     params | backend    | ngl |            test |                  t/s |\n"
    "| ------------------------------ | ---------: | ---------: | ---------- | --: | --------------: | -------------------: |\n"
    "| qwen2 7B Q4_K - Medium         |   4.36 GiB |     7.62 B | CUDA       |  99 |           pp512 |      7340.20 ± 23.45 |\n"
    "| qwen2 7B Q4_K - Medium         |   4.36 GiB |     7.62 B | CUDA       |  99 |    tg128 @ d512 |        116.71 ± 0.60 |\n"
    "\nbuild: 8cf427ff (5163)\n"
)
TRTEXEC_LOG = (
    "[07/20/2026-12:17:10] [I] TensorRT version: 10.3.0\n"
    "[07/20/2026-12:17:47] [I] === Performance summary ===\n"
    "[07/20/2026-12:17:47] [I] Throughput: 258.892 qps\n"
    "[07/20/2026-12:17:47] [I] Latency: min = 1.87549 ms, max = 6.78198 ms, mean = 4.0024 ms, median = 4.32526 ms, "
    "percentile(90%) = 4.54346 ms, percentile(95%) = 4.98193 ms, percentile(99%) = 6.56958 ms\n"
    "[07/20/2026-12:17:47] [I] Enqueue Time: min = 0.68 ms, max = 3.7 ms, mean = 0.98 ms, median = 0.94 ms\n"
    "[07/20/2026-12:17:47] [I] GPU Compute Time: min = 1.71 ms, max = 6.4 ms, mean = 3.8 ms, median = 4.1 ms\n"
)
TRTEXEC_TIMES = [
    {"startInMs": i * 4.0, "endInMs": i * 4.0 + 5.0, "startComputeMs": i * 4.0, "endComputeMs": i * 4.0 + 4.5,
     "startOutMs": 0.0, "endOutMs": 0.0, "inMs": 0.1, "computeMs": 4.5, "outMs": 0.1, "latencyMs": 4.7 + i * 0.001}
    for i in range(101)
]  # fmt: skip
PERF_ANALYZER = (
    "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,"
    "Server Compute Infer,Server Compute Output,Client Recv,p50 latency,p90 latency,p95 latency,p99 latency\n"
    "1,1432.1,21,143,33,12,455,9,2,690,715,740,801\n"
    "16,9120.5,25,180,410,40,1050,12,3,1740,1905,1990,2350\n"
)
MLPERF = """================================================
MLPerf Results Summary
================================================
SUT name : PySUT
Scenario : Server
Mode     : PerformanceOnly
Completed samples per second    : 264.96
Result is : VALID
  Performance constraints satisfied : Yes
  Min duration satisfied : Yes

================================================
Additional Stats
================================================
Scheduled samples per second : 264.96
Min latency (ns)                : 83955567
Max latency (ns)                : 146131556252
Mean latency (ns)               : 17499356575
50.00 percentile latency (ns)   : 14710161989
90.00 percentile latency (ns)   : 32087812398
95.00 percentile latency (ns)   : 40555938229
99.00 percentile latency (ns)   : 62057076953

Completed tokens per second                 : 74638.54
Mean First Token latency (ns)               : 200849949
50.00 percentile first token latency (ns)   : 187392125
99.00 percentile first token latency (ns)   : 674674289

Mean Time per Output Token (ns)               : 61403731
50.00 percentile time to output token (ns)   : 58683300
99.00 percentile time to output token (ns)   : 191656553
"""


def as_bytes(content: Any) -> bytes:
    return content.encode() if isinstance(content, str) else json.dumps(content, indent=1).encode()


def lines_of(*entries: Any) -> bytes:
    return "".join(json.dumps(entry) + "\n" for entry in entries).encode()
