"""Classes beyond the shipped models: published totals and cache sizes, and files that are refused by name."""

import json
from pathlib import Path
from typing import Any

import pytest

from sizing.core.errors import InvalidModel
from sizing.core.model.features import model_features
from sizing.core.model.parse import parse_config

HERE = Path(__file__).parent
MODELS = json.loads((HERE / "more_models.json").read_text(encoding="utf-8"))
REFUSED = json.loads((HERE / "refused_models.json").read_text(encoding="utf-8"))
LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14_336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128_256,
    "max_position_embeddings": 8192,
}


@pytest.mark.parametrize("entry", MODELS, ids=lambda entry: entry["model"])
def test_totals_and_caches_equal_what_is_published(entry: dict[str, Any]) -> None:
    found = model_features(parse_config(entry["config"]))
    assert found.total_parameters / 1e9 == pytest.approx(entry["published_b"], rel=0.01)
    assert found.kv_elements_per_token == entry["kv_elements_per_token"]


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_private_layouts_are_refused_by_name(name: str) -> None:
    with pytest.raises(InvalidModel) as raised:
        parse_config(REFUSED[name])
    assert raised.value.code in {"model_keys_private", "model_keys_missing", "model_is_vision"}


@pytest.mark.parametrize(
    ("key", "value"), [("mamba_d_state", 16), ("num_sub_experts", 8), ("hybrid_ids", [1]), ("share_kv_every", 1)]
)
def test_an_unknown_class_with_keys_that_shape_layers_is_refused(key: str, value: object) -> None:
    unknown = LLAMA | {"model_type": "newcomer"}
    assert [warning.code for warning in parse_config(unknown).warnings] == ["model_family_unknown"]
    with pytest.raises(InvalidModel) as raised:
        parse_config(unknown | {key: value})
    assert raised.value.code == "model_keys_private"
    assert raised.value.pointer == f"/{key}"


def test_shared_caches_across_layers_count_once() -> None:
    plain = LLAMA | {"model_type": "hunyuan", "tie_word_embeddings": True}
    shared = plain | {"use_cla": True, "cla_share_factor": 2}
    whole, half = (model_features(parse_config(config)) for config in (plain, shared))
    assert half.kv_elements_per_token * 2 == whole.kv_elements_per_token
    assert half.total_parameters < whole.total_parameters


def test_a_size_in_the_name_that_differs_is_said() -> None:
    codes = [warning.code for warning in parse_config(LLAMA, name="acme/Big-70B").warnings]
    assert "model_size_differs" in codes
    assert not parse_config(LLAMA, name="acme/Small-8B-Instruct").warnings


def test_a_list_that_repeats_one_number_is_that_number() -> None:
    per_layer = LLAMA | {"intermediate_size": [14_336] * 32}
    assert parse_config(per_layer).groups == parse_config(LLAMA).groups
    with pytest.raises(InvalidModel) as raised:
        parse_config(LLAMA | {"intermediate_size": [14_336, 1] * 16})
    assert raised.value.code == "model_number_expected"
