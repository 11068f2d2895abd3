"""Speech: recognition in windows, synthesis by codec tokens or in one pass; streams, real-time factor, deadlines.

Recognition, one window of b in a batch:
    t = b F_encoder + n (t_step + W_decoder + b (F_token + cross cache)) + b t_o
Open pipelines of padded models make the spectra on the host: t_o a window, whatever the device.
Synthesis of one second of audio by tokens: r steps a second, each reads the weights once for all streams;
a stream keeps up while r t_step(b) < its real-time factor. Source: docs/method.md#speech.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sizing.core.candidate import Bottleneck
from sizing.core.hardware import Accelerator
from sizing.core.kinds.fitted import KindCoefficients, banded
from sizing.core.kinds.task import Host, Served, batches_that_fit, memory_of
from sizing.core.kinds.work import COMPILED, Run, peak_flops, run_s
from sizing.core.precision import Rate, StorageFormat
from sizing.core.units import MS_PER_S
from sizing.core.values import Estimate, Message

ASR, TTS = "asr", "tts"
BATCHES = (64, 48, 32, 24, 16, 8, 4, 2, 1)
OPEN_BATCHES = BATCHES[3:]  # open pipelines batch 24 windows by default (insanely-fast-whisper README)
LIVE_FACTOR = 0.8  # a live stream is planned to need at most this share of real time
ROOM = (0.5, 1.0)
"""Shares of a limit that the work of a batch may take: half of it, for the wait before it, else all of it."""

AUDIO_BYTES_PER_S = 4000.0  # Opus at 32 kbit/s
ACTIVATION_BYTES_PER_WINDOW = 120e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Recogniser:
    """A recognition model as published. `window_s` audio is encoded at once, shorter audio is padded to it
    where `padded`. `tokens_per_s` is what speech makes; a transducer counts its steps as part of the encoder."""

    name: str
    parameters: float
    decoder_parameters: float
    encoder_flops: float
    window_s: float
    padded: bool
    tokens_per_s: float
    cache_bytes_per_window: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """A synthesis model as published. `tokens_per_s` is 0 for models that make a whole utterance at once."""

    name: str
    parameters: float
    flops_per_token: float
    tokens_per_s: float
    flops_per_audio_s: float  # vocoder, and the whole network of one-pass models
    first_tokens: float  # tokens before the first sound
    passes: float = 1.0  # networks that run one after the other for an utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognitionTask:
    """Audio to transcribe: live streams, or hours until a deadline. One item is one window."""

    model: Recogniser
    audio_per_s: float  # seconds of audio that arrive, or must be done, each second
    segment_s: float  # speech in one window
    limit_p95_s: float | None
    streams: int = 0
    audio_hours: float = 0.0
    family: str = ASR

    @property
    def random_arrivals(self) -> bool:
        return self.streams > 0

    @property
    def demand_per_s(self) -> float:
        return self.audio_per_s / self.segment_s

    @property
    def network(self) -> str:
        return self.model.name

    @property
    def weight_parameters(self) -> float:
        return self.model.parameters

    @property
    def host(self) -> Host:
        return Host(payload_bytes_per_item=self.segment_s * AUDIO_BYTES_PER_S)

    def served(
        self, device: Accelerator, weights: StorageFormat, engine: str, coefficients: KindCoefficients
    ) -> Served | Message:
        batch, seconds = 1, 0.0
        weight_bytes = self.model.parameters * weights.bytes_per_value
        window_bytes = ACTIVATION_BYTES_PER_WINDOW + self.model.cache_bytes_per_window
        offered = BATCHES if engine in COMPILED else OPEN_BATCHES
        for batch in batches_that_fit(
            offered, device, weight_bytes=weight_bytes, activation_bytes_per_item=window_bytes
        ):
            found = window_s(self, device, weights, engine, coefficients, batch)
            if found is None:
                return Message("kind_rates_unknown", {"accelerator": device.slug})
            seconds = found
            if self.limit_p95_s is None or 2.0 * seconds <= self.limit_p95_s:
                break
        peak = peak_flops(device, weights.compute) or 1.0
        tokens = self.segment_s * self.model.tokens_per_s
        flops = self._encoded_flops + tokens * 2.0 * self.model.decoder_parameters
        return Served(
            items_per_s=batch / seconds,
            batch=batch,
            batch_s=seconds,
            memory=memory_of(
                device,
                weight_bytes=weight_bytes,
                activation_bytes=batch * window_bytes,
            ),
            bottleneck=Bottleneck.MEMORY_BANDWIDTH if tokens else Bottleneck.COMPUTE,
            compute_share=min(flops * batch / seconds / peak, 1.0),
        )

    @property
    def _encoded_flops(self) -> float:
        """Padded models encode the whole window however little speech is in it."""
        share = 1.0 if self.model.padded else self.segment_s / self.model.window_s
        return self.model.encoder_flops * share

    def figures(
        self, served: Served, device: Accelerator, replicas: int, coefficients: KindCoefficients
    ) -> Mapping[str, Estimate]:
        speed = served.items_per_s * self.segment_s

        def made(value: float, unit: str, explain: str) -> Estimate:
            return banded(value, unit, device, self.family, self.network, coefficients, explain=explain)

        found = {
            "times_real_time": made(speed * replicas, "x", "asr_speed"),
            "times_real_time_per_replica": made(speed, "x", "asr_speed"),
            "real_time_factor": made(1.0 / speed, "s/s", "asr_speed"),
            "audio_hours_per_hour": made(speed * replicas, "h/h", "asr_speed"),
        }
        if self.streams:
            found["streams_per_device"] = made(speed * LIVE_FACTOR, "streams", "streams_per_device")
            found["latency_ms"] = made(served.batch_s * MS_PER_S, "ms", "asr_window")
        if self.audio_hours:
            found["processing_hours"] = made(self.audio_hours / (speed * replicas), "h", "asr_hours")
            found["device_hours"] = made(self.audio_hours / speed, "h", "asr_hours")
        return found


def window_s(  # noqa: PLR0917 (a task, and where and how it runs)
    task: RecognitionTask,
    device: Accelerator,
    weights: StorageFormat,
    engine: str,
    coefficients: KindCoefficients,
    batch: int,
) -> float | None:
    """Seconds of one batch of windows; None where the device prints no rate."""
    model = task.model
    share = 1.0 if model.padded else task.segment_s / model.window_s
    encode = Run(
        flops=model.encoder_flops * share,
        rate=weights.compute,
        weight_bytes=(model.parameters - model.decoder_parameters) * weights.bytes_per_value,
    )
    encoded = run_s(encode, device, ASR, coefficients, batch=batch, engine=engine)
    steps = task.segment_s * model.tokens_per_s
    if encoded is None:
        return None
    on_host = model.padded and engine not in COMPILED  # transducers make their spectra on the device
    preparing = batch * coefficients.fit(ASR).open_item_s if on_host else 0.0
    if not steps:
        return encoded + preparing
    step = Run(
        flops=2.0 * model.decoder_parameters,
        rate=weights.compute,
        weight_bytes=model.decoder_parameters * weights.bytes_per_value,
        item_bytes=model.cache_bytes_per_window,
        launches=1,
    )
    stepped = run_s(step, device, ASR, coefficients, batch=batch, engine=engine)
    return None if stepped is None else encoded + steps * stepped + preparing


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisTask:
    """Speech to make: streams that must keep up, or hours until a deadline. One item is one second of audio."""

    model: Voice
    demand_per_s: float
    limit_p95_s: float | None  # first audio
    real_time_factor: float
    utterance_s: float
    streams: int = 0
    audio_hours: float = 0.0
    family: str = TTS

    @property
    def random_arrivals(self) -> bool:
        return self.streams > 0

    @property
    def network(self) -> str:
        return self.model.name

    @property
    def weight_parameters(self) -> float:
        return self.model.parameters

    @property
    def host(self) -> Host:
        return Host(payload_bytes_per_item=AUDIO_BYTES_PER_S)

    def served(
        self, device: Accelerator, weights: StorageFormat, engine: str, coefficients: KindCoefficients
    ) -> Served | Message:
        fitting = batches_that_fit(
            BATCHES,
            device,
            weight_bytes=self.model.parameters * weights.bytes_per_value,
            activation_bytes_per_item=ACTIVATION_BYTES_PER_WINDOW,
        )
        times = [(b, audio_second_s(self, device, weights, engine, coefficients, b)) for b in fitting]
        known = [(b, seconds) for b, seconds in times if seconds is not None]
        if len(known) < len(times):
            return Message("kind_rates_unknown", {"accelerator": device.slug})
        tried = ((b, seconds) for room in ROOM for b, seconds in known if self._keeps_up(seconds, room=room))
        batch, seconds = next(tried, (0, known[-1][1]))
        if not batch:
            return Message("kind_stream_too_slow", {"accelerator": device.slug, "real_time_factor": seconds})
        peak = peak_flops(device, weights.compute) or 1.0
        model = self.model
        flops = model.flops_per_audio_s + model.tokens_per_s * model.flops_per_token
        return Served(
            items_per_s=float(batch) if self.streams and model.tokens_per_s else batch / seconds,
            batch=batch,
            batch_s=seconds,
            memory=memory_of(
                device,
                weight_bytes=model.parameters * weights.bytes_per_value,
                activation_bytes=batch * ACTIVATION_BYTES_PER_WINDOW,
            ),
            bottleneck=Bottleneck.MEMORY_BANDWIDTH,  # weights of every token, feature maps of every sound
            compute_share=min(flops * batch / seconds / peak, 1.0),
            response_s=self._first_s(seconds) or seconds,
        )

    def _keeps_up(self, seconds: float, *, room: float) -> bool:
        """Whether streams do where a second of audio takes `seconds`, with the first sound in `room` of its limit."""
        if not self.streams:
            return True
        soon = self.limit_p95_s is None or self._first_s(seconds) <= room * self.limit_p95_s
        return soon and seconds <= self.real_time_factor

    def _first_s(self, second: float) -> float:
        """Time to the first sound: the first tokens of a stream, or the whole utterance of a one-pass model."""
        if not self.model.tokens_per_s:
            return second * self.utterance_s
        return second * self.model.first_tokens / self.model.tokens_per_s

    def figures(
        self, served: Served, device: Accelerator, replicas: int, coefficients: KindCoefficients
    ) -> Mapping[str, Estimate]:
        def made(value: float, unit: str, explain: str) -> Estimate:
            return banded(value, unit, device, self.family, self.network, coefficients, explain=explain)

        found = {
            "real_time_factor": made(served.batch_s, "s/s", "tts_speed"),
            "times_real_time": made(served.items_per_s * replicas, "x", "tts_speed"),
            "times_real_time_per_replica": made(served.items_per_s, "x", "tts_speed"),
            "audio_hours_per_hour": made(served.items_per_s * replicas, "h/h", "tts_speed"),
            "first_audio_ms": made((served.response_s or served.batch_s) * MS_PER_S, "ms", "tts_first"),
        }
        if self.streams:
            found["streams_per_device"] = made(float(streams_on(self, served)), "streams", "streams_per_device")
        if self.audio_hours:
            found["processing_hours"] = made(self.audio_hours / (served.items_per_s * replicas), "h", "tts_hours")
        return found


def streams_on(task: SynthesisTask, served: Served) -> int:
    """Live streams that one replica carries: those of one batch, or all that a fast device makes in turn."""
    in_turn = int(served.items_per_s * LIVE_FACTOR)
    return max(in_turn, served.batch) if task.model.tokens_per_s == 0 else served.batch


def audio_second_s(  # noqa: PLR0917 (a task, and where and how it runs)
    task: SynthesisTask,
    device: Accelerator,
    weights: StorageFormat,
    engine: str,
    coefficients: KindCoefficients,
    batch: int,
) -> float | None:
    """Seconds of work for one second of audio of each of `batch` streams; None where no rate is printed."""
    model = task.model
    wide = weights.bytes_per_value >= 2.0
    sound = Run(
        flops=model.flops_per_audio_s,
        rate=weights.compute if wide else Rate.FP16,
        weight_bytes=0.0,
        item_bytes=model.flops_per_audio_s * VALUES_PER_OPERATION * (weights.bytes_per_value if wide else 2.0),
        launches=0.0 if model.tokens_per_s else UTTERANCE_STEPS * model.passes / task.utterance_s,
    )
    made = run_s(sound, device, TTS, coefficients, batch=batch, engine=engine)
    if made is None or not model.tokens_per_s:
        return made
    step = Run(
        flops=model.flops_per_token,
        rate=weights.compute,
        weight_bytes=model.parameters * weights.bytes_per_value,
        launches=1,
    )
    stepped = run_s(step, device, TTS, coefficients, batch=batch, engine=engine)
    return None if stepped is None else made + model.tokens_per_s * stepped


VALUES_PER_OPERATION = 0.01
"""Values that a vocoder moves per operation: it writes and reads every feature map, and its convolutions have few
channels. 4 / (2 x channels x kernel): 0.02 for 32 channels and a kernel of 3, 0.004 for 64 and 7 (HiFi-GAN V1).
It runs in 16 bits or wider: sound made in 8 bits is audible."""

UTTERANCE_STEPS = 3.0
"""Launches of a one-pass model in units of a decoder step: 4 ms over 1.35 ms on FastPitch (fitted)."""
