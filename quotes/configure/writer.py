"""What a line is before it gets its number, price and delivery."""

from typing import NamedTuple

from quotes.configure.facts import ComponentPart, PartClass
from quotes.configure.prices import price_of
from quotes.configure.work import Work
from sizing.core.values import Message


class Item(NamedTuple):
    """One position. `slug` "" means that the catalogue knows no such part: the line stays open.

    A tuple, because ranking makes some hundred thousand of them.
    """

    part_class: PartClass
    slug: str
    name: str
    quantity: int
    reason: Message
    kind: str = "base"
    manufacturer: str = ""
    mpn: str = ""
    included: bool = False
    with_chassis: bool = False  # delivered together with the chassis
    power_w: float | None = None

    def changed(
        self,
        *,
        reason: Message,
        kind: str | None = None,
        quantity: int | None = None,
        included: bool | None = None,
    ) -> "Item":
        """The same position with another reason and, where given, kind, quantity and inclusion."""
        return self._replace(
            reason=reason,
            kind=self.kind if kind is None else kind,
            quantity=self.quantity if quantity is None else quantity,
            included=self.included if included is None else included,
        )


def in_system_price(work: Work) -> bool:
    """True where the maker's price for a complete system is known and carries its parts.

    While that price is open, so is every part of it: one open line must not hide ten.
    """
    if not work.chassis.complete_system:
        return False
    request = work.request
    price = price_of(
        work.chassis.slug,
        PartClass.SYSTEM,
        currency=request.procurement.currency,
        as_of=request.as_of,
        prepared=work.prepared,
    )[0]
    return price is not None and price.amount is not None


def named(part: ComponentPart | None, generic: str) -> str:
    """Maker and model of a part, or the generic words where the model is open."""
    return f"{part.vendor} {part.model}" if part else generic


def describe(item: Item) -> Message:
    """Description of a position: its class in words and its name; says so where the model is open.

    A service is described by its reason alone.
    """
    if item.part_class is PartClass.SERVICE:
        return item.reason
    code = f"bom_part_{item.part_class.value}"
    return Message(code if item.name else f"{code}_open", {"name": item.name} if item.name else {})
