"""Attention of one layer: cache elements per token and weights, by kind.

Rules: grouped-query attention keeps 2 x kv heads x head width per token; latent attention (MLA)
keeps rank + rope width once; windows cap the tokens, never the elements.
Source: model classes of the transformers library; catalog/data/models/README.md.
"""

from sizing.core.errors import InvalidModel
from sizing.core.model.architecture import Attention, AttentionKind
from sizing.core.model.modules import Module, Role, small
from sizing.core.model.plan import Layer, window_tokens
from sizing.core.model.shape import Shape

type Built = tuple[Attention, tuple[Module, ...]]


def build_attention(shape: Shape, layer: Layer) -> Built:
    """Attention of one layer and its weights, without biases that the class does not have."""
    if layer.mixer == "latent":
        return _latent(shape, layer)
    if layer.mixer == "compressed":
        return _compressed(shape, layer)
    return _grouped(shape, layer)


def _projection(name: str, parameters: int) -> Module:
    return Module(f"self_attn.{name}", parameters, Role.ATTENTION)


def _grouped(shape: Shape, layer: Layer) -> Built:
    fields, family = shape.fields, shape.family
    heads, kv_heads, width, value_width = _sizes(shape, layer)
    sliding = layer.mixer == "sliding"
    cross = layer.mixer == "cross"
    elements = kv_heads * (width + value_width)
    shared_kv = layer.mixer == "full" and fields.flag("attention_k_eq_v")
    queries = shape.hidden * heads * width * (2 if family.query_gate else 1)
    modules = [_projection("q_proj", queries)]
    if not layer.shares_kv:
        modules.append(_projection("k_proj", shape.hidden * kv_heads * width))
        if not shared_kv:
            modules.append(_projection("v_proj", shape.hidden * kv_heads * value_width))
    modules.append(_projection("o_proj", heads * value_width * shape.hidden))
    modules += _attention_vectors(shape, heads, kv_heads, width)
    index = 0
    if layer.indexed and (sparse := fields.section("sparse_attention_config")) is not None:
        index = sparse.integer("sparse_index_dim", limit="head_dim") or 0
        index_heads = sparse.integer("sparse_num_index_heads", limit="heads") or 0
        modules.append(_projection("index_q_proj", shape.hidden * index * index_heads))
        modules.append(_projection("index_k_proj", shape.hidden * index))
        modules += small("self_attn.index_norm", 2 * index)
    return (
        Attention(
            kind=AttentionKind.CROSS if cross else AttentionKind.SLIDING if sliding else AttentionKind.FULL,
            heads=heads,
            kv_heads=kv_heads,
            qk_head_dim=width,
            v_head_dim=value_width,
            kv_elements_per_token=0 if sliding or cross else elements,
            window_kv_elements_per_token=elements if sliding else 0,
            unwindowed_kv_elements_per_token=0 if cross else elements,
            window_tokens=_window(shape) if sliding else 0,
            index_elements_per_token=index,
        ),
        tuple(modules),
    )


def _sizes(shape: Shape, layer: Layer) -> tuple[int, int, int, int]:
    """Heads, kv heads, key width and value width of the layer."""
    fields = shape.fields
    if layer.mixer == "sliding":
        return (
            fields.integer("swa_num_attention_heads", minimum=1, limit="heads") or shape.heads,
            fields.integer("swa_num_key_value_heads", minimum=1, limit="heads") or shape.kv_heads,
            fields.integer("swa_head_dim", minimum=1, limit="head_dim") or shape.head_dim,
            fields.integer("swa_v_head_dim", "v_head_dim", "swa_head_dim", minimum=1, limit="head_dim")
            or shape.head_dim,
        )
    kv_heads, width = layer.kv_heads or shape.kv_heads, shape.head_dim
    if wide := fields.integer("global_head_dim", limit="head_dim"):
        kv_heads = fields.integer("num_global_key_value_heads", limit="heads") or kv_heads
        return shape.heads, kv_heads, wide, wide
    return (
        layer.heads or shape.heads,
        kv_heads,
        width,
        fields.integer("v_head_dim", minimum=1, limit="head_dim") or width,
    )


def _window(shape: Shape) -> int:
    window = window_tokens(shape)
    if not window:
        stated = shape.fields.integer("sliding_window", limit="context")
        if stated and shape.context and stated >= shape.context:
            return stated
        raise InvalidModel("model_keys_missing", shape.fields.pointer, keys="sliding_window")
    return window


def _attention_vectors(shape: Shape, heads: int, kv_heads: int, width: int) -> list[Module]:
    """Biases, query and key norms, sinks."""
    fields, family = shape.fields, shape.family
    stated = any(fields.flag(key) for key in ("attention_bias", "add_qkv_bias", "use_bias", "qkv_bias"))
    has_bias = stated if family.qkv_bias is None else family.qkv_bias
    output = family.output_bias
    if output is None:
        output = fields.flag("attention_bias") or fields.flag("use_bias")
    modules = list(small("self_attn.qkv_bias", (heads + 2 * kv_heads) * width if has_bias else 0))
    modules += small("self_attn.o_bias", shape.hidden if output and (has_bias or stated) else 0)
    if family.qk_norm == "head":
        modules += small("self_attn.qk_norm", 2 * width)
    elif family.qk_norm == "full":
        modules += small("self_attn.qk_norm", (heads + kv_heads) * width)
    modules += small("self_attn.sinks", heads if family.sinks else 0)
    return modules


