"""Which splits a model allows, and why not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizing.core.model.features import model_features
from sizing.core.model.parse import parse_config
from sizing.core.parallelism import Layout, layout_notes, layout_problems, valid_tensor_degrees
from tests.sizing.core.model.cases import MODEL_IDS, config

LLAMA_70B = model_features(parse_config(config("meta-llama/Llama-3.1-70B-Instruct")))
QWEN_235B = model_features(parse_config(config("Qwen/Qwen3-235B-A22B-FP8")))
DEEPSEEK = model_features(parse_config(config("deepseek-ai/DeepSeek-V3")))


@pytest.mark.parametrize("tensor", [3, 6])
def test_a_degree_that_does_not_divide_the_heads_names_the_valid_ones(tensor: int) -> None:
    problem = layout_problems(LLAMA_70B, Layout(tensor=tensor))[0]
    assert problem.code == "layout_heads"
    assert problem.params["tensor"] == tensor
    assert problem.params["heads"] == 64
    assert problem.params["valid"] == "1, 2, 4, 8, 16, 32, 64"


@pytest.mark.parametrize("tensor", [1, 2, 4, 8, 16])
def test_dividing_degrees_are_allowed(tensor: int) -> None:
    assert layout_problems(LLAMA_70B, Layout(tensor=tensor), accelerators=tensor) == ()


def test_the_padded_vocabulary_must_divide_too() -> None:
    # three divides 48 heads and 6,144, but not 32,000
    features = replace(LLAMA_70B, heads=48, kv_heads=48, hidden_size=6144, vocab_size=32_000)
    assert layout_problems(features, Layout(tensor=3))[0].code == "layout_vocabulary"
    assert layout_problems(replace(features, vocab_size=30_720), Layout(tensor=3)) == ()


def test_pipeline_deeper_than_the_layers_is_refused() -> None:
    assert [p.code for p in layout_problems(LLAMA_70B, Layout(pipeline=81))] == ["layout_pipeline_too_deep"]
    assert layout_problems(LLAMA_70B, Layout(pipeline=80)) == ()


def test_expert_degree_must_divide_the_experts_and_match_the_ranks() -> None:
    assert [p.code for p in layout_problems(LLAMA_70B, Layout(tensor=2, expert=2))] == ["layout_no_experts"]
    codes = {p.code for p in layout_problems(DEEPSEEK, Layout(tensor=8, expert=3))}
    assert codes == {"layout_experts", "layout_expert_degree"}
    assert layout_problems(DEEPSEEK, Layout(tensor=1, data=8, expert=8)) == ()


def test_block_scaled_experts_are_cut_in_whole_blocks() -> None:
    # width 1,536: four parts of 384 = 3 blocks of 128; eight parts of 192 are none
    assert layout_problems(QWEN_235B, Layout(tensor=4), weight_block=128) == ()
    problem = layout_problems(QWEN_235B, Layout(tensor=8), weight_block=128)[0]
    assert problem.code == "layout_expert_width"
    assert problem.params["valid"] == "1, 2, 3, 4, 6, 12"
    assert layout_problems(QWEN_235B, Layout(tensor=8)) == ()
    assert layout_problems(QWEN_235B, Layout(tensor=8, expert=8), weight_block=128) == ()


def test_a_stated_count_must_equal_the_product() -> None:
    problem = layout_problems(LLAMA_70B, Layout(tensor=4), accelerators=6)[0]
    assert problem.code == "layout_count_differs"
    assert problem.params["product"] == 4


def test_tensor_parallelism_beyond_one_fabric_is_noted_not_refused() -> None:
    wide = Layout(tensor=16)
    assert layout_problems(DEEPSEEK, wide) == ()
    codes = [note.code for note in layout_notes(DEEPSEEK, wide, scale_up_domain=8)]
    assert codes == ["layout_tensor_beyond_fabric", "layout_latent_copied"]
    assert layout_notes(LLAMA_70B, Layout(tensor=8), scale_up_domain=8) == ()


@pytest.mark.parametrize("value", [0, -1, 1025])
def test_senseless_degrees_are_refused(value: int) -> None:
    problem = layout_problems(LLAMA_70B, Layout(tensor=value))[0]
    assert (problem.code, problem.params["value"]) == ("layout_degree_wrong", value)


def test_copies_and_uneven_stages_are_noted() -> None:
    assert [n.code for n in layout_notes(LLAMA_70B, Layout(tensor=16))] == ["layout_kv_heads_copied"]
    assert [n.code for n in layout_notes(DEEPSEEK, Layout(tensor=8))] == ["layout_latent_copied"]
    assert [n.code for n in layout_notes(LLAMA_70B, Layout(pipeline=3))] == ["layout_stages_uneven"]
    assert layout_notes(LLAMA_70B, Layout(tensor=8)) == ()


@given(st.sampled_from(MODEL_IDS), st.integers(2, 128))
def test_a_degree_that_does_not_divide_is_always_refused(model_id: str, tensor: int) -> None:
    features = model_features(parse_config(config(model_id)))
    if features.heads % tensor:
        assert any(p.code == "layout_heads" for p in layout_problems(features, Layout(tensor=tensor)))
    for degree in valid_tensor_degrees(features):
        assert features.heads % degree == 0
