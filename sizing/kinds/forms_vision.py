"""The forms of cameras and images, in a room and at the edge."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy

from sizing.kinds.form_base import LATENCY_ROW, KindForm, Row, number_field


class VisionForm(KindForm):
    kind = "vision"
    one_of = ("streams", "images_per_s")
    load_heading = gettext_lazy("Cameras and images")
    load_lead = gettext_lazy("Device, host cores and network are sized together.")
    load_rows: ClassVar[tuple[Row, ...]] = (
        Row(
            name="streams",
            unit=gettext_lazy("cameras"),
            why=gettext_lazy("Leave it empty where images come without cameras."),
        ),
        Row(name="fps", unit=gettext_lazy("frames/s"), note=gettext_lazy("Per camera.")),
        Row(name="images_per_s", unit=gettext_lazy("images/s")),
        Row(
            name="width",
            unit=gettext_lazy("pixels"),
            why=gettext_lazy("What the network sees, not what the camera sends."),
            note=gettext_lazy("Empty: as published."),
        ),
        Row(name="height", unit=gettext_lazy("pixels")),
        Row(name="mbit_per_stream", unit="Mbit/s", note=gettext_lazy("Empty: 4.")),
    )
    target_rows = (LATENCY_ROW,)
    streams = number_field(gettext_lazy("Cameras"), low=1, high=1_000_000, whole=True, initial=32)
    fps = number_field(gettext_lazy("Frame rate"), low=0.01, high=1000, initial=15)
    images_per_s = number_field(gettext_lazy("Images without cameras"), low=0.001, high=1e8)
    width = number_field(gettext_lazy("Width of the network's input"), low=16, high=16_384, whole=True)
    height = number_field(gettext_lazy("Height of the network's input"), low=16, high=16_384, whole=True)
    mbit_per_stream = number_field(gettext_lazy("Bit rate of a camera"), low=0.01, high=10_000)
    latency_ms = number_field(gettext_lazy("Latency, p95"), low=0.1, high=86_400_000, initial=100)


ENCLOSURES = [
    ("", gettext_lazy("Industrial or small computer")),
    ("industrial_edge", gettext_lazy("Industrial computer alone")),
    ("compact", gettext_lazy("Small desktop computer")),
    ("industrial_edge,compact,rackmount", gettext_lazy("A rack server will do as well")),
]


class EdgeForm(VisionForm):
    """The limits of the place come before the load."""

    kind = "edge"
    not_asked = ("power_kw", "max_ambient_c", "dc_input_v")
    load_heading = gettext_lazy("The place, then the cameras")
    load_lead = gettext_lazy("Watts, temperature, size and supply decide first.")
    load_rows = (
        Row(
            name="limit_w",
            path=("site", "max_power_w"),
            unit="W",
            why=gettext_lazy("For device and host together, at the worst moment."),
        ),
        Row(
            name="ambient_c",
            path=("site", "max_ambient_c"),
            unit="°C",
            why=gettext_lazy("The hottest air that the device meets."),
        ),
        Row(
            name="supply_v",
            path=("site", "dc_input_v"),
            unit=gettext_lazy("V DC"),
            note=gettext_lazy("Empty: mains supply."),
        ),
        Row(name="enclosure", path=()),
        *VisionForm.load_rows,
    )
    limit_w = number_field(gettext_lazy("Power of the place"), low=1, high=100_000, initial=150, required=True)
    ambient_c = number_field(gettext_lazy("Highest air temperature"), low=-60, high=90, initial=40)
    supply_v = number_field(gettext_lazy("DC supply"), low=1, high=1000)
    enclosure = forms.ChoiceField(label=gettext_lazy("Size"), choices=ENCLOSURES, required=False)
    streams = number_field(gettext_lazy("Cameras"), low=1, high=1_000_000, whole=True, initial=8)

    def clean(self) -> dict[str, Any]:
        """The place is stated in its own fields; those of a server room are not asked."""
        return super().clean() | dict.fromkeys(self.not_asked)

    def request_json(self) -> dict[str, Any]:
        request = super().request_json()
        chosen = str(self.cleaned_data.get("enclosure") or "")
        if chosen:
            request["site"]["form_factors"] = chosen.split(",")
        return request

    @classmethod
    def initial_of(cls, request: Mapping[str, Any]) -> dict[str, Any]:
        stated = ",".join((request.get("site") or {}).get("form_factors") or [])
        values = super().initial_of(request)
        if stated not in dict(ENCLOSURES):
            return values | {"enclosure": ""}
        return values | {"enclosure": stated, "form_factors": None}
