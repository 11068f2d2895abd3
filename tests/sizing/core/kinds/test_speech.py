"""Speech: windows, steps, streams. Worked examples with the sum written out."""

from typing import Any

import pytest

from sizing.core.kinds.speech import Recogniser, RecognitionTask, SynthesisTask, Voice, audio_second_s, window_s
from sizing.core.kinds.task import Served
from sizing.core.precision import FP16
from sizing.core.values import Message
from tests.sizing.core.kinds.round import coefficients, device

WHISPER = Recogniser(
    name="whisper",
    parameters=1.5e9,
    decoder_parameters=0.9e9,
    encoder_flops=2e12,
    window_s=30.0,
    padded=True,
    tokens_per_s=4.0,
    cache_bytes_per_window=2.4e8,
)
CODEC = Voice(
    name="codec", parameters=1e9, flops_per_token=2e9, tokens_per_s=80, flops_per_audio_s=5e10, first_tokens=40
)
ONE_PASS = Voice(
    name="one pass", parameters=8.2e7, flops_per_token=0, tokens_per_s=0, flops_per_audio_s=5e10, first_tokens=0
)


def heard(**changes: Any) -> RecognitionTask:
    values: dict[str, Any] = {"model": WHISPER, "audio_per_s": 10.0, "segment_s": 30.0, "limit_p95_s": None}
    return RecognitionTask(**{**values, **changes})


def spoken(model: Voice = CODEC, **changes: Any) -> SynthesisTask:
    values: dict[str, Any] = {
        "model": model,
        "demand_per_s": 20.0,
        "limit_p95_s": None,
        "real_time_factor": 0.8,
        "utterance_s": 5.0,
        "streams": 20,
    }
    return SynthesisTask(**{**values, **changes})


def test_one_window_alone_is_bound_by_reading_the_decoder() -> None:
    # encoder: 2e12 / 5e13 = 40 ms + 1.2e9 / 0.8e12 = 1.5 ms. 120 steps of 1.8e9 / 5e13 = 0.036 ms of computing
    # and (1.8e9 + 2.4e8) / 0.8e12 = 2.55 ms of reading: 310.3 ms
    assert window_s(heard(), device(), FP16, "tensorrt", coefficients(), 1) == pytest.approx(0.3518, abs=1e-4)


def test_a_batch_reads_the_decoder_once() -> None:
    # batch 64: encoder 64 x 40 + 1.5 ms; 120 x (64 x 0.036 + 2.25 + 64 x 0.3 ms) = 120 x 23.754 ms
    found = window_s(heard(), device(), FP16, "tensorrt", coefficients(), 64)
    assert found == pytest.approx(2.5615 + 120 * 0.023754, abs=1e-3)


def test_short_pieces_are_padded_to_the_whole_window() -> None:
    # 5 s of speech: the encoder works as for 30 s, the decoder makes a sixth of the tokens
    short = window_s(heard(segment_s=5.0), device(), FP16, "tensorrt", coefficients(), 1)
    assert short == pytest.approx(0.0415 + 20 * 0.002586, abs=1e-4)


def test_models_without_padding_encode_only_what_is_spoken() -> None:
    free = Recogniser(
        name="x", parameters=6e8, decoder_parameters=0, encoder_flops=4.8e11, window_s=30.0, padded=False,
        tokens_per_s=0.0, cache_bytes_per_window=0,
    )  # fmt: skip
    # 10 of 30 s: 1.6e11 / 5e13 = 3.2 ms, weights 1.2e9 / 0.8e12 = 1.5 ms
    found = window_s(heard(model=free, segment_s=10.0), device(), FP16, "tensorrt", coefficients(), 1)
    assert found == pytest.approx(0.0047, abs=1e-5)


def test_a_stream_of_codec_tokens_keeps_up_by_steps() -> None:
    # one stream: 80 x (2e9 / 5e13 + 2e9 / 0.8e12) = 80 x 2.54 ms = 0.2032 s, sound 5e10 / 5e13 = 1 ms
    # a second, its feature maps 5e10 x 0.01 x 2 bytes / 0.8e12 = 1.25 ms
    found = audio_second_s(spoken(), device(), FP16, "tensorrt", coefficients(), 1)
    assert found == pytest.approx(0.20545, abs=1e-4)


def test_streams_share_the_reads_of_the_weights() -> None:
    # 64 streams: 80 x (64 x 0.04 + 2.5 ms) = 0.4048 s, sound 64 ms, its maps 80 ms:
    # 0.549 s for a second of each, below 0.8
    found = spoken().served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    assert found.batch == 64
    assert found.items_per_s == 64
    assert found.batch_s == pytest.approx(0.5488, abs=1e-3)


def test_first_sound_comes_with_the_first_tokens() -> None:
    found = spoken().served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    assert found.latency_s == pytest.approx(found.batch_s * 40 / 80)


def test_one_pass_models_make_the_utterance_before_the_first_sound() -> None:
    found = spoken(ONE_PASS).served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    assert found.latency_s == pytest.approx(found.batch_s * 5.0)


def test_a_device_that_misses_the_first_sound_says_so() -> None:
    slow = spoken(limit_p95_s=0.01).served(device(bandwidth_bytes_per_s=1e11), FP16, "tensorrt", coefficients())
    assert isinstance(slow, Message)
    assert slow.code == "kind_stream_too_slow"


def test_hours_follow_from_audio_and_speed() -> None:
    task = heard(audio_hours=1000.0)
    found = task.served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    figures = task.figures(found, device(), 2, coefficients())
    speed = 64 / (2.5615 + 120 * 0.023754) * 30
    assert figures["processing_hours"].value == pytest.approx(1000 / speed / 2, rel=1e-3)
