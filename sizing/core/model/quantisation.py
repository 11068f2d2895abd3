"""Quantised checkpoints: which weights are stored in which format, by method and exception list.

Bytes per value include scales and zero points. Source of each figure: the method's own format
definition, listed in catalog/data/models/README.md.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sizing.core.errors import InvalidModel
from sizing.core.model.modules import Module, Role
from sizing.core.model.name_patterns import NO_PATTERNS, Patterns, patterns
from sizing.core.model.reader import Fields
from sizing.core.precision import BF16, FP8, FP16, FP32, MXFP4, NVFP4, Rate, StorageFormat

BLOCK_SCALE_BYTES = 4
FP8_BLOCK = StorageFormat(slug="fp8_e4m3_block128", bytes_per_value=1 + 4 / 16_384, compute=Rate.FP8)
INT8_W8A8 = StorageFormat(slug="int8_w8a8", bytes_per_value=1.0, compute=Rate.INT8)
NF4 = StorageFormat(slug="nf4", bytes_per_value=0.5 + 4 / 64, compute=Rate.BF16, weight_only=True)
NF4_DOUBLE = StorageFormat(
    slug="nf4_dq", bytes_per_value=0.5 + 1 / 64 + 4 / 16_384, compute=Rate.BF16, weight_only=True
)
LLM_INT8 = StorageFormat(slug="int8_w8a16", bytes_per_value=1.0, compute=Rate.BF16, weight_only=True)
NVFP4_WEIGHT_ONLY = replace(NVFP4, weight_only=True, compute=Rate.BF16)

PLAIN_GGUF = {"F32": FP32, "F16": FP16, "BF16": BF16}
GGUF_NAMES = {"MXFP4_MOE": "mxfp4"}

KEPT_ROLES = (Role.SMALL, Role.ROUTER, Role.EMBEDDING)
"""Never quantised by the methods read here, whatever the lists say; GGUF alone quantises the embedding."""


@dataclass(frozen=True, slots=True)
class Quantisation:
    """How a checkpoint is stored. `rules` are tried in order; the first that matches decides."""

    method: str
    label: str
    default: StorageFormat | None  # None: only what the rules name is quantised
    excluded: Patterns = NO_PATTERNS
    rules: tuple[tuple[Patterns, StorageFormat], ...] = ()
    roles: tuple[Role, ...] = ()  # roles that the default covers; empty means all matrices
    expert_format: StorageFormat | None = None
    lm_head: bool = False  # the LM head is quantised by the default too
    embedding: bool = False  # and so is the input embedding
    kv_format: str = ""
    block: int = 0  # columns that one scale covers, where scales come in blocks

    def format_of(self, layer: int, module: Module) -> StorageFormat:
        """Format of one weight; 16 bits where the method leaves it alone."""
        if module.role in KEPT_ROLES and not (self.embedding and module.role is Role.EMBEDDING):
            return BF16
        for named, storage in self.rules:
            if named.match(layer, module.name):
                return storage
        if self.default is None or not self._covers(layer, module):
            return BF16
        if module.role is Role.EXPERTS and self.expert_format is not None:
            return self.expert_format
        return self.default

    def _covers(self, layer: int, module: Module) -> bool:
        """Whether the default format reaches the weight."""
        if self.roles and module.role not in self.roles:
            return False
        if module.role is Role.LM_HEAD and not self.lm_head:
            return False
        return not self.excluded.match(layer, module.name)

    @property
    def main_format(self) -> StorageFormat:
        """The format most of the weights have, for validity rules and labels."""
        return self.expert_format or self.default or (self.rules[0][1] if self.rules else BF16)


def read_quantisation(fields: Fields, side: Fields | None, expert_dtype: str) -> Quantisation | None:
    """Quantisation from `quantization_config` or the ModelOpt side file; None where the weights are 16 or 32 bits."""
    config = fields.section("quantization_config")
    if config is None and side is not None:
        return _modelopt(side.section("quantization") or side)
    if config is None:
        return None
    method = (config.text("quant_method") or "").lower()
    readers = {
        "fp8": _fp8,
        "fbgemm_fp8": _fbgemm,
        "mxfp4": _mxfp4,
        "compressed-tensors": _compressed_tensors,
        "compressed_tensors": _compressed_tensors,
        "modelopt": _modelopt,
        "awq": _grouped,
        "gptq": _grouped,
        "awq_marlin": _grouped,
        "gptq_marlin": _grouped,
        "auto-round": _grouped,
        "intel/auto-round": _grouped,
        "quark": _quark,
        "exl2": _fractional,
        "exl3": _fractional,
        "bitsandbytes": _bitsandbytes,
        "gguf": _gguf,
    }
    if method in readers:
        read = readers[method](config)
        return replace(read, expert_format=MXFP4) if expert_dtype == "fp4" and read else read
    if method == "" and (config.has("quant_algo") or config.has("quantization")):
        return _modelopt(config.section("quantization") or config)
    raise InvalidModel(
        "model_quantisation_unknown", config.at("quant_method"), value=method or "?", known=", ".join(readers)
    )


def _names(config: Fields, *keys: str) -> list[str]:
    for key in keys:
        values = config.items(key)
        if values is not None:
            return [value for value in values if isinstance(value, str) and len(value) < 300]
    return []


def _fp8(config: Fields) -> Quantisation:
    block = config.items("weight_block_size")
    storage, columns = FP8, 0
    if block is not None:
        rows, columns = _block(config, block)
        storage = replace(FP8_BLOCK, bytes_per_value=1 + BLOCK_SCALE_BYTES / (rows * columns))
    return Quantisation(
        method="fp8",
        label=f"fp8 block {block[0]}x{block[1]}" if block is not None else "fp8",
        default=storage,
        excluded=patterns(_names(config, "modules_to_not_convert", "ignored_layers")),
        block=columns,
    )


def _block(config: Fields, block: Sequence[object]) -> tuple[int, int]:
    sizes = [value for value in block if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 65_536]
    if len(sizes) != 2 or len(block) != 2:
        raise config.wrong("weight_block_size", "model_block_size_wrong")
    return sizes[0], sizes[1]


def _fbgemm(config: Fields) -> Quantisation:
    """Feed-forward weights only; attention and the listed layers stay 16-bit (Llama 3.1 405B FP8)."""
    return Quantisation(
        method="fbgemm_fp8",
        label="fbgemm fp8 (feed-forward only)",
        default=replace(FP8, slug="fp8_e4m3_tensor"),
        excluded=patterns(_names(config, "modules_to_not_convert")),
        roles=(Role.DENSE, Role.EXPERTS),
    )


def _mxfp4(config: Fields) -> Quantisation:
    return Quantisation(
        method="mxfp4",
        label="mxfp4 experts",
        default=MXFP4,
        excluded=patterns(_names(config, "modules_to_not_convert")),
        roles=(Role.EXPERTS,),
    )


def _compressed_tensors(config: Fields) -> Quantisation:
    groups = config.section("config_groups")
    default: StorageFormat | None = None
    rules: list[tuple[Patterns, StorageFormat]] = []
    form = config.text("format") or ""
    for name in groups.values if groups is not None else ():
        group = groups.section(name) if groups is not None else None
        weights = group.section("weights") if group is not None else None
        if group is None or weights is None:
            continue
        storage = _weight_format(weights, group.text("format") or form)
        targets = _names(group, "targets")
        if not targets or "Linear" in targets:
            default = storage
        else:
            rules.append((patterns(targets), storage))
    if default is None and not rules:
        raise InvalidModel("model_keys_missing", config.at("config_groups"), keys="config_groups.weights")
    main = default or rules[0][1]
    return Quantisation(
        method="compressed-tensors",
        label=f"compressed-tensors {main.slug}",
        default=default,
        excluded=patterns(_names(config, "ignore")),
        rules=tuple(rules),
        lm_head=True,
        kv_format="fp8" if config.has("kv_cache_scheme") else "",
    )


def _weight_format(weights: Fields, form: str) -> StorageFormat:
    bits = weights.required("num_bits", limit="heads")
    group = weights.integer("group_size", minimum=-1) or 0
    kind = weights.text("type") or "int"
    if kind == "float" and bits == 8:
        return replace(FP8, slug="fp8_e4m3_tensor")
    if kind == "float" and bits == 4:
        return MXFP4 if "mxfp4" in form or group == 32 else NVFP4
    if bits == 8 and group <= 0:
        return INT8_W8A8
    if bits not in (2, 3, 4, 6, 8):
        raise weights.wrong("num_bits", "model_bits_unknown")
    scale = 2 / group if group > 0 else 0.0
    return StorageFormat(
        slug=f"int{bits}_g{group}" if group > 0 else f"int{bits}_channel",
        bytes_per_value=bits / 8 + scale,
        compute=Rate.BF16,
        weight_only=True,
    )


def _modelopt(config: Fields) -> Quantisation | None:
    """NVIDIA ModelOpt: NVFP4, FP8 or a map of formats per module."""
    algorithm = (config.text("quant_algo") or "").upper()
    excluded = patterns(_names(config, "exclude_modules", "ignore"))
    kv = "fp8" if config.has("kv_cache_scheme") or config.text("kv_cache_quant_algo") == "FP8" else ""
    if not algorithm and config.has("config_groups"):
        return replace(_compressed_tensors(config), method="modelopt")
    if algorithm == "MIXED_PRECISION":
        layers = config.section("quantized_layers")
        if layers is None:
            raise InvalidModel("model_keys_missing", config.pointer, keys="quantized_layers")
        by_format: dict[str, list[str]] = {}
        for name in layers.values:
            entry = layers.section(name)
            by_format.setdefault((entry.text("quant_algo") or "").upper() if entry else "", []).append(name)
        rules = tuple((patterns(names), _algorithm(config, key)) for key, names in by_format.items())
        return Quantisation(
            method="modelopt", label="modelopt mixed precision", default=None, rules=rules, kv_format=kv
        )
    if not algorithm or algorithm == "NONE":
        return None
    return Quantisation(
        method="modelopt",
        label=f"modelopt {algorithm}",
        default=_algorithm(config, algorithm),
        excluded=excluded,
        kv_format=kv,
    )


def _algorithm(config: Fields, algorithm: str) -> StorageFormat:
    if algorithm == "W4A16_NVFP4":
        return NVFP4_WEIGHT_ONLY
    if "NVFP4" in algorithm:
        return NVFP4
    if "MXFP4" in algorithm:
        return MXFP4
    if algorithm.startswith("FP8"):
        return FP8
    if algorithm in ("W4A16_AWQ", "W4A8_AWQ", "INT4_AWQ"):
        return StorageFormat(slug="int4_awq_g128", bytes_per_value=0.5 + 2 / 128, compute=Rate.BF16, weight_only=True)
    if algorithm.startswith(("INT8", "W8A8")):
        return INT8_W8A8
    raise config.wrong("quant_algo", "model_quantisation_unknown")


def _grouped(config: Fields) -> Quantisation:
    """AWQ and GPTQ: scale (16 bits) and zero point (as wide as a weight) for each group."""
    bits = config.required("bits", "w_bit", limit="heads")
    if bits not in (2, 3, 4, 8):
        raise config.wrong(config.first(("bits", "w_bit")) or "bits", "model_bits_unknown")
    group = config.integer("group_size", "q_group_size", minimum=-1)
    method = (config.text("quant_method") or "gptq").lower()
    per_value = bits / 8 + ((2 + bits / 8) / group if group and group > 0 else 0.0)
    shown = f"g{group}" if group and group > 0 else "column"
    return Quantisation(
        method=method,
        label=f"{method} {bits}-bit {shown}",
        default=StorageFormat(
            slug=f"int{bits}_{method}_{shown}", bytes_per_value=per_value, compute=Rate.BF16, weight_only=True
        ),
        excluded=patterns(_names(config, "modules_to_not_convert")),
        lm_head=config.flag("lm_head"),
    )


def _quark(config: Fields) -> Quantisation:
    """AMD Quark: one weight format for all matrices and a list of what is left out."""
    common = config.section("global_quant_config")
    weight = common.section("weight") if common is not None else None
    kind = weight.text("dtype") if weight is not None else None
    known = {"fp8_e4m3": FP8, "fp4": MXFP4, "mxfp4": MXFP4, "int8": INT8_W8A8}
    if kind not in known:
        raise InvalidModel(
            "model_quantisation_unknown",
            config.at("global_quant_config"),
            value=f"quark {kind or '?'}",
            known=", ".join(known),
        )
    return Quantisation(
        method="quark",
        label=f"quark {known[kind].slug}",
        default=known[kind],
        excluded=patterns(_names(config, "exclude")),
        kv_format="fp8" if config.has("kv_cache_quant_config") else "",
    )


def _fractional(config: Fields) -> Quantisation:
    """ExLlama: an average of bits per weight that need not be whole."""
    bits = config.number("bits")
    if bits is None or not 1 <= bits <= 8:
        raise config.wrong("bits", "model_bits_unknown")
    method = (config.text("quant_method") or "").lower()
    return Quantisation(
        method=method,
        label=f"{method} {bits:g}-bit",
        default=StorageFormat(
            slug=f"int{bits:g}_{method}", bytes_per_value=bits / 8, compute=Rate.BF16, weight_only=True
        ),
    )


def _bitsandbytes(config: Fields) -> Quantisation:
    if config.flag("load_in_8bit"):
        storage, label = LLM_INT8, "bitsandbytes int8"
    else:
        storage = NF4_DOUBLE if config.flag("bnb_4bit_use_double_quant") else NF4
        label = "bitsandbytes 4-bit"
    return Quantisation(
        method="bitsandbytes",
        label=label,
        default=storage,
        excluded=patterns(_names(config, "llm_int8_skip_modules")),
    )


def _gguf(config: Fields) -> Quantisation:
    """A GGUF file: the name of its type, and the bits of an average weight, tables included."""
    name, bits = (config.text("format") or "").upper(), config.number("bits_per_weight")
    if not re.fullmatch(r"[A-Z][A-Z0-9_]{1,20}", name) or bits is None:
        raise InvalidModel("model_keys_missing", config.at("format"), keys="format, bits_per_weight")
    if not 1 <= bits <= 64:
        raise config.wrong("bits_per_weight", "model_bits_unknown")
    slug = f"gguf_{GGUF_NAMES.get(name, name.lower())}"
    packed = StorageFormat(slug=slug, bytes_per_value=bits / 8, compute=Rate.BF16, weight_only=True)
    return Quantisation(
        method="gguf",
        label=f"GGUF {name}",
        default=PLAIN_GGUF.get(name, packed),
        lm_head=True,
        embedding=True,
    )
