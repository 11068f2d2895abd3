"""Which serving software runs which format on which accelerator, read from the sourced compatibility cells.

A cell names a class of accelerators in words ("NVIDIA 8.0-8.7 (A100 A10 A30 A40)", "AMD gfx942 (MI300X)")
and a format in words ("FP8 W8A8"). The most specific cell counts, among equals the newest. No cell: unknown.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sizing.core.format_support import format_support
from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.precision import StorageFormat
from sizing.core.values import Message, State, Verdict

SOFTWARE_NAMES: Mapping[str, tuple[str, ...]] = {
    "vllm": ("vLLM", "vLLM Gaudi plug-in"),
    "sglang": ("SGLang",),
    "tensorrt-llm": ("TensorRT-LLM",),
    "triton": ("Triton Inference Server",),
    "tensorrt": ("TensorRT", "TensorRT-RTX"),
    "onnxruntime": ("ONNX Runtime",),
    "llama-cpp": ("llama.cpp", "Ollama"),
    "openvino": ("OpenVINO", "OpenVINO Model Server"),
    "tgi": ("Text Generation Inference",),
    "lmdeploy": ("LMDeploy",),
    "nim": ("NVIDIA NIM for LLMs",),
    "dynamo": ("NVIDIA Dynamo",),
}
"""Engine slug of the contract -> names in the compatibility table; the first gives the release."""

INTEL_ONLY = frozenset({"openvino"})  # beside processors of any maker
NO_FP8_CACHE: Mapping[str, str] = {
    "openvino": "https://docs.openvino.ai/2025/model-server/ovms_docs_llm_reference.html",  # KV_CACHE_PRECISION: u8
}
NVIDIA_ONLY = frozenset({"tensorrt-llm", "tensorrt", "nim", "dynamo"})

FORMAT_WORDS: Mapping[str, tuple[str, ...]] = {
    "bf16": (r"\bbf16\b",),
    "fp16": (r"\bfp16\b",),
    "fp8": (r"^fp8( w8a8)?( per channel)?$", r"^fp8( e4m3| per tensor)$", r"^modelopt fp8$"),
    "fp8_block": (r"^fp8 block", r"^fp8( w8a8)?$"),
    "int8": (r"^int8( w8a8)?( \(smoothquant\))?$", r"int8 and fp8 weights", r"^llm serving \(.*\bint8\b"),
    "int4": (r"awq int4", r"awq gptq int4", r"gptq int4", r"w4a16", r"^int4", r"^llm serving \(.*\bint4\b"),
    "awq": (r"awq",),
    "gptq": (r"gptq",),
    "nvfp4": (r"^nvfp4( w4a4)?$", r"^nvfp4 / mxfp4$", r"^fp4$"),
    "mxfp4": (
        r"^mxfp4( \(gpt-oss\)| \(expert weights\))?$",
        r"^nvfp4 / mxfp4$",
        r"^mxfp4( w4a4)? \(compressed-tensors\)$",
    ),
    "nf4": (r"bitsandbytes",),
    "gguf": (r"gguf",),
    "fp8_kv": (r"fp8 kv cache",),
    "any": (r"^any",),
}
"""Format family -> patterns of the table's words, best first."""

NO_LONGER_NAMED = frozenset({("vllm", "gguf")})
"""Formats that the documents of the newest releases leave out (vLLM, features/quantization, after 0.15.1)."""

STATE_OF = {
    "native": State.OK,
    "weight_only": State.OK,
    "emulated": State.CAUTION,
    "unsupported": State.FAIL,
    "unknown": State.UNKNOWN,
}


