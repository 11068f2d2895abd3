"""Which accelerators remain where a buyer excludes makers, and why the others do not."""

from collections.abc import Sequence

from sizing.core.candidate import Rejection
from sizing.core.hardware import Accelerator
from sizing.core.values import Message


def allowed_makers(
    devices: Sequence[Accelerator], excluded: Sequence[str]
) -> tuple[list[Accelerator], list[Rejection]]:
    """Devices whose makers are not excluded, in their order, and a rejection for each other one."""
    allowed: list[Accelerator] = []
    refused: list[Rejection] = []
    for device in devices:
        if device.made_by(excluded):
            message = Message("vendor_excluded", {"vendor": device.vendor.value})
            refused.append(Rejection(accelerator=device.slug, message=message, cheapest_fix=None))
        else:
            allowed.append(device)
    return allowed, refused
