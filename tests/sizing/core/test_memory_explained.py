"""Every figure of a plan names its formula, its inputs and a source."""

import pytest

from sizing.core.engines import ENGINES
from sizing.core.memory import memory_plan
from sizing.core.memory_explained import Figure, explain_memory
from sizing.core.parallelism import Layout
from sizing.core.precision import BF16, FP8
from sizing.messages_model import WORDS
from tests.sizing.core.devices import H100
from tests.sizing.core.test_memory import GPT_OSS, LLAMA_8B, LLAMA_70B, model


def figures(model_id: str, engine: str = "vllm") -> dict[str, Figure]:
    features, weights = model(model_id, FP8 if model_id == LLAMA_70B else None)
    layout, rules = Layout(tensor=2), ENGINES[engine]
    plan = memory_plan(features, weights, BF16, H100, layout, rules, max_context_tokens=4096)
    explained = explain_memory(plan, features, weights, device=H100, layout=layout, engine=rules)
    return {figure.name: figure for figure in explained}


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_formulas_have_words_and_reserves_have_sources(engine: str) -> None:
    found = figures(LLAMA_70B, engine)
    assert set(found) == {"usable", "weights", "activations", "runtime", "pool", "token", "longest_request"}
    assert all(figure.formula in WORDS for figure in found.values())
    assert found["runtime"].source
    assert found["activations"].source


def test_the_pool_is_what_its_inputs_say() -> None:
    pool = figures(LLAMA_70B)["pool"]
    given = {key: float(str(value)) for key, value in pool.inputs.items()}
    left = given["memory_utilisation"] * given["usable_bytes"] - given["weight_bytes"] - given["activation_bytes"]
    assert pool.value_bytes == pytest.approx(left - given["runtime_bytes"], abs=2)


def test_activations_are_what_their_inputs_say() -> None:
    figure = figures(LLAMA_8B)["activations"]
    # 1,024 x 128,256 x 38.2 + 1.28 x 8,192 x 4,096 x 2
    assert figure.value_bytes == pytest.approx(1024 * 128_256 * 38.2 + 1.28 * 8192 * 4096 * 2, abs=1)


def test_both_bounds_of_windows_are_shown() -> None:
    bounds = figures(GPT_OSS)["window_bounds"]
    assert bounds.inputs == {"capped_bytes": 18_432.0, "full_bytes": 36_864.0, "window_tokens": 128}
