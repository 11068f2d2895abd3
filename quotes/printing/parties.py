"""Head of a document: parties, references, key figures, terms, award, company facts."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from quotes.choices import FEDERAL_BUYERS, Binding, Region, TaxTreatment
from quotes.printing import delivery, lines, screening
from quotes.printing.locale import Reader
from quotes.printing.model import Fact, FactBlock, KeyFigure

Content = Mapping[str, Any]


def _fact(label: str, value: str, *, mono: bool = False) -> Fact:
    """A fact; an empty value is shown as open, never as blank."""
    return Fact(label=label, value=value or pgettext("document", "open"), state="" if value else "unknown", mono=mono)


def _stated(*facts: Fact) -> tuple[Fact, ...]:
    """Facts that may be left out where nothing is stored."""
    return tuple(fact for fact in facts if not fact.state)


def seller_name(content: Content) -> str:
    seller = content["seller"]
    return seller["legal_name"] or seller["name"] or _("Seller not named")


def address_line(party: Content) -> str:
    """Street, postal code and city in one line."""
    place = " ".join(filter(None, (party["postal_code"], party["city"])))
    return " · ".join(filter(None, (party["street"], place)))


def blocks(content: Content, reader: Reader) -> tuple[FactBlock, ...]:
    """Offeror, buyer and reference: the three columns of the US head."""
    seller, buyer = content["seller"], content["buyer"]
    federal = content["quote"]["buyer_type"] in FEDERAL_BUYERS
    offeror: tuple[Fact, ...] = (
        _fact(pgettext("document", "Contact"), seller["contact"]),
        _fact(pgettext("document", "Phone"), seller["phone"]),
        _fact(pgettext("document", "E-mail"), seller["email"]),
    )
    if federal:
        offeror += (_fact("CAGE", seller["cage_code"], mono=True), _fact("UEI", seller["uei"], mono=True))
    elif seller["vat_id"]:
        offeror += (_fact(_("VAT id"), seller["vat_id"]),)
    place = " ".join(filter(None, (buyer["postal_code"], buyer["city"])))
    bought = (
        _fact(pgettext("document", "Agency") if federal else pgettext("document", "Company"), buyer["name"]),
        *_stated(
            _fact(pgettext("document", "Contact"), buyer["contact"]),
            _fact(pgettext("document", "Address"), ", ".join(filter(None, (buyer["street"], place)))),
            _fact(_("Deliver to"), buyer["deliver_to"]),
        ),
    )
    return (
        FactBlock(
            heading=pgettext("document", "Offeror") if federal else pgettext("document", "Seller"), facts=offeror
        ),
        FactBlock(heading=pgettext("document", "Buyer"), facts=bought),
        FactBlock(heading=pgettext("document", "Reference"), facts=_reference(content, reader, federal)),
    )


def _reference(content: Content, reader: Reader, federal: bool) -> tuple[Fact, ...]:
    reference, terms = content["reference"], content["terms"]
    number = reference["request_number"]
    first = (
        (
            _fact(pgettext("document", "Solicitation"), number),
            *_stated(
                _fact(pgettext("document", "Vehicle"), reference["contract_vehicle"]),
                _fact("SIN", reference["special_item_numbers"]),
            ),
        )
        if federal
        else _stated(_fact(_("Your request"), number), _fact(_("Customer no."), reference["customer_number"]))
    )
    return (
        *first,
        _fact("FOB" if reader.is_us else _("Delivery terms"), terms["delivery_terms"]),
        _fact(pgettext("document", "Payment"), payment_words(content, reader)),
        _fact(pgettext("document", "Currency"), reader.currency),
    )


def information(content: Content, reader: Reader, *, state: str) -> tuple[Fact, ...]:
    """The information block beside the address window (DIN 5008)."""
    quote, seller, reference = content["quote"], content["seller"], content["reference"]
    request = reader.join(
        (reader.date(reference["request_date"]) if reference["request_date"] else "", reference["request_number"])
    )
    return (
        _fact(_("Quotation no."), _("%(number)s, revision %(revision)s") % quote),
        _fact(pgettext("document", "Date"), reader.date(quote["issued_on"])),
        _fact(_("Valid until"), reader.date(content["terms"]["valid_until"])),
        *_stated(_fact(_("Your request"), request), _fact(_("Customer no."), reference["customer_number"])),
        _fact(pgettext("document", "Contact"), seller["contact"]),
        _fact(pgettext("document", "Phone"), seller["phone"]),
        _fact(pgettext("document", "E-mail"), seller["email"]),
        _fact(pgettext("document", "State"), state),
    )


def address_lines(content: Content) -> tuple[str, ...]:
    """The buyer's address for the window; at least one line that says what is missing."""
    buyer = content["buyer"]
    place = " ".join(filter(None, (buyer["postal_code"], buyer["city"])))
    lines = (buyer["name"], buyer["contact"], buyer["street"], place)
    return tuple(filter(None, lines)) or (_("Recipient open"),)


def company_columns(content: Content) -> tuple[tuple[str, ...], ...]:
    """Company facts at the foot of page 1; what the law asks for is shown as open where it is missing."""
    seller = content["seller"]
    place = " ".join(filter(None, (seller["postal_code"], seller["city"])))
    missing = pgettext("document", "open")
    return (
        tuple(filter(None, (seller_name(content), seller["street"], place))),
        (
            _("Register: %(register)s")
            % {"register": " ".join(filter(None, (seller["register_court"], seller["register_number"]))) or missing},
            _("Managing directors: %(names)s") % {"names": seller["managing_directors"] or missing},
        ),
        (_("VAT id: %(number)s") % {"number": seller["vat_id"] or missing},),
        tuple(filter(None, (seller["website"], seller["contact_email"], seller["phone"]))),
    )


