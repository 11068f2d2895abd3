"""The form of tables, time series and sensors."""

from django import forms
from django.utils.translation import gettext_lazy

from sizing.kinds.form_base import LATENCY_ROW, KindForm, Row, number_field

METHODS = [
    ("trees", gettext_lazy("Trees: XGBoost, LightGBM, random forest")),
    ("network", gettext_lazy("A network: anomalies, forecasts")),
    ("radar", gettext_lazy("Radar frames")),
    ("lidar", gettext_lazy("LiDAR frames")),
]


class TabularForm(KindForm):
    kind = "tabular"
    one_of = ("rows_per_s", "sensors", "rows")
    not_asked = ("model",)
    load_heading = gettext_lazy("Rows and sensors")
    load_lead = gettext_lazy("Processors first; an accelerator where they do not suffice.")
    load_rows = (
        Row(name="method"),
        Row(name="rows_per_s", unit=gettext_lazy("rows/s")),
        Row(
            name="sensors",
            unit=gettext_lazy("sensors"),
            why=gettext_lazy("Instead of rows per second."),
        ),
        Row(name="frames_per_s", unit=gettext_lazy("frames/s")),
        Row(name="rows", unit=gettext_lazy("rows"), note=gettext_lazy("Instead: a job.")),
        Row(name="deadline_hours", unit=gettext_lazy("hours for the job")),
        Row(name="features", unit=gettext_lazy("values")),
        Row(name="trees", unit=gettext_lazy("trees")),
        Row(name="depth", unit=gettext_lazy("levels")),
        Row(
            name="mflop_per_row",
            path=("tabular", "flops_per_row"),
            unit="MFLOP",
            why=gettext_lazy("Operations of the network for one row, window or frame."),
            factor=1e6,
        ),
        Row(
            name="parameters",
            unit=gettext_lazy("million values"),
            factor=1e6,
        ),
        Row(name="samples", unit=gettext_lazy("per chirp")),
        Row(name="chirps", unit=gettext_lazy("per frame")),
        Row(name="antennas", unit=gettext_lazy("channels")),
    )
    target_rows = (LATENCY_ROW,)
    method = forms.ChoiceField(label=gettext_lazy("Method"), choices=METHODS, initial="trees")
    rows_per_s = number_field(gettext_lazy("Rows at the peak"), low=0.0001, high=1e10, initial=5000)
    sensors = number_field(gettext_lazy("Number of sensors"), low=1, high=10_000_000, whole=True)
    frames_per_s = number_field(gettext_lazy("Frames of one sensor"), low=0.0001, high=1e6)
    rows = number_field(gettext_lazy("Rows in the job"), low=1, high=1e15)
    deadline_hours = number_field(gettext_lazy("Deadline"), low=0.001, high=100_000)
    features = number_field(gettext_lazy("Length of one row or frame"), low=1, high=1e8)
    trees = number_field(gettext_lazy("Number of trees"), low=1, high=1e6, initial=500)
    depth = number_field(gettext_lazy("Depth of a tree"), low=1, high=64, initial=8)
    mflop_per_row = number_field(gettext_lazy("Work of the network"), low=0.000001, high=1e9)
    parameters = number_field(gettext_lazy("Size of the network"), low=0.000001, high=1e6)
    samples = number_field(gettext_lazy("Samples"), low=2, high=1_000_000, whole=True)
    chirps = number_field(gettext_lazy("Chirps"), low=2, high=1_000_000, whole=True)
    antennas = number_field(gettext_lazy("Antenna channels"), low=1, high=10_000, whole=True)
    latency_ms = number_field(gettext_lazy("Latency, p95"), low=0.1, high=86_400_000, initial=20)
