"""What people type and attach on the evidence pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.choices import EvidenceType
from quotes.choices import StatementSays


class StyledForm(forms.Form):
    """A form whose fields carry the classes of the house."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            kind = "form-select" if isinstance(field, forms.ChoiceField) else "form-control"
            field.widget.attrs.setdefault("class", kind)


class ClaimForm(StyledForm):
    """One claim about the origin of one part."""

    mpn = forms.CharField(max_length=80, label=_("Part number"))
    manufacturer = forms.CharField(max_length=100, required=False, label=_("Manufacturer"))
    text = forms.CharField(max_length=200, label=_("Origin as received"))
    evidence_type = forms.ChoiceField(choices=EvidenceType.choices, label=_("Evidence"))
    stated_by = forms.CharField(max_length=150, label=_("Stated by"))
    stated_on = forms.DateField(label=_("Stated on"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    transformation_note = forms.CharField(max_length=300, required=False, label=_("What was done where"))
    source_title = forms.CharField(max_length=300, required=False, label=_("Source, for example a ruling number"))
    file = forms.FileField(required=False, label=_("Letter or ruling"))


class FeedForm(StyledForm):
    """A distributor's feed."""

    stated_by = forms.CharField(max_length=150, label=_("Distributor"))
    file = forms.FileField(label=_("Feed as CSV"))


class StatementForm(StyledForm):
    """What a maker or supplier says on Section 889."""

    firm = forms.CharField(max_length=200, label=_("Maker or supplier"))
    mpn = forms.CharField(
        max_length=100,
        required=False,
        label=_("Part number"),
        help_text=_("Empty where the letter speaks of everything the firm supplies."),
    )
    says = forms.ChoiceField(
        choices=[choice for choice in StatementSays.choices if choice[0] != StatementSays.UNCLEAR],
        label=_("The letter says"),
    )
    clause = forms.CharField(
        max_length=60, required=False, label=_("Clause or form"), help_text=_("for example FAR 52.204-26")
    )
    stated_by = forms.CharField(max_length=150, label=_("Stated by"))
    stated_on = forms.DateField(label=_("Stated on"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    text = forms.CharField(max_length=300, required=False, label=_("Its words, where they matter"))
    file = forms.FileField(label=_("Letter"))


class ClearanceForm(StyledForm):
    """Why a name is another firm than the listed one."""

    reason = forms.CharField(
        max_length=2000, label=_("Why it is another firm"), widget=forms.Textarea(attrs={"rows": 4})
    )
    file = forms.FileField(
        required=False,
        label=_("Proof, for example a register extract"),
        help_text=_("PDF, PNG or JPEG, up to 10 MB. Needed where the names are equal."),
    )


class SettleForm(forms.Form):
    note = forms.CharField(max_length=2000, required=False)
