"""Production against plan: how loaded an option is, and when its planned load is reached.

Reads a Prometheus range query (`/api/v1/query_range`, JSON: "data": {"resultType": "matrix", "result": [{"metric":
{"__name__", ...}, "values": [[seconds, "value"], ...]}]}) or a CSV with a column `time` (ISO or seconds) and
columns named after the metrics. Metrics are the engines' own: vLLM `vllm:num_requests_running` and
`vllm:num_requests_waiting` (docs.vllm.ai, production metrics), SGLang `sglang:num_running_reqs` and
`sglang:num_queue_reqs`, llama.cpp `llamacpp:requests_processing` and `llamacpp:requests_deferred`. A table made by
hand may call them `running` and `waiting`.
Several series of one metric are replicas and are added up. Pure: no rows, no clock.
"""

import csv
import io
import json
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np

from sizing.measurements.point import MeasurementProblem

IN_FLIGHT = frozenset({
    "vllm:num_requests_running", "vllm:num_requests_waiting", "sglang:num_running_reqs", "sglang:num_queue_reqs",
    "llamacpp:requests_processing", "llamacpp:requests_deferred", "requests_in_flight", "running", "waiting",
})  # fmt: skip
MAX_BYTES, MAX_SAMPLES = 50_000_000, 2_000_000
MIN_DAYS = 7
"""A week holds one of each weekday: less says nothing of growth."""

FARTHEST_DAYS = 3 * 365
PEAK_SHARE = 95.0
HALF_YEAR_WEEKS = 26
T_90 = 1.9
"""Two-sided 90 % of Student's t with six degrees of freedom or more (1.94 at six)."""

