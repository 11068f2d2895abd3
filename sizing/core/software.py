"""The software verdict of every candidate: the support table, corrected by published runs."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from sizing.core.coefficients import Coefficients
from sizing.core.estimates import model_signature
from sizing.core.hardware import Accelerator
from sizing.core.model.features import ModelFeatures
from sizing.core.precision import StorageFormat
from sizing.core.request import CacheChoice, EngineChoice, WeightChoice
from sizing.core.values import Message, State, Verdict


class Choice(Protocol):
    """The part of a combination that a support table knows."""

    @property
    def engine(self) -> EngineChoice: ...
    @property
    def weights(self) -> WeightChoice: ...
    @property
    def cache(self) -> CacheChoice: ...


def software_verdicts(
    model: ModelFeatures, accelerators: Sequence[Accelerator], combinations: Sequence[Choice], at: Coefficients
) -> list[list[Verdict]]:
    """Verdicts by combination, then accelerator.

    A refusal that a published run contradicts is a caution; runs are of current releases, so a refusal
    of an older release stands.
    """
    runs = at.runs.get(model_signature(model), {})
    known: dict[tuple[int, int, int], list[Verdict]] = {}
    table = []
    for c in combinations:
        key = (id(c.engine), id(c.weights), id(c.cache))
        if key not in known:
            known[key] = [_verdict(c, accelerator, runs) for accelerator in accelerators]
        table.append(known[key])
    return table


def _verdict(choice: Choice, accelerator: Accelerator, runs: Mapping[tuple[str, str, str], str]) -> Verdict:
    stated = choice.engine.support(accelerator, choice.weights, choice.cache)
    if stated.state is not State.FAIL or stated.message.code == "format_support_version":
        return stated
    key = (choice.engine.slug, accelerator.compute_capability, format_class(choice.weights.storage))
    if key not in runs:
        return stated
    message = Message("software_measured", {"engine": choice.engine.slug, "reference": runs[key]})
    return Verdict(state=State.CAUTION, margin=None, message=message)


def format_class(storage: StorageFormat) -> str:
    """Weights of about four, eight or sixteen bits, as measured points name them."""
    if storage.bytes_per_value < 0.75:
        return "fp4"
    return "fp8" if storage.bytes_per_value < 1.5 else "bf16"
