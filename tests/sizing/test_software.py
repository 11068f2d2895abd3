"""The software verdict honours the release that a request names."""

from dataclasses import replace

import pytest

from sizing.core.hardware import Accelerator
from sizing.core.precision import FP8, MXFP4
from sizing.core.values import State
from sizing.software import Cell, Compatibility, at_release, format_family
from tests.sizing.core import serving

A100 = serving.accelerator("nvidia-a100-sxm4-80gb", compute_capability="8.0")
H100 = serving.H100


def cell(accelerator_class: str, name: str, status: str, version: str = "0.32.0") -> Cell:
    return Cell(
        software="vLLM",
        version=version,
        accelerator_class=accelerator_class,
        format=name,
        status=status,
        date="2026",
        source="https://docs.vllm.ai",
    )


TABLE = Compatibility(
    (
        cell("NVIDIA 8.0-8.7 (A100 A10 A30 A40)", "FP8", "weight_only"),
        cell("NVIDIA 9.0 (H100 H200)", "FP8 W8A8", "native"),
        cell("NVIDIA 9.0 (H100 H200)", "MXFP4 (compressed-tensors)", "weight_only", "0.25.0"),
    )
)


def verdict(device: Accelerator, version: str) -> tuple[State, str]:
    stated = TABLE.verdict("vllm", device, format_family(FP8), "bf16")
    found = at_release(stated, FP8, device, engine="vllm", version=version)
    return found.state, found.message.code


@pytest.mark.parametrize("version", ["0.5.3", "v0.5.3", "0.5.3.post1"])
def test_a_release_before_the_weight_only_path_is_refused(version: str) -> None:
    """FP8 on compute capability 8.0 came with vLLM 0.5.4 (vllm issue 6979, 2024-07-31)."""
    assert verdict(A100, version) == (State.FAIL, "format_support_version")


def test_a_release_older_than_every_source_is_a_caution() -> None:
    assert verdict(A100, "0.5.4") == (State.CAUTION, "software_release_older")
    assert verdict(H100, "0.5.3") == (State.CAUTION, "software_release_older")


def test_the_described_release_and_later_ones_keep_their_verdict() -> None:
    assert verdict(A100, "0.32.0") == (State.OK, "software_weight_only")
    assert verdict(H100, "0.33.1")[0] is State.OK


@pytest.mark.parametrize(
    ("slug", "family"),
    [
        ("gguf_mxfp4", "gguf"),
        ("gguf_q4_k_m", "gguf"),
        ("int4_gptq_g128", "gptq"),
        ("fp32", "bf16"),
        ("int5_exl3", "int5_exl3"),
        ("mxfp6", "mxfp6"),
    ],
)
def test_a_format_that_no_family_has_is_not_taken_for_another(slug: str, family: str) -> None:
    assert format_family(replace(FP8, slug=slug)) == family


def test_gguf_that_newer_documents_leave_out_is_a_caution() -> None:
    table = Compatibility((cell("NVIDIA 9.0 (H100 H200)", "GGUF", "weight_only", "0.15.1"),))
    found = table.verdict("vllm", H100, "gguf", "bf16")
    assert (found.state, found.message.code) == (State.CAUTION, "software_no_longer_named")
    assert found.message.params["version"] == "0.15.1"


def test_checkpoints_in_mxfp4_are_found_under_the_words_of_the_table() -> None:
    found = TABLE.verdict("vllm", H100, format_family(MXFP4), "bf16")
    assert (found.state, found.message.code) == (State.OK, "software_weight_only")
