"""The reading of an uploaded price file as its batch keeps it: what was found, and rows of each kind to look at.

Messages are kept as code and parameters; `shown` words them in the reader's language.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext_noop

from catalog.imports.answers import Answers, read_answers
from catalog.imports.check import Understanding, understand
from catalog.imports.plan import Plan, make_plan
from catalog.imports.report import head_json, row_json
from catalog.imports.rows import Action, ImportRow
from catalog.messages_import_pages import render
from catalog.models import Accelerator, ImportBatch
from catalog.part_numbers import normalise_mpn
from sizing.core.values import Message

ROWS_KEPT = 500  # of each kind, for the preview; the commit reads the file again and takes all
DRY_RUN = "dry_run"  # key of `ImportBatch.reading`: which reading a commit means
SENT = "sent"  # key of `ImportBatch.reading`: what the worker has been asked to do, "read", "commit" or "undo"
SENT_BY = "sent_by"  # key of `ImportBatch.reading`: by whom an undo was asked for
KINDS = ("question", "changed", "new", "same", "held", "rejected", "skipped")
MATCHES = {
    "exact": gettext_noop("exact"),
    "normalised": gettext_noop("same number, other writing"),
    "alias": gettext_noop("decided earlier"),
    "recognised": gettext_noop("recognised by its words"),
    "open": gettext_noop("to be decided"),
    "new": gettext_noop("new part"),
}


def read_batch(batch: ImportBatch, data: bytes, *, today: date) -> Understanding:
    """Read the file with the batch's answers, compare it with the catalogue, and keep both on the batch (unsaved).

    Raises UnreadableFile, or BadAnswers where an answer does not fit.
    """
    found = understand(data, answers=answers_of(batch), today=today)
    plan = make_plan(found, organisation=batch.organisation, supplier=supplier_name(batch), today=today)
    names = dict(Accelerator.objects.filter(pk__in=set(plan.accelerators.values())).values_list("pk", "slug"))
    kept: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    totals: Counter[str] = Counter()
    for row in found.rows:
        match = _match(row, plan, names)
        kind = _kind(row, match)
        totals[kind] += 1
        if len(kept[kind]) < ROWS_KEPT:
            kept[kind].append(row_json(row, words=_coded) | {"match": match, "kind": kind})
    batch.reading = {
        **_settings(batch),
        "head": head_json(found, words=_coded) | {"header_last": _last_header_line(found)},
        "rows": kept,
        "totals": {kind: totals[kind] for kind in KINDS},
        "has_suppliers": bool(found.rows) and all(row.supplier for row in found.rows if row.is_accepted),
        "read": True,
        DRY_RUN: _dry_run(batch, found, totals),
    }
    return found


def _dry_run(batch: ImportBatch, found: Understanding, totals: Mapping[str, int]) -> str:
    """What names this reading: another answer, supplier or outcome gives another name."""
    stated = [batch.file_sha256, batch.answers, supplier_name(batch), found.counts, dict(totals)]
    return hashlib.sha256(json.dumps(stated, sort_keys=True, default=str).encode()).hexdigest()[:32]


def answers_of(batch: ImportBatch) -> Answers:
    return read_answers(batch.answers)


def supplier_name(batch: ImportBatch) -> str:
    """Who sent the file, as the person wrote it; "" where the rows say it themselves."""
    return str(batch.reading.get("supplier") or "")


def is_large(data_bytes: int, name: str) -> bool:
    """Whether the worker reads the file, so that no web request waits: about two thousand rows and more."""
    limit = 40_000 if name.lower().endswith((".xlsx", ".xlsm")) else 200_000
    return data_bytes > limit


def shown(value: Any) -> Any:
    """Kept messages as sentences in the active language, at any depth."""
    if isinstance(value, Mapping):
        return {key: shown(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shown(each) for each in value]
    if isinstance(value, str) and value.startswith(_MARK):
        stated = json.loads(value.removeprefix(_MARK))
        return render(Message(stated["code"], stated["params"]))
    return value


_MARK = "\x02"


def _coded(message: Message) -> str:
    """A message as text that `shown` can word later; the mark cannot stand in a file's cell."""
    return _MARK + json.dumps({"code": message.code, "params": dict(message.params)}, default=str)


def _settings(batch: ImportBatch) -> dict[str, Any]:
    return {key: batch.reading[key] for key in ("supplier", "profile_note") if key in batch.reading}


def _match(row: ImportRow, plan: Plan, names: Mapping[int, str]) -> dict[str, Any]:
    """Which part a line is and how sure that is."""
    if not row.is_accepted:
        return {"how": "", "slug": "", "candidates": []}
    part = plan.parts.get(row.line)
    if part is not None:
        how = "exact" if part.mpn == row.mpn else "normalised"
        if normalise_mpn(part.mpn) != normalise_mpn(row.mpn):
            how = "alias"
        return {"how": how, "slug": part.slug, "candidates": []}
    asked = next((message for message in row.warnings if message.code == "row_match_open"), None)
    if asked is not None:
        return {"how": "open", "slug": "", "candidates": str(asked.params["candidates"]).split(", ")}
    accelerator = names.get(plan.accelerators.get(row.line, 0), "")
    return {"how": "recognised" if accelerator else "new", "slug": accelerator, "candidates": []}


def _kind(row: ImportRow, match: Mapping[str, Any]) -> str:
    if match["how"] == "open":
        return "question"
    kinds = {
        Action.CREATE: "new",
        Action.UPDATE: "changed",
        Action.UNCHANGED: "same",
        Action.HELD: "held",
        Action.REJECTED: "rejected",
        Action.SKIPPED: "skipped",
    }
    return kinds[row.action]


def _last_header_line(found: Understanding) -> int | None:
    """The line above the first row of data: a header may take two."""
    layout = found.layout
    if layout is None or not layout.first:
        return None
    return found.table.records[layout.first - 1].line if layout.first <= len(found.table.records) else None
