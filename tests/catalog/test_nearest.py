"""Hints for a wrong name: the same series before a likeness of letters, nothing where nothing is near."""

import pytest

from catalog.nearest import nearest_names

SLUGS = (
    "amd-mi300x", "amd-mi325x", "google-tpu-v5e", "hailo-10h", "hailo-8", "intel-gaudi3-pcie", "nvidia-a100-pcie-80gb",
    "nvidia-h100-nvl-94gb", "nvidia-h100-pcie-80gb", "nvidia-h100-sxm5-80gb", "nvidia-h200-nvl-141gb", "nvidia-l4",
    "nvidia-l40s", "nvidia-rtx-6000-ada",
)  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "begins"),
    [
        ("h1000", "nvidia-h100"), ("h100", "nvidia-h100"), ("nvidia-h100-sxm-80", "nvidia-h100-sxm5"),
        ("mi300", "amd-mi300x"),
        ("L40", "nvidia-l40s"), ("gaudi-3", "intel-gaudi3"), ("hailo10", "hailo-10h"), ("nvidia-h200", "nvidia-h200"),
        ("rtx6000-ada", "nvidia-rtx-6000-ada"), ("nvdia-a100-pcie", "nvidia-a100"),
    ],
)  # fmt: skip
def test_the_first_hint_is_of_the_same_series(wanted: str, begins: str) -> None:
    assert nearest_names(wanted, SLUGS)[0].startswith(begins)


@pytest.mark.parametrize("wanted", ["zzz", "", "martian-chip"])
def test_nothing_near_is_no_hint(wanted: str) -> None:
    assert nearest_names(wanted, SLUGS) == []
