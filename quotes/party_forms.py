"""What people load and say on the page of listed parties."""

from django import forms
from django.utils.translation import gettext_lazy as _

from quotes.choices import PartyListKind
from quotes.evidence_forms import StyledForm


class PartyListForm(StyledForm):
    """A file of one of the public lists."""

    kind = forms.ChoiceField(choices=PartyListKind.choices, label=_("List"))
    published_on = forms.DateField(
        label=_("Published on"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    file = forms.FileField(label=_("File as its publisher hands it out, CSV or ZIP"))


class PartyNoteForm(forms.Form):
    note = forms.CharField(max_length=300, required=False)
