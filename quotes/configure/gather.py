"""All files of a catalogue -> one HardwareCatalogue."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from quotes.configure.facts import ExchangeRate, HardwareCatalogue, OriginFact, SeenBuild
from quotes.configure.read import (
    Row,
    accelerator_from_row,
    chassis_from_builds,
    chassis_from_row,
    component_from_row,
    cpu_from_row,
    lead_time_from_row,
    part_number_from_row,
    price_from_row,
    seen_builds,
)


def catalogue_from_rows(
    files: Mapping[str, Sequence[Row]],
    *,
    origins: Mapping[str, OriginFact] | None = None,
    exchange_rates: tuple[ExchangeRate, ...] = (),
) -> HardwareCatalogue:
    """A catalogue from rows by file name without suffix ("servers", "servers_more", "cpus", ...).

    A missing file counts as empty. Exchange rates are the caller's choice: a rate among the prices is not used.
    """
    seen: defaultdict[str, list[SeenBuild]] = defaultdict(list)
    more = files.get("servers_more", ())
    for row in more:
        if row["row_kind"] == "catalogue_conflict":
            seen[row["suggested_slug"]] += seen_builds(row)
    listed = [chassis_from_row(row, seen[row["slug"]]) for row in files.get("servers", ())]
    built = [chassis_from_builds(row) for row in more if row["row_kind"] == "missing_chassis"]
    return HardwareCatalogue(
        accelerators=tuple(accelerator_from_row(row) for row in files.get("accelerators", ())),
        chassis=tuple(listed + built),
        processors=tuple(cpu_from_row(row) for row in files.get("cpus", ())),
        components=tuple(part for row in files.get("components", ()) if (part := component_from_row(row))),
        part_numbers=tuple(part_number_from_row(row) for row in files.get("part_numbers", ())),
        prices=tuple(price for row in files.get("prices", ()) if (price := price_from_row(row))),
        lead_times=tuple(fact for row in files.get("lead_times", ()) if (fact := lead_time_from_row(row))),
        origins=origins,
        exchange_rates=exchange_rates,
    )
