"""Every shipped model file against independently computed figures."""

import json
import time

import pytest

from sizing.core.model.features import model_features, weight_bytes
from sizing.core.model.parameters import active_parameters, matmul_flops_per_token, total_parameters
from sizing.core.model.parse import parse_config
from sizing.model_facts import model_facts
from tests.sizing.core.model.cases import MODEL_IDS, config, config_text, expected_rows

ROWS = [pytest.param(row, id=row["model_id"]) for row in expected_rows()]
FOLLOWS_OWN_LISTS = {
    "meta-llama/Llama-3.1-405B-Instruct-FP8": 487_168_311_296,  # layers 0 and 125 stay 16-bit, as the file lists
    "nvidia/DeepSeek-V3.1-NVFP4": 386_379_754_496,  # o_proj is not excluded
    "nvidia/Qwen3.6-27B-NVFP4": 21_072_026_080,  # lm_head is listed as quantised
    "nvidia/Qwen3.6-35B-A3B-NVFP4": 21_718_051_552,
    "moonshotai/Kimi-K3": 1_552_994_583_744,  # the pattern covers delta attention too
}
"""Checkpoint bytes by the file's own exception lists, where the reference is a plainer estimate (README there)."""


@pytest.mark.parametrize("row", ROWS)
def test_cache_and_state_equal_the_reference(row: dict[str, str]) -> None:
    facts = model_facts(parse_config(config(row["model_id"])))
    assert facts["kv_bytes_per_token"] == float(row["kv_bytes_per_token_bf16"])
    assert facts["kv_bytes_per_token_window_ignored"] == float(row["kv_bytes_per_token_bf16_if_window_ignored"])
    assert facts["state_bytes_per_sequence"] == int(row["constant_state_bytes_per_seq"])
    assert facts["indexer_elements_per_token"] == int(row["indexer_elements_per_token"])
    assert facts["sliding_window"] == int(row["sliding_window"])
    assert facts["sliding_layers"] == int(row["sliding_layers"])
    assert facts["full_attention_layers"] == int(row["full_attention_layers"])
    assert facts["architecture"] == row["architecture"]


@pytest.mark.parametrize("row", ROWS)
def test_parameter_counts_agree_within_a_thousandth(row: dict[str, str]) -> None:
    model = parse_config(config(row["model_id"]))
    assert total_parameters(model) == pytest.approx(int(row["total_params"]), rel=1e-3)
    assert active_parameters(model) == pytest.approx(int(row["active_params"]), rel=1e-3)
    assert matmul_flops_per_token(model) == pytest.approx(int(row["matmul_flops_per_token"]), rel=1e-3)
    if row["max_context"]:
        assert model.max_context_tokens == int(row["max_context"])
    if stated := int(row["mtp_params_not_in_total"]):
        assert model.mtp_parameters == pytest.approx(stated, rel=1e-3)


@pytest.mark.parametrize("row", ROWS)
def test_checkpoint_bytes_follow_method_and_exception_lists(row: dict[str, str]) -> None:
    size = weight_bytes(parse_config(config(row["model_id"])), None).total_bytes
    expected = FOLLOWS_OWN_LISTS.get(row["model_id"], float(row["weights_bytes_native_est"]))
    assert size == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("model_id", MODEL_IDS)
def test_groups_of_weights_add_up_to_the_total(model_id: str) -> None:
    model = parse_config(config(model_id))
    features, weights = model_features(model), weight_bytes(model, None)
    experts = features.moe_layers * features.experts * features.expert_parameters
    layers = features.attention_parameters + features.dense_parameters + experts
    assert layers + features.embedding_parameters + features.other_parameters == features.total_parameters
    summed = (
        features.attention_parameters * weights.attention
        + features.dense_parameters * weights.dense
        + experts * weights.experts
        + features.embedding_parameters * weights.embedding
        + features.other_parameters * weights.other
    )
    assert summed == pytest.approx(weights.total_bytes, rel=1e-9, abs=2)


def test_all_files_parse_within_a_second() -> None:
    objects = [json.loads(config_text(model_id)) for model_id in MODEL_IDS]
    start = time.perf_counter()
    for each in objects:
        parse_config(each)
    assert len(objects) == 150
    assert time.perf_counter() - start < 1.0
