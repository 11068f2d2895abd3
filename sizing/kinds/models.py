"""Rows of published models as the core's networks: what their texts say of size, steps and parts."""

import difflib
import json
import math
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from catalog.models import NonLlmWorkload
from sizing.core.errors import InvalidModel
from sizing.core.kinds.embedding import Encoder
from sizing.core.kinds.image import Diffusion
from sizing.core.kinds.speech import Recogniser, Voice
from sizing.core.kinds.vision import Network

DATA = Path(__file__).resolve().parent.parent / "data" / "kinds"
BILLION = 1e9
TASKS = {
    "image": ("text-to-image",),
    "video": ("text-to-video", "text/image-to-video"),
    "speech": ("speech-to-text", "text-to-speech"),
    "vision": ("image classification", "object detection", "segmentation (image encoder)", "image embedding"),
    "embedding": ("text embedding", "text embedding (decoder)", "reranker (one query-document pair)"),
    "recommendation": ("recommendation",),
    "edge": ("image classification", "object detection", "segmentation (image encoder)"),
}
USUAL_ATTENTION_SHARE = 0.11  # of a UNet at its own size, as counted for SDXL
LAYERS_PER_CUBE_ROOT = 0.018  # layers of a vision network grow with the cube root of its operations (YOLO tables)


def row_of(model_id: str, kind: str, *, at: str = "/model/id") -> NonLlmWorkload:
    """The published model, named `at` this place of the request.

    Raises InvalidModel with the nearest names, or where its operations are not known.
    """
    known = usable_rows(kind)
    wanted = model_id.strip().lower()
    by_name = {row.model_id.lower(): row for row in known} | {
        row.model_id.lower().rpartition("/")[2]: row for row in known
    }
    found = by_name.get(wanted)
    if found is None:
        near = difflib.get_close_matches(wanted, [row.model_id.lower() for row in known], n=3, cutoff=0.3)
        names = [by_name[name].model_id for name in near]
        raise InvalidModel("model_not_in_catalogue", at, value=model_id, nearest=", ".join(names) or "—")
    return found


def usable_rows(kind: str) -> list[NonLlmWorkload]:
    """Published models of a kind whose operations are known: the others cannot be sized and are not offered."""
    rows = NonLlmWorkload.objects.filter(task__in=tasks_of(kind), parameters__isnull=False).order_by("model_id")
    if kind == "speech":
        known = speech_facts()
        return [row for row in rows if row.model_id in known["asr"] or row.model_id in known["tts"]]
    return [row for row in rows if row.flops and (kind not in DIFFUSION or _readable(row))]


def tasks_of(kind: str) -> list[str]:
    tasks = NonLlmWorkload.objects.values_list("task", flat=True).distinct()
    return [task for task in tasks if any(task.startswith(start) for start in TASKS[kind])]


DIFFUSION = ("image", "video")


@cache
def speech_facts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / "speech.json").read_text(encoding="utf-8"))
    return found


def _readable(row: NonLlmWorkload) -> bool:
    return _size(row.flops_unit) is not None and _number(row.default_steps) is not None


def diffusion(row: NonLlmWorkload) -> Diffusion:
    """A diffusion model: size and frames of the published figure, steps, guidance, encoders beside the network."""
    size = _size(row.flops_unit)
    if size is None or row.flops is None or row.parameters is None:
        raise InvalidModel("model_without_operations", "/model/id", value=row.model_id)
    total = float(row.parameters)
    two_experts = "two" in (row.notes or "") and "experts" in (row.notes or "")
    return Diffusion(
        name=row.model_id,
        parameters=total,
        active_parameters=total / 2 if two_experts else total,
        auxiliary_parameters=_auxiliary(row),
        forward_flops=row.flops,
        reference_pixels=float(size[0] * size[1]),
        reference_frames=float(size[2]),
        attention_share=_attention_share(row),
        steps=_number(row.default_steps) or 1,
        forwards_per_step=2 if row.guidance.lower().startswith(("cfg: 2", "classifier-free guidance: 2")) else 1,
    )


def _size(text: str) -> tuple[int, int, int] | None:
    """Width, height and frames that a figure is for."""
    size = re.search(r"(\d{3,4})x(\d{3,4})", text)
    frames = re.search(r"(\d+) frames", text)
    return (int(size[1]), int(size[2]), int(frames[1]) if frames else 1) if size else None


def reference_size(row: NonLlmWorkload) -> tuple[int, int, int]:
    """Width, height and frames of the published figure; 1024 x 1024 and one frame where none is named."""
    return _size(row.flops_unit) or (1024, 1024, 1)


def _number(text: str) -> int | None:
    found = re.search(r"\d+", text)
    return int(found[0]) if found else None


