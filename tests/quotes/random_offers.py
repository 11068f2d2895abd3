"""Random quotes: currencies, packs, breaks, discounts, taxes, options, alternatives, open prices, early payment."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from config.accounts.models import Organisation, User
from quotes.models import Quote, QuoteLine, QuoteRevision
from quotes.pricing import Tier, discounted_unit_price, round_money, tier_price

TODAY = date(2026, 11, 30)
_RATES = {"de": ("19", "7", "0"), "at": ("20", "10", "13"), "ch": ("8.1", "2.6", "3.8"), "us": (), "int": ()}
_KINDS = ("base", "base", "base", "service", "licence", "option", "alternative", "included", "discount")
_TITLES = ("Accelerator 96 GB", "=1+2", "Netzteil 2.200 W, 80 PLUS", "Kabel „QSFP“ & Co <2 m>", "@SUM", "-5 °C Lüfter")


@dataclass(frozen=True, slots=True)
class Offer:
    """One random quote: its settings and the fields of its lines."""

    language: str
    region: str
    currency: str
    treatment: str
    early_payment_pct: Decimal | None
    lines: tuple[dict[str, Any], ...]


@st.composite
def offers(draw: Any) -> Offer:
    """Quotes of one to nine lines; at least one of them counts."""
    region = draw(st.sampled_from(sorted(_RATES)))
    by_rate = bool(_RATES[region]) and draw(st.booleans())
    currency = draw(st.sampled_from(("EUR", "USD", "CHF", "GBP", "JPY", "KWD")))
    kinds = ["base", *draw(st.lists(st.sampled_from(_KINDS), max_size=8))]
    lines = [
        _line(draw, number=place, kind=kind, currency=currency, rates=_RATES[region] if by_rate else ())
        for place, kind in enumerate(kinds, start=1)
    ]
    return Offer(
        language=draw(st.sampled_from(("en", "de"))),
        region=region,
        currency=currency,
        treatment="by_rate" if by_rate else draw(st.sampled_from(("not_included", "reverse_charge", "federal_buyer"))),
        early_payment_pct=draw(st.none() | st.decimals("0.5", "5", places=2)),
        lines=tuple(lines),
    )


def _line(draw: Any, *, number: int, kind: str, currency: str, rates: tuple[str, ...]) -> dict[str, Any]:
    section = str(1 + number // 4)
    fields: dict[str, Any] = {
        "position": number,
        "number": f"{section}.{number}",
        "section": section,
        "kind": kind,
        "alternative_to": "1.1" if kind == "alternative" else "",
        "included_in": "1.1" if kind == "included" else "",
        "manufacturer": "Norvane",
        "mpn": draw(st.sampled_from(("00123", "1E5", "NV-A96P", "=CMD"))),
        "description": draw(st.sampled_from(_TITLES)),
        "quantity": draw(st.integers(1, 9999).map(Decimal) | st.decimals("0.001", "99.999", places=3)),
        "unit": "piece",
        "pack_size": draw(st.sampled_from((1, 1, 1, 2, 10))),
        "tax_rate_pct": Decimal(draw(st.sampled_from(rates))) if rates else None,
    }
    if kind == "included" or (number > 1 and draw(st.integers(0, 7)) == 0):
        return fields | {"price_state": "open"}
    return (
        fields
        | {"price_state": "firm", "price_kind": "price_list", "price_date": TODAY}
        | _price(draw, kind=kind, quantity=fields["quantity"], currency=currency)
    )


def _price(draw: Any, *, kind: str, quantity: Decimal, currency: str) -> dict[str, Any]:
    """List price by quantity break, a discount on it; a discount line is a rounded negative amount."""
    price = draw(st.decimals("0.0001", "250000", places=4))
    if kind == "discount":
        return {"list_price": -round_money(price, currency), "unit_net": -round_money(price, currency)}
    breaks = [Tier(from_quantity=Decimal("0.001"), unit_price=price)]
    if draw(st.booleans()):
        breaks.append(Tier(from_quantity=Decimal(10), unit_price=(price * Decimal("0.9")).quantize(Decimal("0.0001"))))
    listed = tier_price(breaks, quantity)
    assert listed is not None
    discount = draw(st.none() | st.decimals("0.01", "60", places=2))
    net = listed if discount is None else discounted_unit_price(listed, discount, currency)
    return {"list_price": listed, "discount_pct": discount, "unit_net": net}


def stored(offer: Offer, organisation: Organisation, user: User) -> QuoteRevision:
    """The offer as rows of a draft, as the services would have left them."""
    known = Quote.objects.filter(organisation=organisation).count()
    quote = Quote.objects.create(
        organisation=organisation,
        number=f"Q-2026-{known + 1:04}",
        year=2026,
        sequence=known + 1,
        title="Inference service",
        created_by=user,
        buyer_type="commercial",
        buyer_name="Auental Klinik",
        currency=offer.currency,
        language=offer.language,
        region=offer.region,
        tax_treatment=offer.treatment,
        valid_until=TODAY,
        early_payment_pct=offer.early_payment_pct,
        early_payment_days=10 if offer.early_payment_pct is not None else None,
        payment_days=30,
    )
    revision = QuoteRevision.objects.create(quote=quote, number=1, created_by=user, issued_on=TODAY)
    QuoteLine.objects.bulk_create(QuoteLine(revision=revision, **fields) for fields in offer.lines)
    quote.current_revision = revision
    quote.save(update_fields=["current_revision"])
    return revision
