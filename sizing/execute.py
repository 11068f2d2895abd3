"""Run a queued sizing: `pipeline.answer` with lease, progress and rows."""

import logging
import time
from functools import partial
from typing import Any

from django.db import transaction

from sizing import lease, result
from sizing.choices import RunState, Stage
from sizing.core.errors import Cancelled, SizingError
from sizing.models import SizingOption, SizingRun
from sizing.pipeline import Progress, answer, input_hash
from sizing.stored import keep_digest

logger = logging.getLogger(__name__)

PROGRESS_INTERVAL_S = 0.5  # progress is committed at most twice a second


def execute_run(run_id: int) -> None:
    """Size a queued run and store its options. Safe to call twice: a finished or held run returns at once."""
    run = lease.acquire(run_id)
    if run is None:
        return
    with lease.heartbeat(run):
        try:
            found = _stored(run) or answer(run.request, organisation=run.organisation, progress=_reporter(run))
        except Cancelled:
            lease.finish(run, state=RunState.CANCELLED)
            return
        except SizingError as error:
            lease.finish(run, state=RunState.FAILED, message=result.plain(error.message))
            return
        except Exception:
            logger.exception("run failed", extra={"run_id": run.pk})
            message = {"code": "run_failed", "params": {"reference": str(run.public_id)[-8:].upper()}}
            lease.finish(run, state=RunState.FAILED, message=message)
            return
    _store(run, found)


def _reporter(run: SizingRun) -> Progress:
    """Commits progress outside any transaction, at most twice a second; raises Cancelled when the run is."""
    last = 0.0

    def report(stage: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < PROGRESS_INTERVAL_S and done < total:
            return
        last = now
        if not lease.renew(run, stage=stage, progress_done=done, progress_total=total):
            raise Cancelled

    return report


@transaction.atomic
def _store(run: SizingRun, found: dict[str, Any]) -> None:
    """Options and result in one step; nothing where the run is no longer ours."""
    kept = lease.finish(
        run, state=RunState.DONE, result=found, input_hash=found["input_hash"], stage=Stage.RANKING.value
    )
    if not kept:
        return
    SizingOption.objects.bulk_create(
        SizingOption(run=run, rank=entry["rank"], accelerator=entry["accelerator"], data=entry)
        for entry in found["options"]
    )
    transaction.on_commit(partial(keep_digest, run, found))
    logger.info("run finished", extra={"run_id": run.pk, "options": len(found["options"])})


def _stored(run: SizingRun) -> dict[str, Any] | None:
    """The result of an equal earlier run of the same owner: equal inputs give equal bytes anyway."""
    digest = input_hash(run.request, run.organisation)
    earlier = SizingRun.objects.filter(
        input_hash=digest, organisation=run.organisation, state=RunState.DONE, result__isnull=False
    )
    return earlier.values_list("result", flat=True).first()
