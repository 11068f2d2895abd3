"""The catalogue for reading: everybody sees the public rows, members those of their organisation too."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from catalog import selectors
from catalog.api import filters, offers
from catalog.api import serializers as shapes
from catalog.api.kept import kept_list
from catalog.models import (
    Accelerator,
    AiModel,
    CloudRate,
    Component,
    EnergyTariff,
    ExchangeRate,
    NonLlmWorkload,
    Part,
    Processor,
    Server,
    ServingSoftware,
    SoftwareCompatibility,
    StorageFormat,
    Supplier,
)
from catalog.views import currency_of, today
from config.accounts.models import Organisation
from config.rest.errors import BadQuery, parameter_error
from config.rest.tenancy import organisation
from config.rest.views import ApiViewSet

MOST_COMPARED = 6
MOST_ORDERED = 1_000_000
OFFER_PARAMETERS = [
    OpenApiParameter("currency", {"type": "string", "pattern": "^[A-Z]{3}$"}, description="ISO 4217; default: yours."),
    OpenApiParameter(
        "quantity", {"type": "integer", "minimum": 1, "maximum": MOST_ORDERED, "default": 1}, description="Pieces."
    ),
]


class CatalogueViewSet(ApiViewSet):
    """Base: list and detail of one table."""

    permission_classes = (AllowAny,)
    lookup_field = "slug"
    table: ClassVar[Any] = None  # the model, where everybody may see every row
    detail_serializer: ClassVar[type[Any] | None] = None

    def rows(self) -> QuerySet[Any]:
        """The rows that the caller may see."""
        rows: QuerySet[Any] = self.table.objects.all()
        return rows

    def get_queryset(self) -> QuerySet[Any]:
        return self.rows()

    def get_serializer_class(self) -> type[Any]:
        if self.action == "retrieve" and self.detail_serializer is not None:
            return self.detail_serializer
        return super().get_serializer_class()

    def list(self, request: Request) -> HttpResponseBase:
        """The rows, filtered and ordered, a page at a time."""
        if self.table is None:
            return self.paged(self.rows())
        return kept_list(request, lambda: self.paged(self.rows()))

    def retrieve(self, request: Request, **kwargs: str) -> Response:
        """One row."""
        return Response(self.get_serializer(self.row(kwargs)).data)

    def row(self, kwargs: dict[str, str]) -> Any:
        return get_object_or_404(self.rows(), **{self.lookup_field: kwargs[self.lookup_field]})


class OfferedViewSet(CatalogueViewSet):
    """Base of the tables whose rows have prices."""

    parameters = {"offer": OFFER_PARAMETERS}

    @extend_schema(responses=offers.OfferSerializer)
    def offer(self, request: Request, **kwargs: str) -> Response:
        """The price and the lead time that count today, with the reasons."""
        acting = organisation(request)
        quantity = _quantity(request)
        row = self.row(kwargs)
        price = selectors.current_price(
            row, as_of=today(), currency=_currency(request, acting), organisation=acting, quantity=quantity
        )
        lead = selectors.current_lead_time(row, as_of=today(), organisation=acting, quantity=quantity)
        return Response(offers.offer(price, lead, quantity=quantity))


class AcceleratorViewSet(OfferedViewSet):
    queryset = Accelerator.objects.none()
    table = Accelerator
    serializer_class = shapes.AcceleratorSerializer
    filterset_class = filters.ACCELERATORS
    default_order = ("vendor", "name", "variant")
    orders = ("name", "memory_gb", "memory_bandwidth_gb_s", "bf16_dense_tflops", "fp8_dense_tflops", "tdp_w")
    parameters = {
        "offer": OFFER_PARAMETERS,
        "compare": [OpenApiParameter("slugs", str, required=True, description="Two to six slugs, commas between.")],
    }

    @extend_schema(operation_id="accelerators_compare", responses=shapes.ComparisonSerializer)
    def compare(self, request: Request) -> Response:
        """Up to six accelerators side by side, and the fields in which they differ."""
        wanted = list(dict.fromkeys(filter(None, request.query_params.get("slugs", "").split(","))))
        found = Accelerator.objects.in_bulk(wanted, field_name="slug")
        unknown = [slug for slug in wanted if slug not in found]
        if unknown or not 2 <= len(wanted) <= MOST_COMPARED:
            words = _("Name two to six accelerators by slug. Not known: %(names)s.") % {
                "names": ", ".join(unknown)[:200] or "-"
            }
            raise BadQuery([parameter_error("slugs", "invalid", words)])
        rows = [self.get_serializer(found[slug]).data for slug in wanted]
        differing = [name for name in rows[0] if len({repr(row[name]) for row in rows}) > 1]
        return Response({"differing": differing, "results": rows})


class ServerViewSet(OfferedViewSet):
    queryset = Server.objects.none()
    table = Server
    serializer_class = shapes.ServerSerializer
    detail_serializer = shapes.ServerDetailSerializer
    filterset_class = filters.SERVERS
    default_order = ("vendor", "model")
    orders = ("model", "rack_units", "max_accelerators", "max_ram_gb", "max_system_power_w")

    def rows(self) -> QuerySet[Any]:
        rows = Server.objects.all()
        return rows.prefetch_related("fits__accelerator") if self.action == "retrieve" else rows


class ProcessorViewSet(OfferedViewSet):
    queryset = Processor.objects.none()
    table = Processor
    serializer_class = shapes.ProcessorSerializer
    filterset_class = filters.PROCESSORS
    default_order = ("vendor", "name")
    orders = ("name", "cores", "memory_bandwidth_gb_s", "tdp_w")


class ComponentViewSet(OfferedViewSet):
    queryset = Component.objects.none()
    table = Component
    serializer_class = shapes.ComponentSerializer
    filterset_class = filters.COMPONENTS
    default_order = ("category", "vendor", "model")
    orders = ("vendor", "model", "mpn")


class PartViewSet(OfferedViewSet):
    queryset = Part.objects.none()
    serializer_class = shapes.PartSerializer
    filterset_class = filters.PARTS
    default_order = ("manufacturer", "mpn", "slug")
    orders = ("manufacturer", "mpn", "slug")

    def rows(self) -> QuerySet[Any]:
        return selectors.parts(organisation(self.request)).select_related(
            "accelerator", "processor", "server", "component"
        )

    @extend_schema(operation_id="parts_origin_claims", responses=shapes.OriginClaimsSerializer)
    def origin_claims(self, request: Request, slug: str) -> Response:
        """What is said about where the part comes from; best evidence first."""
        claims = selectors.origin_claims(self.row({"slug": slug}), organisation(request))
        return Response({"results": shapes.OriginClaimSerializer(claims, many=True).data})


class SoftwareViewSet(CatalogueViewSet):
    queryset = ServingSoftware.objects.none()
    table = ServingSoftware
    serializer_class = shapes.SoftwareSerializer
    filterset_class = filters.SOFTWARE
    default_order = ("name",)
    orders = ("name",)


class CompatibilityViewSet(CatalogueViewSet):
    queryset = SoftwareCompatibility.objects.none()
    serializer_class = shapes.CompatibilitySerializer
    filterset_class = filters.COMPATIBILITY
    default_order = ("software_name", "-release_date")
    orders = ("software_name", "release_date")

    def rows(self) -> QuerySet[Any]:
        return SoftwareCompatibility.objects.select_related("software")


class StorageFormatViewSet(CatalogueViewSet):
    queryset = StorageFormat.objects.none()
    table = StorageFormat
    serializer_class = shapes.StorageFormatSerializer
    filterset_class = filters.STORAGE_FORMATS
    default_order = ("family", "-weight_bits", "name")
    orders = ("name", "weight_bits")


class AiModelViewSet(CatalogueViewSet):
    queryset = AiModel.objects.none()
    table = AiModel
    serializer_class = shapes.AiModelSerializer
    detail_serializer = shapes.AiModelDetailSerializer
    filterset_class = filters.MODELS
    lookup_field = "model_id"
    default_order = ("model_id",)
    orders = ("model_id",)

    def rows(self) -> QuerySet[Any]:
        return AiModel.objects.all() if self.action == "retrieve" else AiModel.objects.defer("config")


class WorkloadModelViewSet(CatalogueViewSet):
    queryset = NonLlmWorkload.objects.none()
    table = NonLlmWorkload
    serializer_class = shapes.WorkloadModelSerializer
    filterset_class = filters.WORKLOAD_MODELS
    default_order = ("task", "model_id")
    orders = ("model_id", "parameters")


class CloudRateViewSet(CatalogueViewSet):
    queryset = CloudRate.objects.none()
    serializer_class = shapes.CloudRateSerializer
    filterset_class = filters.CLOUD_RATES
    default_order = ("kind", "offer", "usd_per_gpu_hour", "provider")
    orders = ("offer", "provider", "usd_per_gpu_hour", "usd_per_1m_output", "as_of")

    def rows(self) -> QuerySet[Any]:
        return CloudRate.objects.select_related("accelerator")


class EnergyTariffViewSet(CatalogueViewSet):
    queryset = EnergyTariff.objects.none()
    table = EnergyTariff
    serializer_class = shapes.EnergyTariffSerializer
    filterset_class = filters.TARIFFS
    default_order = ("region", "slug", "-as_of")
    orders = ("region", "price_per_kwh", "as_of")


class SupplierViewSet(CatalogueViewSet):
    queryset = Supplier.objects.none()
    serializer_class = shapes.SupplierSerializer
    filterset_class = filters.SUPPLIERS
    default_order = ("name",)
    orders = ("name",)

    def rows(self) -> QuerySet[Any]:
        return selectors.suppliers(organisation(self.request))


class ExchangeRateReads(CatalogueViewSet):
    queryset = ExchangeRate.objects.none()
    serializer_class = shapes.ExchangeRateSerializer
    filterset_class = filters.EXCHANGE_RATES
    default_order = ("base_currency", "quote_currency", "-as_of")
    orders = ("as_of",)

    def rows(self) -> QuerySet[Any]:
        return ExchangeRate.objects.filter(selectors.visible(organisation(self.request)))


def _currency(request: Request, acting: Organisation | None) -> str:
    text = request.query_params.get("currency")
    if text is None:
        return currency_of(acting)
    if not (len(text) == 3 and text.isascii() and text.isalpha() and text.isupper()):
        raise BadQuery([parameter_error("currency", "invalid", _("Use three capital letters (ISO 4217)."))])
    return text


def _quantity(request: Request) -> int:
    text = request.query_params.get("quantity", "1")
    if not (text.isascii() and text.isdigit() and len(text) <= 7 and 1 <= int(text) <= MOST_ORDERED):
        words = _("Use a whole number from 1 to %(most)d.") % {"most": MOST_ORDERED}
        raise BadQuery([parameter_error("quantity", "invalid", words)])
    return int(text)
