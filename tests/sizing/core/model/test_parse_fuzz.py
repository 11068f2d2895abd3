"""Damaged files: only InvalidModel may come out, never another error, never a senseless number."""

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from sizing.core.errors import InvalidModel
from sizing.core.model.features import model_features, weight_bytes
from sizing.core.model.parse import parse_config
from sizing.core.model.typed_shape import parse_shape
from sizing.model_facts import model_facts
from tests.sizing.core.model.cases import MODEL_IDS, config

ODD_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**40), 10**40),
    st.integers(-4, 300),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["null", "None", "auto", "inf", "1e400", "0x10", "٤", "4096", "-1", "true"]),
    st.lists(st.one_of(st.integers(-2, 200), st.none(), st.text(max_size=4)), max_size=6),
    st.dictionaries(st.text(max_size=6), st.one_of(st.integers(-2, 100), st.none(), st.text(max_size=4)), max_size=4),
)


def read(values: Any) -> None:
    """Reads and uses the model; what is read must be sane."""
    try:
        model = parse_config(values)
    except InvalidModel:
        return
    features, weights, facts = model_features(model), weight_bytes(model, None), model_facts(model)
    assert 0 < features.total_parameters <= 10**15
    assert 0 < features.active_parameters <= features.total_parameters
    assert features.layers > 0
    assert weights.total_bytes > 0
    assert features.kv_elements_per_token >= 0
    assert features.state_bytes_per_sequence >= 0
    json.dumps(facts, allow_nan=False)


def paths(values: Any, prefix: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Places of the file that a damage can hit, lists by their first entries."""
    found: list[tuple[Any, ...]] = []
    items = values.items() if isinstance(values, dict) else enumerate(values[:3])
    for key, value in items:
        found.append((*prefix, key))
        if isinstance(value, (dict, list)):
            found += paths(value, (*prefix, key))
    return found


def damaged(values: Any, path: tuple[Any, ...], change: Any) -> Any:
    copy = json.loads(json.dumps(values))
    place = copy
    for key in path[:-1]:
        place = place[key]
    if change == "drop":
        del place[path[-1]]
    elif change == "text":
        place[path[-1]] = str(place[path[-1]])
    elif change == "nest":
        place[path[-1]] = {"value": place[path[-1]]}
    elif change == "list":
        place[path[-1]] = [place[path[-1]]]
    else:
        place[path[-1]] = change[0]
    return copy


@st.composite
def damaged_configs(draw: st.DrawFn) -> Any:
    values = config(draw(st.sampled_from(MODEL_IDS)))
    for _ in range(draw(st.integers(1, 3))):
        places = paths(values)
        if not places:
            break
        change = draw(st.one_of(st.sampled_from(["drop", "text", "nest", "list"]), st.tuples(ODD_VALUES)))
        values = damaged(values, draw(st.sampled_from(places)), change)
    return values


@settings(max_examples=300, deadline=None)
@given(damaged_configs())
def test_damaged_files_are_read_or_refused(values: Any) -> None:
    read(values)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(max_size=20), ODD_VALUES, max_size=8))
@example({"model_type": "llama", "num_hidden_layers": 10**400, "hidden_size": 1})
def test_any_object_is_read_or_refused(values: dict[str, Any]) -> None:
    read(values)


SHAPE_KEYS = st.sampled_from(
    ["layers", "hidden_size", "heads", "kv_heads", "head_dim", "parameters", "vocab_size", "experts",
     "experts_per_token", "expert_width", "sliding_window", "kv_lora_rank", "max_context_tokens"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(SHAPE_KEYS, st.one_of(st.integers(1, 9000), ODD_VALUES)), st.booleans())
def test_any_typed_shape_is_read_or_refused(values: dict[str, Any], complete: bool) -> None:
    base: dict[str, Any] = {"layers": 4, "hidden_size": 512, "heads": 8, "parameters": 10**9} if complete else {}
    try:
        model = parse_shape({**base, **values})
    except InvalidModel:
        return
    assert model_features(model).total_parameters > 0


def test_every_single_key_may_be_missing() -> None:
    for model_id in MODEL_IDS:
        values = config(model_id)
        for key in values:
            read({name: value for name, value in values.items() if name != key})
            read({**values, key: None})