def _latent(shape: Shape, layer: Layer) -> Built:
    fields, hidden, heads = shape.fields, shape.hidden, shape.heads
    rank = fields.required("kv_lora_rank")
    rope = fields.integer("qk_rope_head_dim", limit="head_dim") or 0
    nope = fields.required("qk_nope_head_dim", limit="head_dim")
    value = _value_width(shape)
    query_rank = fields.integer("q_lora_rank") or 0
    modules = [
        *_latent_queries(hidden, query_rank, heads * (nope + rope)),
        _projection("kv_a_proj_with_mqa", hidden * (rank + rope)),
        _projection("kv_b_proj", rank * heads * (nope + value)),
        _projection("o_proj", heads * value * hidden),
        *small("self_attn.kv_a_layernorm", rank),
    ]
    if fields.flag("mla_use_output_gate"):
        modules.append(_projection("g_proj", hidden * heads * value))
    index = 0
    if layer.indexed:
        index = fields.required("index_head_dim", limit="head_dim")
        modules += _indexer(shape, index, query_rank or hidden)
    return (
        Attention(
            kind=AttentionKind.LATENT,
            heads=heads,
            kv_heads=1,
            qk_head_dim=nope + rope,
            v_head_dim=value,
            kv_elements_per_token=rank + rope,
            unwindowed_kv_elements_per_token=rank + rope,
            index_elements_per_token=index,
            latent_rank=rank,
            latent_rope_dim=rope,
            sparse_top_k=fields.integer("index_topk", limit="context") or 0,
        ),
        tuple(modules),
    )


def _value_width(shape: Shape) -> int:
    """Width of one value head; MiniCPM3 leaves it to the class, which divides the hidden size."""
    fields = shape.fields
    if shape.model_type == "minicpm3" and not fields.has("v_head_dim"):
        fields.notes.fill("v_head_dim", shape.hidden // shape.heads, "class_default")
        return shape.hidden // shape.heads
    return fields.required("v_head_dim", limit="head_dim")


def _latent_queries(hidden: int, rank: int, width: int) -> tuple[Module, ...]:
    """Queries through a low rank, or straight where there is none."""
    if not rank:
        return (_projection("q_proj", hidden * width),)
    down, up = _projection("q_a_proj", hidden * rank), _projection("q_b_proj", rank * width)
    return (down, up, *small("self_attn.q_a_layernorm", rank))


def _indexer(shape: Shape, width: int, query_width: int) -> list[Module]:
    """The lightning indexer: queries from the compressed query, one key per token."""
    index_heads = shape.fields.required("index_n_heads", limit="heads")
    return [
        _projection("indexer.wq_b", query_width * index_heads * width),
        _projection("indexer.wk", shape.hidden * width),
        _projection("indexer.weights_proj", shape.hidden * index_heads),
        *small("self_attn.indexer.k_norm", 2 * width),
    ]


def _compressed(shape: Shape, layer: Layer) -> Built:
    """DeepSeek-V4: a window of full latents in every layer, every r-th token beyond it where r > 0."""
    fields, hidden, heads, width = shape.fields, shape.hidden, shape.heads, shape.head_dim
    window = fields.required("sliding_window", limit="context")
    index_width = fields.integer("index_head_dim", limit="head_dim") or 0
    query_rank = fields.required("q_lora_rank")
    output_rank = fields.required("o_lora_rank") * fields.required("o_groups", limit="heads")
    ratio = layer.ratio
    if ratio and width % ratio:
        raise InvalidModel("model_ratio_does_not_divide", fields.at("compress_ratios"), ratio=ratio, width=width)
    fine = ratio == 4
    grown = (width // ratio if ratio else 0) + (index_width // 4 if fine else 0)
    modules = [
        _projection("wq_a", hidden * query_rank),
        _projection("wq_b", query_rank * heads * width),
        _projection("wkv", hidden * width),
        _projection("wo_a", heads * width * fields.required("o_lora_rank")),
        _projection("wo_b", output_rank * hidden),
        *small("self_attn.q_norm", query_rank),
        *small("self_attn.kv_norm", width),
        *small("self_attn.sinks", heads),
    ]
    modules += _compressor("compressor", hidden, width, ratio) if ratio else []
    modules += _fine_indexer(shape, index_width, query_rank) if fine else []
    return (
        Attention(
            kind=AttentionKind.COMPRESSED,
            heads=heads,
            kv_heads=1,
            qk_head_dim=width,
            v_head_dim=width,
            kv_elements_per_token=grown,
            window_kv_elements_per_token=width,
            unwindowed_kv_elements_per_token=grown + width,
            window_tokens=window,
            sparse_top_k=(fields.integer("index_topk", limit="context") or 0) if fine else 0,
        ),
        tuple(modules),
    )


def _fine_indexer(shape: Shape, width: int, query_rank: int) -> list[Module]:
    """Indexer of the ratio-4 layers, with a compressor of its own."""
    index_heads = shape.fields.required("index_n_heads", limit="heads")
    return [
        _projection("indexer.wq_b", query_rank * index_heads * width),
        _projection("indexer.weights_proj", shape.hidden * index_heads),
        *_compressor("indexer.compressor", shape.hidden, width, 4),
    ]


def _compressor(name: str, hidden: int, width: int, ratio: int) -> list[Module]:
    """Two projections, doubled where windows overlap (ratio 4), a position table and a norm."""
    overlap = 2 if ratio == 4 else 1
    return [
        _projection(f"{name}.wkv", hidden * overlap * width),
        _projection(f"{name}.wgate", hidden * overlap * width),
        *small(f"self_attn.{name}.position", ratio * overlap * width),
        *small(f"self_attn.{name}.norm", width),
    ]
