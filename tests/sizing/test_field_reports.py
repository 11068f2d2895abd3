"""Reports from the field on the shipped catalogue: what runs, what does not, and why.

Each case names the report that its answer comes from.
"""

from typing import Any

import pytest

from catalog.seed.report import SeedReport
from sizing.core.errors import SizingError
from tests.sizing.test_answers import ask

H100, H200, B200 = "nvidia-h100-sxm5-80gb", "nvidia-h200-sxm5-141gb", "nvidia-b200-hgx-180gb"
DEEPSEEK = "deepseek-ai/DeepSeek-V3"
SMALL = {"input_tokens": 1024, "output_tokens": 256, "max_context_tokens": 8192, "concurrent_requests": 1}
SGLANG_TABLE = "https://docs.sglang.io/docs/basic_usage/deepseek_v3.md"


def run(model: str, weights: str, deployment: dict[str, Any], **traffic: Any) -> dict[str, Any]:
    return ask(
        model={"id": model},
        weights_format=weights,
        kv_format=None,
        traffic=SMALL | traffic,
        targets=None,
        deployment=deployment,
    )


def tensor(accelerator: str, count: int, **more: Any) -> dict[str, Any]:
    return {"accelerator": accelerator, "count": count, "tensor_parallel": count, **more}


@pytest.mark.parametrize(
    ("model", "weights", "deployment"),
    [
        pytest.param(DEEPSEEK, "fp8", tensor(H200, 8), id=SGLANG_TABLE),
        pytest.param(DEEPSEEK, "fp8", tensor(H100, 16), id="two servers of eight, same table"),
        pytest.param(DEEPSEEK, "fp8", tensor("amd-mi300x", 8), id="same table, MI300X"),
        pytest.param("nvidia/DeepSeek-V3.1-NVFP4", "nvfp4", tensor(B200, 4), id="same table, FP4"),
        pytest.param("openai/gpt-oss-120b", "mxfp4", tensor(H100, 1), id="gpt-oss model card 2025-08-05"),
        pytest.param("Qwen/Qwen3-235B-A22B-FP8", "fp8", tensor(H100, 4), id="docs.gpustack.ai performance lab"),
        pytest.param("meta-llama/Llama-3.1-70B-Instruct", "bf16", tensor("nvidia-rtx-a6000", 4), id="vllm issue 11147"),
    ],
)
def test_it_runs(seeded: SeedReport, model: str, weights: str, deployment: dict[str, Any]) -> None:
    found = run(model, weights, deployment)
    assert not found["rejected"]
    option = found["options"][0]
    assert option["accelerators_total"] == deployment["count"]
    assert option["verdicts"]["memory"]["state"] in ("ok", "caution")
    assert option["verdicts"]["software"]["state"] in ("ok", "caution")


@pytest.mark.parametrize(
    ("model", "weights", "deployment", "code"),
    [
        pytest.param(DEEPSEEK, "fp8", tensor(H100, 8), "does_not_fit", id="673 GB on 8 x 80 GB"),
        pytest.param(DEEPSEEK, "bf16", tensor(H200, 8), "does_not_fit", id="1342 GB on 8 x 141 GB"),
        pytest.param("tiiuae/falcon-7b", "bf16", tensor("nvidia-l4", 2), "layout_heads", id="vllm issue 772"),
        pytest.param(
            "meta-llama/Llama-3.1-70B-Instruct", "bf16", tensor("nvidia-rtx-a6000", 6), "layout_heads", id="11147"
        ),
        pytest.param(
            "Qwen/Qwen3-235B-A22B-FP8",
            "fp8",
            tensor(H100, 8, expert_parallel=1),
            "layout_expert_width",
            id="vllm issue 17569",
        ),
        pytest.param(
            "meta-llama/Llama-3.1-405B-Instruct-FP8",
            "fp8",
            tensor("nvidia-a100-sxm4-80gb", 8, engine="vllm", engine_version="0.5.3"),
            "format_support_version",
            id="huggingface-llama-recipes issue 21",
        ),
    ],
)
def test_it_does_not_run(seeded: SeedReport, model: str, weights: str, deployment: dict[str, Any], code: str) -> None:
    found = run(model, weights, deployment)
    assert not found["options"]
    assert [each["code"] for each in found["rejected"]] == [code]


def test_the_smallest_unit_for_128k_tokens_of_a_trillion_parameters_is_sixteen_cards(seeded: SeedReport) -> None:
    """Kimi-K2 on 80 GB cards: vLLM recipes after the maker's deployment guide, 2025-07."""
    long = {"input_tokens": 8192, "output_tokens": 1024, "max_context_tokens": 131_072, "concurrent_requests": 4}
    found = run("moonshotai/Kimi-K2-Instruct", "fp8", {"accelerator": H100}, **long)
    option = found["options"][0]
    assert min(each["accelerators_per_replica"] for each in found["options"]) == 16
    assert option["verdicts"]["memory"]["state"] == "caution"
    assert "0.95" in option["verdicts"]["memory"]["reason"]