def format_family(storage: StorageFormat) -> str:
    """The family that compatibility cells speak of."""
    slug = storage.slug
    if slug.startswith("fp8") and "block" in slug:
        return "fp8_block"
    families = ("bf16", "fp16", "fp8", "int8", "nvfp4", "mxfp4", "nf4", "awq", "gptq", "int4", "gguf")
    named = next((family for family in ("awq", "gptq") if family in slug), None)
    plain = "bf16" if slug in ("fp32", "tf32") else slug  # a format that no cell speaks of is unknown
    return named or next((family for family in families if slug.startswith(family)), plain)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One statement of the compatibility table."""

    software: str
    version: str
    accelerator_class: str
    format: str
    status: str
    date: str
    source: str


@dataclass(frozen=True)
class Compatibility:
    """The whole table with a memory of what was asked; `cells` in any order."""

    cells: Sequence[Cell]

    @cached_property
    def _by_engine(self) -> dict[str, list[Cell]]:
        return {
            engine: sorted((cell for cell in self.cells if cell.software in names), key=_age, reverse=True)
            for engine, names in SOFTWARE_NAMES.items()
        }

    @cached_property
    def _answers(self) -> dict[tuple[str, str, str], Cell | None]:
        return {}

    @cached_property
    def _fits(self) -> dict[tuple[str, str], int]:
        return {}

    def _fit(self, text: str, accelerator: Accelerator) -> int:
        """`class_fit`, worked out once: many statements are about the same class."""
        key = (text, accelerator.slug)
        if key not in self._fits:
            self._fits[key] = class_fit(text, accelerator)
        return self._fits[key]

    def release(self, engine: str) -> tuple[str, str]:
        """Newest numbered release that a source describes, and its date; empty where none is numbered."""
        own = SOFTWARE_NAMES[engine][0]
        numbered = [
            cell
            for cell in self._by_engine[engine]
            if cell.software == own and re.fullmatch(r"\d+(\.\d+)+\w*", cell.version)
        ]
        newest = max(numbered, key=lambda cell: version_numbers(cell.version), default=None)
        return (newest.version, newest.date) if newest else ("", "")

    def cell(self, engine: str, accelerator: Accelerator, family: str) -> Cell | None:
        """The statement that counts for this format family on this accelerator, or None."""
        key = (engine, accelerator.slug, family)
        if key not in self._answers:
            self._answers[key] = self._find(engine, accelerator, family)
        return self._answers[key]

    def _find(self, engine: str, accelerator: Accelerator, family: str) -> Cell | None:
        found: list[tuple[int, int, Cell]] = []
        for cell in self._by_engine.get(engine, []):
            fit = self._fit(cell.accelerator_class, accelerator)
            if not fit:
                continue
            words = FORMAT_WORDS.get(family, ())
            rank = next((i for i, pattern in enumerate(words) if re.search(pattern, cell.format.lower())), None)
            if rank is not None:
                found.append((-fit, rank, cell))
        return min(found, key=lambda item: item[:2])[2] if found else None  # newest first within equals

    def verdict(self, engine: str, accelerator: Accelerator, weights: str, cache: str) -> Verdict:
        """The software verdict for a weight family and a cache format ("bf16" or "fp8").

        Raises nothing: what no source states is unknown, never fine.
        """
        if (never := _never(engine, accelerator, cache)) is not None:
            return never
        cell = self.cell(engine, accelerator, weights)
        if (refusal := self._refusal(engine, accelerator, cell)) is not None:
            return _stated(State.FAIL, refusal, engine=engine)
        if cell is None and weights in ("bf16", "fp16"):
            return self._plain(engine, accelerator)
        if cell is None:
            return _verdict(State.UNKNOWN, "software_unknown", engine=engine, format=weights)
        state = STATE_OF[cell.status]
        if state is State.OK and cache == "fp8":
            stated = self.cell(engine, accelerator, "fp8_kv")
            if stated is not None and stated.status == "unsupported":
                return _verdict(State.FAIL, "software_no_fp8_cache", engine=engine, source=stated.source)
        dropped = state is State.OK and (engine, weights) in NO_LONGER_NAMED
        code = "software_no_longer_named" if dropped else ""
        return _stated(State.CAUTION if dropped else state, cell, engine=engine, code=code)

    def _refusal(self, engine: str, accelerator: Accelerator, cell: Cell | None) -> Cell | None:
        """The statement that no format runs on this class, where it is more specific or newer than `cell`."""
        found: list[tuple[int, tuple[str, tuple[int, ...]], Cell]] = []
        for each in self._by_engine.get(engine, []):
            fit = self._fit(each.accelerator_class, accelerator)
            if fit and each.status == "unsupported" and each.format.startswith("any"):
                found.append((fit, _age(each), each))
        if not found:
            return None
        fit, age, refusal = max(found, key=lambda item: item[:2])
        if cell is not None and (self._fit(cell.accelerator_class, accelerator), _age(cell)) >= (fit, age):
            return None
        return refusal

    def _plain(self, engine: str, accelerator: Accelerator) -> Verdict:
        """16-bit weights: any cell that says the stack runs on this class at all settles it."""
        for cell in self._by_engine.get(engine, []):
            if self._fit(cell.accelerator_class, accelerator) and not cell.format.startswith("feature"):
                if cell.status in ("native", "weight_only", "emulated"):
                    return _verdict(
                        State.OK, "software_native", engine=engine, version=cell.version, format="BF16",
                        source=cell.source, as_of=cell.date,
                    )  # fmt: skip
                if FORMAT_WORDS["any"] and cell.format.startswith("any") and cell.status == "unsupported":
                    return _verdict(State.FAIL, "software_unsupported", engine=engine, version=cell.version,
                                    format="BF16", source=cell.source, as_of=cell.date)  # fmt: skip
        return _verdict(State.UNKNOWN, "software_unknown", engine=engine, format="BF16")


def _never(engine: str, accelerator: Accelerator, cache: str) -> Verdict | None:
    """What an engine's design rules out, whatever the format of the weights."""
    if engine in NVIDIA_ONLY and accelerator.vendor is not Vendor.NVIDIA:
        return _verdict(State.FAIL, "software_nvidia_only", engine=engine)
    if engine in INTEL_ONLY and accelerator.kind is not DeviceKind.CPU and not _intel_gpu(accelerator):
        return _verdict(State.FAIL, "software_intel_only", engine=engine)
    if cache == "fp8" and engine in NO_FP8_CACHE:
        return _verdict(State.FAIL, "software_no_fp8_cache", engine=engine, source=NO_FP8_CACHE[engine])
    return None


