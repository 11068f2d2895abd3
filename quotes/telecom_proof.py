"""Which Section 889 statement of the register a quote line takes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date

from catalog.part_numbers import normalise_mpn
from config.accounts.models import Organisation
from quotes.choices import LineKind, StatementSays, StatementScope
from quotes.compliance.evidence import STATEMENT_DAYS_MAX
from quotes.compliance.firm_name import Name
from quotes.compliance.types import Evidence
from quotes.models import QuoteLine, TelecomStatement

_FIELDS = (
    "s889_evidence", "s889_evidence_date", "s889_evidence_sha256", "s889_says", "s889_scope", "s889_stated_by",
)  # fmt: skip


def adopt_statements(
    organisation: Organisation, lines: Sequence[QuoteLine], *, today: date, save: bool = True
) -> list[dict[str, str]]:
    """Copy the statement that counts into each line; one entry of the audit trail for each line that changed."""
    changed = []
    for number, statement in best_statements(organisation, lines, today=today).items():
        line = next(one for one in lines if one.number == number)
        before, values = [getattr(line, name) for name in _FIELDS], _values(statement)
        if before == list(values.values()):
            continue
        for name, value in values.items():
            setattr(line, name, value)
        if save:
            line.version += 1
            line.save()
        changed.append(
            {
                "line": number,
                "before": f"S889 {before[0]} {before[1] or ''}".strip(),
                "after": f"S889 {statement.evidence_type} {statement.stated_on} {statement.says}",
                "claim": str(statement.public_id),
            }
        )
    return changed


def forget_statement(line: QuoteLine) -> None:
    """Another maker or article has no statement until the register has one for it."""
    for name in _FIELDS:
        setattr(line, name, None if name == "s889_evidence_date" else "")


def best_statements(
    organisation: Organisation, lines: Sequence[QuoteLine], *, today: date
) -> Mapping[str, TelecomStatement]:
    """By line number: a letter that names covered equipment first, then the newest letter, then a feed."""
    firms = {core for line in lines for core in _firms(line)}
    rows = TelecomStatement.objects.filter(organisation=organisation, firm_core__in=firms, superseded_by=None)
    known = list(rows.select_related("file").order_by("pk"))
    best = {}
    for line in lines:
        found = best_of(known, _firms(line), normalise_mpn(line.mpn), today=today)
        if found is not None:
            best[line.number] = found
    return best


def best_of(
    known: Iterable[TelecomStatement], firms: Collection[str], mpn_normalised: str, *, today: date
) -> TelecomStatement | None:
    """Of the statements of these firms, on this article or on everything, the one that counts."""
    fitting = [row for row in known if row.firm_core in firms and _speaks_of(row, mpn_normalised)]
    return max(fitting, key=lambda row: (_weight(row, today), row.stated_on, row.pk), default=None)


def counts(row: TelecomStatement, today: date) -> bool:
    """Whether a statement without covered equipment is a maker's own and not older than a year."""
    return row.says == StatementSays.NONE and 0 <= (today - row.stated_on).days <= STATEMENT_DAYS_MAX


def firm_core(name: str) -> str:
    """A firm's name as statements are looked up by: without legal form, case and accents."""
    return Name.read(name).core[:200]


def _firms(line: QuoteLine) -> list[str]:
    names = [line.manufacturer, line.brand]
    if line.kind == LineKind.SERVICE:
        names.append(line.supplier)
    return [firm_core(name) for name in names if name.strip()]


def _speaks_of(row: TelecomStatement, mpn_normalised: str) -> bool:
    return row.scope == StatementScope.MAKER or row.mpn_normalised == mpn_normalised


def _weight(row: TelecomStatement, today: date) -> int:
    if row.says == StatementSays.SOME:
        return 3
    if counts(row, today):
        return 2
    return 1 if row.evidence_type == Evidence.LETTER else 0


def _values(row: TelecomStatement) -> dict[str, object]:
    return dict(
        zip(
            _FIELDS,
            (row.evidence_type, row.stated_on, row.file.sha256, row.says, row.scope, row.stated_by),
            strict=True,
        )
    )
