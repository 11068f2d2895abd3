"""Writes to an organisation's price policy: margin rules, each audited and kept on file."""

from datetime import date, timedelta

from django.db import transaction

from catalog.models import MarginRule
from config.accounts.models import User
from config.accounts.services import record_event


@transaction.atomic
def add_margin_rule(*, rule: MarginRule, actor: User) -> MarginRule:
    """Store a rule; an older one of the same scope ends the day before. Raises ValidationError."""
    rule.created_by = actor
    rule.full_clean()
    rule.save()
    same = MarginRule.objects.select_for_update(no_key=True).filter(
        organisation=rule.organisation, kind=rule.kind, manufacturer__iexact=rule.manufacturer
    )
    for old in same.exclude(pk=rule.pk):
        if old.valid_from < rule.valid_from and (old.valid_to is None or old.valid_to >= rule.valid_from):
            old.valid_to = rule.valid_from - timedelta(days=1)
            old.save(update_fields=["valid_to"])
    _record("add_margin_rule", rule, actor)
    return rule


@transaction.atomic
def end_margin_rule(*, rule: MarginRule, actor: User, today: date) -> MarginRule:
    """End a rule: one that holds today holds today for the last time, one to come never does."""
    rule = MarginRule.objects.select_for_update(no_key=True).get(pk=rule.pk)
    if rule.valid_to is None or rule.valid_to > today:
        rule.valid_to = max(today, rule.valid_from)
        rule.save(update_fields=["valid_to"])
        _record("end_margin_rule", rule, actor)
    return rule


def _record(action: str, rule: MarginRule, actor: User) -> None:
    record_event(
        action=action,
        object_kind="marginrule",
        object_id=str(rule.public_id),
        actor=actor,
        organisation=rule.organisation,
        after={
            "kind": rule.kind,
            "manufacturer": rule.manufacturer,
            "markup_pct": str(rule.markup_pct),
            "valid_from": rule.valid_from.isoformat(),
            "valid_to": rule.valid_to.isoformat() if rule.valid_to else None,
        },
    )
