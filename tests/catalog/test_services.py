"""Writes: what is superseded, audited, refused, and kept by the database itself."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from catalog import selectors, services
from catalog.choices import EvidenceType
from catalog.errors import CatalogError, Implausible
from catalog.models import Accelerator, CatalogVersion, OriginClaim, PriceObservation
from config.accounts.models import AuditEvent
from tests.catalog.rows import (
    TODAY,
    lead_time,
    make_accelerator,
    make_lead_time,
    make_organisation,
    make_part,
    make_price,
    make_supplier,
    make_user,
    price,
)

pytestmark = pytest.mark.django_db


def test_a_new_price_closes_the_older_one_of_the_same_source_and_keeps_it() -> None:
    part, shop = make_part(), make_supplier()
    old = make_price(part, supplier=shop, observed_on=date(2026, 11, 1))
    other = make_price(part, supplier=make_supplier("Other"), observed_on=date(2026, 11, 1))
    new = services.record_price(price=price(part, supplier=shop, unit_price=Decimal(31000)), actor=make_user())
    old.refresh_from_db()
    other.refresh_from_db()
    assert (old.valid_to, old.superseded_by, old.unit_price) == (date(2026, 11, 29), new, Decimal(30000))
    assert other.valid_to is None


def test_a_price_corrected_on_the_same_day_never_counts_again() -> None:
    part, shop = make_part(), make_supplier()
    make_price(part, supplier=shop, unit_price=Decimal(300))
    services.record_price(price=price(part, supplier=shop), actor=None)
    assert selectors.current_price(part, as_of=TODAY, currency="USD").money.amount == Decimal(30000)


def test_every_write_is_audited_and_raises_the_version() -> None:
    part, ada = make_part(), make_user()
    row = services.record_price(price=price(part), actor=ada, reason="weekly list")
    event = AuditEvent.objects.get(object_kind="priceobservation")
    assert (event.action, event.actor, event.reason) == ("record_price", ada, "weekly list")
    assert event.object_id == str(row.public_id)
    assert event.after["currency"] == "USD"
    assert CatalogVersion.objects.get().reason == "price"


def test_superseding_by_hand_refuses_a_price_that_is_replaced_already() -> None:
    part = make_part()
    old = make_price(part, observed_on=TODAY - timedelta(days=5))
    services.supersede_price(old=old, new=price(part, unit_price=Decimal(1)), actor=None)
    with pytest.raises(CatalogError) as error:
        services.supersede_price(old=old, new=price(part), actor=None)
    assert error.value.message.code == "price_replaced_already"


def test_a_price_cannot_be_superseded_by_one_of_another_part() -> None:
    old = make_price(make_part("a"))
    with pytest.raises(CatalogError, match="price_of_another_part"):
        services.supersede_price(old=old, new=price(make_part("b")), actor=None)


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"unit_price": Decimal(0)}, "price_is_positive"),
        ({"price_high": Decimal(1)}, "price_range_ascends"),
        ({"currency": "usd"}, "price_currency_is_iso"),
        ({"min_quantity": 0}, "price_quantities_positive"),
        ({"valid_to": date(2026, 1, 1)}, "price_validity_ascends"),
    ],
)
def test_the_database_refuses_an_impossible_price(fields: dict[str, object], constraint: str) -> None:
    part = make_part()
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        make_price(part, **fields)


def test_the_database_refuses_to_change_what_an_observation_says() -> None:
    row = make_price(make_part())
    with pytest.raises(IntegrityError, match="cannot change, only be superseded"), transaction.atomic():
        PriceObservation.objects.filter(pk=row.pk).update(unit_price=Decimal(1))
    PriceObservation.objects.filter(pk=row.pk).update(valid_to=TODAY)
    row.refresh_from_db()
    assert (row.unit_price, row.valid_to) == (Decimal(30000), TODAY)


def test_a_part_with_prices_cannot_be_deleted() -> None:
    part = make_part()
    make_price(part)
    with pytest.raises(Exception, match="protected foreign keys"):
        part.delete()


def test_a_new_lead_time_closes_the_older_one_of_the_same_source() -> None:
    part, shop = make_part(), make_supplier()
    old = make_lead_time(part, supplier=shop, observed_on=date(2026, 11, 1))
    new = services.record_lead_time(observation=lead_time(part, supplier=shop, weeks_typical=Decimal(9)), actor=None)
    old.refresh_from_db()
    assert (old.superseded_by, old.valid_to) == (new, date(2026, 11, 29))


def test_weeks_must_ascend() -> None:
    with pytest.raises(ValidationError, match="must ascend"):
        services.record_lead_time(observation=lead_time(make_part(), weeks_low=Decimal(12)), actor=None)


def test_the_grade_of_an_origin_claim_follows_from_its_evidence() -> None:
    part = make_part()
    claim = services.record_origin_claim(
        part=part,
        text="Made in Taiwan",
        country_code="TW",
        evidence_type=EvidenceType.MANUFACTURER_LETTER,
        stated_by="NVIDIA",
        stated_on=TODAY,
        actor=None,
    )
    assert claim.grade == "A"
    with pytest.raises(IntegrityError, match="origin_grade_follows_from_evidence"), transaction.atomic():
        OriginClaim.objects.create(part=part, text="US", evidence_type=EvidenceType.UNKNOWN, grade="A")


def test_origin_claims_are_shown_to_their_owner_and_best_evidence_first() -> None:
    us, part = make_organisation(), make_part()
    for evidence in (EvidenceType.DATASHEET, EvidenceType.CBP_RULING):
        services.record_origin_claim(part=part, text="TW", evidence_type=evidence, actor=None, organisation=us)
    assert [claim.grade for claim in selectors.origin_claims(part, us)] == ["A", "C"]
    assert not selectors.origin_claims(part, None).exists()


def test_an_edit_is_audited_with_before_and_after_and_marks_the_row() -> None:
    row, ada = make_accelerator(), make_user()
    services.edit(row=row, changes={"tdp_w": 650.0}, actor=ada, reason="power cap of this module")
    row.refresh_from_db()
    assert (row.tdp_w, row.edited_by) == (650.0, ada)
    assert row.edited_at is not None
    event = AuditEvent.objects.get()
    assert (event.before, event.after) == ({"tdp_w": "700.0"}, {"tdp_w": "650.0"})


def test_an_edit_that_cannot_be_true_changes_nothing() -> None:
    row = make_accelerator()
    with pytest.raises(Implausible) as error:
        services.edit(row=row, changes={"fp8_dense_tflops": 3957.8}, actor=None, confirmed=True, reason="sheet")
    assert [doubt.field for doubt in error.value.doubts] == ["fp8_dense_tflops"]
    assert Accelerator.objects.get().fp8_dense_tflops == 1978.9
    assert not CatalogVersion.objects.exists()


def test_what_is_only_unusual_needs_a_reason() -> None:
    row = make_accelerator()
    with pytest.raises(Implausible):
        services.edit(row=row, changes={"slot_width": 2}, actor=None, confirmed=True)
    services.edit(row=row, changes={"slot_width": 2}, actor=None, confirmed=True, reason="carrier card")
    assert Accelerator.objects.get().slot_width == 2


@pytest.mark.parametrize("field", ["slug", "seed_key", "no_such_field"])
def test_keys_cannot_be_edited(field: str) -> None:
    with pytest.raises(CatalogError, match="field_not_editable"):
        services.edit(row=make_accelerator(), changes={field: "x"}, actor=None)
