"""Drafts of workloads: save, find, copy, discard. A draft of another organisation is nowhere to be found."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import QueryDict

from config.accounts.models import Organisation, User
from sizing.models_draft import WorkloadDraft

LEFT_OUT = {"csrfmiddlewaretoken", "save", "look", "draft"}
MAX_TEXT = 200_000  # characters of one field; a published config.json has a few thousand


def typed_values(posted: QueryDict, files: Mapping[str, Any]) -> dict[str, str | list[str]]:
    """The fields of a form as they were typed, emptied ones too.

    A chosen config.json moves into the field for pasted text.
    """
    values: dict[str, str | list[str]] = {}
    for name, texts in posted.lists():
        if name not in LEFT_OUT:
            kept = [text[:MAX_TEXT] for text in texts]
            values[name] = kept[0] if len(kept) == 1 else kept
    upload = files.get("config_file")
    if upload is not None and upload.size <= MAX_TEXT:
        values["config_text"] = upload.read().decode("utf-8", errors="replace")
    return values


@transaction.atomic
def save_draft(
    *,
    kind: str,
    values: Mapping[str, Any],
    user: User | None,
    organisation: Organisation | None,
    draft: WorkloadDraft | None = None,
) -> WorkloadDraft:
    """Store what was typed, over `draft` where one is given."""
    name = values.get("name") or ""
    draft = draft or WorkloadDraft(organisation=organisation, created_by=user)
    draft.kind, draft.values, draft.name = kind, dict(values), str(name)[:200]
    draft.save()
    return draft


def copy_draft(draft: WorkloadDraft, *, user: User | None) -> WorkloadDraft:
    """A second draft with the same values."""
    return save_draft(kind=draft.kind, values=draft.values, user=user, organisation=draft.organisation)


def drafts_for(user: User | None, *, secrets: Sequence[str] = ()) -> QuerySet[WorkloadDraft]:
    """Drafts that this person may see: those of their organisations, and visitors' drafts whose secret they hold."""
    allowed = Q(organisation=None, secret__in=secrets)
    if user is not None and user.is_authenticated:
        allowed |= Q(organisation__memberships__user=user)
    return WorkloadDraft.objects.filter(allowed).distinct()


def draft_by_key(key: str, user: User | None) -> WorkloadDraft | None:
    """The draft behind an address: a visitor's by its secret, a member's by its public id; else None."""
    found = WorkloadDraft.objects.filter(organisation=None, secret=key).first() if key else None
    if found is not None:
        return found
    try:
        return drafts_for(user).filter(public_id=UUID(key)).first()
    except ValueError:
        return None
