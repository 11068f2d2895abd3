"""An organisation's own part in a screening: policy, cleared names, lists of parties, filed statements. Read only."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from catalog.part_numbers import normalise_mpn
from config.accounts.models import Organisation
from quotes.choices import Region, StatementSays
from quotes.cleared import clearances_of, fingerprint
from quotes.compliance.screen import ScreeningContext, ScreeningLine
from quotes.compliance.types import Clearance, Evidence, LineType
from quotes.listed import active_lists, with_parties
from quotes.models import PartyList, QuotePolicy, TelecomStatement
from quotes.policy import policy_of, under
from quotes.tax import default_region
from quotes.telecom_proof import best_of, firm_core
from sizing.own_records import OwnRecords


def records_of(organisation: Organisation, day: date) -> OwnRecords:
    """What a screening of that day takes from the organisation; four reads, however many lines and options."""
    policy, clearances = policy_of(organisation), clearances_of(organisation, day)
    active = active_lists(organisation)
    statements = list(TelecomStatement.objects.filter(organisation=organisation, superseded_by=None).order_by("pk"))

    at_home = "US" if default_region(organisation.country) is Region.US else ""

    def _to(context: ScreeningContext) -> str:
        return context.destination or at_home  # as a quote of that seller has it

    return OwnRecords(
        key=_key(policy, clearances, active, statements),
        context=lambda context: under(policy, replace(context, clearances=clearances, destination=_to(context))),
        lists=lambda base, names: with_parties(base, active, names),
        line=lambda line: _stated(line, statements, day),
    )


def _stated(line: ScreeningLine, statements: Sequence[TelecomStatement], day: date) -> ScreeningLine:
    """The line with the Section 889 statement that a quote's line would take."""
    names = [line.manufacturer, line.brand, *([line.supplier] if line.line_type is LineType.SERVICE else [])]
    firms = [firm_core(name) for name in names if name.strip()]
    found = best_of(statements, firms, normalise_mpn(line.sku), today=day)
    if found is None:
        return line
    return replace(
        line,
        s889_evidence=Evidence(found.evidence_type),
        s889_evidence_date=found.stated_on,
        s889_admits=found.scope if found.says == StatementSays.SOME else "",
    )


def _key(
    policy: QuotePolicy,
    clearances: tuple[Clearance, ...],
    active: Sequence[PartyList],
    statements: Sequence[TelecomStatement],
) -> str:
    stated = {
        "policy": [str(policy.part_b_represented_on), policy.strict_s889, policy.grade_a_only],
        "cleared": fingerprint(clearances),
        "lists": [row.file.sha256 for row in active],
        "statements": [str(row.public_id) for row in statements],
    }
    return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()
