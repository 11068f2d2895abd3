"""Other parts that would do for a line: same function, at least the same figures."""

from collections.abc import Iterator, Sequence

from quotes.configure.cpu import processors_for
from quotes.configure.facts import ComponentPart, CpuPart, PartClass
from quotes.configure.leads import lead_time_of
from quotes.configure.memory import modules_for
from quotes.configure.prepare import Prepared
from quotes.configure.prices import price_of
from quotes.configure.request import BomLine, BomRequest, BomResult
from quotes.configure.rules import Rules
from quotes.delivery import Substitute


def substitutes_for(
    result: BomResult, line: BomLine, request: BomRequest, prepared: Prepared, rules: Rules
) -> tuple[Substitute, ...]:
    """Parts that may replace `line`, by slug; none for lines whose function only the maker can fill.

    Processors: the chassis takes them and they have at least as many cores. Memory: same size, allowed in the
    chassis. Adapters, switches and optics: at least the same ports and speed, same plug for optics.
    Servers: the chassis that came next in the ranking. Performance is stated where cores give it, else open.
    """
    found = [item for item in _parts(result, line, prepared) if item[0] != line.part]
    return tuple(
        Substitute(
            line=line.line,
            part=slug,
            name=name,
            lead=lead_time_of(
                slug, line.part_class, vendor=vendor, as_of=request.as_of, prepared=prepared, rules=rules
            ),
            unit_price=price_of(
                slug,
                line.part_class,
                currency=request.procurement.currency,
                as_of=request.as_of,
                prepared=prepared,
            )[0],
            performance_share=share,
        )
        for slug, name, vendor, share in sorted(found, key=lambda item: item[0])
    )


type _Found = tuple[str, str, str, float | None]


def _parts(result: BomResult, line: BomLine, prepared: Prepared) -> Iterator[_Found]:
    chassis = prepared.chassis_by_slug.get(result.chassis or "")
    if chassis is None or line.included:
        return
    if line.part_class is PartClass.SYSTEM:
        for slug in result.alternatives:
            other = prepared.chassis_by_slug[slug]
            yield slug, f"{other.vendor} {other.model}", other.vendor, None
    elif line.part_class is PartClass.CPU:
        yield from _processors(processors_for(chassis, prepared), prepared.processors_by_slug.get(line.part))
    elif line.part_class is PartClass.RAM:
        present = _component(line, prepared)
        for part in modules_for(chassis, prepared):
            if present is not None and part.capacity_gb == present.capacity_gb:
                yield part.slug, f"{part.vendor} {part.model}", part.vendor, None
    elif line.part_class in {PartClass.NIC, PartClass.SWITCH, PartClass.TRANSCEIVER}:
        yield from _ported(prepared.components.get(line.part_class, ()), _component(line, prepared))


def _component(line: BomLine, prepared: Prepared) -> ComponentPart | None:
    return next((part for part in prepared.components.get(line.part_class, ()) if part.slug == line.part), None)


def _processors(pool: Sequence[CpuPart], present: CpuPart | None) -> Iterator[_Found]:
    if present is None or not present.cores:
        return
    for part in pool:
        if part.cores is not None and part.cores >= present.cores and part.memory_channels == present.memory_channels:
            yield part.slug, f"{part.vendor} {part.name}", part.vendor, part.cores / present.cores


def _ported(pool: Sequence[ComponentPart], present: ComponentPart | None) -> Iterator[_Found]:
    if present is None:
        return
    for part in pool:
        fast = (part.port_gbit_s or 0) >= (present.port_gbit_s or 0) and (part.ports or 0) >= (present.ports or 0)
        same_plug = part.form == present.form or part.part_class is not PartClass.TRANSCEIVER
        if fast and same_plug:
            yield part.slug, f"{part.vendor} {part.model}", part.vendor, None
