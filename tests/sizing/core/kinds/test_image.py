"""Images and videos: operations, memory, devices on one item. Worked examples with the sum written out."""

from typing import Any

import pytest

from sizing.core.kinds.image import (
    Diffusion,
    ImageTask,
    decoder_flops,
    forward_flops,
    item_flops,
    item_s,
    shared_time,
)
from sizing.core.kinds.task import Served
from sizing.core.precision import BF16, FP8
from tests.sizing.core.kinds.round import coefficients, device

SDXL = Diffusion(
    name="sdxl",
    parameters=2.567e9,
    active_parameters=2.567e9,
    auxiliary_parameters=0.902e9,
    forward_flops=6.76e12,
    reference_pixels=1024 * 1024,
    reference_frames=1,
    attention_share=0.11,
    steps=20,
    forwards_per_step=2,
)
FLUX = Diffusion(
    name="flux",
    parameters=11.901e9,
    active_parameters=11.901e9,
    auxiliary_parameters=4.967e9,
    forward_flops=7.436e13,
    reference_pixels=1024 * 1024,
    reference_frames=1,
    attention_share=0.2,
    steps=28,
    forwards_per_step=1,
)
WAN = Diffusion(
    name="wan",
    parameters=28.577e9,
    active_parameters=14.288e9,
    auxiliary_parameters=5.81e9,
    forward_flops=6.489e15,
    reference_pixels=1280 * 720,
    reference_frames=81,
    attention_share=0.72,
    steps=20,
    forwards_per_step=2,
)


def task(model: Diffusion = SDXL, **changes: Any) -> ImageTask:
    values: dict[str, Any] = {
        "model": model,
        "width": 1024,
        "height": 1024,
        "frames": 1,
        "steps": model.steps,
        "forwards_per_step": model.forwards_per_step,
        "demand_per_s": 1.0,
        "limit_p95_s": None,
        "random_arrivals": True,
    }
    return ImageTask(**{**values, **changes})


def served(found: Any) -> Served:
    assert isinstance(found, Served)
    return found


def test_an_sdxl_picture_takes_270_tflop_in_its_steps() -> None:
    # 20 steps x 2 passes x 6.76 TFLOP = 270.4; decoder 2.4e6 x 1024^2 = 2.52; encoders 2 x 0.902e9 x 512 = 0.92
    assert item_flops(task()) == pytest.approx((270.4 + 2.517 + 0.924) * 1e12, rel=1e-3)


def test_four_times_the_pixels_cost_more_than_four_times() -> None:
    # 6.76 x 4 x (0.89 + 0.11 x 4) = 35.96 TFLOP: 5.32 times
    assert forward_flops(task(width=2048, height=2048)) == pytest.approx(35.96e12, rel=1e-3)


def test_a_quarter_of_the_pixels_is_close_to_the_published_512_figure() -> None:
    # published for sdxl-turbo, the same UNet at 512 x 512: 1.59 TFLOP; 6.76 / 4 x (0.89 + 0.11 / 4) = 1.55
    assert forward_flops(task(width=512, height=512)) == pytest.approx(1.59e12, rel=0.03)


def test_wan_at_480p_scales_to_the_published_figure() -> None:
    # published: 1.662 PFLOP at 832 x 480 beside 6.489 at 1280 x 720, both with 81 frames.
    # r = 399,360 / 921,600 = 0.4333; 6.489 x r x (0.28 + 0.72 r) = 1.665
    assert forward_flops(task(WAN, width=832, height=480, frames=81)) == pytest.approx(1.662e15, rel=0.01)


def test_decoder_grows_with_pixels_and_frames() -> None:
    assert decoder_flops(task(WAN, width=1280, height=720, frames=81)) == pytest.approx(2.4e6 * 921_600 * 81)


def test_time_on_a_round_device() -> None:
    # FP8: 270.4e12 / (0.5 x 2e14) = 2.704 s, reads of the weights in 40 passes: 40 x 2.567e9 / 0.8e12 = 0.128 s;
    # decoder and encoders in 16 bits: 3.441e12 / (0.5 x 1e14) = 0.069 s, their weights 1.804e9 / 0.8e12 = 0.002 s
    assert item_s(task(), device(), FP8, "tensorrt", coefficients()) == pytest.approx(2.904, abs=2e-3)


def test_flux_in_bf16_does_not_fit_24_gb_but_fits_48() -> None:
    # weights 23.8 + encoders 9.9 + decoder 4.2 + runtime 1 = 38.9 GB. Model page: 33 GB without offloading
    card = served(task(FLUX).served(device(usable_memory_bytes=24 * 10**9), BF16, "tensorrt", coefficients()))
    assert card.memory.margin < 0
    assert card.memory.used_bytes / 1e9 == pytest.approx(38.9, abs=0.2)
    larger = served(task(FLUX).served(device(usable_memory_bytes=48 * 10**9), BF16, "tensorrt", coefficients()))
    assert larger.memory.margin > 0


def test_two_experts_are_held_and_one_is_computed() -> None:
    found = served(task(WAN, width=1280, height=720, frames=81).served(device(), FP8, "tensorrt", coefficients()))
    # 28.6 GB in FP8 and 5.81e9 x 2 bytes of encoder: 40.2 GB
    assert found.memory.weight_bytes / 1e9 == pytest.approx(28.58 + 11.62, abs=0.01)


def test_eight_devices_on_one_clip_lose_what_was_measured() -> None:
    # MLPerf 6.0, Wan 2.2 on 8 x B300: single stream 20.9 s, offline 8 / 0.0585 = 137 s a device: 6.5 of 8 times faster
    assert shared_time(8) == pytest.approx(0.151, abs=0.001)
    assert pytest.approx(shared_time(8), rel=0.02) == 20.9 / 136.8


def test_devices_join_only_for_a_limit_and_only_over_a_fabric() -> None:
    joined = device(scale_up_bytes_per_s=4.5e11, scale_up_domain=8)
    limited = task(limit_p95_s=1.0)
    assert served(limited.served(joined, FP8, "tensorrt", coefficients())).devices == 4  # 2.9 s x 0.2725 x 1.2 = 0.95
    assert served(limited.served(device(), FP8, "tensorrt", coefficients())).devices == 1
    assert served(task().served(joined, FP8, "tensorrt", coefficients())).devices == 1


def test_distilled_models_need_a_tenth_of_the_passes() -> None:
    slow = item_s(task(), device(), FP8, "tensorrt", coefficients())
    fast = item_s(task(steps=4, forwards_per_step=1), device(), FP8, "tensorrt", coefficients())
    assert slow is not None
    assert fast is not None
    assert slow / fast > 7
