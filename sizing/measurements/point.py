"""One measured load of one deployment, whichever tool wrote it down, in base units."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sizing.core.errors import SizingError
from sizing.core.values import Message

STATISTICS = ("mean", "p50", "p90", "p95", "p99")


class MeasurementProblem(SizingError):
    """A result file, or one entry of it, that cannot be taken. `params` name the line where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRun:
    """What a tool reports of one load. Seconds by statistic (STATISTICS); None or empty where it says nothing.

    `tpot_s` is the time per output token after the first. `concurrent` is the limit of requests in
    flight that the client kept, `requests_per_s` the rate that it offered.
    """

    tool: str
    line: int  # where the entry begins in its file, from 1
    tool_version: str = ""
    model: str = ""  # as the file names it
    accelerator: str = ""
    engine: str = ""
    engine_version: str = ""
    concurrent: float | None = None
    requests_per_s: float | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    requests: int | None = None
    failed: int | None = None
    duration_s: float | None = None
    ttft_s: Mapping[str, float] = field(default_factory=dict)
    tpot_s: Mapping[str, float] = field(default_factory=dict)
    e2e_s: Mapping[str, float] = field(default_factory=dict)
    output_tokens_per_s: float | None = None
    queries_per_s: float | None = None
    batch: int = 1  # items in one query
    measured_on: str = ""  # ISO date
    warnings: tuple[Message, ...] = ()
