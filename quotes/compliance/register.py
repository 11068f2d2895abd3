"""The lists that a screening reads, ready for use: one frozen value, built from files by `lists.py`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from quotes.compliance.names import NameIndex
from quotes.compliance.origin import OriginTables
from quotes.compliance.parties import Parties
from quotes.compliance.types import ListVersion, Regime


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """The WTO GPA value of a contract type in a period, in USD. Unverified rows are placeholders."""

    contract_type: str
    value_usd: Decimal
    valid_from: date
    valid_to: date | None
    verified: bool

    def covers(self, day: date) -> bool:
        return self.valid_from <= day and (self.valid_to is None or day <= self.valid_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    rule_id: str
    valid_from: date | None
    valid_to: date | None
    text: str

    def covers(self, day: date) -> bool:
        return (self.valid_from is None or self.valid_from <= day) and (self.valid_to is None or day <= self.valid_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedNames:
    """Names of a list with the day from which each row stands on it (None: always)."""

    index: NameIndex
    listed_from: Mapping[str, date | None]

    def is_listed(self, entity_id: str, day: date) -> bool:
        since = self.listed_from.get(entity_id)
        return since is None or since <= day


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningLists:
    """All lists of one screening. `versions` has one entry per regime; that of PARTIES with `parties` alone."""

    origins: OriginTables
    thresholds: tuple[Threshold, ...]
    s889: NameIndex
    s5949: NameIndex
    s1260h: DatedNames
    export_parties: DatedNames
    citations: tuple[Citation, ...]
    versions: Mapping[Regime, ListVersion]
    parties: Parties | None = None

    def citation(self, rule_id: str, day: date) -> str:
        """The citations of a rule that hold on `day`, joined; a rule without its own takes its family's."""
        family = rule_id.partition("-")[0]
        for key in (rule_id, family):
            texts = [row.text for row in self.citations if row.rule_id == key and row.covers(day)]
            if texts:
                return "; ".join(texts)
        return ""
