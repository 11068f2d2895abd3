"""Every figure of a plan names its formula, its inputs and a source."""

import pytest

from sizing.core.engines import ENGINES
from sizing.core.memory import memory_plan
from sizing.core.memory_explained import Figure, explain_memory
from sizing.core.parallelism import Layout
from sizing.core.precision import BF16, FP8
from sizing.messages import render
from sizing.messages_model import WORDS
from tests.sizing.core.devices import H100
from tests.sizing.core.test_memory import GPT_OSS, LLAMA_8B, LLAMA_70B, model


def figures(model_id: str, engine: str = "vllm") -> dict[str, Figure]:
    features, weights = model(model_id, FP8 if model_id == LLAMA_70B else None)
    layout, rules = Layout(tensor=2), ENGINES[engine]
    plan = memory_plan(features, weights, BF16, H100, layout, rules, max_context_tokens=4096)
    explained = explain_memory(plan, features, weights, device=H100, layout=layout, engine=rules, kv_format=BF16)
    return {figure.name: figure for figure in explained}


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_formulas_have_words_and_reserves_have_sources(engine: str) -> None:
    found = figures(LLAMA_70B, engine)
    reserves = {"sampler", "activations", "runtime", "collectives"}
    assert set(found) == {"usable", "weights", *reserves, "pool", "token", "longest_request"}
    assert all(figure.formula in WORDS and figure.numbers.code in WORDS for figure in found.values())
    assert all(render(figure.numbers) for figure in found.values())
    assert found["runtime"].source
    assert found["activations"].source


def test_the_pool_is_what_its_inputs_say() -> None:
    pool = figures(LLAMA_70B)["pool"]
    given = {key: float(str(value)) for key, value in pool.inputs.items()}
    left = given["memory_utilisation"] * given["usable_bytes"] - given["weight_bytes"] - given["activation_bytes"]
    assert pool.value_bytes == pytest.approx(left - given["runtime_bytes"], abs=2)


def test_activations_are_what_their_inputs_say() -> None:
    figure = figures(LLAMA_8B)["activations"]
    # 1.28 x 8,192 x 4,096 x 2, and beside it 1,024 x 128,256 x 38.2
    assert figure.value_bytes == pytest.approx(1.28 * 8192 * 4096 * 2, abs=1)
    assert figures(LLAMA_8B)["sampler"].value_bytes == pytest.approx(1024 * 128_256 * 38.2, abs=1)


def test_reserves_and_pool_add_up_to_the_budget() -> None:
    found = figures(LLAMA_70B)
    parts = ("weights", "sampler", "activations", "runtime", "collectives", "pool")
    total = sum(found[name].value_bytes for name in parts)
    assert total == pytest.approx(0.9 * found["usable"].value_bytes, abs=3)


def test_the_parts_of_the_weights_add_up() -> None:
    figure = figures(LLAMA_70B)["weights"]
    names = ("attention", "kv_projections", "copied_attention", "dense", "experts", "other", "tables", "towers")
    total = sum(float(str(figure.inputs[f"{name}_bytes"])) for name in names)
    assert figure.value_bytes == pytest.approx(total, abs=1)


def test_hybrids_show_their_state() -> None:
    state = figures("Qwen/Qwen3-Next-80B-A3B-Instruct")["state"]
    assert state.inputs["whole_bytes"] == 2 * round(state.value_bytes)


def test_both_bounds_of_windows_are_shown() -> None:
    bounds = figures(GPT_OSS)["window_bounds"]
    assert bounds.inputs == {"capped_bytes": 18_432.0, "full_bytes": 36_864.0, "window_tokens": 128}