type Samples = dict[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Requests in flight over all replicas. `growth_per_week` relative (0.05 = 5 %), None where it cannot be said.

    `reached_on` is the day on which the daily peak reaches the planned load: `soonest` to `latest` bound it
    with 90 %; None: not within three years, or not known.
    """

    first: datetime
    last: datetime
    days: int
    mean: float
    peak: float  # 95th percentile
    planned: float
    growth_per_week: float | None
    reached_on: date | None
    soonest: date | None
    latest: date | None
    daily: tuple[tuple[date, float], ...]  # peak of each day

    @property
    def utilisation(self) -> float:
        return self.peak / self.planned

    @property
    def factor(self) -> float:
        """The foreseen peak over the planned load; requests in flight grow with the rate while latency holds."""
        return self.foreseen / self.planned

    @property
    def foreseen(self) -> float:
        """The peak `ahead_weeks` on, as it grows; where it does not grow, as it is."""
        growth = max(self.growth_per_week or 0.0, 0.0)
        return float(math.ceil(self.peak * (1.0 + growth) ** self.ahead_weeks))

    @property
    def ahead_weeks(self) -> int:
        """How far a size is planned ahead: as long as was watched, at most half a year. Growth seldom goes on so."""
        return max(1, min(HALF_YEAR_WEEKS, self.days // 7))


def watch(content: bytes, *, planned: float) -> Watch:
    """Compare an export with the planned requests in flight. Raises MeasurementProblem for what cannot be read."""
    if len(content) > MAX_BYTES:
        raise MeasurementProblem("measurement_too_large", limit_mb=MAX_BYTES // 10**6)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MeasurementProblem("measurement_not_text", line=content.count(b"\n", 0, error.start) + 1) from error
    samples = _prometheus(text) if text.lstrip()[:1] == "{" else _table(text)
    if not samples:
        raise MeasurementProblem("watch_no_metric", names=", ".join(sorted(IN_FLIGHT)))
    return _judged(samples, planned)


def _judged(samples: Samples, planned: float) -> Watch:
    times = sorted(samples)
    values = np.array([samples[at] for at in times])
    peaks: dict[date, list[float]] = defaultdict(list)
    for at, value in zip(times, values, strict=True):
        peaks[_moment(at).date()].append(float(value))
    daily = tuple((day, float(np.percentile(found, PEAK_SHARE))) for day, found in sorted(peaks.items()))
    growth = _growth(daily)
    reached = {name: _reached(daily, slope, planned) for name, slope in growth.items()}
    return Watch(
        first=_moment(times[0]),
        last=_moment(times[-1]),
        days=len(daily),
        mean=float(np.mean(values)),
        peak=float(np.percentile(values, PEAK_SHARE)),
        planned=planned,
        growth_per_week=math.expm1(7 * growth["mean"]) if growth else None,
        reached_on=reached.get("mean"),
        soonest=reached.get("high"),
        latest=reached.get("low"),
        daily=daily,
    )


def _growth(daily: tuple[tuple[date, float], ...]) -> dict[str, float]:
    """Slope of ln(peak) a day with its 90 % interval; empty with less than a week of days that had any load."""
    known = [(day.toordinal(), math.log(peak)) for day, peak in daily if peak > 0]
    if len(known) < MIN_DAYS or known[-1][0] - known[0][0] < MIN_DAYS - 1:
        return {}
    x, y = np.array(known, dtype=float).T
    x = x - x.mean()
    slope = float(x @ (y - y.mean()) / (x @ x))
    rest = y - y.mean() - slope * x
    error = T_90 * math.sqrt(float(rest @ rest) / max(len(x) - 2, 1) / float(x @ x))
    return {"mean": slope, "low": slope - error, "high": slope + error}


def _reached(daily: tuple[tuple[date, float], ...], slope: float, planned: float) -> date | None:
    """The day on which growth from the mean of the last week reaches the plan; the last day where it has."""
    last_day = daily[-1][0]
    recent = [peak for day, peak in daily if (last_day - day).days < MIN_DAYS]
    level = float(np.mean(recent))
    if level >= planned:
        return last_day
    if slope <= 0 or level <= 0:
        return None
    days = math.log(planned / level) / slope
    return last_day + timedelta(days=math.ceil(days)) if days <= FARTHEST_DAYS else None


def _prometheus(text: str) -> Samples:
    try:
        answer = json.loads(text)
        series = answer["data"]["result"]
        rows = [(one["metric"].get("__name__", ""), one["values"]) for one in series]
    except json.JSONDecodeError as error:
        raise MeasurementProblem("measurement_not_json", line=error.lineno, detail=error.msg) from error
    except (KeyError, TypeError, AttributeError, RecursionError, ValueError) as error:
        raise MeasurementProblem("watch_not_prometheus", detail=str(error)[:60]) from error
    pairs = ((pair, name) for name, values in rows if name in IN_FLIGHT for pair in values)
    return _summed(((pair[0], pair[1]), 1) if isinstance(pair, list) and len(pair) == 2 else ((None, None), 1)
                   for pair, _name in pairs)  # fmt: skip


def _table(text: str) -> Samples:
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text), strict=True, delimiter=";" if first.count(";") > first.count(",") else ",")
    try:
        head = [cell.strip() for cell in next(reader, [])]
        columns = [i for i, name in enumerate(head) if name in IN_FLIGHT]
        if "time" not in head or not columns:
            return {}
        at = head.index("time")
        cells = ((row, reader.line_num) for row in reader if row)
        return _summed(((row[at], row[i]), line) for row, line in cells for i in columns if max(at, i) < len(row))
    except csv.Error as error:
        raise MeasurementProblem("measurement_not_csv", line=reader.line_num, detail=str(error)) from error


def _summed(cells: Iterable[tuple[tuple[object, object], int]]) -> Samples:
    """Values added up by time. Raises MeasurementProblem for a time or value that is none."""
    found: Samples = defaultdict(float)
    for count, ((moment, shown), line) in enumerate(cells):
        value, at = _number(shown), _seconds(moment)
        if value is None or at is None or value < 0:
            wrong = shown if at is not None else moment
            raise MeasurementProblem("measurement_field_wrong", field="time, value", line=line, value=str(wrong)[:60])
        if count >= MAX_SAMPLES:
            raise MeasurementProblem("measurement_too_many", limit=MAX_SAMPLES)
        found[at] += value
    return dict(found)


def _number(shown: object) -> float | None:
    try:
        value = float(shown)  # type: ignore[arg-type]  # anything that is no number is refused below
    except (TypeError, ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _seconds(shown: object) -> float | None:
    """Seconds since 1970 of a number or an ISO time (UTC where it names no zone), between 2000 and 2100."""
    value = _number(shown)
    if value is None:
        try:
            moment = datetime.fromisoformat(str(shown))
        except ValueError:
            return None
        value = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return value if 946_684_800 <= value <= 4_102_444_800 else None


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)
