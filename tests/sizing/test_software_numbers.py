"""What the choice of software changes in the numbers: on the advisor's page, and in the answer itself."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalog.seed.report import SeedReport
from sizing.available import published_gain
from sizing.core.engines import engine_memory
from sizing.core.recommend import recommend
from sizing.engines import ENGINE_NAMES
from sizing.software_facts import FULL, LIGHT, prefix_hits, span, speculation_gains
from tests.sizing.core import serving
from tests.sizing.core.serving import H100, LLAMA_8B


def option(engine: str = "vllm", shared: int = 0, **pin: Any) -> Any:
    pinned = serving.pinned(H100, count=1, tensor_parallel=1, engine=engine, **pin)
    traffic = serving.traffic(8, 1024, 128, shared_prefix_tokens=shared)
    wanted = serving.request(LLAMA_8B, traffic=traffic, pinned=pinned)
    chosen = replace(serving.VLLM, slug=engine, memory=engine_memory(engine), speculation=published_gain(engine))
    return recommend(wanted, serving.catalogue(H100, engines=(chosen,)), coefficients=serving.coefficients()).options[0]


@pytest.mark.parametrize(("engine", "kept"), [("vllm", 992), ("sglang", 1000), ("tensorrt-llm", 992)])
def test_the_prefix_cache_returns_whole_blocks(engine: str, kept: int) -> None:
    # 1,000 shared tokens in blocks of 16 (62.5), 1 and 32 (31.25), of prompts of 1,024
    assert option(engine, 1000).performance.prefix_hit_share.value == pytest.approx(kept / 1024)


def test_nothing_shared_or_no_cache_is_told_apart() -> None:
    assert option().performance.prefix_hit_share is None
    assert option(shared=800, prefix_caching=False).performance.prefix_hit_share.value == 0.0


def test_llama_cpp_keeps_a_prefix_once_a_slot() -> None:
    assert engine_memory("llama-cpp").prefix_per_slot
    assert not engine_memory("vllm").prefix_per_slot


def test_drafting_gain_is_an_interval_beside_what_sources_state() -> None:
    claim = next(each for each in option().claims if each.name == "speculative_decoding")
    assert (claim.low, claim.high) == (1.5, 2.8)  # vLLM, few requests
    assert "vllm-project" in claim.source
    assert claim.value_low is not None
    assert claim.value_high is not None
    assert claim.value_low < claim.value < claim.value_high


def test_a_stated_acceptance_widens_the_intervals() -> None:
    drafts = {"draft_tokens": 3.0}
    guessed = option(speculative=drafts | {"acceptance": 0.7}).performance.tpot_ms["mean"]
    counted = option(speculative=drafts | {"accepted_tokens": 1.533}).performance.tpot_ms["mean"]
    assert guessed.value == pytest.approx(counted.value, rel=1e-3)
    assert guessed.high / guessed.low > counted.high / counted.low * 1.02


def test_every_statement_has_its_page_and_a_full_device_gains_less() -> None:
    for engine in ENGINE_NAMES:
        for seen in (*speculation_gains(engine, LIGHT), *speculation_gains(engine, FULL), *prefix_hits(engine)):
            assert seen.source.startswith("https://")
            assert seen.what
        light, full = span(speculation_gains(engine, LIGHT)), span(speculation_gains(engine, FULL))
        if light and full:
            assert full[1] <= light[1]
    assert published_gain("lmdeploy") is None


@pytest.mark.django_db
def test_the_page_shows_every_software_in_numbers(shipped: SeedReport) -> None:
    address = reverse("sizing:advisor")
    page = Client().get(address, {"software": "vllm", "accelerator": "nvidia-h100-sxm5-80gb", "weights": "fp8",
                                  "family": "language", "prompt": "2000", "shared": "1000"})  # fmt: skip
    shown = {each.engine: each for each in page.context["numbers"]}
    assert set(shown) == set(ENGINE_NAMES)
    assert (shown["vllm"].prefix.text, shown["sglang"].prefix.text) == ("49.6\u00a0%", "50.0\u00a0%")
    assert shown["vllm"].light.text == "1.50 to 2.80 times"
    assert shown["vllm"].full.text == "0.56 to 0.71 times"
    assert shown["lmdeploy"].light.text == ""  # no source: unknown
    assert shown["onnxruntime"].light.text == "not offered"
    assert all(each.row is not None and each.licence for each in shown.values())
    assert "vllm-project.github.io" in page.content.decode()
    assert Client().get(address).context["numbers"]
