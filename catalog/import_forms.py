"""What people send on the import pages: a file, answers, names."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from catalog.imports.answers import CHOICES, TEXTS
from catalog.models import SupplierProfile
from config.accounts.models import Organisation


class UploadForm(forms.Form):
    """A supplier's file, who sent it, and a saved way of reading it."""

    file = forms.FileField(
        label=_("Price file"),
        error_messages={"required": _("Choose a file."), "empty": _("The file is empty.")},
        widget=forms.ClearableFileInput(attrs={"class": "form-control", "accept": ".csv,.tsv,.txt,.xlsx,.dat,.prn"}),
    )
    supplier = forms.CharField(
        label=_("Supplier"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"class": "form-control", "list": "suppliers", "autocomplete": "off"}),
    )
    profile = forms.ModelChoiceField(
        label=_("Saved profile"),
        queryset=SupplierProfile.objects.none(),
        required=False,
        empty_label=_("none, find out from the file"),
        widget=forms.Select(attrs={"class": "form-select"}),
    )

    def __init__(self, *args: Any, organisation: Organisation, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        profiles = SupplierProfile.objects.filter(organisation=organisation).select_related("supplier")
        self.fields["profile"].queryset = profiles  # type: ignore[attr-defined]


def answers_from(
    post: QueryDict, present: Mapping[str, Any], head: Mapping[str, Any], lines: Iterable[int]
) -> dict[str, Any]:
    """The batch's answers with what this form states; an empty choice takes an answer back.

    `lines` are the confirmable lines on the page: an unticked box among them takes its confirmation back.
    """
    answers = dict(present)
    for key in (*CHOICES, *TEXTS):
        if key in post:
            value = str(post[key])
            _put(answers, key, value if key == "delimiter" else value.strip())
    if "currency" in answers:
        answers["currency"] = str(answers["currency"]).upper()
    if "column" in post:
        roles = post.getlist("column")
        detected = [str(column["role"]) for column in head.get("columns") or ()]
        if "columns" in answers or roles != detected:
            answers |= {"columns": roles, "header_row": head.get("header_last") or 0}
    if "confirmable" in post:
        ticked = {int(line) for line in post.getlist("confirm") if line.isdecimal()}
        kept = {int(line) for line in answers.get("confirmed_lines") or ()} - set(lines)
        _put(answers, "confirmed_lines", sorted(kept | ticked))
    return answers


def _put(answers: dict[str, Any], key: str, value: Any) -> None:
    if value:
        answers[key] = value
    else:
        answers.pop(key, None)
