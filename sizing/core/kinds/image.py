"""Images and videos by diffusion: operations of every step, decoder and text encoder, memory, seconds, hours.

    F(item) = steps x forwards x F_step(r) + decoder + text encoder
    F_step(r) = F_0 r ((1 - a) + a r)      r = tokens over those of the published figure, a = attention share

Several devices can share one item: t(n) = t(1) (1 + k (n - 1)) / n with k fitted on the single-stream rows
of MLPerf Inference 6.0. Source: docs/method.md#images.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.kinds.fitted import KindCoefficients, banded
from sizing.core.kinds.task import Host, Served, compute_bound, memory_of
from sizing.core.kinds.work import Run, peak_flops, run_s, served_share
from sizing.core.precision import Rate, StorageFormat
from sizing.core.units import SECONDS_PER_HOUR
from sizing.core.values import Estimate, Message

FAMILY = "diffusion"
DECODER_FLOPS_PER_PIXEL = 2.4e6
"""Image decoder of SDXL: about 2.5 TFLOP for 1024 x 1024; taken for every model and frame (assumption)."""

ENCODER_TOKENS = 512  # text encoders run once an item over at most this many tokens
DECODER_BYTES_PER_PIXEL = 4000.0
"""Peak of the decoder at 1024 x 1024 in 16 bits is about 4 GB; larger images are tiled (assumption)."""

DECODER_MOST_BYTES = 6e9  # tiling keeps it below this
SHARING_LOSS = 0.03  # [k] single-stream over offline rates: 8 x B300 0.82, 4 x GB300 0.88, 8 x H200 0.96
SHARED_BY = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diffusion:
    """A diffusion model as published: operations of one forward pass at a reference size.

    `auxiliary_parameters` are text encoders and decoder, kept in 16 bits. `reference_frames` is 1 for images.
    """

    name: str
    parameters: float
    active_parameters: float
    auxiliary_parameters: float
    forward_flops: float
    reference_pixels: float
    reference_frames: float
    attention_share: float
    steps: int
    forwards_per_step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageTask:
    """Pictures (frames = 1) or clips to make. `demand_per_s` is the peak, or what a deadline asks for."""

    model: Diffusion
    width: int
    height: int
    frames: int
    steps: int
    forwards_per_step: int
    demand_per_s: float
    limit_p95_s: float | None
    random_arrivals: bool
    family: str = FAMILY

    @property
    def pixels(self) -> float:
        return float(self.width * self.height)

    @property
    def network(self) -> str:
        return self.model.name

    @property
    def weight_parameters(self) -> float:
        return self.model.parameters + self.model.auxiliary_parameters

    @property
    def host(self) -> Host:
        return Host(payload_bytes_per_item=self.pixels * self.frames * 0.3)  # JPEG or H.264: about 2.4 bits a pixel

    def served(
        self, device: Accelerator, weights: StorageFormat, engine: str, coefficients: KindCoefficients
    ) -> Served | Message:
        memory = memory_of(
            device,
            weight_bytes=self.model.parameters * weights.bytes_per_value + self.model.auxiliary_parameters * 2,
            activation_bytes=min(self.pixels * DECODER_BYTES_PER_PIXEL, DECODER_MOST_BYTES),
        )
        seconds = item_s(self, device, weights, engine, coefficients)
        if seconds is None:
            return Message("kind_rates_unknown", {"accelerator": device.slug})
        devices = self._shared_by(device, seconds)
        shared = seconds * shared_time(devices)
        peak = peak_flops(device, weights.compute) or 1.0
        return Served(
            items_per_s=1.0 / shared,
            batch=1,
            batch_s=shared,
            memory=memory,
            bottleneck=compute_bound(seconds, memory.weight_bytes * self.steps / device.bandwidth_bytes_per_s),
            devices=devices,
            compute_share=min(item_flops(self) / seconds / peak, 1.0),
        )

    def _shared_by(self, device: Accelerator, seconds: float) -> int:
        """Devices that work on one item together: one, unless the limit asks for more and a fabric joins them."""
        if self.limit_p95_s is None or device.kind is DeviceKind.CPU:
            return 1
        most = device.scale_up_domain if device.scale_up_bytes_per_s else 1
        allowed = [count for count in SHARED_BY if count <= most]
        fast = (count for count in allowed if seconds * shared_time(count) * 1.2 <= self.limit_p95_s)
        return next(fast, allowed[-1])

    def figures(
        self, served: Served, device: Accelerator, replicas: int, coefficients: KindCoefficients
    ) -> Mapping[str, Estimate]:
        sustained = served.items_per_s
        if self.random_arrivals:
            sustained *= served_share(device, self.family, coefficients)

        def made(value: float, unit: str, explain: str) -> Estimate:
            return banded(value, unit, device, self.family, self.network, coefficients, explain=explain)

        return {
            "seconds_per_item": made(served.batch_s, "s", "diffusion_item"),
            "items_per_hour": made(sustained * replicas * SECONDS_PER_HOUR, "items/h", "diffusion_rate"),
            "items_per_hour_per_replica": made(sustained * SECONDS_PER_HOUR, "items/h", "diffusion_rate"),
            "hours_at_stated_load": made(self.demand_per_s / (sustained * replicas) * 24, "h/day", "busy_hours"),
        }


def forward_flops(task: ImageTask) -> float:
    """Operations of one forward pass at the size asked for; frames shrink as pixels do, in proportion."""
    model = task.model
    ratio = task.pixels / model.reference_pixels * (task.frames / model.reference_frames)
    return model.forward_flops * ratio * ((1.0 - model.attention_share) + model.attention_share * ratio)


def item_flops(task: ImageTask) -> float:
    """Operations of one whole item."""
    model = task.model
    denoising = task.steps * task.forwards_per_step * forward_flops(task)
    return denoising + decoder_flops(task) + 2.0 * model.auxiliary_parameters * ENCODER_TOKENS


def decoder_flops(task: ImageTask) -> float:
    return DECODER_FLOPS_PER_PIXEL * task.pixels * task.frames


def shared_time(devices: int) -> float:
    """Time of one item on `devices` over that on one."""
    return (1.0 + SHARING_LOSS * (devices - 1)) / devices


def item_s(
    task: ImageTask, device: Accelerator, weights: StorageFormat, engine: str, coefficients: KindCoefficients
) -> float | None:
    """Seconds of one item on one device: every step reads the active weights; encoders and decoder run in 16 bits."""
    forwards = task.steps * task.forwards_per_step
    denoise = Run(
        flops=forwards * forward_flops(task),
        rate=weights.compute,
        weight_bytes=forwards * task.model.active_parameters * weights.bytes_per_value,
        launches=forwards,
    )
    rest = Run(
        flops=decoder_flops(task) + 2.0 * task.model.auxiliary_parameters * ENCODER_TOKENS,
        rate=Rate.BF16,
        weight_bytes=task.model.auxiliary_parameters * 2,
        launches=2,
    )
    parts = [run_s(part, device, FAMILY, coefficients, batch=1, engine=engine) for part in (denoise, rest)]
    return None if None in parts else sum(part for part in parts if part is not None)
