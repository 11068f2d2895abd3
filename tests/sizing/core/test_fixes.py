"""The cheapest change that makes a deployment fit."""

from dataclasses import replace

import pytest

from sizing.core.engines import engine_memory
from sizing.core.fixes import (
    Deployment,
    cheapest_memory_fix,
    fitting_settings,
    holds,
    memory_fixes,
    memory_verdict_message,
    offload_estimate,
    plan_of,
)
from sizing.core.hardware import Accelerator
from sizing.core.parallelism import Layout
from sizing.core.precision import BF16, FP8, INT4, StorageFormat
from sizing.messages import render
from tests.sizing.core.devices import A100, H100, H200
from tests.sizing.core.test_memory import GPT_OSS, LLAMA_70B, model


def deployment(
    model_id: str,
    *,
    weights: StorageFormat | None = None,
    device: Accelerator = H100,
    tensor: int = 1,
    context: int = 2048,
    sequences: int = 1,
) -> Deployment:
    features, size = model(model_id, weights)
    return Deployment(
        features=features,
        weights=size,
        kv_format=BF16,
        device=device,
        layout=Layout(tensor=tensor),
        engine=engine_memory("vllm"),
        max_context_tokens=context,
        sequences=sequences,
    )


def test_fewer_sequences_free_memory_before_a_larger_fraction() -> None:
    changed, plan, notes = fitting_settings(deployment(GPT_OSS, context=8192))
    assert holds(changed, plan)
    assert [note.code for note in notes] == ["setting_max_sequences"]
    assert plan.memory_utilisation == 0.9


def test_pinned_settings_are_not_changed() -> None:
    pinned = replace(deployment(GPT_OSS, context=8192), max_sequences=1024, memory_utilisation=0.9)
    changed, plan, notes = fitting_settings(pinned)
    assert (changed, notes) == (pinned, ())
    assert not holds(changed, plan)
    assert cheapest_memory_fix(pinned).code == "fix_settings"


def test_the_fp8_cache_is_named_where_it_suffices() -> None:
    # five full contexts of 40 GiB on four cards: four fit in 16 bits
    asked = deployment(LLAMA_70B, weights=FP8, tensor=4, context=131_072, sequences=5)
    changed, plan, notes = fitting_settings(asked)
    assert not holds(changed, plan)
    assert notes == ()
    assert [fix.code for fix in memory_fixes(asked)][:2] == ["fix_settings", "fix_kv_format"]


def test_other_weights_come_before_more_cards() -> None:
    bare = deployment(LLAMA_70B, weights=BF16, tensor=1)
    assert cheapest_memory_fix(bare).code == "fix_more_accelerators"
    assert cheapest_memory_fix(bare).params["accelerators"] == 2
    with_choice = replace(bare, weight_choices={"int4": model(LLAMA_70B, INT4)[1], "fp8": model(LLAMA_70B, FP8)[1]})
    fixes = list(memory_fixes(with_choice))
    assert fixes[0].code == "fix_weights_format"
    assert fixes[0].params["weights_gb"] < fixes[0].params["before_gb"]  # type: ignore[operator]  (both numbers)


def test_a_shorter_context_is_named_with_its_length() -> None:
    # vllm issue 6746: about 79,000 of 131,072 tokens fit
    asked = deployment("meta-llama/Llama-3.1-405B-Instruct-FP8", tensor=8, context=131_072)
    pinned = replace(asked, max_sequences=1024, memory_utilisation=0.9, kv_format=FP8)
    tight = replace(pinned, sequences=2)
    context = next(fix for fix in memory_fixes(tight) if fix.code == "fix_context")
    assert 32_768 <= int(str(context.params["tokens"])) < 131_072


def test_another_accelerator_is_the_last_resort() -> None:
    asked = replace(deployment("deepseek-ai/DeepSeek-V3", tensor=8), other_devices=(A100, H200), largest_replica=8)
    fixes = list(memory_fixes(asked))
    assert [fix.code for fix in fixes] == ["fix_other_accelerator", "fix_offload"]
    assert fixes[0].params["device"] == H200.name


def test_what_the_software_does_not_serve_is_not_proposed() -> None:
    bare = replace(deployment(LLAMA_70B, weights=BF16), weight_choices={"int4": model(LLAMA_70B, INT4)[1]})
    assert next(memory_fixes(bare)).code == "fix_weights_format"
    refusing = replace(bare, serves=lambda device, weights, cache: weights != "int4")
    assert next(memory_fixes(refusing)).code == "fix_more_accelerators"
    elsewhere = replace(bare, layout=Layout(tensor=2), other_devices=(H200,), largest_replica=1, weight_choices={})
    tight = replace(elsewhere, max_context_tokens=65_536)
    assert "fix_other_accelerator" in [fix.code for fix in memory_fixes(tight)]
    deaf = replace(tight, serves=lambda device, weights, cache: device.slug != H200.slug)
    assert "fix_other_accelerator" not in [fix.code for fix in memory_fixes(deaf)]


def test_every_kind_of_fix_has_words_that_name_its_effect() -> None:
    # 212,000 tokens of 70B on two cards: every kind of change helps
    asked = replace(
        deployment(LLAMA_70B, weights=FP8, tensor=2, context=212_000),
        weight_choices={"int4": model(LLAMA_70B, INT4)[1]},
        other_devices=(H200,),
    )
    pinned = replace(asked, max_sequences=1024, memory_utilisation=0.9)
    found = {fix.code: render(fix) for fix in memory_fixes(pinned)}
    assert set(found) == {
        "fix_settings",
        "fix_kv_format",
        "fix_weights_format",
        "fix_context",
        "fix_more_accelerators",
        "fix_other_accelerator",
        "fix_offload",
    }
    assert all("GB" in words or "tokens" in words for words in found.values())


def test_nothing_helps_is_said() -> None:
    asked = replace(deployment("deepseek-ai/DeepSeek-V3", tensor=1), largest_replica=1)
    assert cheapest_memory_fix(asked).code == "fix_offload"  # slow, and the words say that it is no fit
    assert cheapest_memory_fix(replace(asked, engine=engine_memory("tensorrt-llm"))).code == "fix_none"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (deployment(LLAMA_70B, weights=FP8), "memory_short"),
        (deployment(LLAMA_70B, weights=FP8, tensor=2, context=2_000_000), "memory_context_short"),
        (deployment(LLAMA_70B, weights=FP8, tensor=2, context=131_072, sequences=2), "memory_concurrency_short"),
        (deployment(LLAMA_70B, weights=FP8, tensor=2, sequences=64), "memory_fits"),
    ],
)
def test_the_verdict_says_what_is_missing(asked: Deployment, code: str) -> None:
    assert memory_verdict_message(asked, plan_of(asked)).code == code


def test_offload_states_ram_link_and_time_and_is_no_fit() -> None:
    asked = deployment(LLAMA_70B, weights=FP8)
    plan = plan_of(asked)
    estimate = offload_estimate(asked, plan)
    assert estimate is not None
    assert estimate.params["offload_gb"] == pytest.approx(plan.context_short_bytes / 1e9)
    low, high = float(str(estimate.params["step_ms"])), float(str(estimate.params["step_high_ms"]))
    assert low == pytest.approx(plan.context_short_bytes / 63e9 * 1000)
    assert high > 2 * low  # copies at half the link, and the part that stays is read too
    assert offload_estimate(replace(asked, engine=engine_memory("tensorrt-llm")), plan) is None
    assert not plan.fits
    fine = deployment(LLAMA_70B, weights=FP8, tensor=2)
    assert offload_estimate(fine, plan_of(fine)) is None
