import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.contrib.postgres.operations import TrigramExtension, UnaccentExtension
from django.db import migrations, models

import config.accounts.ids


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        TrigramExtension(),
        UnaccentExtension(),
        migrations.CreateModel(
            name="CatalogVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(unique=True)),
                ("content_hash", models.CharField(max_length=64)),
                ("reason", models.CharField(blank=True, max_length=100)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-number"],
            },
        ),
        migrations.CreateModel(
            name="Accelerator",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("cross_check_title", models.CharField(blank=True, max_length=200, verbose_name="checked against")),
                ("cross_check_url", models.URLField(blank=True, max_length=300, verbose_name="address of the check")),
                ("vendor_url", models.URLField(blank=True, max_length=300, verbose_name="vendor's page")),
                ("verification", models.CharField(blank=True, max_length=30, verbose_name="verification")),
                ("slug", models.SlugField(max_length=100, unique=True)),
                ("vendor", models.CharField(max_length=50, verbose_name="vendor")),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("variant", models.CharField(blank=True, max_length=100, verbose_name="variant")),
                (
                    "kind",
                    models.CharField(
                        choices=[("gpu", "GPU"), ("asic", "accelerator chip"), ("edge", "edge module")],
                        default="gpu",
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("architecture", models.CharField(blank=True, max_length=50, verbose_name="architecture")),
                ("launch_year", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="launch year")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("shipping", "shipping"),
                            ("current", "current"),
                            ("announced", "announced"),
                            ("legacy", "legacy"),
                            ("eol", "end of life"),
                            ("withdrawn", "withdrawn"),
                            ("end_of_sale_variants", "some variants at end of sale"),
                            ("unknown", "unknown"),
                        ],
                        default="unknown",
                        max_length=25,
                        verbose_name="status",
                    ),
                ),
                ("form_factor", models.CharField(blank=True, max_length=60, verbose_name="form factor")),
                ("slot_width", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="width (slots)")),
                (
                    "logical_devices",
                    models.PositiveSmallIntegerField(default=1, verbose_name="devices that software sees"),
                ),
                ("memory_gb", models.FloatField(blank=True, null=True, verbose_name="memory (GB)")),
                ("memory_type", models.CharField(blank=True, max_length=40, verbose_name="memory type")),
                (
                    "memory_bandwidth_gb_s",
                    models.FloatField(blank=True, null=True, verbose_name="memory bandwidth (GB/s)"),
                ),
                ("fp64_dense_tflops", models.FloatField(blank=True, null=True, verbose_name="FP64 (TFLOPS)")),
                ("fp32_dense_tflops", models.FloatField(blank=True, null=True, verbose_name="FP32 (TFLOPS)")),
                ("tf32_dense_tflops", models.FloatField(blank=True, null=True, verbose_name="TF32 dense (TFLOPS)")),
                ("fp16_dense_tflops", models.FloatField(blank=True, null=True, verbose_name="FP16 dense (TFLOPS)")),
                ("bf16_dense_tflops", models.FloatField(blank=True, null=True, verbose_name="BF16 dense (TFLOPS)")),
                ("fp8_dense_tflops", models.FloatField(blank=True, null=True, verbose_name="FP8 dense (TFLOPS)")),
                ("fp6_dense_tflops", models.FloatField(blank=True, null=True, verbose_name="FP6 dense (TFLOPS)")),
                ("fp4_dense_tflops", models.FloatField(blank=True, null=True, verbose_name="FP4 dense (TFLOPS)")),
                ("int8_dense_tops", models.FloatField(blank=True, null=True, verbose_name="INT8 dense (TOPS)")),
                ("int4_dense_tops", models.FloatField(blank=True, null=True, verbose_name="INT4 dense (TOPS)")),
                ("l2_cache_mb", models.FloatField(blank=True, null=True, verbose_name="L2 cache (MB)")),
                ("tdp_w", models.FloatField(blank=True, null=True, verbose_name="thermal design power (W)")),
                (
                    "configurable_tdp_min_w",
                    models.FloatField(blank=True, null=True, verbose_name="lowest configurable power (W)"),
                ),
                ("cooling", models.CharField(blank=True, max_length=40, verbose_name="cooling")),
                ("power_connector", models.CharField(blank=True, max_length=40, verbose_name="power connector")),
                (
                    "mig_max_instances",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="MIG instances at most"),
                ),
                ("scale_up_link", models.CharField(blank=True, max_length=60, verbose_name="scale-up link")),
                (
                    "scale_up_gb_s_bidirectional",
                    models.FloatField(blank=True, null=True, verbose_name="scale-up, both directions (GB/s)"),
                ),
                (
                    "scale_up_domain_size",
                    models.PositiveIntegerField(
                        blank=True, null=True, verbose_name="accelerators in one scale-up domain"
                    ),
                ),
                ("pcie_gen", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="PCIe generation")),
                ("pcie_lanes", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="PCIe lanes")),
                ("ecc", models.BooleanField(blank=True, null=True, verbose_name="ECC")),
                ("software", models.CharField(blank=True, max_length=60, verbose_name="software stack")),
                ("compute_capability", models.CharField(blank=True, max_length=20, verbose_name="compute capability")),
                ("supports_fp8", models.BooleanField(blank=True, null=True, verbose_name="FP8 in the matrix unit")),
                ("supports_fp4", models.BooleanField(blank=True, null=True, verbose_name="FP4 in the matrix unit")),
                ("supports_int8", models.BooleanField(blank=True, null=True, verbose_name="INT8 in the matrix unit")),
                ("availability", models.CharField(blank=True, max_length=40, verbose_name="availability")),
                ("derived_fields", models.CharField(blank=True, max_length=300, verbose_name="derived figures")),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["vendor", "name", "variant", "pk"],
            },
        ),
        migrations.CreateModel(
            name="AiModel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("model_id", models.CharField(max_length=150, unique=True, verbose_name="model")),
                ("architecture", models.CharField(blank=True, max_length=80, verbose_name="architecture")),
                ("config", models.JSONField(verbose_name="config file")),
                ("facts", models.JSONField(blank=True, default=dict, verbose_name="facts")),
                ("licence", models.CharField(blank=True, max_length=60, verbose_name="licence")),
                ("config_kind", models.CharField(blank=True, max_length=30, verbose_name="copy of the config file")),
                ("source_path", models.CharField(blank=True, max_length=200, verbose_name="file in the source")),
                ("source_commit", models.CharField(blank=True, max_length=40, verbose_name="commit of the source")),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["model_id"],
            },
        ),
        migrations.CreateModel(
            name="CloudRate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                (
                    "kind",
                    models.CharField(
                        choices=[("gpu_hour", "accelerator by the hour"), ("api_token", "API by the token")],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("provider", models.CharField(max_length=60, verbose_name="provider")),
                ("offer", models.CharField(max_length=100, verbose_name="accelerator or model")),
                ("accelerator_slug", models.CharField(blank=True, max_length=100)),
                ("sku", models.CharField(blank=True, max_length=60, verbose_name="provider's number")),
                (
                    "gpus_in_sku",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="accelerators in one instance"
                    ),
                ),
                (
                    "usd_per_gpu_hour",
                    models.DecimalField(
                        blank=True,
                        decimal_places=6,
                        max_digits=12,
                        null=True,
                        verbose_name="USD per accelerator and hour",
                    ),
                ),
                (
                    "usd_per_1m_input",
                    models.DecimalField(
                        blank=True,
                        decimal_places=6,
                        max_digits=12,
                        null=True,
                        verbose_name="USD per million input tokens",
                    ),
                ),
                (
                    "usd_per_1m_output",
                    models.DecimalField(
                        blank=True,
                        decimal_places=6,
                        max_digits=12,
                        null=True,
                        verbose_name="USD per million output tokens",
                    ),
                ),
                ("context_tokens", models.PositiveIntegerField(blank=True, null=True, verbose_name="context (tokens)")),
                (
                    "pricing_model",
                    models.CharField(
                        choices=[
                            ("on_demand", "on demand"),
                            ("spot", "spot"),
                            ("reserved", "reserved"),
                            ("marketplace", "marketplace"),
                            ("market_range", "range over the market"),
                            ("unspecified", "not stated"),
                        ],
                        max_length=12,
                        verbose_name="terms",
                    ),
                ),
                ("region", models.CharField(blank=True, max_length=30, verbose_name="region")),
                ("as_of", models.DateField(verbose_name="as of")),
                (
                    "date_kind",
                    models.CharField(
                        choices=[
                            ("published", "published"),
                            ("updated", "updated"),
                            ("observed", "observed"),
                            ("retrieved", "retrieved; the source is undated"),
                        ],
                        max_length=10,
                        verbose_name="kind of date",
                    ),
                ),
                (
                    "confidence",
                    models.CharField(
                        choices=[
                            ("A", "A: vendor document or supplier offer opened"),
                            ("B", "B: review, filing or shop page"),
                            ("C", "C: secondary or press source only"),
                            ("D", "D: weak or unverified"),
                        ],
                        max_length=1,
                        verbose_name="confidence",
                    ),
                ),
                (
                    "accelerator",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cloud_rates",
                        to="catalog.accelerator",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["kind", "offer", "usd_per_gpu_hour", "provider", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Component",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("slug", models.SlugField(max_length=100, unique=True)),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("cpu", "processor"),
                            ("ram", "memory module"),
                            ("storage", "drive"),
                            ("nic", "network adapter"),
                            ("switch", "switch"),
                            ("transceiver", "transceiver"),
                            ("psu", "power supply"),
                            ("power_cord", "power cord"),
                            ("nvlink_bridge", "NVLink bridge"),
                            ("gpu_order_code", "order code of an accelerator"),
                            ("software", "software licence"),
                        ],
                        max_length=20,
                        verbose_name="category",
                    ),
                ),
                ("vendor", models.CharField(max_length=50, verbose_name="vendor")),
                ("model", models.CharField(max_length=150, verbose_name="model")),
                ("mpn", models.CharField(blank=True, max_length=60, verbose_name="manufacturer's number")),
                (
                    "oem_part_numbers",
                    models.CharField(blank=True, max_length=200, verbose_name="numbers of system makers"),
                ),
                ("key_specs", models.CharField(blank=True, max_length=200, verbose_name="key figures")),
                ("typical_power_w", models.FloatField(blank=True, null=True, verbose_name="power (W)")),
                ("power_kind", models.CharField(blank=True, max_length=30, verbose_name="kind of the power figure")),
                (
                    "confidence",
                    models.CharField(
                        choices=[
                            ("A", "A: vendor document or supplier offer opened"),
                            ("B", "B: review, filing or shop page"),
                            ("C", "C: secondary or press source only"),
                            ("D", "D: weak or unverified"),
                        ],
                        max_length=1,
                        verbose_name="confidence",
                    ),
                ),
                (
                    "date_kind",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("published", "published"),
                            ("updated", "updated"),
                            ("observed", "observed"),
                            ("retrieved", "retrieved; the source is undated"),
                        ],
                        max_length=10,
                        verbose_name="kind of date",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["category", "vendor", "model", "pk"],
            },
        ),
        migrations.CreateModel(
            name="DeviceMemory",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("device_name", models.CharField(max_length=100, verbose_name="device name")),
                ("usable_bytes", models.PositiveBigIntegerField(verbose_name="usable (bytes)")),
                ("reported_mib", models.FloatField(blank=True, null=True, verbose_name="reported (MiB)")),
                ("reported_by", models.CharField(blank=True, max_length=60, verbose_name="reported by")),
                (
                    "runtime_bytes",
                    models.PositiveBigIntegerField(
                        blank=True, null=True, verbose_name="visible to an application (bytes)"
                    ),
                ),
                (
                    "driver_reserved_mib",
                    models.FloatField(blank=True, null=True, verbose_name="reserved by the driver (MiB)"),
                ),
                ("per", models.CharField(max_length=60, verbose_name="per")),
                ("ecc", models.BooleanField(blank=True, null=True, verbose_name="ECC")),
                ("driver_version", models.CharField(blank=True, max_length=60, verbose_name="driver version")),
                ("verification", models.CharField(blank=True, max_length=30, verbose_name="verification")),
                (
                    "accelerator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="device_memory",
                        to="catalog.accelerator",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "device memory",
                "ordering": ["accelerator_id", "pk"],
            },
        ),
        migrations.CreateModel(
            name="EnergyTariff",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("slug", models.SlugField(max_length=100)),
                ("name", models.CharField(max_length=150, verbose_name="name")),
                ("region", models.CharField(blank=True, max_length=20, verbose_name="region")),
                ("price_per_kwh", models.DecimalField(decimal_places=6, max_digits=10, verbose_name="price per kWh")),
                (
                    "price_per_kwh_high",
                    models.DecimalField(
                        blank=True,
                        decimal_places=6,
                        max_digits=10,
                        null=True,
                        verbose_name="upper end of the range per kWh",
                    ),
                ),
                (
                    "currency",
                    models.CharField(
                        max_length=3,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[A-Z]{3}$", "A currency has three capital letters (ISO 4217)."
                            )
                        ],
                        verbose_name="currency",
                    ),
                ),
                (
                    "tax_basis",
                    models.CharField(
                        choices=[
                            ("excl_vat", "without VAT"),
                            ("incl_vat", "with VAT"),
                            ("excl_sales_tax", "without sales tax"),
                            ("unstated", "tax not stated"),
                        ],
                        default="unstated",
                        max_length=15,
                        verbose_name="tax",
                    ),
                ),
                ("as_of", models.DateField(verbose_name="as of")),
                (
                    "date_kind",
                    models.CharField(
                        choices=[
                            ("published", "published"),
                            ("updated", "updated"),
                            ("observed", "observed"),
                            ("retrieved", "retrieved; the source is undated"),
                        ],
                        max_length=10,
                        verbose_name="kind of date",
                    ),
                ),
                (
                    "confidence",
                    models.CharField(
                        choices=[
                            ("A", "A: vendor document or supplier offer opened"),
                            ("B", "B: review, filing or shop page"),
                            ("C", "C: secondary or press source only"),
                            ("D", "D: weak or unverified"),
                        ],
                        max_length=1,
                        verbose_name="confidence",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["region", "slug", "-as_of"],
            },
        ),
        migrations.CreateModel(
            name="ExchangeRate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                (
                    "base_currency",
                    models.CharField(
                        max_length=3,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[A-Z]{3}$", "A currency has three capital letters (ISO 4217)."
                            )
                        ],
                        verbose_name="from currency",
                    ),
                ),
                (
                    "quote_currency",
                    models.CharField(
                        max_length=3,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[A-Z]{3}$", "A currency has three capital letters (ISO 4217)."
                            )
                        ],
                        verbose_name="to currency",
                    ),
                ),
                ("rate", models.DecimalField(decimal_places=8, max_digits=18, verbose_name="rate")),
                ("as_of", models.DateField(verbose_name="as of")),
                (
                    "confidence",
                    models.CharField(
                        choices=[
                            ("A", "A: vendor document or supplier offer opened"),
                            ("B", "B: review, filing or shop page"),
                            ("C", "C: secondary or press source only"),
                            ("D", "D: weak or unverified"),
                        ],
                        max_length=1,
                        verbose_name="confidence",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.organisation",
                    ),
                ),
            ],
            options={
                "ordering": ["base_currency", "quote_currency", "-as_of", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="ImportBatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=config.accounts.ids.uuid7, editable=False, unique=True)),
                ("file_name", models.CharField(blank=True, max_length=255)),
                ("file_sha256", models.CharField(blank=True, max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("running", "running"),
                            ("cancelling", "cancelling"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("progress", models.FloatField(default=0)),
                (
                    "message",
                    models.JSONField(
                        blank=True, default=dict, help_text="Code and parameters of what happens or failed."
                    ),
                ),
                ("reading", models.JSONField(blank=True, default=dict)),
                ("answers", models.JSONField(blank=True, default=dict)),
                ("result", models.JSONField(blank=True, default=dict)),
                ("lease_expires_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("committed_at", models.DateTimeField(blank=True, null=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "file",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.storedfile",
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.organisation",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "import batches",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Interconnect",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("cross_check_title", models.CharField(blank=True, max_length=200, verbose_name="checked against")),
                ("cross_check_url", models.URLField(blank=True, max_length=300, verbose_name="address of the check")),
                ("vendor_url", models.URLField(blank=True, max_length=300, verbose_name="vendor's page")),
                ("verification", models.CharField(blank=True, max_length=30, verbose_name="verification")),
                ("slug", models.SlugField(max_length=100, unique=True)),
                ("technology", models.CharField(max_length=50, verbose_name="technology")),
                ("generation", models.CharField(blank=True, max_length=30, verbose_name="generation")),
                ("variant", models.CharField(blank=True, max_length=50, verbose_name="variant")),
                ("scope", models.CharField(max_length=20, verbose_name="scope")),
                ("unidirectional_gb_s", models.FloatField(blank=True, null=True, verbose_name="one direction (GB/s)")),
                ("bidirectional_gb_s", models.FloatField(blank=True, null=True, verbose_name="both directions (GB/s)")),
                ("line_rate_gbit_s", models.FloatField(blank=True, null=True, verbose_name="line rate (Gbit/s)")),
                ("lanes_or_links", models.CharField(blank=True, max_length=50, verbose_name="lanes or links")),
                (
                    "typical_latency_us",
                    models.CharField(blank=True, max_length=20, verbose_name="typical latency (µs)"),
                ),
                ("latency_basis", models.CharField(blank=True, max_length=100, verbose_name="basis of the latency")),
                (
                    "scale_up_domain_size",
                    models.PositiveIntegerField(blank=True, null=True, verbose_name="accelerators in one domain"),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["scope", "technology", "generation", "variant", "pk"],
            },
        ),
        migrations.CreateModel(
            name="NonLlmWorkload",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("model_id", models.CharField(max_length=150, unique=True, verbose_name="model")),
                ("task", models.CharField(max_length=60, verbose_name="task")),
                ("parameters", models.PositiveBigIntegerField(blank=True, null=True, verbose_name="parameters")),
                ("components", models.CharField(blank=True, max_length=200, verbose_name="parts")),
                ("flops", models.FloatField(blank=True, null=True, verbose_name="operations")),
                ("flops_unit", models.CharField(blank=True, max_length=200, verbose_name="operations are counted")),
                ("default_steps", models.CharField(blank=True, max_length=80, verbose_name="steps")),
                ("guidance", models.CharField(blank=True, max_length=80, verbose_name="guidance")),
                ("basis", models.CharField(blank=True, max_length=200, verbose_name="basis")),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["task", "model_id"],
            },
        ),
        migrations.CreateModel(
            name="Part",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("public_id", models.UUIDField(default=config.accounts.ids.uuid7, editable=False, unique=True)),
                ("slug", models.SlugField(max_length=150, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("accelerator", "accelerator"),
                            ("baseboard", "baseboard with several accelerators"),
                            ("processor", "processor"),
                            ("server", "server or system"),
                            ("ram", "memory module"),
                            ("storage", "drive"),
                            ("nic", "network adapter"),
                            ("switch", "switch"),
                            ("transceiver", "transceiver"),
                            ("cable", "cable"),
                            ("psu", "power supply"),
                            ("accessory", "accessory"),
                            ("software", "software licence"),
                            ("service", "service"),
                            ("other", "other"),
                        ],
                        default="other",
                        max_length=12,
                        verbose_name="kind",
                    ),
                ),
                ("manufacturer", models.CharField(blank=True, max_length=100, verbose_name="manufacturer")),
                ("mpn", models.CharField(blank=True, max_length=80, verbose_name="manufacturer's number")),
                ("mpn_normalised", models.CharField(blank=True, editable=False, max_length=80)),
                ("oem", models.CharField(blank=True, max_length=50, verbose_name="system maker")),
                ("oem_part_number", models.CharField(blank=True, max_length=80, verbose_name="system maker's number")),
                ("description", models.CharField(blank=True, max_length=500, verbose_name="description")),
                ("gtin", models.CharField(blank=True, max_length=14, verbose_name="GTIN")),
                ("unspsc", models.CharField(blank=True, max_length=8, verbose_name="UNSPSC")),
                ("eclass", models.CharField(blank=True, max_length=12, verbose_name="ECLASS")),
                ("hts", models.CharField(blank=True, max_length=13, verbose_name="HTS")),
                ("eccn", models.CharField(blank=True, max_length=15, verbose_name="ECCN")),
                (
                    "accelerators_in_part",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="accelerators in the part"),
                ),
                ("confidence", models.CharField(blank=True, max_length=1, verbose_name="confidence")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "search_vector",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.contrib.postgres.search.CombinedSearchVector(
                            django.contrib.postgres.search.CombinedSearchVector(
                                django.contrib.postgres.search.SearchVector(
                                    "mpn", "manufacturer", "oem_part_number", config="simple", weight="A"
                                ),
                                "||",
                                django.contrib.postgres.search.SearchVector("description", config="german", weight="B"),
                                django.contrib.postgres.search.SearchConfig("simple"),
                            ),
                            "||",
                            django.contrib.postgres.search.SearchVector("description", config="english", weight="B"),
                            django.contrib.postgres.search.SearchConfig("simple"),
                        ),
                        output_field=django.contrib.postgres.search.SearchVectorField(),
                    ),
                ),
                (
                    "accelerator",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="parts",
                        to="catalog.accelerator",
                    ),
                ),
                (
                    "component",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="parts",
                        to="catalog.component",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.organisation",
                    ),
                ),
            ],
            options={
                "ordering": ["manufacturer", "mpn", "slug"],
            },
        ),
        migrations.CreateModel(
            name="OriginClaim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("public_id", models.UUIDField(default=config.accounts.ids.uuid7, editable=False, unique=True)),
                ("text", models.CharField(max_length=200, verbose_name="origin, as received")),
                ("country_code", models.CharField(blank=True, max_length=2, verbose_name="country")),
                (
                    "transformation_note",
                    models.CharField(blank=True, max_length=300, verbose_name="what was done where"),
                ),
                (
                    "evidence_type",
                    models.CharField(
                        choices=[
                            ("cbp_ruling", "customs ruling or final determination"),
                            ("manufacturer_letter", "maker's letter naming the part"),
                            ("distributor_feed", "distributor's feed"),
                            ("datasheet", "data sheet or web page"),
                            ("unknown", "none or unknown"),
                        ],
                        default="unknown",
                        max_length=20,
                        verbose_name="evidence",
                    ),
                ),
                (
                    "grade",
                    models.CharField(
                        choices=[("A", "A"), ("B", "B"), ("C", "C"), ("D", "D")],
                        default="D",
                        max_length=1,
                        verbose_name="grade",
                    ),
                ),
                ("stated_by", models.CharField(blank=True, max_length=150, verbose_name="stated by")),
                ("stated_on", models.DateField(blank=True, null=True, verbose_name="stated on")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "file",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.storedfile",
                    ),
                ),
                (
                    "import_batch",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="origin_claims",
                        to="catalog.importbatch",
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.organisation",
                    ),
                ),
                (
                    "superseded_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalog.originclaim",
                    ),
                ),
                (
                    "part",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="origin_claims", to="catalog.part"
                    ),
                ),
            ],
            options={
                "ordering": ["part_id", "-stated_on", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Processor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("cross_check_title", models.CharField(blank=True, max_length=200, verbose_name="checked against")),
                ("cross_check_url", models.URLField(blank=True, max_length=300, verbose_name="address of the check")),
                ("vendor_url", models.URLField(blank=True, max_length=300, verbose_name="vendor's page")),
                ("verification", models.CharField(blank=True, max_length=30, verbose_name="verification")),
                ("slug", models.SlugField(max_length=100, unique=True)),
                ("vendor", models.CharField(max_length=50, verbose_name="vendor")),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("generation", models.CharField(blank=True, max_length=50, verbose_name="generation")),
                ("codename", models.CharField(blank=True, max_length=50, verbose_name="code name")),
                ("architecture", models.CharField(blank=True, max_length=50, verbose_name="architecture")),
                ("launch_year", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="launch year")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("shipping", "shipping"),
                            ("current", "current"),
                            ("announced", "announced"),
                            ("legacy", "legacy"),
                            ("eol", "end of life"),
                            ("withdrawn", "withdrawn"),
                            ("end_of_sale_variants", "some variants at end of sale"),
                            ("unknown", "unknown"),
                        ],
                        default="unknown",
                        max_length=25,
                        verbose_name="status",
                    ),
                ),
                ("socket", models.CharField(blank=True, max_length=30, verbose_name="socket")),
                (
                    "max_sockets",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="sockets at most"),
                ),
                ("cores", models.PositiveSmallIntegerField(verbose_name="cores")),
                ("threads", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="threads")),
                ("base_ghz", models.FloatField(blank=True, null=True, verbose_name="base clock (GHz)")),
                ("boost_ghz", models.FloatField(blank=True, null=True, verbose_name="boost clock (GHz)")),
                ("l3_mb", models.FloatField(blank=True, null=True, verbose_name="L3 cache (MB)")),
                (
                    "memory_channels",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="memory channels"),
                ),
                ("memory_type", models.CharField(blank=True, max_length=30, verbose_name="memory type")),
                (
                    "memory_speed_mts",
                    models.PositiveIntegerField(blank=True, null=True, verbose_name="memory speed (MT/s)"),
                ),
                (
                    "memory_bandwidth_gb_s",
                    models.FloatField(blank=True, null=True, verbose_name="memory bandwidth (GB/s)"),
                ),
                ("alt_memory", models.CharField(blank=True, max_length=60, verbose_name="other memory")),
                (
                    "alt_memory_bandwidth_gb_s",
                    models.FloatField(blank=True, null=True, verbose_name="bandwidth with other memory (GB/s)"),
                ),
                ("pcie_gen", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="PCIe generation")),
                ("pcie_lanes", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="PCIe lanes")),
                ("amx", models.BooleanField(blank=True, null=True, verbose_name="AMX")),
                ("avx512", models.BooleanField(blank=True, null=True, verbose_name="AVX-512")),
                ("vnni", models.BooleanField(blank=True, null=True, verbose_name="VNNI")),
                ("bf16_isa", models.BooleanField(blank=True, null=True, verbose_name="BF16 instructions")),
                ("tdp_w", models.FloatField(blank=True, null=True, verbose_name="thermal design power (W)")),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["vendor", "name", "pk"],
            },
        ),
        migrations.AddField(
            model_name="part",
            name="processor",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="parts",
                to="catalog.processor",
            ),
        ),
        migrations.AddField(
            model_name="component",
            name="processor",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="components",
                to="catalog.processor",
            ),
        ),
        migrations.CreateModel(
            name="Server",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("slug", models.SlugField(max_length=100, unique=True)),
                ("vendor", models.CharField(max_length=50, verbose_name="vendor")),
                ("model", models.CharField(max_length=100, verbose_name="model")),
                (
                    "basis",
                    models.CharField(
                        choices=[
                            ("catalogue", "vendor document or listing"),
                            ("filing", "seen in published benchmark filings"),
                        ],
                        default="catalogue",
                        max_length=10,
                        verbose_name="basis",
                    ),
                ),
                ("category", models.CharField(max_length=30, verbose_name="category")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("shipping", "shipping"),
                            ("current", "current"),
                            ("announced", "announced"),
                            ("legacy", "legacy"),
                            ("eol", "end of life"),
                            ("withdrawn", "withdrawn"),
                            ("end_of_sale_variants", "some variants at end of sale"),
                            ("unknown", "unknown"),
                        ],
                        default="unknown",
                        max_length=25,
                        verbose_name="status",
                    ),
                ),
                ("rack_units", models.FloatField(blank=True, null=True, verbose_name="height (U)")),
                ("accelerator_mount", models.CharField(blank=True, max_length=100, verbose_name="accelerator mount")),
                (
                    "max_accelerators",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="accelerators at most"),
                ),
                (
                    "max_accelerators_seen",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="accelerators seen"),
                ),
                (
                    "cpu_sockets",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="processor sockets"),
                ),
                ("cpu_families", models.CharField(blank=True, max_length=150, verbose_name="processors")),
                ("dimm_slots", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="memory slots")),
                ("dimms_seen", models.CharField(blank=True, max_length=60, verbose_name="memory modules seen")),
                ("max_ram_gb", models.PositiveIntegerField(blank=True, null=True, verbose_name="memory at most (GB)")),
                (
                    "max_memory_gb_seen",
                    models.PositiveIntegerField(blank=True, null=True, verbose_name="memory seen (GB)"),
                ),
                ("ram_type", models.CharField(blank=True, max_length=100, verbose_name="memory type")),
                ("drive_bays", models.CharField(blank=True, max_length=150, verbose_name="drive bays")),
                ("nic_pcie_slots", models.CharField(blank=True, max_length=200, verbose_name="network and PCIe slots")),
                ("host_link", models.CharField(blank=True, max_length=150, verbose_name="link to the accelerators")),
                (
                    "interconnect",
                    models.CharField(blank=True, max_length=150, verbose_name="link between the accelerators"),
                ),
                ("psu_count", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="power supplies")),
                (
                    "psu_watts",
                    models.CharField(
                        blank=True,
                        help_text="Sizes on offer, separated by a bar.",
                        max_length=60,
                        verbose_name="power of one supply (W)",
                    ),
                ),
                (
                    "psu_redundancy",
                    models.CharField(blank=True, max_length=100, verbose_name="redundancy of the supplies"),
                ),
                ("input_voltage", models.CharField(blank=True, max_length=150, verbose_name="input voltage")),
                ("cooling", models.CharField(blank=True, max_length=150, verbose_name="cooling")),
                (
                    "max_ambient_c",
                    models.FloatField(blank=True, null=True, verbose_name="highest ambient temperature (°C)"),
                ),
                (
                    "op_temp_range_c",
                    models.CharField(blank=True, max_length=60, verbose_name="operating temperature (°C)"),
                ),
                ("weight_kg", models.FloatField(blank=True, null=True, verbose_name="weight (kg)")),
                ("edge_features", models.CharField(blank=True, max_length=200, verbose_name="edge features")),
                (
                    "max_system_power_w",
                    models.FloatField(blank=True, null=True, verbose_name="system power at most (W)"),
                ),
                (
                    "country_of_origin",
                    models.CharField(blank=True, max_length=60, verbose_name="country of origin, as printed"),
                ),
                ("not_in_filings", models.CharField(blank=True, max_length=200, verbose_name="not in the filings")),
                ("rounds", models.CharField(blank=True, max_length=60, verbose_name="benchmark rounds")),
                (
                    "confidence",
                    models.CharField(
                        choices=[
                            ("A", "A: vendor document or supplier offer opened"),
                            ("B", "B: review, filing or shop page"),
                            ("C", "C: secondary or press source only"),
                            ("D", "D: weak or unverified"),
                        ],
                        max_length=1,
                        verbose_name="confidence",
                    ),
                ),
                (
                    "date_kind",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("published", "published"),
                            ("updated", "updated"),
                            ("observed", "observed"),
                            ("retrieved", "retrieved; the source is undated"),
                        ],
                        max_length=10,
                        verbose_name="kind of date",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["vendor", "model", "pk"],
            },
        ),
        migrations.AddField(
            model_name="part",
            name="server",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="parts",
                to="catalog.server",
            ),
        ),
        migrations.CreateModel(
            name="CatalogNote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("subject", models.CharField(max_length=150)),
                ("built_with", models.CharField(blank=True, max_length=250)),
                ("rounds", models.CharField(blank=True, max_length=60)),
                (
                    "confidence",
                    models.CharField(
                        choices=[
                            ("A", "A: vendor document or supplier offer opened"),
                            ("B", "B: review, filing or shop page"),
                            ("C", "C: secondary or press source only"),
                            ("D", "D: weak or unverified"),
                        ],
                        max_length=1,
                    ),
                ),
                (
                    "accelerator",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="doubts",
                        to="catalog.accelerator",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "server",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="doubts",
                        to="catalog.server",
                    ),
                ),
            ],
            options={
                "ordering": ["subject", "pk"],
            },
        ),
        migrations.CreateModel(
            name="ServerAccelerator",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("accelerator_name", models.CharField(max_length=100)),
                ("count_seen", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "basis",
                    models.CharField(
                        choices=[
                            ("listed", "in the vendor's list"),
                            ("filed", "built and filed by a benchmark submitter"),
                        ],
                        default="listed",
                        max_length=10,
                    ),
                ),
                (
                    "accelerator",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="fits",
                        to="catalog.accelerator",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "server",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="fits", to="catalog.server"
                    ),
                ),
            ],
            options={
                "ordering": ["server_id", "accelerator_name", "pk"],
            },
        ),
        migrations.CreateModel(
            name="ServingSoftware",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("cross_check_title", models.CharField(blank=True, max_length=200, verbose_name="checked against")),
                ("cross_check_url", models.URLField(blank=True, max_length=300, verbose_name="address of the check")),
                ("vendor_url", models.URLField(blank=True, max_length=300, verbose_name="vendor's page")),
                ("verification", models.CharField(blank=True, max_length=30, verbose_name="verification")),
                ("slug", models.SlugField(max_length=100, unique=True)),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("project", models.CharField(blank=True, max_length=60, verbose_name="project")),
                ("licence", models.CharField(blank=True, max_length=150, verbose_name="licence")),
                ("status", models.CharField(blank=True, max_length=200, verbose_name="status")),
                (
                    "nvidia_min_compute_capability",
                    models.CharField(blank=True, max_length=200, verbose_name="lowest compute capability"),
                ),
                ("amd_gfx", models.CharField(blank=True, max_length=150, verbose_name="AMD targets")),
                ("intel_gpu", models.CharField(blank=True, max_length=100, verbose_name="Intel graphics")),
                ("gaudi", models.CharField(blank=True, max_length=100, verbose_name="Gaudi")),
                ("cpu", models.CharField(blank=True, max_length=100, verbose_name="processors")),
                ("tpu_or_neuron", models.CharField(blank=True, max_length=100, verbose_name="TPU or Neuron")),
                ("edge", models.CharField(blank=True, max_length=150, verbose_name="edge")),
                (
                    "formats_volta_turing",
                    models.CharField(blank=True, max_length=200, verbose_name="formats on Volta and Turing"),
                ),
                ("formats_ampere", models.CharField(blank=True, max_length=200, verbose_name="formats on Ampere")),
                ("formats_ada", models.CharField(blank=True, max_length=200, verbose_name="formats on Ada")),
                ("formats_hopper", models.CharField(blank=True, max_length=200, verbose_name="formats on Hopper")),
                (
                    "formats_blackwell",
                    models.CharField(blank=True, max_length=200, verbose_name="formats on Blackwell"),
                ),
                ("formats_amd", models.CharField(blank=True, max_length=200, verbose_name="formats on AMD")),
                (
                    "formats_intel_cpu",
                    models.CharField(blank=True, max_length=200, verbose_name="formats on Intel and processors"),
                ),
                (
                    "continuous_batching",
                    models.CharField(blank=True, max_length=60, verbose_name="continuous batching"),
                ),
                ("dynamic_batching", models.CharField(blank=True, max_length=60, verbose_name="dynamic batching")),
                ("paged_kv", models.CharField(blank=True, max_length=60, verbose_name="paged KV cache")),
                ("prefix_caching", models.CharField(blank=True, max_length=60, verbose_name="prefix cache")),
                (
                    "speculative_decoding",
                    models.CharField(blank=True, max_length=60, verbose_name="speculative decoding"),
                ),
                ("multi_lora", models.CharField(blank=True, max_length=60, verbose_name="several LoRA adapters")),
                ("disaggregated", models.CharField(blank=True, max_length=60, verbose_name="prefill and decode apart")),
                ("tensor_parallel", models.CharField(blank=True, max_length=60, verbose_name="tensor parallel")),
                ("pipeline_parallel", models.CharField(blank=True, max_length=60, verbose_name="pipeline parallel")),
                ("expert_parallel", models.CharField(blank=True, max_length=60, verbose_name="expert parallel")),
                ("multi_model", models.CharField(blank=True, max_length=60, verbose_name="several models")),
                ("openai_api", models.CharField(blank=True, max_length=60, verbose_name="OpenAI API")),
                ("grpc", models.CharField(blank=True, max_length=100, verbose_name="gRPC")),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "serving software",
                "ordering": ["name", "pk"],
            },
        ),
        migrations.CreateModel(
            name="SoftwareCompatibility",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("software_name", models.CharField(max_length=60, verbose_name="software")),
                ("version", models.CharField(blank=True, max_length=60, verbose_name="release")),
                ("release_date", models.CharField(blank=True, max_length=10, verbose_name="date of the release")),
                ("accelerator_class", models.CharField(max_length=80, verbose_name="class of accelerators")),
                ("format", models.CharField(max_length=80, verbose_name="format or feature")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("native", "native"),
                            ("weight_only", "weights only, computed in 16 bits"),
                            ("emulated", "emulated"),
                            ("unsupported", "unsupported"),
                            ("unknown", "unknown"),
                        ],
                        max_length=12,
                        verbose_name="status",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "software",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="compatibility",
                        to="catalog.servingsoftware",
                    ),
                ),
            ],
            options={
                "ordering": ["software_name", "-release_date", "accelerator_class", "format", "pk"],
            },
        ),
        migrations.CreateModel(
            name="StorageFormat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("slug", models.SlugField(max_length=100, unique=True)),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("family", models.CharField(max_length=20, verbose_name="family")),
                ("applies_to", models.CharField(max_length=40, verbose_name="applies to")),
                ("weight_bits", models.PositiveSmallIntegerField(verbose_name="bits of a value")),
                ("group_or_block_size", models.CharField(blank=True, max_length=30, verbose_name="group or block")),
                ("scale_bits", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="bits of a scale")),
                (
                    "zero_point_bits",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="bits of a zero point"),
                ),
                (
                    "exact_bits_per_weight",
                    models.FloatField(blank=True, null=True, verbose_name="exact bits per value"),
                ),
                ("formula", models.CharField(blank=True, max_length=100, verbose_name="formula")),
                (
                    "model_bits_per_weight",
                    models.FloatField(blank=True, null=True, verbose_name="bits per weight of a whole model"),
                ),
                ("model_reference", models.CharField(blank=True, max_length=100, verbose_name="model measured")),
                ("activation_precision", models.CharField(blank=True, max_length=60, verbose_name="activations")),
                ("native_compute", models.CharField(blank=True, max_length=200, verbose_name="computed natively by")),
                ("verification", models.CharField(blank=True, max_length=30, verbose_name="verification")),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["family", "-weight_bits", "name", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Supplier",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("public_id", models.UUIDField(default=config.accounts.ids.uuid7, editable=False, unique=True)),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("website", models.URLField(blank=True, verbose_name="website")),
                ("country", models.CharField(blank=True, max_length=2, verbose_name="country")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.organisation",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "pk"],
            },
        ),
        migrations.CreateModel(
            name="PriceObservation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("public_id", models.UUIDField(default=config.accounts.ids.uuid7, editable=False, unique=True)),
                ("supplier_sku", models.CharField(blank=True, max_length=80, verbose_name="supplier's number")),
                ("item_name", models.CharField(blank=True, max_length=500, verbose_name="as named by the source")),
                ("unit_price", models.DecimalField(decimal_places=6, max_digits=18, verbose_name="unit price")),
                (
                    "price_high",
                    models.DecimalField(
                        blank=True, decimal_places=6, max_digits=18, null=True, verbose_name="upper end of the range"
                    ),
                ),
                (
                    "currency",
                    models.CharField(
                        max_length=3,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[A-Z]{3}$", "A currency has three capital letters (ISO 4217)."
                            )
                        ],
                        verbose_name="currency",
                    ),
                ),
                ("price_unit", models.CharField(default="each", max_length=30, verbose_name="per")),
                (
                    "tax_basis",
                    models.CharField(
                        choices=[
                            ("excl_vat", "without VAT"),
                            ("incl_vat", "with VAT"),
                            ("excl_sales_tax", "without sales tax"),
                            ("unstated", "tax not stated"),
                        ],
                        default="unstated",
                        max_length=15,
                        verbose_name="tax",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("own", "own price list"),
                            ("contract", "agreed price"),
                            ("offer", "supplier's offer"),
                            ("street", "shop price"),
                            ("list", "list price"),
                            ("government_list", "public-sector list price"),
                            ("msrp", "maker's suggested price"),
                            ("estimate_press", "press estimate"),
                        ],
                        max_length=16,
                        verbose_name="kind of price",
                    ),
                ),
                (
                    "condition",
                    models.CharField(
                        choices=[
                            ("new", "new"),
                            ("refurbished", "refurbished"),
                            ("used", "used"),
                            ("unknown", "not stated"),
                        ],
                        default="new",
                        max_length=12,
                        verbose_name="condition",
                    ),
                ),
                ("min_quantity", models.PositiveIntegerField(default=1, verbose_name="from quantity")),
                ("pack_size", models.PositiveIntegerField(default=1, verbose_name="pack size")),
                ("minimum_order", models.PositiveIntegerField(default=1, verbose_name="minimum order")),
                ("region", models.CharField(blank=True, max_length=20, verbose_name="region")),
                ("observed_on", models.DateField(verbose_name="seen on")),
                (
                    "date_kind",
                    models.CharField(
                        choices=[
                            ("published", "published"),
                            ("updated", "updated"),
                            ("observed", "observed"),
                            ("retrieved", "retrieved; the source is undated"),
                        ],
                        default="observed",
                        max_length=10,
                        verbose_name="kind of date",
                    ),
                ),
                ("valid_from", models.DateField(verbose_name="valid from")),
                ("valid_to", models.DateField(blank=True, null=True, verbose_name="valid to")),
                ("is_outlier", models.BooleanField(default=False, verbose_name="outlier")),
                (
                    "confidence",
                    models.CharField(
                        choices=[
                            ("A", "A: vendor document or supplier offer opened"),
                            ("B", "B: review, filing or shop page"),
                            ("C", "C: secondary or press source only"),
                            ("D", "D: weak or unverified"),
                        ],
                        default="A",
                        max_length=1,
                        verbose_name="confidence",
                    ),
                ),
                ("quote_number", models.CharField(blank=True, max_length=60, verbose_name="supplier's quotation")),
                ("end_customer", models.CharField(blank=True, max_length=100, verbose_name="end customer")),
                ("import_line", models.PositiveIntegerField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "import_batch",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="prices",
                        to="catalog.importbatch",
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.organisation",
                    ),
                ),
                (
                    "part",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="prices", to="catalog.part"
                    ),
                ),
                (
                    "superseded_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalog.priceobservation",
                    ),
                ),
                (
                    "supplier",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="prices",
                        to="catalog.supplier",
                    ),
                ),
            ],
            options={
                "ordering": ["-observed_on", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="PartAlias",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(max_length=500)),
                ("text_normalised", models.CharField(max_length=500)),
                (
                    "is_no_part",
                    models.BooleanField(default=False, help_text="Decided: this line is none of our parts."),
                ),
                ("decided_at", models.DateTimeField(auto_now_add=True)),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "import_batch",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="aliases",
                        to="catalog.importbatch",
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.organisation",
                    ),
                ),
                (
                    "part",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aliases",
                        to="catalog.part",
                    ),
                ),
                (
                    "supplier",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="catalog.supplier",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "part aliases",
                "ordering": ["text_normalised", "pk"],
            },
        ),
        migrations.CreateModel(
            name="LeadTimeObservation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source_title", models.CharField(blank=True, max_length=300, verbose_name="source")),
                ("source_url", models.URLField(blank=True, max_length=300, verbose_name="address of the source")),
                ("source_date", models.CharField(blank=True, max_length=10, verbose_name="date of the source")),
                ("notes", models.TextField(blank=True, verbose_name="notes")),
                ("seed_key", models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ("seed_version", models.CharField(blank=True, editable=False, max_length=20)),
                ("edited_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="edited")),
                ("public_id", models.UUIDField(default=config.accounts.ids.uuid7, editable=False, unique=True)),
                ("item", models.CharField(blank=True, max_length=500, verbose_name="as named by the source")),
                ("goods_class", models.CharField(blank=True, max_length=30, verbose_name="class of goods")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("in_stock", "in stock"),
                            ("lead_time", "made or bought to order"),
                            ("back_ordered", "back-ordered"),
                            ("allocation", "on allocation"),
                            ("discontinued", "discontinued"),
                            ("unknown", "unknown"),
                        ],
                        default="lead_time",
                        max_length=12,
                        verbose_name="stock",
                    ),
                ),
                (
                    "weeks_low",
                    models.DecimalField(
                        blank=True, decimal_places=2, max_digits=7, null=True, verbose_name="at least (weeks)"
                    ),
                ),
                (
                    "weeks_typical",
                    models.DecimalField(
                        blank=True, decimal_places=2, max_digits=7, null=True, verbose_name="typically (weeks)"
                    ),
                ),
                (
                    "weeks_high",
                    models.DecimalField(
                        blank=True, decimal_places=2, max_digits=7, null=True, verbose_name="at most (weeks)"
                    ),
                ),
                ("original_unit", models.CharField(blank=True, max_length=20, verbose_name="unit of the source")),
                ("stock_count", models.PositiveIntegerField(blank=True, null=True, verbose_name="pieces in stock")),
                ("promised_on", models.DateField(blank=True, null=True, verbose_name="promised for")),
                ("region", models.CharField(blank=True, max_length=20, verbose_name="region")),
                ("observed_on", models.DateField(verbose_name="seen on")),
                (
                    "date_kind",
                    models.CharField(
                        choices=[
                            ("published", "published"),
                            ("updated", "updated"),
                            ("observed", "observed"),
                            ("retrieved", "retrieved; the source is undated"),
                        ],
                        default="observed",
                        max_length=10,
                        verbose_name="kind of date",
                    ),
                ),
                ("valid_to", models.DateField(blank=True, null=True, verbose_name="valid to")),
                ("is_outlier", models.BooleanField(default=False, verbose_name="outlier")),
                (
                    "confidence",
                    models.CharField(
                        choices=[
                            ("A", "A: vendor document or supplier offer opened"),
                            ("B", "B: review, filing or shop page"),
                            ("C", "C: secondary or press source only"),
                            ("D", "D: weak or unverified"),
                        ],
                        default="A",
                        max_length=1,
                        verbose_name="confidence",
                    ),
                ),
                ("import_line", models.PositiveIntegerField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "import_batch",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lead_times",
                        to="catalog.importbatch",
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.organisation",
                    ),
                ),
                (
                    "superseded_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalog.leadtimeobservation",
                    ),
                ),
                (
                    "part",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lead_times",
                        to="catalog.part",
                    ),
                ),
                (
                    "supplier",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lead_times",
                        to="catalog.supplier",
                    ),
                ),
            ],
            options={
                "ordering": ["-observed_on", "-pk"],
            },
        ),
        migrations.AddField(
            model_name="importbatch",
            name="supplier",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="catalog.supplier",
            ),
        ),
        migrations.CreateModel(
            name="SupplierProfile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=config.accounts.ids.uuid7, editable=False, unique=True)),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                (
                    "reading",
                    models.JSONField(
                        blank=True, default=dict, help_text="Encoding, delimiter, header, styles, columns."
                    ),
                ),
                ("answers", models.JSONField(blank=True, default=dict)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
                    ),
                ),
                (
                    "supplier",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="profiles", to="catalog.supplier"
                    ),
                ),
            ],
            options={
                "ordering": ["name", "pk"],
            },
        ),
        migrations.AddField(
            model_name="importbatch",
            name="profile",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="catalog.supplierprofile",
            ),
        ),
        migrations.AddConstraint(
            model_name="accelerator",
            constraint=models.CheckConstraint(
                condition=models.Q(("memory_gb__isnull", True), ("memory_gb__gt", 0), _connector="OR"),
                name="accelerator_memory_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="accelerator",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("memory_bandwidth_gb_s__isnull", True), ("memory_bandwidth_gb_s__gt", 0), _connector="OR"
                ),
                name="accelerator_bandwidth_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="accelerator",
            constraint=models.CheckConstraint(
                condition=models.Q(("tdp_w__isnull", True), ("tdp_w__gt", 0), _connector="OR"),
                name="accelerator_tdp_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="accelerator",
            constraint=models.CheckConstraint(
                condition=models.Q(("logical_devices__gte", 1)), name="accelerator_has_a_device"
            ),
        ),
        migrations.AddConstraint(
            model_name="cloudrate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "gpu_hour"), ("usd_per_1m_output__isnull", True), ("usd_per_gpu_hour__gte", 0)),
                    models.Q(("kind", "api_token"), ("usd_per_gpu_hour__isnull", True)),
                    _connector="OR",
                ),
                name="cloud_rate_has_the_price_of_its_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="devicememory",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("runtime_bytes__isnull", True), ("runtime_bytes__lte", models.F("usable_bytes")), _connector="OR"
                ),
                name="runtime_memory_within_usable",
            ),
        ),
        migrations.AddConstraint(
            model_name="energytariff",
            constraint=models.CheckConstraint(condition=models.Q(("price_per_kwh__gt", 0)), name="tariff_positive"),
        ),
        migrations.AddConstraint(
            model_name="exchangerate",
            constraint=models.CheckConstraint(
                condition=models.Q(("rate__gt", 0)),
                name="exchange_rate_positive",
                violation_error_message="A rate is above zero.",
            ),
        ),
        migrations.AddConstraint(
            model_name="exchangerate",
            constraint=models.CheckConstraint(
                condition=models.Q(("base_currency", models.F("quote_currency")), _negated=True),
                name="exchange_rate_between_two_currencies",
                violation_error_message="A rate stands between two different currencies.",
            ),
        ),
        migrations.AddConstraint(
            model_name="nonllmworkload",
            constraint=models.CheckConstraint(
                condition=models.Q(("flops__isnull", True), ("flops__gt", 0), _connector="OR"),
                name="workload_flops_positive",
            ),
        ),
        migrations.AddIndex(
            model_name="originclaim",
            index=models.Index(fields=["part", "organisation"], name="claim_by_part_and_owner"),
        ),
        migrations.AddConstraint(
            model_name="originclaim",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("evidence_type__in", ["cbp_ruling", "manufacturer_letter"]), ("grade", "A")),
                    models.Q(("evidence_type", "distributor_feed"), ("grade", "B")),
                    models.Q(("evidence_type", "datasheet"), ("grade", "C")),
                    models.Q(("evidence_type", "unknown"), ("grade", "D")),
                    _connector="OR",
                ),
                name="origin_grade_follows_from_evidence",
            ),
        ),
        migrations.AddConstraint(
            model_name="processor",
            constraint=models.CheckConstraint(condition=models.Q(("cores__gt", 0)), name="processor_has_cores"),
        ),
        migrations.AddConstraint(
            model_name="processor",
            constraint=models.CheckConstraint(
                condition=models.Q(("tdp_w__isnull", True), ("tdp_w__gt", 0), _connector="OR"),
                name="processor_tdp_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="component",
            constraint=models.CheckConstraint(
                condition=models.Q(("typical_power_w__isnull", True), ("typical_power_w__gt", 0), _connector="OR"),
                name="component_power_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="server",
            constraint=models.CheckConstraint(
                condition=models.Q(("rack_units__isnull", True), ("rack_units__gt", 0), _connector="OR"),
                name="server_height_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="server",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("max_system_power_w__isnull", True), ("max_system_power_w__gt", 0), _connector="OR"
                ),
                name="server_power_positive",
            ),
        ),
        migrations.AddIndex(
            model_name="part",
            index=models.Index(fields=["mpn_normalised"], name="part_by_normalised_mpn"),
        ),
        migrations.AddIndex(
            model_name="part",
            index=models.Index(fields=["organisation", "kind"], name="part_by_owner_and_kind"),
        ),
        migrations.AddIndex(
            model_name="part",
            index=django.contrib.postgres.indexes.GinIndex(fields=["search_vector"], name="part_full_text"),
        ),
        migrations.AddIndex(
            model_name="part",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass("mpn_normalised", "gin_trgm_ops"), name="part_mpn_trigrams"
            ),
        ),
        migrations.AddConstraint(
            model_name="part",
            constraint=models.UniqueConstraint(
                condition=models.Q(("mpn", ""), _negated=True),
                fields=("organisation", "manufacturer", "mpn"),
                name="one_part_per_manufacturer_number",
                nulls_distinct=False,
                violation_error_message="This manufacturer's number exists already.",
            ),
        ),
        migrations.AddConstraint(
            model_name="part",
            constraint=models.CheckConstraint(
                condition=models.Q(("gtin", ""), ("gtin__regex", "^[0-9]{8}$|^[0-9]{12,14}$"), _connector="OR"),
                name="part_gtin_is_digits",
                violation_error_message="A GTIN has 8, 12, 13 or 14 digits.",
            ),
        ),
        migrations.AddConstraint(
            model_name="part",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("accelerators_in_part__isnull", True), ("accelerators_in_part__gte", 1), _connector="OR"
                ),
                name="part_accelerators_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="serveraccelerator",
            constraint=models.UniqueConstraint(
                fields=("server", "accelerator_name", "count_seen"),
                name="one_fit_per_server_accelerator_count",
                nulls_distinct=False,
            ),
        ),
        migrations.AddIndex(
            model_name="softwarecompatibility",
            index=models.Index(fields=["software_name", "format"], name="compat_by_software_format"),
        ),
        migrations.AddConstraint(
            model_name="storageformat",
            constraint=models.CheckConstraint(
                condition=models.Q(("weight_bits__range", (1, 64))), name="format_has_sensible_bits"
            ),
        ),
        migrations.AddConstraint(
            model_name="supplier",
            constraint=models.UniqueConstraint(
                models.F("organisation"),
                django.db.models.functions.text.Lower("name"),
                name="one_supplier_of_a_name",
                nulls_distinct=False,
                violation_error_message="A supplier of this name exists already.",
            ),
        ),
        migrations.AddIndex(
            model_name="priceobservation",
            index=models.Index(fields=["part", "organisation", "currency"], name="price_by_part_and_owner"),
        ),
        migrations.AddIndex(
            model_name="priceobservation",
            index=models.Index(fields=["organisation", "supplier"], name="price_by_owner_and_supplier"),
        ),
        migrations.AddConstraint(
            model_name="priceobservation",
            constraint=models.CheckConstraint(
                condition=models.Q(("unit_price__gt", 0)),
                name="price_is_positive",
                violation_error_message="A price is above zero; leave an unknown price out.",
            ),
        ),
        migrations.AddConstraint(
            model_name="priceobservation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("price_high__isnull", True), ("price_high__gte", models.F("unit_price")), _connector="OR"
                ),
                name="price_range_ascends",
            ),
        ),
        migrations.AddConstraint(
            model_name="priceobservation",
            constraint=models.CheckConstraint(
                condition=models.Q(("currency__regex", "^[A-Z]{3}$")), name="price_currency_is_iso"
            ),
        ),
        migrations.AddConstraint(
            model_name="priceobservation",
            constraint=models.CheckConstraint(
                condition=models.Q(("min_quantity__gte", 1), ("minimum_order__gte", 1), ("pack_size__gte", 1)),
                name="price_quantities_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="priceobservation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("valid_to__isnull", True),
                    ("valid_to__gte", models.F("valid_from")),
                    ("superseded_by__isnull", False),
                    _connector="OR",
                ),
                name="price_validity_ascends",
                violation_error_message="The price ends before it begins.",
            ),
        ),
        migrations.AddConstraint(
            model_name="partalias",
            constraint=models.UniqueConstraint(
                fields=("organisation", "supplier", "text_normalised"),
                name="one_meaning_per_supplier_text",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="partalias",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("is_no_part", False), ("part__isnull", False)),
                    models.Q(("is_no_part", True), ("part__isnull", True)),
                    _connector="OR",
                ),
                name="alias_means_a_part_or_none",
            ),
        ),
        migrations.AddIndex(
            model_name="leadtimeobservation",
            index=models.Index(fields=["part", "organisation"], name="lead_time_by_part_and_owner"),
        ),
        migrations.AddConstraint(
            model_name="leadtimeobservation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("weeks_low__isnull", True), ("weeks_low__gte", 0), _connector="OR"),
                    models.Q(("weeks_typical__isnull", True), ("weeks_typical__gte", 0), _connector="OR"),
                    models.Q(("weeks_high__isnull", True), ("weeks_high__gte", 0), _connector="OR"),
                ),
                name="lead_weeks_not_negative",
            ),
        ),
        migrations.AddConstraint(
            model_name="leadtimeobservation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("weeks_low__isnull", True),
                        ("weeks_typical__isnull", True),
                        ("weeks_low__lte", models.F("weeks_typical")),
                        _connector="OR",
                    ),
                    models.Q(
                        ("weeks_typical__isnull", True),
                        ("weeks_high__isnull", True),
                        ("weeks_typical__lte", models.F("weeks_high")),
                        _connector="OR",
                    ),
                    models.Q(
                        ("weeks_low__isnull", True),
                        ("weeks_high__isnull", True),
                        ("weeks_low__lte", models.F("weeks_high")),
                        _connector="OR",
                    ),
                ),
                name="lead_weeks_ascend",
                violation_error_message="The weeks must ascend: at least, typically, at most.",
            ),
        ),
        migrations.AddConstraint(
            model_name="leadtimeobservation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("part__isnull", False), models.Q(("goods_class", ""), _negated=True), _connector="OR"
                ),
                name="lead_time_is_about_something",
            ),
        ),
        migrations.AddConstraint(
            model_name="supplierprofile",
            constraint=models.UniqueConstraint(
                fields=("organisation", "name"),
                name="one_profile_of_a_name",
                violation_error_message="A profile of this name exists already.",
            ),
        ),
    ]
