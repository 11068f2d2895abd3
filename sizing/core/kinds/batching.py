"""One run per item in batches: the largest batch whose p95 latency a limit allows."""

from sizing.core.candidate import Bottleneck
from sizing.core.hardware import Accelerator
from sizing.core.kinds.fitted import KindCoefficients
from sizing.core.kinds.task import Served, memory_of
from sizing.core.kinds.work import Run, operation_s, peak_flops, run_s
from sizing.core.values import Message

BATCHES = (128, 64, 32, 16, 8, 4, 2, 1)
BATCHES_IN_LATENCY = 2.0
"""A request that just missed a batch waits for it and then runs in its own: two batch times."""


def batched(  # noqa: PLR0917 (a run, and where and how it runs)
    run: Run,
    device: Accelerator,
    family: str,
    coefficients: KindCoefficients,
    engine: str,
    limit_p95_s: float | None,
    *,
    activation_bytes_per_item: float,
) -> Served | Message:
    """What one device makes of `run`, offline, at the largest batch that fits and keeps the limit (1 where none does).

    A message where the device prints no rate for any format.
    """
    batch, seconds = 1, 0.0
    memory = memory_of(device, weight_bytes=run.weight_bytes, activation_bytes=activation_bytes_per_item)
    for batch in BATCHES:
        found = run_s(run, device, family, coefficients, batch=batch, engine=engine)
        if found is None:
            return Message("kind_rates_unknown", {"accelerator": device.slug})
        seconds = found
        memory = memory_of(device, weight_bytes=run.weight_bytes, activation_bytes=batch * activation_bytes_per_item)
        if memory.margin >= 0 and (limit_p95_s is None or BATCHES_IN_LATENCY * seconds <= limit_p95_s):
            break
    computing = (operation_s(run.flops, device, run.rate, coefficients.fit(family), batch=batch) or 0.0) * batch
    peak = peak_flops(device, run.rate) or 1.0
    return Served(
        items_per_s=batch / seconds,
        batch=batch,
        batch_s=seconds,
        memory=memory,
        bottleneck=Bottleneck.COMPUTE if computing >= seconds / 2 else Bottleneck.MEMORY_BANDWIDTH,
        compute_share=min(run.flops * batch / seconds / peak, 1.0),
    )
