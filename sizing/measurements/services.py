"""Writes around measurements: import a result file, calibrate, go back to an earlier calibration."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

import numpy as np
from django.db import transaction

from catalog.models import Accelerator, AiModel
from config.accounts.audit import record_event
from config.accounts.models import Organisation, StoredFile, User
from config.accounts.services import store_file
from sizing.calibration.load import load_coefficients
from sizing.core.values import Message
from sizing.measurements.point import MeasuredRun, MeasurementProblem
from sizing.measurements.predict import Deployed, Loads, Setting, canonical, deployed, state_of
from sizing.measurements.quality import compared
from sizing.measurements.read import read_results
from sizing.models import CalibrationVersion, Measurement, QualityEvaluation, SizingOption
from sizing.requests import RequestProblem
from sizing.result import plain

ODD_RATIO, IMPOSSIBLE_RATIO = 2.0, 5.0
"""Measured over predicted time per token: beyond the first worth a look, beyond the second a mix-up of units."""


def setting_of_option(option: SizingOption) -> Setting:
    """Where an option says that it runs, one replica."""
    data = option.data
    settings = data.get("engine_settings") or {}
    return Setting(
        model=canonical(option.run.workload.request["model"]),
        accelerator=data["accelerator"],
        engine=data["engine"],
        engine_version=str(data.get("engine_version") or ""),
        weights_format=data.get("weights_format"),
        kv_format=data.get("kv_format"),
        tensor=int(data["parallelism"]["tensor"]),
        pipeline=int(data["parallelism"]["pipeline"]),
        expert=int(data["parallelism"]["expert"]),
        data=int(data["parallelism"]["data"]),
        max_batched_tokens=settings.get("max_batched_tokens"),
        max_sequences=settings.get("max_sequences"),
        memory_utilisation=settings.get("memory_utilisation"),
        stream_interval=settings.get("stream_interval") or None,
    )


@transaction.atomic
def import_results(
    *,
    organisation: Organisation,
    content: bytes,
    name: str,
    setting: Setting,
    option: SizingOption | None = None,
    user: User | None = None,
) -> list[Measurement]:
    """Store every load of a result file with its source; entries that are stored already are not stored twice.

    Raises MeasurementProblem for a file that cannot be read or believed, SizingError for a deployment
    that does not exist. Nothing is stored then.
    """
    runs = read_results(content)
    place = _place(setting)
    rows = [_row(run, place, option) for run in runs]
    _judge(rows, place)
    return keep(rows, organisation=organisation, content=content, name=name, user=user)


@transaction.atomic
def keep(
    rows: list[Measurement], *, organisation: Organisation, content: bytes, name: str, user: User | None
) -> list[Measurement]:
    """Store measurements of one deployment with the file that they were read from."""
    stored = store_file(organisation=organisation, name=name, content=content, content_type="text/plain", actor=user)
    kept = [_kept(row, organisation, stored, user) for row in rows]
    record_event(
        action="import",
        object_kind="measurement",
        object_id=stored.public_id,
        actor=user,
        organisation=organisation,
        after={"file": name, "loads": len(kept), "accelerator": rows[0].accelerator, "engine": rows[0].engine},
    )
    return kept


def _place(setting: Setting) -> Deployed:
    try:
        return deployed(setting, load_coefficients())
    except RequestProblem as problem:
        first = problem.errors[0]
        raise MeasurementProblem("measurement_setting_wrong", field=first.pointer, detail=first.detail) from problem


def _kept(row: Measurement, organisation: Organisation, stored: StoredFile, user: User | None) -> Measurement:
    same = Measurement.objects.filter(
        organisation=organisation, file=stored, line=row.line, accelerator=row.accelerator, engine=row.engine
    ).first()
    if same is not None:
        return same
    row.organisation, row.file, row.created_by = organisation, stored, user
    row.save()
    return row


def _row(run: MeasuredRun, place: Deployed, option: SizingOption | None) -> Measurement:
    """A measurement not saved yet. Lengths that the file leaves out are those of the option's workload."""
    setting = place.setting
    if run.engine and run.engine != setting.engine and run.tool not in ("vllm bench serve", "sglang.bench_serving"):
        raise MeasurementProblem("measurement_other_engine", line=run.line, found=run.engine, expected=setting.engine)
    given, answer = (
        _length(run.input_tokens, option, "input_tokens"),
        _length(run.output_tokens, option, "output_tokens"),
    )
    concurrent = run.concurrent or (1.0 if run.tool == "trtexec" else None)
    if concurrent is None or (run.tpot_s and (given is None or answer is None)):
        raise MeasurementProblem("measurement_load_unknown", line=run.line)
    times = {"ttft": run.ttft_s, "tpot": run.tpot_s, "e2e": run.e2e_s}
    values = asdict(setting)
    return Measurement(
        option=option,
        line=run.line,
        tool=run.tool,
        tool_version=run.tool_version,
        model=json.loads(setting.model),
        model_name=place.features.name[:200] or run.model[:200],
        accelerator=setting.accelerator,
        engine=setting.engine,
        engine_version=run.engine_version or setting.engine_version,
        weights_format=place.labels[3],
        deployment={key: values[key] for key in DEPLOYMENT_KEYS},
        concurrent=concurrent,
        input_tokens=given or 0.0,
        output_tokens=answer or 0.0,
        prompts_per_slot=run.requests / run.concurrent if run.requests and run.concurrent else None,
        statistics={
            metric: {statistic: round(1e3 * value, 6) for statistic, value in by.items()}
            for metric, by in times.items()
            if by
        },
        output_tokens_per_s=run.output_tokens_per_s,
        measured_on=date.fromisoformat(run.measured_on) if run.measured_on else None,
        warnings=plain(run.warnings),
    )


