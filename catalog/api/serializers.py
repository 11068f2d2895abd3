"""Rows of the catalogue as JSON. Every figure is dense and in the unit of its name; null is unknown, never 0."""

from typing import Any

from rest_framework import serializers

from catalog.models import (
    Accelerator,
    AiModel,
    CloudRate,
    Component,
    EnergyTariff,
    ExchangeRate,
    LeadTimeObservation,
    NonLlmWorkload,
    OriginClaim,
    Part,
    PriceObservation,
    Processor,
    Server,
    ServerAccelerator,
    ServingSoftware,
    SoftwareCompatibility,
    StorageFormat,
    Supplier,
)
from config.rest.serializers import AmountField, Rows, names

SOURCE = names("source_title source_url source_date notes")


class SupplierName(serializers.SlugRelatedField[Any]):
    def __init__(self) -> None:
        super().__init__(slug_field="name", read_only=True, allow_null=True)


class SlugOf(serializers.SlugRelatedField[Any]):
    """A related row by its slug."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(slug_field="slug", read_only=True, allow_null=True, **kwargs)


class AcceleratorSerializer(Rows):
    class Meta:
        model = Accelerator
        fields = [
            *names("slug vendor name variant kind architecture launch_year status availability form_factor"),
            *names("slot_width"),
            *names("logical_devices memory_gb memory_type memory_bandwidth_gb_s l2_cache_mb ecc"),
            *names("fp64_dense_tflops"),
            *names("fp32_dense_tflops tf32_dense_tflops fp16_dense_tflops bf16_dense_tflops"),
            *names("fp8_dense_tflops"),
            *names("fp6_dense_tflops fp4_dense_tflops int8_dense_tops int4_dense_tops supports_fp8"),
            *names("supports_fp4"),
            *names("supports_int8 compute_capability software mig_max_instances tdp_w"),
            *names("configurable_tdp_min_w cooling"),
            *names("power_connector scale_up_link scale_up_gb_s_bidirectional scale_up_domain_size pcie_gen"),
            *names("pcie_lanes derived_fields verification"),
            *SOURCE,
        ]


class FitSerializer(Rows):
    """An accelerator that goes into a server, and who says so."""

    accelerator = SlugOf()

    class Meta:
        model = ServerAccelerator
        fields = ["accelerator", "accelerator_name", "count_seen", "basis"]


class ServerSerializer(Rows):
    class Meta:
        model = Server
        fields = [
            *names("slug vendor model basis category status rack_units accelerator_mount max_accelerators"),
            *names("max_accelerators_seen cpu_sockets cpu_families dimm_slots dimms_seen max_ram_gb"),
            *names("max_memory_gb_seen ram_type drive_bays nic_pcie_slots host_link interconnect psu_count"),
            *names("psu_watts"),
            *names("psu_redundancy input_voltage cooling max_ambient_c op_temp_range_c weight_kg"),
            *names("edge_features"),
            *names("max_system_power_w country_of_origin confidence"),
            *SOURCE,
        ]


class ServerDetailSerializer(ServerSerializer):
    """A server with the accelerators that go into it."""

    accelerators = FitSerializer(source="fits", many=True, read_only=True)

    class Meta(ServerSerializer.Meta):
        fields = [*ServerSerializer.Meta.fields, "accelerators"]


class ProcessorSerializer(Rows):
    class Meta:
        model = Processor
        fields = [
            *names("slug vendor name generation codename architecture launch_year status socket max_sockets"),
            *names("cores"),
            *names("threads base_ghz boost_ghz l3_mb memory_channels memory_type memory_speed_mts"),
            *names("memory_bandwidth_gb_s alt_memory alt_memory_bandwidth_gb_s pcie_gen pcie_lanes amx"),
            *names("avx512 vnni"),
            *names("bf16_isa tdp_w"),
            *SOURCE,
        ]


class ComponentSerializer(Rows):
    class Meta:
        model = Component
        fields = [
            *names("slug category vendor model mpn oem_part_numbers key_specs typical_power_w power_kind"),
            *names("confidence"),
            *SOURCE,
        ]


class PartSerializer(Rows):
    """Something that can be ordered. `own` parts are seen by your organisation alone."""

    accelerator = SlugOf()
    processor = SlugOf()
    server = SlugOf()
    component = SlugOf()
    own = serializers.SerializerMethodField()

    class Meta:
        model = Part
        fields = [
            *names("slug kind manufacturer mpn oem oem_part_number description gtin unspsc eclass hts eccn"),
            *names("accelerator processor server component accelerators_in_part own"),
            *SOURCE,
        ]

    def get_own(self, row: Part) -> bool:
        return row.organisation_id is not None


class SoftwareSerializer(Rows):
    class Meta:
        model = ServingSoftware
        fields = [
            *names("slug name project licence status nvidia_min_compute_capability amd_gfx intel_gpu gaudi"),
            *names("cpu"),
            *names("tpu_or_neuron edge formats_volta_turing formats_ampere formats_ada formats_hopper"),
            *names("formats_blackwell formats_amd formats_intel_cpu continuous_batching dynamic_batching"),
            *names("paged_kv"),
            *names("prefix_caching speculative_decoding multi_lora disaggregated tensor_parallel"),
            *names("pipeline_parallel expert_parallel multi_model openai_api grpc"),
            *SOURCE,
        ]


class CompatibilitySerializer(Rows):
    """What one release of a stack does with one format on one class of accelerators."""

    software = SlugOf()

    class Meta:
        model = SoftwareCompatibility
        fields = [
            *names("software software_name version release_date accelerator_class format status"),
            *SOURCE,
        ]


class StorageFormatSerializer(Rows):
    class Meta:
        model = StorageFormat
        fields = [
            *names("slug name family applies_to weight_bits group_or_block_size scale_bits zero_point_bits"),
            *names("exact_bits_per_weight formula model_bits_per_weight model_reference"),
            *names("activation_precision"),
            *names("native_compute verification"),
            *SOURCE,
        ]


class AiModelSerializer(Rows):
    id = serializers.CharField(source="model_id")

    class Meta:
        model = AiModel
        fields = [*names("id architecture licence config_kind source_path source_commit facts"), *SOURCE]


class AiModelDetailSerializer(AiModelSerializer):
    """A model with its config file."""

    config = serializers.DictField()

    class Meta(AiModelSerializer.Meta):
        fields = [*AiModelSerializer.Meta.fields, "config"]


class WorkloadModelSerializer(Rows):
    """A model for images, video, speech, embedding or vision: parameters and work per item."""

    id = serializers.CharField(source="model_id")

    class Meta:
        model = NonLlmWorkload
        fields = [
            *names("id task parameters components flops flops_unit default_steps guidance basis"),
            *SOURCE,
        ]


class CloudRateSerializer(Rows):
    accelerator = SlugOf()
    usd_per_gpu_hour = AmountField(read_only=True)
    usd_per_1m_input = AmountField(read_only=True)
    usd_per_1m_output = AmountField(read_only=True)

    class Meta:
        model = CloudRate
        fields = [
            *names("kind provider offer accelerator sku gpus_in_sku usd_per_gpu_hour usd_per_1m_input"),
            *names("usd_per_1m_output context_tokens pricing_model region as_of date_kind confidence"),
            *SOURCE,
        ]


class SupplierSerializer(Rows):
    id = serializers.UUIDField(source="public_id")
    own = serializers.SerializerMethodField()

    class Meta:
        model = Supplier
        fields = ["id", "name", "website", "country", "own"]

    def get_own(self, row: Supplier) -> bool:
        return row.organisation_id is not None


class PriceSerializer(Rows):
    """One price, seen in one place on one day. A newer one closes it; it is never changed."""

    id = serializers.UUIDField(source="public_id")
    part = SlugOf()
    supplier = SupplierName()
    own = serializers.SerializerMethodField()
    superseded = serializers.SerializerMethodField()
    unit_price = AmountField(read_only=True)
    price_high = AmountField(read_only=True, allow_null=True)

    class Meta:
        model = PriceObservation
        fields = [
            *names("id part supplier own supplier_sku item_name unit_price price_high currency price_unit"),
            *names("tax_basis"),
            *names("kind condition min_quantity pack_size minimum_order region observed_on date_kind"),
            *names("valid_from"),
            *names("valid_to superseded is_outlier confidence quote_number end_customer"),
            *SOURCE,
        ]

    def get_own(self, row: PriceObservation) -> bool:
        return row.organisation_id is not None

    def get_superseded(self, row: PriceObservation) -> bool:
        return row.superseded_by_id is not None


class LeadTimeSerializer(Rows):
    """One statement on delivery or stock. Without `part` it is about a class of goods."""

    id = serializers.UUIDField(source="public_id")
    part = SlugOf()
    supplier = SupplierName()
    own = serializers.SerializerMethodField()
    superseded = serializers.SerializerMethodField()
    weeks_low = serializers.FloatField(allow_null=True)
    weeks_typical = serializers.FloatField(allow_null=True)
    weeks_high = serializers.FloatField(allow_null=True)

    class Meta:
        model = LeadTimeObservation
        fields = [
            *names("id part supplier own item goods_class state weeks_low weeks_typical weeks_high"),
            *names("stock_count"),
            *names("promised_on region observed_on date_kind valid_to superseded is_outlier confidence"),
            *SOURCE,
        ]

    def get_own(self, row: LeadTimeObservation) -> bool:
        return row.organisation_id is not None

    def get_superseded(self, row: LeadTimeObservation) -> bool:
        return row.superseded_by_id is not None


class ExchangeRateSerializer(Rows):
    rate = serializers.DecimalField(max_digits=18, decimal_places=8, read_only=True)

    class Meta:
        model = ExchangeRate
        fields = [*names("base_currency quote_currency rate as_of confidence"), *SOURCE]


class EnergyTariffSerializer(Rows):
    price_per_kwh = AmountField(read_only=True)
    price_per_kwh_high = AmountField(read_only=True, allow_null=True)

    class Meta:
        model = EnergyTariff
        fields = [
            *names("slug name region price_per_kwh price_per_kwh_high currency tax_basis as_of confidence"),
            *SOURCE,
        ]


class OriginClaimSerializer(Rows):
    """What somebody says about a part's origin, and what that rests on."""

    id = serializers.UUIDField(source="public_id")

    class Meta:
        model = OriginClaim
        fields = [
            *names("id text country_code transformation_note evidence_type grade stated_by stated_on"),
            *SOURCE,
        ]


class ComparisonSerializer(serializers.Serializer[Any]):
    """Accelerators side by side."""

    differing = serializers.ListField(child=serializers.CharField(), help_text="Fields with different values.")
    results = AcceleratorSerializer(many=True)


class OriginClaimsSerializer(serializers.Serializer[Any]):
    """Claims that still stand, best evidence first."""

    results = OriginClaimSerializer(many=True)
