"""Ready-made workloads that fill the form: common uses of language models with plausible load."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A complete filled form. `values` are initial values of WorkloadForm."""

    key: str
    name: str | Promise
    summary: str | Promise
    values: Mapping[str, object]


def example(key: str, name: str | Promise, summary: str | Promise, **values: object) -> Example:
    return Example(key=key, name=name, summary=summary, values=MappingProxyType(values))


EXAMPLES = (
    example(
        "support-chat",
        _("Chat assistant for 200 users"),
        _("70 B model, short questions and answers"),
        model="meta-llama/Llama-3.3-70B-Instruct", users=200, active_share=25, input_tokens=1200, output_tokens=350,
        ttft_s=1.5, tpot_ms=50,
    ),
    example(
        "knowledge-search",
        _("Company knowledge search"),
        _("Long passages in, a short answer out"),
        model="Qwen/Qwen3-32B", users=500, active_share=10, input_tokens=6000, output_tokens=400,
        shared_prefix_tokens=800, ttft_s=2, tpot_ms=60,
    ),
    example(
        "code-assistant",
        _("Code assistant for 100 developers"),
        _("Fast first token, many short completions"),
        model="Qwen/Qwen3-30B-A3B", users=100, active_share=30, input_tokens=3000, output_tokens=200,
        ttft_s=0.5, tpot_ms=25,
    ),
    example(
        "document-intelligence",
        _("Document summaries"),
        _("Long documents at a steady rate"),
        model="meta-llama/Llama-3.1-8B-Instruct", load_by="rate", requests_per_s=0.5, input_tokens=16000,
        output_tokens=800, ttft_s=10, tpot_ms=100,
    ),
    example(
        "agents",
        _("Agents on a mixture of experts"),
        _("Large model, growing context, 64 requests in flight"),
        model="Qwen/Qwen3-235B-A22B", load_by="concurrent", concurrent_requests=64, input_tokens=8000,
        output_tokens=600, max_context_tokens=32000, ttft_s=4, tpot_ms=50,
    ),
    example(
        "small-team",
        _("Small team, small model"),
        _("8 B model for 20 people"),
        model="meta-llama/Llama-3.1-8B-Instruct", users=20, active_share=25, input_tokens=1000, output_tokens=300,
        ttft_s=1, tpot_ms=50,
    ),
)  # fmt: skip
BY_KEY = {example.key: example for example in EXAMPLES}