DEPLOYMENT_KEYS = (
    *("tensor", "pipeline", "expert", "data", "kv_format"),
    *("max_batched_tokens", "max_sequences", "memory_utilisation", "stream_interval"),
)


def _length(found: float | None, option: SizingOption | None, name: str) -> float | None:
    if found is not None or option is None:
        return found
    stated = (option.run.workload.request.get("traffic") or {}).get(name)
    mean = stated.get("mean") if isinstance(stated, Mapping) else stated
    return float(mean) if mean else None


def loads_of(rows: list[Measurement]) -> Loads:
    """Their loads as columns, in the same order."""
    slots = [row.prompts_per_slot if row.prompts_per_slot else np.nan for row in rows]
    return Loads(
        concurrent=np.array([row.concurrent for row in rows], dtype=float),
        input_tokens=np.array([max(row.input_tokens, 1.0) for row in rows], dtype=float),
        output_tokens=np.array([max(row.output_tokens, 1.0) for row in rows], dtype=float),
        prompts_per_slot=np.array(slots, dtype=float),
    )


def _judge(rows: list[Measurement], place: Deployed) -> None:
    """Refuse what no machine of this kind can do, and warn of what is far from expected."""
    timed = [row for row in rows if "mean" in row.statistics.get("tpot", {})]
    if not timed:
        return
    expected_ms = state_of(place, loads_of(timed)).tpot_s * 1e3
    for row, expected in zip(timed, expected_ms, strict=True):
        measured = row.statistics["tpot"]["mean"]
        ratio = measured / float(expected)
        params = {"measured_ms": measured, "expected_ms": float(expected), "line": row.line}
        if not 1 / IMPOSSIBLE_RATIO < ratio < IMPOSSIBLE_RATIO:
            raise MeasurementProblem("measurement_far_from_possible", **params)
        if not 1 / ODD_RATIO < ratio < ODD_RATIO:
            row.warnings = [*row.warnings, plain(Message("measurement_far_from_expected", params))]


