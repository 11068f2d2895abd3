"""Tables of an option page about speed: use, other layouts, inputs, nearest measurements."""

from typing import Any

from sizing import option_speed

ESTIMATE = {"value": 0.4, "low": 0.3, "high": 0.5, "unit": "share", "basis": "formula"}
TENSOR = {
    "kind": "tensor",
    "layout": {"tensor": 2, "pipeline": 1, "expert": 1, "data": 1},
    "replicas": 3,
    "ttft_change": -0.1,
    "tpot_change": 0.05,
    "capacity_change": -0.2,
    "accelerators_change": 2,
    "message": "Best split by tensor (2 accelerators): …",
    "reason": "It needs 2 accelerators more for the same load.",
    "phases": None,
}


def row(**changes: Any) -> dict[str, Any]:
    return option_speed.neighbour_rows({"neighbours": [TENSOR | changes]})[0]


def test_a_neighbour_has_its_layout_changes_and_reason() -> None:
    found = row()
    assert found["label"] == "Best tensor split"
    assert found["layout"] == "3 replicas, tensor parallel 2"
    assert found["accelerators"] == "+2"
    assert [change[0] for change in found["changes"]] == ["+", "−", "−"]
    assert found["note"] == "It needs 2 accelerators more for the same load."


def test_a_saturated_neighbour_says_so() -> None:
    found = row(ttft_change=None, message="The best split by tensor is saturated.", reason=None)
    assert found["note"] == "The best split by tensor is saturated."
    assert not found["changes"][1]


def test_a_kind_that_is_not_possible_has_no_figures() -> None:
    found = row(replicas=0, message="No layout of this kind serves the load here.", reason=None)
    assert not found["possible"]
    assert found["note"] == "No layout of this kind serves the load here."


def test_phases_apart_name_both_parts() -> None:
    assert row(kind="apart", phases={"prefill": 1, "decode": 2})["layout"].endswith("1 for prefill, 2 for decode")


def test_use_stands_at_the_stated_load_and_at_the_peak() -> None:
    rows = option_speed.use_rows({"utilisation": {"kv": ESTIMATE, "kv_peak": ESTIMATE | {"value": 0.9}}})
    assert [(r["key"], r["mean"]["value"], r["peak"]["value"]) for r in rows] == [("kv", 0.4, 0.9)]


def test_inputs_are_ordered_by_what_they_move_and_idle_ones_left_out() -> None:
    moved = {"tpot": {"link": 0.0, "bandwidth": -0.5, "compute": -0.1}, "ttft": {"compute": -0.9}, "throughput": {}}
    rows = option_speed.sensitivity_rows({"sensitivities": moved})
    assert [r["label"] for r in rows] == ["Compute", "Memory bandwidth"]


def test_near_measurements_name_hardware_software_and_distance() -> None:
    point = {
        "reference": "inferencex-1",
        "distance": 1.25,
        "tpot_ms": 12.0,
        "ttft_ms": None,
        "description": {
            "family": "llama-3.1-8b",
            "accelerator": "nvidia-h100-sxm5-80gb",
            "accelerators": 2,
            "engine": "vllm",
            "engine_version": "0.12.0",
            "weights_format": "fp8",
            "concurrent_requests": 64.0,
            "input_tokens": 1024.0,
            "output_tokens": 256.0,
        },
    }
    found = option_speed.nearest_rows({"nearest_measured": [point]}, {"nvidia-h100-sxm5-80gb": "H100 SXM5 80GB"})[0]
    assert found["hardware"] == "2 × H100 SXM5 80GB"
    assert "0.12.0" in found["engine"]
    assert found["load"] == "64 in flight, 1,024 in, 256 out"
    assert not found["ttft"]
