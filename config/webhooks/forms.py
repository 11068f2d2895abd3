"""What an administrator types about a receiver."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.webhooks.choices import EventType
from config.webhooks.targets import MAX_URL


class EndpointForm(forms.Form):
    url = forms.CharField(
        label=_("Address of the receiver"),
        max_length=MAX_URL,
        widget=forms.URLInput(attrs={"class": "form-control", "placeholder": "https://"}),
    )
    description = forms.CharField(
        label=_("What is it for?"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"class": "form-control"}),
    )
    events = forms.MultipleChoiceField(
        label=_("Messages"),
        choices=[choice for choice in EventType.choices if choice[0] != EventType.TEST],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


def initial_of(endpoint: Any) -> dict[str, Any]:
    """The form's values for a stored receiver."""
    return {"url": endpoint.url, "description": endpoint.description, "events": endpoint.events}
