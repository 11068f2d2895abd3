"""Requests shown in the documentation; a test sends each of them."""

from drf_spectacular.utils import OpenApiExample

CHAT = {
    "name": "Support assistant",
    "kind": "llm_serving",
    "model": {"id": "meta-llama/Llama-3.1-8B-Instruct"},
    "weights_format": "fp8",
    "traffic": {"input_tokens": 1024, "output_tokens": 256, "users": 200, "active_share": 0.25},
    "targets": {"ttft_ms": {"p95": 1000}, "tpot_ms": {"p95": 50}},
    "procurement": {"currency": "USD", "buyer_type": "commercial"},
}
PINNED = {
    "kind": "llm_serving",
    "model": {"id": "meta-llama/Llama-3.1-8B-Instruct"},
    "traffic": {"input_tokens": {"mean": 512, "p95": 2000}, "output_tokens": 128, "concurrent_requests": 8},
    "deployment": {"accelerator": "nvidia-h100-sxm5-80gb", "count": 1, "engine": "vllm"},
}
REQUESTS = [
    OpenApiExample("Chat for 200 users", CHAT, request_only=True),
    OpenApiExample("One pinned deployment", PINNED, request_only=True),
]
