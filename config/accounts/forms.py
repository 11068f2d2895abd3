"""What people type about themselves, their colleagues and their organisation."""

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.utils.translation import gettext_lazy as _

from config.accounts.access import SCOPES
from config.accounts.choices import Role
from config.accounts.models import Organisation


class _Styled:
    """Gives every control the class that the style sheet knows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():  # type: ignore[attr-defined]
            if not isinstance(field.widget, forms.CheckboxSelectMultiple):
                kind = "form-select" if isinstance(field.widget, forms.Select) else "form-control"
                field.widget.attrs.setdefault("class", kind)
            field.help_text = field.help_text or ""


class SignInForm(_Styled, AuthenticationForm):
    error_messages = {
        "invalid_login": _("This e-mail address and password do not belong together. Capitals count in the password."),
        "inactive": _("This account is closed. Ask an administrator of your organisation."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("E-mail address")
        self.fields["username"].widget.attrs["autocomplete"] = "username"


class NewPasswordForm(_Styled, SetPasswordForm):  # type: ignore[type-arg]
    """For somebody who came in by a link and has no password yet."""


class ChangePasswordForm(_Styled, PasswordChangeForm):
    """For somebody who knows the present one."""


class InviteForm(_Styled, forms.Form):
    email = forms.EmailField(label=_("E-mail address"), max_length=150)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.PLANNER)


class RoleForm(_Styled, forms.Form):
    role = forms.ChoiceField(
        label=_("Role"),
        choices=Role.choices,
        widget=forms.Select(attrs={"class": "form-select w-auto flex-shrink-0"}),
    )


class TokenForm(_Styled, forms.Form):
    name = forms.CharField(label=_("What is it for?"), max_length=100)
    days = forms.IntegerField(label=_("Valid for"), min_value=1, max_value=366, initial=90)
    scopes = forms.MultipleChoiceField(
        label=_("May"),
        choices=[("read", _("read")), ("write", _("write"))],
        initial=list(SCOPES[:1]),
        widget=forms.CheckboxSelectMultiple,
    )


class OrganisationForm(_Styled, forms.ModelForm):  # type: ignore[type-arg]
    """Identity and defaults. An empty field is shown as open on documents, never as fine."""

    class Meta:
        model = Organisation
        fields = [
            "name",
            "legal_name",
            "legal_form",
            "street",
            "postal_code",
            "city",
            "country",
            "phone",
            "contact_email",
            "website",
            "register_court",
            "register_number",
            "managing_directors",
            "vat_id",
            "cage_code",
            "uei",
            "currency",
            "time_zone",
            "document_language",
            "price_max_age_days",
            "lead_time_max_age_days",
            "quote_valid_days",
        ]
        widgets = {"document_language": forms.Select(choices=[("en", _("English")), ("de", _("German"))])}

    SECTIONS = (
        (_("Identity"), ("name", "legal_name", "legal_form", "register_court", "register_number",
                         "managing_directors", "vat_id", "cage_code", "uei")),
        (_("Address"), ("street", "postal_code", "city", "country", "phone", "contact_email", "website")),
        (_("Defaults"), ("currency", "time_zone", "document_language", "price_max_age_days",
                         "lead_time_max_age_days", "quote_valid_days")),
    )  # fmt: skip

    def lock(self) -> None:
        """For a reader who may not change it."""
        for field in self.fields.values():
            field.disabled = True

    def sections(self) -> list[tuple[Any, list[forms.BoundField]]]:
        return [(title, [self[name] for name in names]) for title, names in self.SECTIONS]

    def clean_country(self) -> str:
        return _letters(self.cleaned_data["country"], 2, _("Use the two-letter code, for example US or DE."))

    def clean_currency(self) -> str:
        return _letters(self.cleaned_data["currency"], 3, _("Use the three-letter code, for example USD or EUR."))

    def clean_time_zone(self) -> str:
        zone = str(self.cleaned_data["time_zone"])
        if zone not in available_timezones():
            raise forms.ValidationError(_("Use a name such as Europe/Berlin, America/New_York or UTC."))
        return zone


def _letters(value: str, count: int, remedy: Any) -> str:
    text = value.strip().upper()
    if text and not (len(text) == count and text.isascii() and text.isalpha()):
        raise forms.ValidationError(remedy)
    return text
