"""The packaged serving points as columns of the step model. Source: sizing/data/measurements/README.md."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizing.core.closed_loop import Load
from sizing.core.model.features import ModelFeatures
from sizing.core.points import COLUMNS, Column, Placement, Points, points_of

DATA = Path(__file__).resolve().parent.parent / "data" / "measurements"
BENCHMARK_LENGTH_SHARE = 0.9  # random_range_ratio 0.8: lengths uniform in 0.8 to 1.0 of the nominal
BENCHMARK_PROMPTS_PER_SLOT = 10
ENGINES = {"vllm": "vllm", "sglang": "sglang", "trtllm": "tensorrt-llm"}
SEPARATE_PREFILL = frozenset({"sglang"})  # prefill in batches of its own while decoding stalls

type Row = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The points of a fit. Columns have one entry a row; `groups` are (family, system, engine, format)."""

    rows: Sequence[Row]
    points: Points
    load: Load
    tpot_s: Column
    ttft_s: Column
    ttft_usable: NDArray[np.bool_]
    families: NDArray[np.str_]
    systems: NDArray[np.str_]
    engines: NDArray[np.str_]
    groups: NDArray[np.intp]
    nvidia: NDArray[np.bool_]  # origin: load pattern not documented

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, index: NDArray[np.intp]) -> "Measured":
        columns = {f.name: getattr(self, f.name)[index] for f in fields(self) if f.name not in _NESTED}
        rows = [self.rows[i] for i in index]
        return Measured(rows=rows, points=self.points.take(index), load=self.load.take(index), **columns)

    @property
    def throughput_per_s(self) -> Column:
        """Derived from the two latencies by Little's law, as for predictions."""
        per_request = self.ttft_s + (self.load.output_tokens - 1.0) * self.tpot_s
        return self.load.concurrent * self.load.output_tokens / per_request


_NESTED = frozenset({"rows", "points", "load"})


def serving_rows() -> list[Row]:
    """The 1,297 rows of which none repeats another."""
    with (DATA / "serving_calibration.csv").open(newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["dup_of_earlier"] == "False"]


def measured(rows: Sequence[Row], models: Mapping[str, ModelFeatures]) -> Measured:
    """Columns of `rows`; `models` gives the features by family."""
    families = np.array([row["family"] for row in rows])
    points = _points(rows, models)
    nvidia = np.array([row["origin"] == "nvidia" for row in rows])
    keys = [(row["family"], row["system"], row["backend"], row["wprec"]) for row in rows]
    order = {key: i for i, key in enumerate(sorted(set(keys)))}
    return Measured(
        rows=rows,
        points=points,
        load=_load(rows, nvidia, points),
        tpot_s=_column(rows, "silicon_tpot_ms") / 1e3,
        ttft_s=_column(rows, "silicon_ttft_ms") / 1e3,
        ttft_usable=np.array([row["ttft_flag"] != "cold_start_no_warmup" for row in rows]),
        families=families,
        systems=np.array([row["system"] for row in rows]),
        engines=np.array([ENGINES[row["backend"]] for row in rows]),
        groups=np.array([order[key] for key in keys]),
        nvidia=nvidia,
    )


def _points(rows: Sequence[Row], models: Mapping[str, ModelFeatures]) -> Points:
    parts, order = [], []
    for family in sorted({row["family"] for row in rows}):
        index = [i for i, row in enumerate(rows) if row["family"] == family]
        parts.append((points_of(models[family], _placement([rows[i] for i in index])), len(index)))
        order.extend(index)
    back = np.argsort(order)

    def joined(name: str) -> Column:
        wide = [np.broadcast_to(np.asarray(getattr(part, name), dtype=float), (n,)) for part, n in parts]
        return np.concatenate(wide)[back]

    return Points(**{name: joined(name) for name in COLUMNS}, draft=None)


