"""Which devices remain where a buyer excludes makers or allows some classes only, and why the others do not."""

from collections.abc import Sequence

from sizing.core.candidate import Rejection
from sizing.core.hardware import Accelerator
from sizing.core.values import Message


def allowed_devices(
    devices: Sequence[Accelerator], excluded_makers: Sequence[str], classes: Sequence[str]
) -> tuple[list[Accelerator], list[Rejection]]:
    """Devices that the request allows, in their order, and a rejection for each other one.

    `classes` are values of DeviceClass; empty allows every class.
    """
    allowed: list[Accelerator] = []
    refused: list[Rejection] = []
    for device in devices:
        message = _refusal(device, excluded_makers, classes)
        if message is None:
            allowed.append(device)
        else:
            refused.append(Rejection(accelerator=device.slug, message=message, cheapest_fix=None))
    return allowed, refused


def _refusal(device: Accelerator, excluded_makers: Sequence[str], classes: Sequence[str]) -> Message | None:
    if classes and device.device_class not in classes:
        return Message("device_class_excluded", {"device_class": device.device_class.value})
    if device.made_by(excluded_makers):
        return Message("vendor_excluded", {"vendor": device.vendor.value})
    return None