def test_full_context_of_405b_does_not_fit_one_server_and_three_fifths_of_it_do(seeded: SeedReport) -> None:
    """vllm issue 6746: 79,392 tokens fit on eight H100, 131,072 do not."""
    model = "meta-llama/Llama-3.1-405B-Instruct-FP8"
    full = run(model, "fp8", tensor(H100, 8), max_context_tokens=131_072)
    assert [each["code"] for each in full["rejected"]] == ["does_not_fit"]
    shorter = run(model, "fp8", tensor(H100, 8), max_context_tokens=79_000)
    assert shorter["options"][0]["kv_tokens_per_replica"] >= 79_000


def test_an_accelerator_that_is_not_sold_is_sized_where_it_is_named(seeded: SeedReport) -> None:
    found = run("meta-llama/Llama-3.1-8B-Instruct", "bf16", tensor("nvidia-h20-96gb", 1))
    assert found["options"][0]["accelerator"] == "nvidia-h20-96gb"
    assert found["warnings"] == ["An export variant that is sold in China only."]


def test_an_excluded_maker_appears_in_no_option(seeded: SeedReport) -> None:
    found = ask(
        model={"id": DEEPSEEK},
        traffic=SMALL,
        targets=None,
        site={"cooling": "air"},
        procurement={"excluded_vendors": ["NVIDIA"]},
    )
    slugs = {option["accelerator"] for option in found["options"]}
    assert slugs
    assert not any(slug.startswith("nvidia-") for slug in slugs)
    assert all(option["accelerators_total"] >= 4 for option in found["options"])
    refused = {each["accelerator"]: each["code"] for each in found["rejected"]}
    assert refused[H100] == "vendor_excluded"
    named = [option for option in found["options"] if option["labels"]]
    assert all(option["verdicts"]["software"]["state"] != "unknown" for option in named)


def test_what_is_served_beside_the_model_takes_memory_from_the_cache(seeded: SeedReport) -> None:
    plain = run(DEEPSEEK, "fp8", tensor(H200, 8, stream_interval=0))["options"][0]
    extra = {"speculative": {"draft_tokens": 2, "acceptance": 0.7}, "lora": {"adapters": 4, "rank": 64}}
    added = run(DEEPSEEK, "fp8", tensor(H200, 8, **extra))["options"][0]
    assert added["kv_tokens_per_replica"] < plain["kv_tokens_per_replica"]
    assert added["memory_per_accelerator"]["weight_bytes"] > plain["memory_per_accelerator"]["weight_bytes"]
    assert plain["engine_settings"]["stream_interval"] == 0
    assert plain["performance"]["slot_wait_ms"]["value"] == 0.0


def test_a_model_without_prediction_layers_says_so(seeded: SeedReport) -> None:
    drafts = {"draft_tokens": 2, "acceptance": 0.7, "method": "mtp"}
    with pytest.raises(SizingError) as raised:
        run("meta-llama/Llama-3.1-8B-Instruct", "bf16", tensor(H100, 1, speculative=drafts))
    assert raised.value.code == "no_prediction_layers"
    assert raised.value.pointer == "/deployment/speculative/method"


def test_a_draft_that_nobody_names_is_said_not_to_be_counted(seeded: SeedReport) -> None:
    drafts = {"draft_tokens": 2, "acceptance": 0.7}
    found = run("meta-llama/Llama-3.1-8B-Instruct", "bf16", tensor(H100, 1, speculative=drafts))
    assert "assumed_draft_without_memory" in {each["code"] for each in found["assumptions"]}


def test_named_options_show_latency_against_load_and_their_roofline(seeded: SeedReport) -> None:
    found = run("meta-llama/Llama-3.1-8B-Instruct", "bf16", {"accelerator": H100}, concurrent_requests=16)
    option = found["options"][0]
    stated = [point for point in option["load_curve"] if point["stated"]]
    assert [point["requests_in_flight"] for point in stated] == [16.0]
    assert {"value", "low", "high"} <= stated[0]["ttft_ms"].keys()
    assert {point["phase"] for point in option["roofline"]["points"]} == {"decode", "prefill"}
    assert option["roofline"]["bandwidth_gb_s"] == 3350.0


def test_both_bounds_of_a_sliding_window_cache_are_shown(seeded: SeedReport) -> None:
    """gpt-oss-120b reserves 73,728 bytes a token for all layers, 36,864 with windows honoured (hf-mem issue 60)."""
    option = run("openai/gpt-oss-120b", "mxfp4", tensor(H100, 2))["options"][0]
    reserved, honoured = option["kv_tokens_per_replica"], option["kv_tokens_per_replica_windows_honoured"]
    assert honoured == pytest.approx(2 * reserved, rel=0.01)