def key_figures(content: Content, reader: Reader) -> tuple[KeyFigure, ...]:
    """How much, when, how long, and what is not settled (or gross)."""
    sums = content["totals"]
    note = {}
    if not sums["complete"]:
        note = {
            "note_state": "unknown",
            "note_lead": pgettext("document", "Incomplete:"),
            "note": _("%(open)s of %(count)s lines open")
            % {"open": len(sums["open_lines"]), "count": sums["counted_lines"]},
        }
    net = KeyFigure(label=_("Total, net"), value=lines.total_words(content, "net", reader), **note)
    if content["tax"]["treatment"] == TaxTreatment.BY_RATE:
        rates = ", ".join(reader.percent(tax["rate_pct"]) for tax in sums["taxes"])
        gross = lines.total_words(content, "gross", reader)
        last = KeyFigure(label=_("Total, gross"), value=gross, note=_("with %(rates)s VAT") % {"rates": rates})
    elif content["quote"]["buyer_type"] in FEDERAL_BUYERS:
        last = screening.key_figure(content)
    else:
        last = KeyFigure(label=pgettext("document", "Tax"), value=_("not included"), note=tax_note(content))
    until = content["terms"]["valid_until"]
    valid = KeyFigure(
        label=_("Prices firm until") if reader.is_us else _("Valid until"),
        value=reader.date(until),
        note=_("subject to confirmation")
        if content["terms"]["binding"] == Binding.SUBJECT_TO_CONFIRMATION
        else _("%(days)s calendar days from issue") % {"days": content["terms"]["valid_days"]},
    )
    return (net, delivery.key_figure(content, reader), *((valid, last) if reader.is_us else (last, valid)))


def tax_note(content: Content) -> str:
    return {
        TaxTreatment.REVERSE_CHARGE: _("reverse charge"),
        TaxTreatment.NOT_INCLUDED: _("by ship-to address"),
    }.get(content["tax"]["treatment"], pgettext("document", "open"))


def payment_words(content: Content, reader: Reader) -> str:
    terms = content["terms"]
    if terms["payment_days"] is None:
        return ""
    words = _("Net %(days)s days") % {"days": terms["payment_days"]}
    if terms["early_payment_pct"] and terms["early_payment_days"]:
        words += "; " + _("%(rate)s within %(days)s days") % {
            "rate": reader.percent(terms["early_payment_pct"]),
            "days": terms["early_payment_days"],
        }
    return words


def _shipping(stored: Content, *, is_asked: bool) -> list[Fact]:
    """What shipping costs; open where the region names it and nobody said it."""
    line = stored.get("shipping_line")
    words = stored.get("shipping") or (_("charged in line %(line)s") % {"line": line} if line else "")
    return [_fact(_("Shipping costs"), words)] if words or is_asked else []


def terms(content: Content, reader: Reader) -> tuple[Fact, ...]:
    """The terms of the offer; what a region must name is shown as open where it is missing."""
    stored = content["terms"]
    until = reader.date(stored["valid_until"])
    if stored["binding"] == Binding.SUBJECT_TO_CONFIRMATION:
        binding = _(
            "Subject to confirmation and prior sale. Prices stand until %(date)s; the contract comes about with our "
            "confirmation of the order."
        )
    else:
        binding = _("Binding until %(date)s.")
    german = reader.region in (Region.DE, Region.AT, Region.CH)
    federal = content["quote"]["buyer_type"] in FEDERAL_BUYERS
    facts = [
        _fact(pgettext("document", "Commitment"), binding % {"date": until}),
        _fact(pgettext("document", "Payment"), payment_words(content, reader)),
        _fact(pgettext("document", "Delivery"), stored["delivery_terms"]),
        *_shipping(stored, is_asked=german),
        _fact(pgettext("document", "Warranty"), stored["warranty"]),
        _fact(pgettext("document", "Validation"), _validation(content, reader)),
    ]
    if german:
        facts += [
            _fact(_("Place of performance"), stored["place_of_performance"]),
            _fact(pgettext("document", "Jurisdiction"), stored["jurisdiction"]),
        ]
    if federal:
        facts += [
            _fact(_("Terms of the solicitation"), stored["terms_acceptance"]),
            _fact(_("Section 889, by the offeror"), stored["section_889_statement"]),
        ]
    if files := content.get("attachments"):
        shown = "; ".join(f"{row['name']} (SHA-256 {row['sha256'][:16]} …)" for row in files)
        facts.append(_fact(pgettext("document", "Attachments"), shown))
    if stored["notes"]:
        facts.append(_fact(pgettext("document", "Notes"), stored["notes"]))
    return tuple(facts)


def _validation(content: Content, reader: Reader) -> str:
    """Rules checked by Kvote and configuration validated by the seller are two things."""
    checked = _("Rules of the parts checked by Kvote.")
    validated = content["configuration_validated"]
    if validated is None:
        return checked + " " + _("The configuration has not been validated by the seller.")
    return (
        checked
        + " "
        + _("Configuration validated by %(by)s, %(on)s: %(how)s")
        % {
            "by": validated["by"],
            "on": reader.date(validated["on"]),
            "how": validated["how"] or _("method not named"),
        }
    )