def _intel_gpu(accelerator: Accelerator) -> bool:
    return accelerator.vendor is Vendor.INTEL and "gaudi" not in accelerator.slug


def at_release(
    stated: Verdict, storage: StorageFormat, accelerator: Accelerator, *, engine: str, version: str
) -> Verdict:
    """The verdict for the release that a request names; `stated` is that of the releases which sources describe.

    Refused where the format came with a later release. Caution where only sources on later releases say that
    it runs: an older one need not.
    """
    found = format_support(storage, accelerator, engine=engine, engine_version=version)
    if found.message.code == "format_support_version":
        return Verdict(state=State.FAIL, margin=None, message=found.message)
    described = str(stated.message.params.get("version", ""))
    if stated.state is not State.OK or not _later(described, version):
        return stated
    return _verdict(State.CAUTION, "software_release_older", engine=engine, version=version, described=described)


def _later(one: str, other: str) -> bool:
    """Whether release `one` came after `other`; False where either is not numbered."""
    numbered = bool(version_numbers(one)) and bool(version_numbers(other))
    return numbered and version_numbers(one) > version_numbers(other)


def _stated(state: State, cell: Cell, *, engine: str, code: str = "") -> Verdict:
    """A verdict with what its cell says and who says so."""
    return _verdict(
        state,
        code or f"software_{cell.status}",
        engine=engine,
        version=cell.version,
        format=cell.format,
        source=cell.source,
        as_of=cell.date,
    )


def _verdict(state: State, code: str, **params: str) -> Verdict:
    return Verdict(state=state, margin=None, message=Message(code, params))


def version_numbers(text: str) -> tuple[int, ...]:
    """The numbers of a release; empty, before every other, where it has none."""
    return tuple(int(part) for part in re.findall(r"\d+", text)[:4])


def _age(cell: Cell) -> tuple[str, tuple[int, ...]]:
    return (cell.date[:4], version_numbers(cell.version))


