"""Rows of the evidence register, of the list status and of screening tasks, in the reader's words."""

from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from catalog.models import OriginClaim
from quotes.choices import StatementSays
from quotes.compliance.types import Regime
from quotes.evidence import fault_of
from quotes.models import Rescreening, TelecomStatement
from quotes.printing.words import flag_words, regime_long
from quotes.rescreening import NOT_IN_SCOPE, ListStatus
from quotes.telecom_proof import counts


def claim_row(claim: OriginClaim, today: date) -> dict[str, Any]:
    """One claim with its age and whether it still counts."""
    return {"claim": claim, "age": _age(claim.stated_on, today), "state": _state(claim, today)}


def statement_row(statement: TelecomStatement, today: date) -> dict[str, Any]:
    """One statement on Section 889 with its age and whether it still counts."""
    return {
        "statement": statement,
        "age": _age(statement.stated_on, today),
        "state": _statement_state(statement, today),
        "is_adverse": statement.says == StatementSays.SOME,
    }


def status_row(status: ListStatus) -> dict[str, Any]:
    """One regime's list with its checks."""
    return {"name": regime_words(status.regime.value), "version": status.version, "overdue": status.overdue}


def task_row(task: Rescreening) -> dict[str, Any]:
    """One open task: the quote and each changed flag."""
    return {
        "task": task,
        "quote": task.revision.quote,
        "revision": task.revision,
        "changes": [
            {
                "place": _("Line %(line)s") % {"line": change["line"]} if change["line"] else _("Whole quote"),
                "regime": regime_words(change["regime"]),
                "before": state_words(change["before"]),
                "after": state_words(change["after"]),
                "state": change["after"],
            }
            for change in task.changes
        ],
    }


def regime_words(regime: str) -> str:
    """The short sign of a regime, which is the same in every language; words where it has none."""
    return regime_long(regime) if regime == Regime.PARTIES else regime


def state_words(flag: str) -> str:
    return pgettext("screening", "not in scope") if flag == NOT_IN_SCOPE else flag_words(flag)


def _age(stated_on: date | None, today: date) -> str:
    if stated_on is None:
        return ""
    days = (today - stated_on).days
    return ngettext("%(count)s day", "%(count)s days", days) % {"count": days}


def _statement_state(statement: TelecomStatement, today: date) -> str:
    if statement.superseded_by_id is not None:
        return _("replaced by a newer statement")
    if statement.says == StatementSays.UNCLEAR:
        return _("no maker's statement, proves nothing by itself")
    if statement.says == StatementSays.SOME:
        return _("counts against the article")
    if counts(statement, today):
        return pgettext("evidence", "counts")
    return _("older than a year, does not count")


def _state(claim: OriginClaim, today: date) -> str:
    if claim.superseded_by_id is not None:
        return _("replaced by a newer claim")
    words = {
        "undated": _("undated, does not count"),
        "future": _("dated ahead, does not count"),
        "stale": _("too old, asks for a review"),
    }
    if claim.grade == "D":
        return _("no proof")
    return words.get(fault_of(claim, today), pgettext("evidence", "counts"))
