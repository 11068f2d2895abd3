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
    assert [fix.code for fix in fixes] == ["fix_other_accelerator"]
    assert fixes[0].params["device"] == H200.name


def test_nothing_helps_is_said() -> None:
    asked = replace(deployment("deepseek-ai/DeepSeek-V3", tensor=1), largest_replica=1)
    assert cheapest_memory_fix(asked).code == "fix_none"


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
    assert estimate.params["step_ms"] == pytest.approx(plan.context_short_bytes / 63e9 * 1000)
    assert not plan.fits
    fine = deployment(LLAMA_70B, weights=FP8, tensor=2)
    assert offload_estimate(fine, plan_of(fine)) is None