def class_fit(text: str, accelerator: Accelerator) -> int:
    """How well a class in words fits the accelerator: 0 not at all, 1 its maker, 2 a range, 3 its own kind."""
    lowered = text.lower()
    if accelerator.kind is DeviceKind.CPU:
        return _processor_fit(lowered, accelerator)
    fits = {Vendor.NVIDIA: _nvidia_fit, Vendor.AMD: _amd_fit, Vendor.INTEL: _intel_fit}
    fit = fits.get(accelerator.vendor)
    return fit(lowered, accelerator) if fit else 0


XEON_CLASSES = (
    (r"xeon gen 4-6", r"xeon-(6\d{3}|max|w\d|platinum-8[45]|gold-[56][45]|silver-4[45]|bronze-3[45])"),
    (r"xeon 6", r"xeon-6\d{3}"),
    (r"xeon scalable gen 1-5", r"xeon-(gold|platinum|silver|bronze|max)"),
)
"""Words of a class of processors -> slugs that it means."""


def _processor_fit(lowered: str, accelerator: Accelerator) -> int:
    intel = accelerator.vendor is Vendor.INTEL
    for words, slugs in XEON_CLASSES:
        if words in lowered:
            return 3 if re.search(slugs, accelerator.slug) else 0
    if lowered.startswith("cpu intel xeon"):
        return 2 if intel and "xeon" in accelerator.slug else 0
    if "cpu x86" in lowered or "x86 cpu" in lowered:
        return 2 if intel or lowered != "cpu x86 amx" else 0
    if lowered.startswith("intel cpu"):
        return 1 if intel else 0
    return 1 if lowered == "cpu" else 0


def _intel_fit(lowered: str, accelerator: Accelerator) -> int:
    if "gaudi" in accelerator.slug:
        generations = re.findall(r"gaudi (\d)", lowered)
        own = any(f"gaudi{number}" in accelerator.slug for number in generations)
        return 2 if "gaudi" in lowered and (own or not generations) else 0
    family = re.match(r"intel data center gpu( flex| max)?", lowered)
    if family:
        return 2 if re.match(f"intel-({(family[1] or '').strip() or 'flex|max'})-", accelerator.slug) else 0
    return 1 if lowered.startswith("intel gpu") or ("arc" in accelerator.slug and "intel arc" in lowered) else 0


def _nvidia_fit(lowered: str, accelerator: Accelerator) -> int:
    own = version_numbers(accelerator.compute_capability)
    if "jetson" in lowered:
        return _jetson_fit(lowered, accelerator)
    match = re.match(r"nvidia (\d+\.\d+)(?:([-/])(\d+\.\d+))?( and later)?", lowered)
    if match and own:
        low = version_numbers(match[1])
        if match[4]:
            return 2 if own >= low else 0
        if match[2] == "/":
            return 3 if own in (low, version_numbers(match[3])) else 0
        return 3 if low <= own <= (version_numbers(match[3]) if match[3] else low) else 0
    if match:
        return 0
    return 1 if lowered in ("nvidia gpu", "any nvidia", "nvidia gpu (cuda)", "nvidia gpu (cuda provider)") else 0


def _jetson_fit(lowered: str, accelerator: Accelerator) -> int:
    """Jetson modules by family: all of them, or those whose name the class has."""
    if "jetson" not in accelerator.slug:
        return 0
    named = re.match(r"jetson (agx orin|orin|thor)", lowered)
    if named:
        return 4 if all(word in accelerator.slug for word in named[1].split()) else 0
    return 2 if lowered in ("jetson", "jetson, all") else 0


def _amd_fit(lowered: str, accelerator: Accelerator) -> int:
    if not lowered.startswith("amd"):
        return 0
    targets = re.findall(r"gfx[0-9a-f]+", lowered)
    if targets:
        return 3 if accelerator.compute_capability.lower() in targets else 0
    names = re.findall(r"mi\d+[a-z]*", lowered)
    if names:
        return 2 if any(name in accelerator.slug for name in names) else 0
    superseded = "provider" in lowered and "migraphx" not in lowered
    return 1 if lowered.startswith("amd gpu") and not superseded else 0
