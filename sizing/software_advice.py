"""Software x accelerator x format x family of models: what the sources say, what follows, and what would work.

Built on the same table as the search, so that page and search never disagree: a refusal that a published run of
the model contradicts is a caution here too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.precision import SHORT_NAMES, StorageFormat
from sizing.core.software import format_class
from sizing.core.values import Message, State, Verdict
from sizing.software import NVIDIA_ONLY, SOFTWARE_NAMES, Cell, Compatibility, format_family
from sizing.software_facts import Families, FileFormat, Needs, families, file_format, needs

type Runs = Mapping[tuple[str, str, str], str]
"""Published runs: engine, compute capability and class of format -> reference (as in `Coefficients.runs`)."""

FORMATS: Mapping[str, str] = {
    "bf16": "BF16", "fp16": "FP16", "fp8": "FP8", "fp8_block": "FP8, block scales", "int8": "INT8",
    "awq": "AWQ (4 bit)", "gptq": "GPTQ (4 bit)", "nvfp4": "NVFP4",
    "mxfp4": "MXFP4", "nf4": "NF4 (bitsandbytes)", "gguf": "GGUF",
}  # fmt: skip
"""Families of formats that the table speaks of, as a page names them."""

MODEL_FAMILIES = ("language", "embedding", "vision", "speech", "diffusion", "trees")
INTEL_ONLY = frozenset({"openvino"})
ARCHIVED = frozenset({"tgi"})
PER_GPU_LICENCE = frozenset({"nim"})
TIED_FILES = frozenset({"tensorrt"})
FEW_USERS = frozenset({"llama-cpp"})
RUNS_BY = State.OK, State.CAUTION
MOST_ALTERNATIVES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """What is asked: `weights` is a family of formats, `model_family` may be empty."""

    engine: str
    accelerator: Accelerator
    weights: str
    model_family: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A combination that would work, with what says so. `changes` names the part that differs."""

    changes: str  # "format", "engine", "accelerator"
    combination: Combination
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The answer with its cell (None where the table has none), needs and consequences."""

    combination: Combination
    verdict: Verdict
    cell: Cell | None
    needs: Needs
    file: FileFormat
    families: Families
    consequences: tuple[Message, ...]
    alternatives: tuple[Alternative, ...]


def advise(
    asked: Combination, table: Compatibility, devices: Sequence[Accelerator], *, runs: Runs | None = None
) -> Advice:
    """What the sources say of the combination; alternatives where it is refused or unknown.

    `runs` are those of the model where one is named. `devices` are looked through for alternatives.
    """
    verdict = verdict_of(asked, table, runs=runs or {})
    cell = table.cell(asked.engine, asked.accelerator, asked.weights)
    works = verdict.state in RUNS_BY
    return Advice(
        combination=asked,
        verdict=verdict,
        cell=cell,
        needs=needs(asked.engine, asked.accelerator),
        file=file_format(asked.engine, asked.weights),
        families=families(asked.engine),
        consequences=tuple(_consequences(asked, cell)),
        alternatives=() if works else tuple(_alternatives(asked, table, devices, runs or {})),
    )


def verdict_of(asked: Combination, table: Compatibility, *, runs: Runs) -> Verdict:
    """The verdict of the table, of the families the software serves, and of published runs."""
    served = families(asked.engine).served
    if asked.model_family and served is not None and asked.model_family not in served:
        params = {"engine": asked.engine, "source": families(asked.engine).source}
        return Verdict(state=State.FAIL, margin=None, message=Message("advice_family_not_served", params))
    if asked.engine in INTEL_ONLY and not _intel(asked.accelerator):
        message = Message("software_intel_only", {"engine": asked.engine})
        return Verdict(state=State.FAIL, margin=None, message=message)
    stated = table.verdict(asked.engine, asked.accelerator, asked.weights, "bf16")
    if stated.state is not State.FAIL:
        return stated
    key = (asked.engine, asked.accelerator.compute_capability, format_class(storage_of(asked.weights)))
    if key not in runs:
        return stated
    params = {"engine": asked.engine, "reference": runs[key]}
    return Verdict(state=State.CAUTION, margin=None, message=Message("software_measured", params))


def storage_of(family: str) -> StorageFormat:
    """A format of the family, for its size."""
    sizes = {"fp8_block": "fp8", "awq": "int4", "gptq": "int4", "nf4": "int4", "gguf": "int4"}
    return SHORT_NAMES[sizes.get(family, family)]


def _intel(device: Accelerator) -> bool:
    return device.kind is DeviceKind.CPU or device.vendor is Vendor.INTEL


def _consequences(asked: Combination, cell: Cell | None) -> list[Message]:
    """What choosing this means beyond speed, in words."""
    engine, device = asked.engine, asked.accelerator
    params = {"engine": engine, "format": FORMATS.get(asked.weights, asked.weights)}
    found = [
        Message(code, params)
        for code, holds in (
            ("advice_ties_to_nvidia", engine in NVIDIA_ONLY),
            ("advice_ties_to_intel", engine in INTEL_ONLY),
            ("advice_files_tied", engine in TIED_FILES),
            ("advice_archived", engine in ARCHIVED),
            ("advice_licence_per_gpu", engine in PER_GPU_LICENCE),
            ("advice_few_users", engine in FEW_USERS),
            ("advice_weight_only", cell is not None and cell.status == "weight_only"),
            ("advice_emulated", cell is not None and cell.status == "emulated"),
            ("advice_nvidia_format", asked.weights == "nvfp4"),
        )
        if holds
    ]
    if cell is not None and cell.status == "unsupported":
        found.append(Message("advice_not_listed", params | {"devices": cell.accelerator_class}))
    if device.status in ("announced", "eol"):
        found.append(Message(f"advice_device_{device.status}", {"accelerator": device.name}))
    return found


def _alternatives(
    asked: Combination, table: Compatibility, devices: Sequence[Accelerator], runs: Runs
) -> list[Alternative]:
    """Other formats first, then other software, then other devices: the smallest change that works comes first."""

    def working(changes: str, tried: Sequence[Combination]) -> list[Alternative]:
        judged = [(each, verdict_of(each, table, runs=runs)) for each in tried]
        good = [Alternative(changes=changes, combination=c, verdict=v) for c, v in judged if v.state in RUNS_BY]
        return sorted(good, key=lambda a: RUNS_BY.index(a.verdict.state))[:MOST_ALTERNATIVES]

    formats = [_with(asked, weights=weights) for weights in FORMATS if weights != asked.weights]
    engines = [_with(asked, engine=engine) for engine in SOFTWARE_NAMES if engine not in (asked.engine, *ARCHIVED)]
    same = [_with(asked, accelerator=device) for device in _one_of_each(devices, asked.accelerator)]
    return [*working("format", formats), *working("engine", engines), *working("accelerator", same)]


def _one_of_each(devices: Sequence[Accelerator], asked: Accelerator) -> list[Accelerator]:
    """One device for each compute capability and maker, so that alternatives differ in kind."""
    seen = {(asked.vendor, asked.compute_capability)}
    chosen = []
    for device in devices:
        key = (device.vendor, device.compute_capability)
        if key not in seen and device.compute_capability:
            seen.add(key)
            chosen.append(device)
    return chosen


def _with(
    asked: Combination, *, engine: str | None = None, accelerator: Accelerator | None = None, weights: str | None = None
) -> Combination:
    return Combination(
        engine=engine or asked.engine,
        accelerator=accelerator or asked.accelerator,
        weights=weights or asked.weights,
        model_family=asked.model_family,
    )


def family_of_format(storage: StorageFormat) -> str:
    """The family under which the advisor lists a storage format."""
    return format_family(storage)
