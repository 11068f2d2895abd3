"""Several types of accelerators in one replica: refused by name, with what the weakest would do."""

from typing import Any

import pytest

from catalog.seed.report import SeedReport
from sizing.core.errors import SizingError
from tests.sizing.test_answers import ask

H100, H200, MI300X, L4 = "nvidia-h100-sxm5-80gb", "nvidia-h200-sxm5-141gb", "amd-mi300x", "nvidia-l4"
LOAD = {"input_tokens": 1024, "output_tokens": 256, "max_context_tokens": 8192, "concurrent_requests": 1}


def mixed(*cards: tuple[str, int], **deployment: Any) -> dict[str, Any]:
    listed = [{"accelerator": slug, "count": count} for slug, count in cards]
    return ask(
        model={"id": "meta-llama/Llama-3.1-70B-Instruct"},
        weights_format="fp8",
        traffic=LOAD,
        targets=None,
        deployment={"accelerators": listed, **deployment},
    )


def test_two_types_are_refused_and_the_weakest_is_named(seeded: SeedReport) -> None:
    found = mixed((H100, 2), (H200, 2))
    assert not found["options"]
    (refused,) = found["rejected"]
    assert refused["code"] == "accelerators_mixed"
    assert refused["accelerator"] == H100
    assert "4 × NVIDIA H100" in refused["cheapest_fix"]


def test_two_makers_share_no_replica(seeded: SeedReport) -> None:
    assert [each["code"] for each in mixed((H100, 2), (MI300X, 2))["rejected"]] == ["accelerators_of_several_makers"]


def test_where_the_weakest_does_not_hold_it_the_fix_is_about_memory(seeded: SeedReport) -> None:
    (refused,) = mixed((L4, 1), (H100, 1))["rejected"]
    assert refused["code"] == "accelerators_mixed"
    assert refused["memory_per_accelerator"]["short_bytes"] > 0
    assert {fix["kind"] for fix in refused["fixes"]} >= {"more_accelerators", "offload"}


def test_one_type_in_two_entries_is_one_count(seeded: SeedReport) -> None:
    found = mixed((H100, 1), (H100, 1))
    assert [option["accelerators_total"] for option in found["options"]] == [2]


def test_both_ways_at_once_are_refused(seeded: SeedReport) -> None:
    with pytest.raises(SizingError) as raised:
        mixed((H100, 1), accelerator=H200)
    assert raised.value.code == "accelerators_stated_twice"
    assert raised.value.pointer == "/deployment/accelerators"


def test_a_result_explains_every_part_of_its_memory(seeded: SeedReport) -> None:
    (option,) = mixed((H100, 2))["options"]
    figures = {figure["name"]: figure for figure in option["memory_figures"]}
    parts = ("weights", "sampler", "activations", "runtime", "collectives", "pool")
    assert all(figures[name]["formula"] and figures[name]["numbers"] and figures[name]["source"] for name in figures)
    usable = option["memory_per_accelerator"]["usable_bytes"]
    assert sum(figures[name]["value_bytes"] for name in parts) == pytest.approx(0.9 * usable, abs=5)
    assert option["verdicts"]["memory"]["margin_bytes"] > 0
