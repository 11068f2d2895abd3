"""How one replica is spread over accelerators, and which splits a model allows."""

from dataclasses import dataclass

from sizing.core.model.features import ModelFeatures
from sizing.core.values import Message, Param

MAX_DEGREE = 1024
VOCABULARY_PAD = 64
"""Engines pad the vocabulary to whole multiples of this and then cut it over the tensor ranks (vLLM)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Degrees of one replica. `data` is attention data parallelism inside the replica."""

    tensor: int = 1
    pipeline: int = 1
    expert: int = 1
    data: int = 1

    @property
    def accelerators(self) -> int:
        """Accelerators that one replica occupies."""
        return self.tensor * self.pipeline * self.data


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """A replica whose prompts are computed apart: instances of one layout that prefill, and others that decode."""

    prefill: int
    decode: int

    @property
    def instances(self) -> int:
        return self.prefill + self.decode


def instances_of(phases: Phases | None) -> int:
    """Copies of the layout in one replica: one where the same accelerators prefill and decode."""
    return phases.instances if phases is not None else 1


def layout_problems(
    features: ModelFeatures,
    layout: Layout,
    *,
    accelerators: int | None = None,
    weight_block: int = 0,
) -> tuple[Message, ...]:
    """Every reason why the model cannot be split so; empty where it can.

    `accelerators` is the count a request fixes for one replica, `weight_block` the side of
    block-scaled weights (128 in FP8 checkpoints). Each message names the value and the values that work.
    """
    problems = [*_degrees(layout)]
    if problems:
        return tuple(problems)
    problems += _tensor(features, layout.tensor)
    problems += _pipeline(features, layout.pipeline)
    problems += _experts(features, layout)
    problems += _expert_width(features, layout, weight_block)
    problems += _dense_width(features, layout.tensor, weight_block)
    if accelerators is not None and layout.accelerators != accelerators:
        problems.append(
            Message(
                "layout_count_differs",
                {
                    "accelerators": accelerators,
                    "tensor": layout.tensor,
                    "pipeline": layout.pipeline,
                    "data": layout.data,
                    "product": layout.accelerators,
                },
            )
        )
    return tuple(problems)


def valid_tensor_degrees(features: ModelFeatures, limit: int = 64) -> tuple[int, ...]:
    """Tensor degrees up to `limit` that divide the heads and suit the KV heads."""
    return tuple(degree for degree in range(1, limit + 1) if not _tensor_mismatches(features, degree))


def _degrees(layout: Layout) -> list[Message]:
    return [
        Message("layout_degree_wrong", {"degree": name, "value": value, "limit": MAX_DEGREE})
        for name, value in (
            ("tensor", layout.tensor),
            ("pipeline", layout.pipeline),
            ("expert", layout.expert),
            ("data", layout.data),
        )
        if not 1 <= value <= MAX_DEGREE
    ]


def _tensor(features: ModelFeatures, tensor: int) -> list[Message]:
    wrong = _tensor_mismatches(features, tensor)
    if not wrong:
        return []
    valid = ", ".join(str(n) for n in valid_tensor_degrees(features))
    return [Message(code, {"tensor": tensor, name: value, "valid": valid}) for code, name, value in wrong]


def _tensor_mismatches(features: ModelFeatures, tensor: int) -> list[tuple[str, str, int]]:
    """Code, name and value of every width that this degree does not divide."""
    if tensor == 1:
        return []
    wrong = []
    if features.heads and features.heads % tensor:
        wrong.append(("layout_heads", "heads", features.heads))
    kv_heads = features.kv_heads
    if kv_heads > 1 and not features.is_mla and kv_heads % tensor and tensor % kv_heads:
        wrong.append(("layout_kv_heads", "kv_heads", kv_heads))
    if features.hidden_size % tensor:
        wrong.append(("layout_hidden_size", "hidden_size", features.hidden_size))
    padded = -(-features.vocab_size // VOCABULARY_PAD) * VOCABULARY_PAD
    if padded % tensor:
        wrong.append(("layout_vocabulary", "padded", padded))
    return wrong


def _expert_width(features: ModelFeatures, layout: Layout, block: int) -> list[Message]:
    """Without expert parallelism each expert's width is cut over the accelerators of a stage, in whole blocks."""
    width, ranks = features.expert_width, layout.tensor * layout.data
    if not width or layout.expert > 1 or ranks == 1:
        return []
    unit = max(1, block)
    if width % ranks == 0 and (width // ranks) % unit == 0:
        return []
    valid = ", ".join(str(n) for n in range(1, 65) if width % n == 0 and (width // n) % unit == 0)
    params: dict[str, Param] = {"ranks": ranks, "expert_width": width, "block": unit, "valid": valid}
    return [Message("layout_expert_width", params)]


def _dense_width(features: ModelFeatures, tensor: int, block: int) -> list[Message]:
    """Block-scaled dense layers are cut over the tensor ranks in whole blocks.

    Source: vLLM, fp8_utils.validate_fp8_block_shape: output and input of each rank are multiples of the block.
    """
    if not block or tensor == 1:
        return []
    wrong = next((width for width in features.dense_widths if width % (tensor * block)), None)
    if wrong is None:
        return []
    valid = ", ".join(str(n) for n in range(1, 65) if all(w % (n * block) == 0 for w in features.dense_widths))
    params: dict[str, Param] = {"tensor": tensor, "dense_width": wrong, "block": block, "valid": valid}
    return [Message("layout_dense_width", params)]


def _pipeline(features: ModelFeatures, pipeline: int) -> list[Message]:
    if pipeline > features.layers:
        return [Message("layout_pipeline_too_deep", {"pipeline": pipeline, "layers": features.layers})]
    return []


def _experts(features: ModelFeatures, layout: Layout) -> list[Message]:
    expert = layout.expert
    if expert == 1:
        return []
    if not features.experts:
        return [Message("layout_no_experts", {"expert": expert})]
    problems = []
    if features.experts % expert:
        valid = ", ".join(str(n) for n in range(1, min(features.experts, 64) + 1) if features.experts % n == 0)
        problems.append(Message("layout_experts", {"expert": expert, "experts": features.experts, "valid": valid}))
    spread = layout.tensor * layout.data
    if expert not in {spread, layout.tensor, layout.data}:
        problems.append(
            Message("layout_expert_degree", {"expert": expert, "tensor": layout.tensor, "data": layout.data})
        )
    return problems


def layout_notes(features: ModelFeatures, layout: Layout, *, scale_up_domain: int | None = None) -> tuple[Message, ...]:
    """What a valid split costs: copied KV heads, copied latents, uneven stages, traffic outside the fabric.

    `scale_up_domain` is the number of accelerators that one fabric joins; collectives beyond it run
    over PCIe or the network, which works and is slow.
    """
    notes = []
    if scale_up_domain is not None and layout.tensor > scale_up_domain > 1:
        notes.append(
            Message("layout_tensor_beyond_fabric", {"tensor": layout.tensor, "scale_up_domain": scale_up_domain})
        )
    if features.is_mla and layout.tensor > 1:
        notes.append(Message("layout_latent_copied", {"tensor": layout.tensor}))
    elif features.kv_heads and layout.tensor > features.kv_heads:
        notes.append(
            Message(
                "layout_kv_heads_copied",
                {
                    "tensor": layout.tensor,
                    "kv_heads": features.kv_heads,
                    "copies": layout.tensor // features.kv_heads,
                },
            )
        )
    if features.layers % layout.pipeline:
        notes.append(Message("layout_stages_uneven", {"pipeline": layout.pipeline, "layers": features.layers}))
    return tuple(notes)