def _placement(rows: Sequence[Row]) -> Placement:
    systems = system_figures()
    formats = [_format(row) for row in rows]
    ranks, data, ones = _column(rows, "gpus"), _column(rows, "dp"), np.ones(len(rows))

    def figure(name: str) -> Column:
        return np.array([float(systems[row["system"]][name]) for row in rows])

    def rate(position: int) -> Column:
        flops = [systems[row["system"]]["flops_per_s"] for row in rows]
        return np.array([f.get(kind[position][1], f["bf16"]) for f, kind in zip(flops, formats, strict=True)])

    def stored(position: int) -> Column:
        return np.array([kind[position][0] for kind in formats])

    return Placement(
        bandwidth=figure("bandwidth_bytes_per_s"),
        attention_flops=rate(0),
        dense_flops=rate(1),
        experts_flops=rate(2),
        bf16_flops=np.array([systems[row["system"]]["flops_per_s"]["bf16"] for row in rows]),
        link=figure("link_bytes_per_s"),
        stage_link=figure("link_bytes_per_s"),
        tensor=ranks / data,
        pipeline=ones,
        data=data,
        attention_bytes=stored(0),
        dense_bytes=stored(1),
        experts_bytes=stored(2),
        embedding_bytes=2.0 * ones,
        kv_bytes=_column(rows, "kv_bytes"),
        block_scaled=np.array([row["wprec"] == "fp8" for row in rows], dtype=float),
        overhead_factor=ones,
        step_factor=ones,
        collective_latency_s=np.nan * ones,
    )


def _format(row: Row) -> tuple[tuple[float, str], tuple[float, str], tuple[float, str]]:
    """Bytes a weight and compute rate of attention, dense and expert weights of the checkpoint served.

    NVFP4 checkpoints of mixture models keep attention in BF16, Qwen3.5 also the shared expert;
    gpt-oss keeps everything except the experts (MXFP4, computed at the FP8 rate on Blackwell and
    at the BF16 rate before it).
    """
    bf16, fp8, nvfp4 = (2.0, "bf16"), (1.0, "fp8"), (0.5625, "fp4")
    if row["family"] == "gpt-oss-120b":
        return bf16, bf16, (0.53125, "fp8" if row["system"] == "b200_sxm" else "bf16")
    if row["wprec"] == "bf16":
        return bf16, bf16, bf16
    if row["wprec"] == "fp8":
        return fp8, fp8, fp8
    if row["family"].startswith("llama"):
        return nvfp4, nvfp4, nvfp4
    return bf16, bf16 if row["family"].startswith("qwen3.5") else nvfp4, nvfp4


def _load(rows: Sequence[Row], nvidia: NDArray[np.bool_], points: Points) -> Load:
    share = np.where(nvidia, 1.0, BENCHMARK_LENGTH_SHARE)
    inputs, outputs = share * _column(rows, "isl"), share * _column(rows, "osl")
    return Load(
        concurrent=_column(rows, "concurrency"),
        input_tokens=inputs,
        output_tokens=outputs,
        cached_tokens=np.zeros(len(rows)),
        burst_share=np.where(nvidia, 0.0, 0.5 / BENCHMARK_PROMPTS_PER_SLOT),
        extra_in_flight=np.zeros(len(rows)),
        cap=_cap(rows, points, inputs + 0.6 * outputs),
        budget_tokens=_column(rows, "prefill_token_budget_assumed"),
        stream_interval=_column(rows, "stream_interval_assumed"),
        mixed=np.array([row["backend"] not in SEPARATE_PREFILL for row in rows], dtype=float),
        tokens_per_step=np.ones(len(rows)),
        verified_tokens=np.ones(len(rows)),
    )


def _cap(rows: Sequence[Row], points: Points, tokens: Column) -> Column:
    """Sequences that the cache holds: 0.9 of the memory less weights and 5 GiB, over the bytes of a sequence."""
    systems = system_figures()
    usable = np.array([float(systems[row["system"]]["usable_memory_bytes"]) for row in rows])
    bandwidth = np.array([float(systems[row["system"]]["bandwidth_bytes_per_s"]) for row in rows])
    weights = (points.dense_read_s + points.expert_read_s) * bandwidth
    pool = np.maximum(0.9 * usable - weights - 5 * 2**30, 1e9) * points.data
    per_token = points.cache_read_s * tokens + points.window_read_s * np.minimum(tokens, points.window_tokens)
    return np.asarray(pool / (per_token * bandwidth * points.data))


def system_figures() -> dict[str, dict[str, Any]]:
    """Data-sheet figures of the measured systems, by the name that the points use."""
    found: dict[str, dict[str, Any]] = json.loads((DATA / "systems.json").read_text(encoding="utf-8"))
    return found


def _column(rows: Sequence[Row], name: str) -> Column:
    return np.array([float(row[name]) for row in rows])