def _attention_share(row: NonLlmWorkload) -> float:
    """As stated, else from tokens and width: attention over linear work is S / (6 H); else that of a UNet."""
    stated = re.search(r"attention share (\d+)%", row.flops_unit)
    if stated:
        return int(stated[1]) / 100
    hidden = re.search(r"hidden (\d+)", row.basis)
    tokens = [int(number) for number in re.findall(r"(\d+) (?:image|text|tokens)", row.flops_unit)]
    if hidden and tokens:
        return sum(tokens) / (sum(tokens) + 6.0 * int(hidden[1]))
    return USUAL_ATTENTION_SHARE


def _auxiliary(row: NonLlmWorkload) -> float:
    """Text encoders and decoder: every part but the first, sizes as printed or as known of the named encoder."""
    for words, model_id in SAME_PARTS.items():
        if words in row.components:
            other = NonLlmWorkload.objects.filter(model_id=model_id).exclude(pk=row.pk).first()
            return _auxiliary(other) if other else 0.0
    return sum(_part(text) for text in row.components.split(" + ")[1:]) * BILLION


SAME_PARTS = {
    "as FLUX.1-dev": "black-forest-labs/FLUX.1-dev",
    "as SDXL base": "stabilityai/stable-diffusion-xl-base-1.0",
    "as SD3.5 large": "stabilityai/stable-diffusion-3.5-large",
    "same text encoders": "stabilityai/stable-diffusion-3.5-large",
    "as Qwen-Image": "Qwen/Qwen-Image",
}
NAMED_PARTS = {"umT5-XXL": 5.68, "T5-XXL": 4.76, "CLIP-L": 0.123, "Qwen2.5-VL-7B": 8.29}
"""Billions of parameters of encoders that a row names without a size. Source: other rows of the same table;
Qwen2.5-VL-7B: 8.29e9 by its safetensors header."""


def _part(text: str) -> float:
    """Billions of parameters of one part of a row's text; 0 where it names none."""
    named = next((size for name, size in NAMED_PARTS.items() if name in text), 0.0)
    printed = re.search(r"(\d+(?:\.\d+)?)B\b", text)
    return float(printed[1]) if printed and "-7B" not in text else named


def network(row: NonLlmWorkload) -> Network:
    """A vision network: operations per image at the size that the figure names."""
    size = re.search(r"(\d{2,4})x(\d{2,4})", row.flops_unit)
    if row.flops is None or row.parameters is None or size is None:
        raise InvalidModel("model_without_operations", "/model/id", value=row.model_id)
    return Network(
        name=row.model_id,
        parameters=float(row.parameters),
        image_flops=row.flops,
        reference_pixels=float(size[1]) * float(size[2]),
        layers=layers_of(row.flops),
    )


def layers_of(flops: float) -> float:
    """Kernels in sequence: between 20 and 160, from the operations (ResNet-50 36, YOLOv5x 106)."""
    return min(max(LAYERS_PER_CUBE_ROOT * math.cbrt(flops), 20.0), 160.0)


def encoder(row: NonLlmWorkload) -> Encoder:
    """A text encoder: operations for the length that the figure names."""
    tokens = re.search(r"of (\d+) tokens", row.flops_unit)
    if row.flops is None or row.parameters is None or tokens is None:
        raise InvalidModel("model_without_operations", "/model/id", value=row.model_id)
    return Encoder(
        name=row.model_id,
        parameters=float(row.parameters),
        flops=row.flops,
        reference_tokens=float(tokens[1]),
    )


def recogniser(row: NonLlmWorkload) -> Recogniser:
    facts = speech_facts()
    own = facts["asr"][row.model_id]
    spoken = facts["words_per_s"] * facts["tokens_per_word"]
    return Recogniser(
        name=row.model_id,
        parameters=float(row.parameters or 0),
        decoder_parameters=own["decoder_parameters"],
        encoder_flops=float(row.flops or 0),
        window_s=30.0,
        padded=own.get("padded", True),
        tokens_per_s=spoken if own["decoder_parameters"] else 0.0,
        cache_bytes_per_window=own["cache_bytes"],
    )


def voice(row: NonLlmWorkload) -> Voice:
    own = speech_facts()["tts"][row.model_id]
    parameters = float(row.parameters or 0)
    return Voice(
        name=row.model_id,
        parameters=parameters,
        flops_per_token=float(row.flops or 2.0 * parameters) if own["tokens_per_s"] else 0.0,
        tokens_per_s=own["tokens_per_s"],
        flops_per_audio_s=own["flops_per_audio_s"],
        first_tokens=own["first_tokens"],
        passes=own["passes"],
    )


def speaks(row: NonLlmWorkload) -> bool:
    """True for synthesis, False for recognition."""
    return row.task == "text-to-speech"


def own_shape(shape: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, float]:
    """Numbers of a model given by its shape. Raises InvalidModel naming the first key that is missing or wrong."""
    unknown = sorted(set(shape) - set(names))
    if unknown:
        raise InvalidModel("shape_key_unknown", f"/model/shape/{unknown[0]}", known=", ".join(names))
    values: dict[str, float] = {}
    for name in names:
        value = shape.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e20:
            raise InvalidModel("shape_number_missing", f"/model/shape/{name}", name=name)
        values[name] = float(value)
    return values