def setting_from(values: Mapping[str, Any]) -> Setting:
    """A setting from words that a person typed: catalogue names in any spelling of their ids.

    Raises MeasurementProblem where model or accelerator are not in the catalogue.
    """
    model = AiModel.objects.filter(model_id__iexact=values["model"]).first()
    if model is None:
        raise MeasurementProblem("measurement_model_unknown", value=str(values["model"])[:150])
    device = Accelerator.objects.filter(slug__iexact=values["accelerator"]).first()
    if device is None:
        raise MeasurementProblem("measurement_accelerator_unknown", value=str(values["accelerator"])[:100])
    rest = {k: v for k, v in values.items() if k not in ("model", "accelerator") and v is not None}
    return Setting(model=canonical({"id": model.model_id}), accelerator=device.slug, **rest)


def setting_of(row: Measurement) -> Setting:
    """The deployment that a stored measurement was made on."""
    return Setting(
        model=canonical(row.model),
        accelerator=row.accelerator,
        engine=row.engine,
        weights_format=row.weights_format,
        **{key: row.deployment.get(key) for key in DEPLOYMENT_KEYS},
    )


@transaction.atomic
def store_calibration(
    *, organisation: Organisation, content: Mapping[str, Any], sha256: str, user: User | None = None
) -> CalibrationVersion:
    """Keep a calibration and use it from now on; equal content is kept once."""
    versions = CalibrationVersion.objects.select_for_update(no_key=True).filter(organisation=organisation)
    same = versions.filter(sha256=sha256).first()
    if same is not None:
        return use_calibration(version=same, user=user)
    last = versions.first()
    versions.filter(active=True).update(active=False)
    made = CalibrationVersion.objects.create(
        organisation=organisation,
        created_by=user,
        number=last.number + 1 if last else 1,
        content=dict(content),
        sha256=sha256,
    )
    _record("calibrate", made, user)
    return made


@transaction.atomic
def use_calibration(*, version: CalibrationVersion, user: User | None = None) -> CalibrationVersion:
    """Make an earlier (or the same) calibration the one in use."""
    CalibrationVersion.objects.filter(organisation=version.organisation, active=True).exclude(pk=version.pk).update(
        active=False
    )
    version.active = True
    version.save(update_fields=["active"])
    _record("use", version, user)
    return version


@transaction.atomic
def use_no_calibration(*, organisation: Organisation, user: User | None = None) -> None:
    """Back to the shipped coefficients alone; every calibration stays and can be used again."""
    for version in CalibrationVersion.objects.filter(organisation=organisation, active=True):
        version.active = False
        version.save(update_fields=["active"])
        _record("leave", version, user)


def _record(action: str, version: CalibrationVersion, user: User | None) -> None:
    record_event(
        action=action,
        object_kind="calibration",
        object_id=version.public_id,
        actor=user,
        organisation=version.organisation,
        after={"number": version.number, "sha256": version.sha256},
    )


@transaction.atomic
def import_quality(
    *, option: SizingOption, organisation: Organisation, reference: bytes, served: bytes, user: User | None = None
) -> QualityEvaluation:
    """Store how the served format scores against the reference. Raises MeasurementProblem for unreadable files."""
    tasks = compared(reference, served)

    def kept(name: str, content: bytes) -> StoredFile:
        return store_file(
            organisation=organisation, name=name, content=content, content_type="application/json", actor=user
        )

    made = QualityEvaluation.objects.create(
        option=option,
        organisation=organisation,
        created_by=user,
        reference_file=kept("reference.json", reference),
        served_file=kept("served.json", served),
        weights_format=str(option.data.get("weights_format") or ""),
        tasks=[{**asdict(task), "worse": task.worse} for task in tasks],
    )
    record_event(
        action="import", object_kind="quality", object_id=made.public_id, actor=user, organisation=organisation,
        after={"tasks": len(tasks), "worse": sum(task.worse for task in tasks)},
    )  # fmt: skip
    return made
