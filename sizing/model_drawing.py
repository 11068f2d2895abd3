"""The shape of a model as a drawing: one column a layer, mixer above, feed-forward below, tables at both ends.

Height tells the kinds apart as well as colour does; the same facts stand in a table.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from sizing import figures
from sizing.core.model.architecture import AttentionKind, LayerGroup, ModelArchitecture

TABLE_WIDTH = 4.0  # per cent of the drawing for embedding and head each
GAP_WIDTH = 0.8
GAP_SHARE = 0.12  # of a layer's column
MIXER_BASE, MIXER_HEIGHT = 60, 56
FEED_BASE, FEED_HEIGHT = 64, 56
HEIGHTS = {"full": 1.0, "encoder": 1.0, "latent": 0.8, "compressed": 0.6, "sliding": 0.55, "cross": 0.4, "state": 0.3}
FEED_HEIGHTS = {"moe": 1.0, "dense": 0.6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle; `x` and `width` in per cent with a point, as SVG wants them."""

    key: str
    x: str
    width: str
    y: int
    height: int
    title: str = ""


EMPTY = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Boxes, legend (key and word) and the table with one row a kind of layer."""

    boxes: list[Box]
    legend: list[tuple[str, str]]
    label: str
    head: list[dict[str, object]]
    rows: list[list[dict[str, object]]]


def kind_words() -> dict[str, str]:
    return {
        "full": _("Attention over all tokens"),
        "sliding": _("Attention within a window"),
        "latent": _("Latent attention (MLA)"),
        "compressed": _("Compressed attention"),
        "cross": _("Cross-attention"),
        "encoder": _("Attention of an encoder"),
        "state": _("Constant state (recurrent)"),
        "none": _("No mixer"),
        "dense": _("Dense feed-forward"),
        "moe": _("Experts"),
        "table": _("Embedding and head"),
    }


def drawing(model: ModelArchitecture) -> Drawing:
    """The model's layers in their order."""
    words = kind_words()
    at = {position: group for group in model.groups for position in group.layers}
    count = max(1, len(at))
    left = TABLE_WIDTH + GAP_WIDTH
    step = (100 - 2 * left) / count
    rows = [_row(group) for group in model.groups]
    shown = _filled(rows)
    boxes = [_table(0.0, _("Embedding: %(vocab)s × %(hidden)s"), model)]
    used = {"table"}
    for place, position in enumerate(sorted(at)):
        for key, base, height, upwards in _parts(at[position]):
            used.add(key)
            boxes.append(
                Box(
                    key=key,
                    x=f"{left + place * step:.3f}",
                    width=f"{step * (1 - GAP_SHARE):.3f}",
                    y=base - height if upwards else base,
                    height=height,
                    title=_("Layer %(number)s: %(kind)s") % {"number": place + 1, "kind": words[key]},
                )
            )
    tied = _("Head: the embedding again") if model.tied_embeddings else _("Head: %(vocab)s × %(hidden)s")
    boxes.append(_table(100 - TABLE_WIDTH, tied, model))
    return Drawing(
        boxes=boxes,
        legend=[(key, word) for key, word in words.items() if key in used],
        label=_label(model),
        head=[cell for place, cell in enumerate(_head()) if place in shown],
        rows=[[cell for place, cell in enumerate(row) if place in shown] for row in rows],
    )


def _table(x: float, words: str, model: ModelArchitecture) -> Box:
    title = words % {"vocab": figures.number(model.vocab_size), "hidden": figures.number(model.hidden_size)}
    top = MIXER_BASE - MIXER_HEIGHT
    return Box(
        key="table", x=f"{x:.3f}", width=f"{TABLE_WIDTH:.3f}", y=top, height=FEED_BASE + FEED_HEIGHT - top, title=title
    )


def mixer_kind(group: LayerGroup) -> str:
    """The kind that decides what the layer keeps."""
    if group.attention is None:
        return "state" if group.recurrent is not None else "none"
    if group.attention.kind is AttentionKind.FULL and group.attention.window_tokens:
        return "sliding"
    return group.attention.kind.value


def _parts(group: LayerGroup) -> list[tuple[str, int, int, bool]]:
    parts = []
    mixer = mixer_kind(group)
    if mixer != "none":
        parts.append((mixer, MIXER_BASE, round(MIXER_HEIGHT * HEIGHTS[mixer]), True))
        if group.attention is not None and group.recurrent is not None:
            parts.append(("state", MIXER_BASE, round(MIXER_HEIGHT * HEIGHTS["state"]), True))
    feed = group.feed_forward
    if feed is not None:
        key = "moe" if feed.experts else "dense"
        parts.append((key, FEED_BASE, round(FEED_HEIGHT * FEED_HEIGHTS[key]), False))
    return parts


def _label(model: ModelArchitecture) -> str:
    words = _("%(layers)s layers, hidden size %(hidden)s, vocabulary %(vocab)s")
    return words % {
        "layers": model.layers,
        "hidden": figures.number(model.hidden_size),
        "vocab": figures.number(model.vocab_size),
    }


def _filled(rows: list[list[dict[str, object]]]) -> set[int]:
    """Columns in which any kind of layer has something to say."""
    return {place for row in rows for place, cell in enumerate(row) if cell["text"] != EMPTY}


def _head() -> list[dict[str, object]]:
    labels = (
        _("Heads"),
        _("Key-value heads"),
        _("Head width"),
        _("Window"),
        _("Feed-forward width"),
        _("Experts"),
        _("Parameters per layer"),
        _("Cache elements per token and layer"),
        _("State per layer"),
    )
    return [{"label": _("Layers")}, {"label": _("Kind")}, *({"label": label, "num": True} for label in labels)]


def _row(group: LayerGroup) -> list[dict[str, object]]:
    attention, feed = group.attention, group.feed_forward
    kind = kind_words()[mixer_kind(group)]
    if group.shares_kv:
        kind += ", " + _("reads the cache of an earlier layer")
    experts = ""
    if feed is not None and feed.experts:
        experts = _("%(active)s of %(count)s, width %(width)s") % {
            "active": feed.experts_per_token,
            "count": feed.experts,
            "width": figures.number(feed.expert_width),
        }
    kept = 0 if attention is None or group.shares_kv else attention.unwindowed_kv_elements_per_token
    state = group.recurrent.state_bytes_per_sequence if group.recurrent is not None else 0
    values = (
        _number(attention.heads if attention is not None else 0),
        _number(attention.kv_heads if attention is not None else 0),
        _number(attention.qk_head_dim if attention is not None else 0),
        _number(attention.window_tokens if attention is not None else 0),
        _number(feed.width if feed is not None else 0),
        experts or EMPTY,
        figures.count_of_parameters(group.parameters) if group.parameters >= 1e8 else _number(group.parameters),
        _number(kept),
        _number(state),
    )
    head: dict[str, object] = {"text": f"{group.count}: {ranges(group.layers)}"}
    return [head, {"text": kind}, *({"text": value, "num": True} for value in values)]


def _number(value: int) -> str:
    return figures.number(value) if value else EMPTY


def ranges(layers: tuple[int, ...]) -> str:
    """Positions from 1 as a short list: 1–4, 6, … with evenly spaced ones by their step."""
    ordered = [position + 1 for position in sorted(layers)]
    runs: list[list[int]] = []
    for number in ordered:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    words = [str(first) if first == last else f"{first}–{last}" for first, last in runs]
    return ", ".join(words if len(words) <= 4 else [*words[:3], "…", words[-1]])
