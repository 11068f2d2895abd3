"""Whether the served number format answers as well as the reference: two evaluations compared task by task.

Format: results_*.json of lm-evaluation-harness 0.4 (lm_eval --output_path). "results": {"gsm8k": {"alias": "gsm8k",
"exact_match,strict-match": 0.71, "exact_match_stderr,strict-match": 0.012}}, names "metric,filter" and
"metric_stderr,filter"; "model_name", "date", "n-samples". A stderr may be the text "N/A".
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sizing.measurements.point import MeasurementProblem

MAX_BYTES = 20_000_000
STANDARD_ERRORS = 2.0
"""A loss beyond this many standard errors of the difference is not chance (95 %, two-sided)."""

SCORES = (
    "acc_norm",
    "acc",
    "exact_match",
    "inst_level_strict_acc",
    "prompt_level_strict_acc",
    "pass@1",
    "f1",
    "map",
    "auc",
    "ndcg_at_10",
)
"""Scores where more is better, those shown first; perplexities and the like are not compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One score of one task, 0..1, in both formats. `worse`: the loss is beyond chance."""

    task: str
    metric: str
    reference: float
    served: float
    error: float | None  # standard error of the difference; None: not stated, so never called chance

    @property
    def worse(self) -> bool:
        loss = self.reference - self.served
        return loss > (STANDARD_ERRORS * self.error if self.error is not None else 0.0)


FULL_FORMATS = frozenset({"", "bf16", "fp16", "fp32", "tf32"})
"""Formats that networks are published in: serving them needs no evaluation against a reference."""


def narrowed(option: Mapping[str, Any]) -> list[str]:
    """The formats of an option that hold numbers in fewer bits than networks are published in."""
    found = (str(option.get(name) or "") for name in ("weights_format", "kv_format"))
    return [each for each in dict.fromkeys(found) if each not in FULL_FORMATS]


def compared(reference: bytes, served: bytes) -> list[Task]:
    """Every score that both files have, by task and metric.

    Raises MeasurementProblem where a file is no evaluation or the two share no task.
    """
    first, second = _scores(reference), _scores(served)
    shared = sorted(first.keys() & second.keys())
    if not shared:
        raise MeasurementProblem("quality_no_shared_task")
    found = []
    for key in shared:
        (a, a_error), (b, b_error) = first[key], second[key]
        error = math.hypot(a_error, b_error) if a_error is not None and b_error is not None else None
        found.append(Task(task=key[0], metric=key[1], reference=a, served=b, error=error))
    return found


def _scores(content: bytes) -> dict[tuple[str, str], tuple[float, float | None]]:
    if len(content) > MAX_BYTES:
        raise MeasurementProblem("measurement_too_large", limit_mb=MAX_BYTES // 10**6)
    try:
        values = json.loads(content.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise MeasurementProblem("measurement_not_json", line=error.lineno, detail=error.msg) from error
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise MeasurementProblem("measurement_not_text", line=1) from error
    results = values.get("results") if isinstance(values, dict) else None
    if not isinstance(results, dict):
        raise MeasurementProblem("quality_no_results")
    found: dict[tuple[str, str], tuple[float, float | None]] = {}
    for task, scores in results.items():
        if isinstance(scores, dict):
            found |= {(str(task)[:100], name): score for name, score in _of_task(scores)}
    return found


def _of_task(scores: Mapping[str, Any]) -> list[tuple[str, tuple[float, float | None]]]:
    found = []
    for name, value in scores.items():
        metric, _comma, rest = name.partition(",")
        score = _share(value)
        if metric in SCORES and score is not None:
            found.append((name[:100], (score, _share(scores.get(f"{metric}_stderr,{rest}")))))
    return found


def _share(value: object) -> float | None:
    """A number between 0 and 1; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0.0 <= value <= 1.0 else None
