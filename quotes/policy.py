"""The organisation's own rules of quotes: how it screens, what its documents say, who must approve."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction

from config.accounts.models import Organisation, User
from config.accounts.permissions import Action, may
from config.accounts.services import record_event
from quotes.compliance.types import ScreeningContext
from quotes.errors import NotAllowed
from quotes.models import ApprovalRule, QuotePolicy


def policy_of(organisation: Organisation | None) -> QuotePolicy:
    """The stored policy, else an unsaved one with the defaults."""
    if organisation is None or organisation.pk is None:
        return QuotePolicy()
    return QuotePolicy.objects.filter(organisation=organisation).first() or QuotePolicy(organisation=organisation)


def under(policy: QuotePolicy, context: ScreeningContext) -> ScreeningContext:
    """The context of a screening with what the organisation asks for."""
    return replace(
        context,
        part_b_representation_date=policy.part_b_represented_on,
        strict_s889=policy.strict_s889,
        grade_a_only=policy.grade_a_only,
    )


@transaction.atomic
def save_policy(*, policy: QuotePolicy, changed: list[str], user: User) -> QuotePolicy:
    """Store what a form has checked."""
    _require_administrator(user, policy.organisation)
    before = policy_of(policy.organisation)
    policy.save()
    _record("quote_policy.change", policy.organisation, user, _fields(before, changed), _fields(policy, changed))
    return policy


@transaction.atomic
def add_rule(*, organisation: Organisation, fields: Mapping[str, Any], user: User) -> ApprovalRule:
    """One more rule of approval. Raises ValidationError for thresholds that have a rule."""
    _require_administrator(user, organisation)
    rule = ApprovalRule(organisation=organisation, **fields)
    rule.full_clean()
    rule.save()
    _record("approval_rule.add", organisation, user, None, {name: str(value) for name, value in fields.items()})
    return rule


@transaction.atomic
def remove_rule(*, rule: ApprovalRule, user: User) -> None:
    _require_administrator(user, rule.organisation)
    _record("approval_rule.remove", rule.organisation, user, {"rule": str(rule)}, None)
    rule.delete()


def _fields(policy: QuotePolicy, names: list[str]) -> dict[str, str]:
    return {name: str(getattr(policy, name)) for name in names}


def _require_administrator(user: User, organisation: Organisation) -> None:
    if not may(user, organisation, Action.ADMINISTER):
        raise NotAllowed("quote_role_missing", action=Action.ADMINISTER.value)


def _record(action: str, organisation: Organisation, user: User, before: Any, after: Any) -> None:
    record_event(
        action=action,
        object_kind="organisation",
        object_id=organisation.public_id,
        actor=user,
        organisation=organisation,
        before=before,
        after=after,
    )
