"""What an administrator types about a program."""

from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext_lazy as _


class ClientForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the program"), max_length=100, widget=forms.TextInput(attrs={"class": "form-control"})
    )
    kind = forms.ChoiceField(
        label=_("Who signs in?"),
        choices=[
            ("machine", _("The program itself (client credentials)")),
            ("web", _("People, through a web server that keeps a secret (code with PKCE)")),
            ("device", _("People, on their own device without a secret (code with PKCE)")),
        ],
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    redirect_uris = forms.CharField(
        label=_("Addresses to return to"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"class": "form-control", "rows": 2}),
    )

    def clean_redirect_uris(self) -> str:
        """Addresses separated by blanks or lines: https, or http on the person's own machine."""
        addresses = str(self.cleaned_data["redirect_uris"]).split()
        for address in addresses:
            if not _may_return_to(address):
                raise forms.ValidationError(
                    _("%(address)s: use https, or http on 127.0.0.1, without #."), params={"address": address}
                )
        return " ".join(addresses)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("kind") in ("web", "device") and data.get("redirect_uris") == "":
            self.add_error("redirect_uris", _("Name at least one address; people are sent there after they agreed."))
        return data


def _may_return_to(address: str) -> bool:
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        if parts.scheme == "https":
            return bool(host) and not parts.fragment
        return parts.scheme == "http" and ip_address(host).is_loopback and not parts.fragment
    except ValueError:
        return False
