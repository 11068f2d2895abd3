"""Images and camera streams through classifiers, detectors and segmenters.

    device: t(b) as in `work`; batches fill while the one before runs, so the p95 latency is about two batches
    host: decoded pixels per second over what a core decodes; network: streams x bit rate; PoE: watts a camera
Source: docs/method.md#vision.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sizing.core.hardware import Accelerator
from sizing.core.kinds.batching import batched
from sizing.core.kinds.fitted import KindCoefficients, banded
from sizing.core.kinds.task import Host, Served
from sizing.core.kinds.work import Run, served_share
from sizing.core.precision import StorageFormat
from sizing.core.units import MS_PER_S
from sizing.core.values import Basis, Estimate, Message

FAMILY = "vision"
DECODED_PIXELS_PER_CORE_S = 415e6
"""H.264 1080p at 200 frames per second and core (assumption; measure: ffmpeg -benchmark)."""

PREPARED_PIXELS_PER_CORE_S = 600e6  # scaling and normalising one frame (assumption)
HOST_BAND = 2.0  # both were never measured by a source
POE_CAMERA_W = 12.95  # powered device of class 0 to 3. Source: IEEE 802.3af, clause 33
BYTES_PER_ACTIVATION_PIXEL = 400.0  # feature maps held at once per input pixel, 16 bits (assumption)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A vision network as published: operations per image at a reference size."""

    name: str
    parameters: float
    image_flops: float
    reference_pixels: float
    layers: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionTask:
    """Images per second, or streams x frames per second, at one network input size.

    `streams` is 0 where images come without cameras. `camera_pixels` are those that are decoded.
    """

    model: Network
    input_pixels: float
    demand_per_s: float
    limit_p95_s: float | None
    streams: int = 0
    fps: float = 0.0
    camera_pixels: float = 0.0
    mbit_per_stream: float = 0.0
    powered_cameras: bool = False
    random_arrivals: bool = True
    family: str = FAMILY

    @property
    def network(self) -> str:
        return self.model.name

    @property
    def weight_parameters(self) -> float:
        return self.model.parameters

    @property
    def flops(self) -> float:
        """Convolutions grow with the pixels of their input."""
        return self.model.image_flops * self.input_pixels / self.model.reference_pixels

    @property
    def cores(self) -> float:
        """Host cores for decoding and preparing the stated load in software."""
        decoding = self.streams * self.fps * self.camera_pixels / DECODED_PIXELS_PER_CORE_S
        pixels = self.camera_pixels or self.input_pixels
        return decoding + self.demand_per_s * pixels / PREPARED_PIXELS_PER_CORE_S

    @property
    def network_gbit_s(self) -> float:
        if self.streams:
            return self.streams * self.mbit_per_stream / 1000.0
        return self.demand_per_s * self.input_pixels * 0.3 * 8 / 1e9

    @property
    def host(self) -> Host:
        return Host(cores=self.cores, payload_bytes_per_item=self.network_gbit_s * 1e9 / 8 / self.demand_per_s)

    def served(
        self, device: Accelerator, weights: StorageFormat, engine: str, coefficients: KindCoefficients
    ) -> Served | Message:
        run = Run(
            flops=self.flops,
            rate=weights.compute,
            weight_bytes=self.model.parameters * weights.bytes_per_value,
            launches=self.model.layers,
        )
        return batched(
            run,
            device,
            self.family,
            coefficients,
            engine,
            self.limit_p95_s,
            activation_bytes_per_item=self.input_pixels * BYTES_PER_ACTIVATION_PIXEL,
        )

    def figures(
        self, served: Served, device: Accelerator, replicas: int, coefficients: KindCoefficients
    ) -> Mapping[str, Estimate]:
        sustained = served.items_per_s * served_share(device, self.family, coefficients)

        def made(value: float, unit: str, explain: str) -> Estimate:
            return banded(value, unit, device, self.family, self.network, coefficients, explain=explain)

        found = {
            "images_per_s": made(sustained * replicas, "images/s", "vision_rate"),
            "images_per_s_per_replica": made(sustained, "images/s", "vision_rate"),
            "device_ms": made(served.batch_s * MS_PER_S, "ms", "vision_batch"),
            "host_cores": _assumed(self.cores, "cores", "host_cores"),
            "network_gbit_s": Estimate.exact(self.network_gbit_s, "Gbit/s", explain="network"),
        }
        if self.fps:
            found["streams_per_device"] = made(sustained / self.fps, "streams", "streams_per_device")
        if self.powered_cameras:
            found["poe_w"] = Estimate.exact(
                self.streams * POE_CAMERA_W, "W", explain="poe", source="IEEE 802.3af, clause 33"
            )
        return found


def _assumed(value: float, unit: str, explain: str) -> Estimate:
    return Estimate(
        value=value,
        low=value / HOST_BAND,
        high=value * HOST_BAND,
        unit=unit,
        basis=Basis.FORMULA,
        source="assumption: 200 frames of 1080p H.264 per second and core",
        explain=explain,
    )
