"""Events of the audit trail in words: the verb, the thing, the fields with their labels and values.

A name for which there is no word stays the name of the program, and the page sets it as code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.apps import apps
from django.db.models import Field
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.accounts.models import AuditEvent

VERBS: Mapping[str, str | Promise] = {
    "create": gettext_lazy("created"), "add": gettext_lazy("added"), "update": gettext_lazy("changed"),
    "change": gettext_lazy("changed"), "edit": gettext_lazy("changed"), "correct": gettext_lazy("corrected"),
    "delete": gettext_lazy("deleted"), "remove": gettext_lazy("removed"), "revoke": gettext_lazy("revoked"),
    "issue": gettext_lazy("issued"), "approve": gettext_lazy("approved"), "revise": gettext_lazy("revised"),
    "share": gettext_lazy("shared"), "send": gettext_lazy("sent"), "comment": gettext_lazy("commented"),
    "discount": gettext_lazy("discounted"), "rescreen": gettext_lazy("screened again"),
    "flags_settled": gettext_lazy("findings settled"), "validate": gettext_lazy("validated"),
    "attach": gettext_lazy("file attached"), "detach": gettext_lazy("file removed"), "decide": gettext_lazy("decided"),
    "commit": gettext_lazy("stored"), "undo": gettext_lazy("taken back"), "supersede": gettext_lazy("superseded"),
    "record": gettext_lazy("recorded"), "disable": gettext_lazy("switched off"), "resend": gettext_lazy("sent again"),
    "rotate_secret": gettext_lazy("secret renewed"), "test": gettext_lazy("tested"), "draft": gettext_lazy("draft"),
    "in_review": gettext_lazy("in review"), "approved": gettext_lazy("approved"), "locked": gettext_lazy("locked"),
    "accepted": gettext_lazy("accepted"), "declined": gettext_lazy("declined"), "expired": gettext_lazy("expired"),
    "superseded": gettext_lazy("superseded"), "withdrawn": gettext_lazy("withdrawn"),
    "upload": gettext_lazy("uploaded"), "sign_in": gettext_lazy("signed in"), "role": gettext_lazy("role changed"),
    "prices": gettext_lazy("prices taken over"), "import": gettext_lazy("stored"),
    "save_profile": gettext_lazy("profile saved"), "set_password": gettext_lazy("password set"),
    "use_link": gettext_lazy("link used"), "decide_match": gettext_lazy("match decided"),
    "forget_match": gettext_lazy("match taken back"),
    "join_by_domain": gettext_lazy("joined by domain"), "record_origin_claim": gettext_lazy("recorded"),
}  # fmt: skip
THINGS: Mapping[str, str | Promise] = {
    "quote": gettext_lazy("Quote"), "quote_line": gettext_lazy("Quote line"), "line": gettext_lazy("Quote line"),
    "organisation": gettext_lazy("Organisation"), "membership": gettext_lazy("Membership"),
    "api_token": gettext_lazy("Access token"), "token": gettext_lazy("Access token"), "user": gettext_lazy("Person"),
    "price": gettext_lazy("Price"), "lead_time": gettext_lazy("Lead time"), "claim": gettext_lazy("Claim of origin"),
    "rate": gettext_lazy("Exchange rate"), "import": gettext_lazy("Import"), "part": gettext_lazy("Part"),
    "webhook": gettext_lazy("Webhook"), "approval_rule": gettext_lazy("Approval rule"),
    "oauth": gettext_lazy("Program"), "oauthclient": gettext_lazy("Program"),
    "webhookendpoint": gettext_lazy("Webhook"),
    "importbatch": gettext_lazy("Import"), "storedfile": gettext_lazy("File"), "partalias": gettext_lazy("Part"),
    "supplierprofile": gettext_lazy("Supplier"), "marginrule": gettext_lazy("Rules of quotes"),
    "quality": gettext_lazy("Evaluation"), "partylist": gettext_lazy("Party list"),
    "priceobservation": gettext_lazy("Price"), "leadtimeobservation": gettext_lazy("Lead time"),
    "exchangerate": gettext_lazy("Exchange rate"), "originclaim": gettext_lazy("Claim of origin"),
    "accelerator": gettext_lazy("Accelerator"), "server": gettext_lazy("Server"), "supplier": gettext_lazy("Supplier"),
    "evidence": gettext_lazy("Evidence"), "quote_policy": gettext_lazy("Rules of quotes"),
    "measurement": gettext_lazy("Measurement"), "calibration": gettext_lazy("Calibration"),
    "bomrule": gettext_lazy("Configuration rule"), "processor": gettext_lazy("Processor"),
    "component": gettext_lazy("Component"),
}  # fmt: skip


LABELS: Mapping[str, str | Promise] = {
    "state": gettext_lazy("State"), "revision": gettext_lazy("Revision"), "number": gettext_lazy("Number"),
    "name": gettext_lazy("Name"), "role": gettext_lazy("Role"), "line": gettext_lazy("Line"),
    "option": gettext_lazy("Option"), "quote": gettext_lazy("Quote"), "rule": gettext_lazy("Rule"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedValue:
    """A field as shown; `is_code` where there is no label for it."""

    name: str
    value: str
    is_code: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    event: AuditEvent
    thing: str
    verb: str
    code: str  # the action's own name, where one of its two words is missing
    before: list[NamedValue]
    after: list[NamedValue]


def event_view(event: AuditEvent) -> EventView:
    kind, _dot, verb = event.action.rpartition(".")
    thing = THINGS.get(kind) or THINGS.get(event.object_kind)
    word = VERBS.get(verb or kind)
    return EventView(
        event=event,
        thing=str(thing or ""),
        verb=str(word or ""),
        code="" if thing and word else event.action,
        before=_values(event.object_kind, event.before),
        after=_values(event.object_kind, event.after),
    )


def _values(kind: str, stated: Any) -> list[NamedValue]:
    if not isinstance(stated, Mapping):
        return []
    return [_named(kind, str(name), value) for name, value in stated.items()]


def _named(kind: str, name: str, value: Any) -> NamedValue:
    fields = _fields().get(name, [])
    model = kind.replace("_", "")
    field = next((each for each in fields if _model(each) == model), None)
    field = field or next((each for each in fields if _model(each).startswith(model)), None)
    label = LABELS.get(name) or (field.verbose_name if field and isinstance(field.verbose_name, Promise) else None)
    text = _text(value)
    words = {str(key): str(word) for key, word in field.flatchoices} if field and field.choices else {}
    return NamedValue(name=str(label or name), value=words.get(text, text), is_code=label is None)


def _model(field: "Field[Any, Any]") -> str:
    return str(field.model._meta.model_name)


def _text(value: Any) -> str:
    if value is None or value == "":
        return _("empty")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value)) or _("empty")
    return str(value)


@lru_cache(maxsize=1)
def _fields() -> dict[str, "list[Field[Any, Any]]"]:
    """Every field of every model by its name."""
    found: dict[str, list[Field[Any, Any]]] = {}
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if isinstance(field, Field):
                found.setdefault(field.name, []).append(field)
    return found
