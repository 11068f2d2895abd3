"""Shapes of people, organisations and access tokens. A key is shown once and never again."""

from datetime import timedelta
from ipaddress import ip_network
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.accounts.access import SCOPES
from config.accounts.choices import Role
from config.accounts.forms import OrganisationForm
from config.accounts.models import ApiToken, Membership, Organisation
from config.rest.serializers import Rows, Strict, StrictMixin, names

LONGEST_DAYS = 366
OWN_FIELDS = list(OrganisationForm.Meta.fields)


class OrganisationSerializer(Rows):
    """Who sells: identity on documents, and defaults. An empty field is shown as open on documents."""

    id = serializers.UUIDField(source="public_id")

    class Meta:
        model = Organisation
        fields = ["id", *OWN_FIELDS, "created_at"]


class OrganisationPatchSerializer(StrictMixin, serializers.ModelSerializer[Organisation]):
    """Only what is sent is changed."""

    class Meta:
        model = Organisation
        fields = OWN_FIELDS


class MembershipSerializer(serializers.ModelSerializer[Membership]):
    """One person's role in one organisation."""

    id = serializers.IntegerField(source="pk")
    email = serializers.EmailField(source="user.email")
    name = serializers.CharField(source="user.get_full_name")
    role = serializers.ChoiceField(choices=Role.choices)

    class Meta:
        model = Membership
        fields = ["id", "email", "name", "role", "created_at"]


class MeSerializer(serializers.Serializer[Any]):
    """Who this request acts for, and what it may do there."""

    email = serializers.EmailField()
    name = serializers.CharField(allow_blank=True)
    organisation = serializers.UUIDField(allow_null=True)
    organisation_name = serializers.CharField(allow_null=True)
    role = serializers.CharField(allow_blank=True)
    actions = serializers.ListField(child=serializers.CharField())
    scopes = serializers.ListField(child=serializers.CharField(), allow_null=True, help_text="Null without a token.")
    token_expires_at = serializers.DateTimeField(allow_null=True)


class TokenSerializer(Rows):
    """An access token without its key. `prefix` is how the key begins."""

    id = serializers.UUIDField(source="public_id")
    prefix = serializers.CharField(source="key_prefix")
    person = serializers.CharField(source="user.email")
    scopes = serializers.ListField(child=serializers.CharField())
    allowed_networks = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = ApiToken
        fields = names("id name prefix person scopes allowed_networks created_at expires_at last_used_at")


class NewTokenSerializer(TokenSerializer):
    """A new token with its key, which is shown this once."""

    key = serializers.SerializerMethodField()

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "key"]

    @extend_schema_field(serializers.CharField())
    def get_key(self, token: ApiToken) -> str:
        return str(self.context["key"])


class NetworkField(serializers.CharField):
    """An IPv4 or IPv6 network, for example 10.1.0.0/16."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        try:
            return str(ip_network(text))
        except ValueError:
            raise serializers.ValidationError(_("Write a network such as 10.1.0.0/16.")) from None


class TokenWriteSerializer(Strict):
    """What the token may do, for how long, and from where."""

    name = serializers.CharField(max_length=100)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=[(scope, scope) for scope in SCOPES]), min_length=1, max_length=2
    )
    days = serializers.IntegerField(min_value=1, max_value=LONGEST_DAYS, default=90)
    allowed_networks = serializers.ListField(child=NetworkField(max_length=50), max_length=50, default=list)

    def life(self) -> timedelta:
        return timedelta(days=self.validated_data["days"])
