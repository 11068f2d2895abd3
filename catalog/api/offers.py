"""Which price and which lead time count for one thing, as JSON."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from catalog import messages
from catalog.choosing import LeadTimeAnswer, PriceAnswer
from config.rest.serializers import amount_text
from sizing.core.values import Message, Money


class ReasonSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    reason = serializers.CharField()


class PriceMoneySerializer(serializers.Serializer[Any]):
    """An amount as text; unknown has `amount: null`, never 0."""

    amount = serializers.CharField(allow_null=True)
    low = serializers.CharField(allow_null=True)
    high = serializers.CharField(allow_null=True)
    currency = serializers.CharField()
    basis = serializers.CharField(allow_blank=True)
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    as_of = serializers.CharField(allow_blank=True)


class PriceAnswerSerializer(serializers.Serializer[Any]):
    money = PriceMoneySerializer()
    observation = serializers.UUIDField(allow_null=True, help_text="The price that was chosen.")
    order_quantity = serializers.IntegerField(help_text="After rounding up to the pack.")
    age_days = serializers.IntegerField(allow_null=True)
    is_stale = serializers.BooleanField()
    reasons = ReasonSerializer(many=True)
    rejected = serializers.DictField(child=serializers.IntegerField(), help_text="Offers that could not win, by code.")
    indicative = PriceMoneySerializer(allow_null=True, help_text="A weak source; never enters a quote.")


class LeadTimeAnswerSerializer(serializers.Serializer[Any]):
    weeks_low = serializers.FloatField(allow_null=True)
    weeks_typical = serializers.FloatField(allow_null=True)
    weeks_high = serializers.FloatField(allow_null=True)
    state = serializers.CharField()
    observation = serializers.UUIDField(allow_null=True)
    age_days = serializers.IntegerField(allow_null=True)
    is_stale = serializers.BooleanField()
    reasons = ReasonSerializer(many=True)
    rejected = serializers.DictField(child=serializers.IntegerField())


class OfferSerializer(serializers.Serializer[Any]):
    """The price and the lead time that count for this quantity, with the reasons."""

    quantity = serializers.IntegerField()
    price = PriceAnswerSerializer()
    lead_time = LeadTimeAnswerSerializer()


def offer(price: PriceAnswer, lead: LeadTimeAnswer, *, quantity: int) -> dict[str, Any]:
    """The body of `GET …/offer`."""
    return {
        "quantity": quantity,
        "price": {
            "money": _money(price.money),
            "observation": _id(price.observation),
            "order_quantity": price.order_quantity,
            "age_days": price.age_days,
            "is_stale": price.is_stale,
            "reasons": _reasons(price.why),
            "rejected": dict(price.rejected),
            "indicative": _money(price.indicative) if price.indicative else None,
        },
        "lead_time": {
            "weeks_low": lead.weeks_low,
            "weeks_typical": lead.weeks_typical,
            "weeks_high": lead.weeks_high,
            "state": str(lead.state),
            "observation": _id(lead.observation),
            "age_days": lead.age_days,
            "is_stale": lead.is_stale,
            "reasons": _reasons(lead.why),
            "rejected": dict(lead.rejected),
        },
    }


def _money(value: Money) -> dict[str, Any]:
    return {
        "amount": None if value.amount is None else amount_text(value.amount),
        "low": None if value.low is None else amount_text(value.low),
        "high": None if value.high is None else amount_text(value.high),
        "currency": value.currency,
        "basis": value.basis,
        "source": value.source,
        "as_of": str(value.as_of or ""),
    }


def _id(row: Any) -> str | None:
    return str(row.public_id) if row is not None else None


def _reasons(why: Iterable[Message]) -> list[dict[str, str]]:
    return [{"code": message.code, "reason": messages.render(message)} for message in why]
