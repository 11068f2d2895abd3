"""The kinds as the start page offers them: name, bottleneck, what is asked and answered."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from sizing.choices import Kind
from sizing.examples import Example
from sizing.kinds.examples import KIND_EXAMPLES


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCard:
    """One card of the start page."""

    kind: str
    bottleneck: str | Promise
    facts: str | Promise

    @property
    def label(self) -> str:
        return str(Kind(self.kind).label)

    @property
    def examples(self) -> tuple[Example, ...]:
        return KIND_EXAMPLES[self.kind]


CARDS = (
    KindCard(
        kind="image",
        bottleneck=_("limited by compute"),
        facts=_(
            "Pictures an hour or a job with a deadline; you get seconds per picture, hardware, price and delivery."
        ),
    ),
    KindCard(
        kind="video",
        bottleneck=_("limited by compute"),
        facts=_("Clips an hour or a job with a deadline; you get seconds per clip, hardware, price and delivery."),
    ),
    KindCard(
        kind="speech",
        bottleneck=_("limited by latency"),
        facts=_("Recognition and synthesis, live or from recordings; you get streams per device and first sound."),
    ),
    KindCard(
        kind="vision",
        bottleneck=_("limited by latency, decoding and network"),
        facts=_("Cameras or images; you get streams per device, host cores and network."),
    ),
    KindCard(
        kind="embedding",
        bottleneck=_("limited by compute in small batches"),
        facts=_("Texts or query-passage pairs; you get texts per second and latency."),
    ),
    KindCard(
        kind="recommendation",
        bottleneck=_("limited by memory"),
        facts=_("Embedding tables and queries per second; you get where the tables lie and what they carry."),
    ),
    KindCard(
        kind="rag",
        bottleneck=_("one limit for the whole chain"),
        facts=_("Embedding, index, ranking and answer together; you get each stage's time, memory and drives."),
    ),
    KindCard(
        kind="tabular",
        bottleneck=_("processors first"),
        facts=_("Trees, anomalies, radar and LiDAR; you get rows per second and what an accelerator would add."),
    ),
    KindCard(
        kind="edge",
        bottleneck=_("limited by watts, heat and size"),
        facts=_("Cameras outside the server room; you get devices that the place can feed and cool."),
    ),
    KindCard(
        kind="models",
        bottleneck=_("limited by memory and isolation"),
        facts=_("Several models on shared devices; you get the packing, MIG instances and the margin."),
    ),
)
