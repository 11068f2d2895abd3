"""Prices, lead times and exchange rates: read by everybody, added by buyers and editors, as on the pages."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from catalog import selectors, services
from catalog.api import filters
from catalog.api import serializers as shapes
from catalog.api.views import CatalogueViewSet, ExchangeRateReads
from catalog.choices import PriceKind, StockState, TaxBasis
from catalog.forms import LeadTimeForm, PriceForm, RateForm
from catalog.models import LeadTimeObservation, Part, PriceObservation
from config.accounts.models import Organisation, User
from config.accounts.permissions import Action
from config.rest.bulk import MODE, RowErrorSerializer, mode_of, rows_of, write_all, write_each
from config.rest.idempotency import idempotent
from config.rest.serializers import AmountField, Strict, checked
from config.rest.tenancy import organisation, require_action

CURRENCY = r"^[A-Za-z]{3}$"


class PriceWriteSerializer(Strict):
    """A price to add. The older ones of the same supplier, part and quantity are kept and closed."""

    part = serializers.CharField(max_length=150, help_text="Slug of the part.")
    supplier = serializers.CharField(max_length=100, help_text="Name; a new one is added to your suppliers.")
    unit_price = AmountField()
    currency = serializers.RegexField(CURRENCY)
    tax_basis = serializers.ChoiceField(choices=TaxBasis.choices)
    kind = serializers.ChoiceField(choices=PriceKind.choices)
    min_quantity = serializers.IntegerField(min_value=1, max_value=2_000_000_000, default=1)
    pack_size = serializers.IntegerField(min_value=1, max_value=2_000_000_000, default=1)
    minimum_order = serializers.IntegerField(min_value=1, max_value=2_000_000_000, default=1)
    observed_on = serializers.DateField()
    valid_to = serializers.DateField(required=False, allow_null=True)
    supplier_sku = serializers.CharField(max_length=80, required=False, allow_blank=True)
    quote_number = serializers.CharField(max_length=60, required=False, allow_blank=True)
    source_title = serializers.CharField(max_length=300, required=False, allow_blank=True)
    source_url = serializers.URLField(max_length=300, required=False, allow_blank=True)
    notes = serializers.CharField(max_length=5000, required=False, allow_blank=True)


class LeadTimeWriteSerializer(Strict):
    """A statement on delivery or stock to add. The older one of the same supplier is kept and closed."""

    part = serializers.CharField(max_length=150, help_text="Slug of the part.")
    supplier = serializers.CharField(max_length=100, help_text="Name; a new one is added to your suppliers.")
    state = serializers.ChoiceField(choices=StockState.choices)
    weeks_low = serializers.FloatField(min_value=0, max_value=520, required=False, allow_null=True)
    weeks_typical = serializers.FloatField(min_value=0, max_value=520, required=False, allow_null=True)
    weeks_high = serializers.FloatField(min_value=0, max_value=520, required=False, allow_null=True)
    stock_count = serializers.IntegerField(min_value=0, max_value=2_000_000_000, required=False, allow_null=True)
    promised_on = serializers.DateField(required=False, allow_null=True)
    observed_on = serializers.DateField()
    source_title = serializers.CharField(max_length=300, required=False, allow_blank=True)
    source_url = serializers.URLField(max_length=300, required=False, allow_blank=True)
    notes = serializers.CharField(max_length=5000, required=False, allow_blank=True)


class ExchangeRateWriteSerializer(Strict):
    """What one unit of a currency costs in another, on a day, by a source."""

    base_currency = serializers.RegexField(CURRENCY)
    quote_currency = serializers.RegexField(CURRENCY)
    rate = serializers.DecimalField(max_digits=18, decimal_places=8)
    as_of = serializers.DateField()
    source_title = serializers.CharField(max_length=300)
    source_url = serializers.URLField(max_length=300, required=False, allow_blank=True)


class PriceRowsSerializer(serializers.Serializer[Any]):
    """All rows, in the order that they were sent."""

    results = shapes.PriceSerializer(many=True)


class PriceAnswerRowSerializer(serializers.Serializer[Any]):
    """What became of one row."""

    index = serializers.IntegerField(help_text="Place in the array that was sent, from 0.")
    status = serializers.IntegerField(help_text="201 stored, 422 refused")
    row = shapes.PriceSerializer(allow_null=True)
    errors = RowErrorSerializer(many=True)  # type: ignore[assignment]


class PriceAnswersSerializer(serializers.Serializer[Any]):
    """One answer for each row."""

    results = PriceAnswerRowSerializer(many=True)


PRICE = OpenApiExample(
    "A supplier's offer",
    {
        "part": "nvidia-h100-sxm5-80gb",
        "supplier": "Rechenwerk",
        "unit_price": "28499.00",
        "currency": "EUR",
        "tax_basis": "excl_vat",
        "kind": "offer",
        "observed_on": "2026-11-30",
    },
    request_only=True,
)


class _Reads(CatalogueViewSet):
    """Reading for everybody, adding for those who are signed in; the role is asked by the write."""

    lookup_field = "public_id"

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated() if self.action in ("create", "bulk") else AllowAny()]


class PriceViewSet(_Reads):
    queryset = PriceObservation.objects.none()
    serializer_class = shapes.PriceSerializer
    filterset_class = filters.PRICES
    default_order = ("-observed_on", "-pk")
    orders = ("observed_on", "created_at", "unit_price")
    parameters = {"bulk": [MODE]}

    def rows(self) -> QuerySet[Any]:
        return selectors.prices(organisation(self.request))

    @extend_schema(
        operation_id="prices_create",
        request=PriceWriteSerializer,
        responses={201: shapes.PriceSerializer},
        examples=[PRICE],
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """Add a price of your organisation."""
        acting, actor = require_action(request, Action.EDIT_PRICES)
        price = _store_price(request.data, acting, actor)
        return Response(self.get_serializer(price).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="prices_bulk",
        request=PriceWriteSerializer(many=True),
        responses={201: PriceRowsSerializer, 207: PriceAnswersSerializer},
    )
    @idempotent
    def bulk(self, request: Request) -> Response:
        """Add up to 500 prices: all or none, or with mode=partial each for itself, answered row by row (207)."""
        acting, actor = require_action(request, Action.EDIT_PRICES)
        mode, rows = mode_of(request), rows_of(request)

        def store(row: Any) -> Any:
            return self.get_serializer(_store_price(row, acting, actor)).data

        if mode == "all":
            return Response({"results": write_all(rows, store)}, status=status.HTTP_201_CREATED)
        return Response({"results": write_each(rows, store)}, status=status.HTTP_207_MULTI_STATUS)


class LeadTimeViewSet(_Reads):
    queryset = LeadTimeObservation.objects.none()
    serializer_class = shapes.LeadTimeSerializer
    filterset_class = filters.LEAD_TIMES
    default_order = ("-observed_on", "-pk")
    orders = ("observed_on", "created_at", "weeks_typical")

    def rows(self) -> QuerySet[Any]:
        return selectors.lead_times(organisation(self.request))

    @extend_schema(
        operation_id="lead_times_create",
        request=LeadTimeWriteSerializer,
        responses={201: shapes.LeadTimeSerializer},
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """Add a lead time of your organisation."""
        acting, actor = require_action(request, Action.EDIT_PRICES)
        part, form = _read(request.data, LeadTimeWriteSerializer, LeadTimeForm, acting)
        with transaction.atomic():
            row = form.save(commit=False)
            row.part, row.organisation, row.supplier = part, acting, form.supplier()
            row.source_date = row.observed_on.isoformat()
            services.record_lead_time(observation=row, actor=actor)
        row.refresh_from_db()
        return Response(self.get_serializer(row).data, status=status.HTTP_201_CREATED)


class ExchangeRateViewSet(ExchangeRateReads):
    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated() if self.action == "create" else AllowAny()]

    @extend_schema(
        operation_id="exchange_rates_create",
        request=ExchangeRateWriteSerializer,
        responses={201: shapes.ExchangeRateSerializer},
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """Add an exchange rate of your organisation; older ones stay for older dates."""
        acting, actor = require_action(request, Action.EDIT_PRICES)
        read = ExchangeRateWriteSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        form = RateForm(_plain(read.validated_data))
        checked(form)
        rate = form.save(commit=False)
        rate.organisation, rate.confidence, rate.source_date = acting, "A", rate.as_of.isoformat()
        services.record_exchange_rate(rate=rate, actor=actor)
        return Response(self.get_serializer(rate).data, status=status.HTTP_201_CREATED)


def _store_price(data: Any, acting: Organisation, actor: User) -> PriceObservation:
    """One price, checked by the page's own form."""
    part, form = _read(data, PriceWriteSerializer, PriceForm, acting)
    with transaction.atomic():
        price: PriceObservation = form.save(commit=False)
        price.part, price.organisation, price.supplier = part, acting, form.supplier()
        price.valid_from, price.source_date = price.observed_on, price.observed_on.isoformat()
        services.record_price(price=price, actor=actor)
    return price


def _read(data: Any, shape: type[Strict], form_class: type[Any], acting: Organisation) -> tuple[Part, Any]:
    """The part, and the page's own form filled with the body: both doors refuse the same."""
    read = shape(data=data)
    read.is_valid(raise_exception=True)
    values = dict(read.validated_data)
    part = selectors.parts(acting).filter(slug=values.pop("part")).first()
    if part is None:
        raise ValidationError({"part": [ErrorDetail(_("No part has this slug."), code="does_not_exist")]})
    values["supplier_name"] = values.pop("supplier")
    form = form_class(_plain(values), organisation=acting)
    checked(form, {"supplier_name": "supplier"})
    return part, form


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
