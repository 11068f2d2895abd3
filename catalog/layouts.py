"""Which fields stand in which section of a detail page; names are separated by blanks."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

type Layout = tuple[tuple[str | Promise, str], ...]

ACCELERATOR_SECTIONS: Layout = (
    (
        _("Identity"),
        "vendor name variant kind architecture launch_year status availability form_factor slot_width logical_devices",
    ),
    (_("Memory"), "memory_gb memory_type memory_bandwidth_gb_s l2_cache_mb ecc"),
    (
        _("Compute, dense"),
        "fp64_dense_tflops fp32_dense_tflops tf32_dense_tflops fp16_dense_tflops bf16_dense_tflops "
        "fp8_dense_tflops fp6_dense_tflops fp4_dense_tflops int8_dense_tops int4_dense_tops supports_fp8 "
        "supports_fp4 supports_int8 compute_capability software mig_max_instances",
    ),
    (_("Power and cooling"), "tdp_w configurable_tdp_min_w cooling power_connector"),
    (_("Links"), "scale_up_link scale_up_gb_s_bidirectional scale_up_domain_size pcie_gen pcie_lanes"),
)
SERVER_SECTIONS: Layout = (
    (_("Identity"), "vendor model category status basis country_of_origin"),
    (_("Accelerators"), "accelerator_mount max_accelerators max_accelerators_seen host_link interconnect"),
    (
        _("Processors and memory"),
        "cpu_sockets cpu_families dimm_slots max_ram_gb ram_type dimms_seen max_memory_gb_seen",
    ),
    (_("Drives and network"), "drive_bays nic_pcie_slots"),
    (
        _("Power and cooling"),
        "psu_count psu_watts psu_redundancy input_voltage max_system_power_w cooling max_ambient_c op_temp_range_c",
    ),
    (_("Housing"), "rack_units weight_kg edge_features"),
)
PROCESSOR_SECTIONS: Layout = (
    (_("Identity"), "vendor name generation codename architecture launch_year status socket max_sockets"),
    (_("Compute"), "cores threads base_ghz boost_ghz l3_mb amx avx512 vnni bf16_isa"),
    (
        _("Memory and links"),
        "memory_channels memory_type memory_speed_mts memory_bandwidth_gb_s alt_memory "
        "alt_memory_bandwidth_gb_s pcie_gen pcie_lanes",
    ),
    (_("Power and cooling"), "tdp_w"),
)
COMPONENT_SECTIONS: Layout = (
    (_("Identity"), "vendor model category mpn oem_part_numbers"),
    (_("Figures"), "key_specs typical_power_w power_kind"),
)
PART_SECTIONS: Layout = (
    (_("Identity"), "manufacturer mpn kind description oem oem_part_number"),
    (_("Codes"), "gtin unspsc eclass hts eccn"),
)
SOFTWARE_SECTIONS: Layout = (
    (_("Identity"), "name project licence status"),
    (_("Runs on"), "nvidia_min_compute_capability amd_gfx intel_gpu gaudi cpu tpu_or_neuron edge"),
    (
        _("Formats"),
        "formats_volta_turing formats_ampere formats_ada formats_hopper formats_blackwell formats_amd "
        "formats_intel_cpu",
    ),
    (
        _("Features"),
        "continuous_batching dynamic_batching paged_kv prefix_caching speculative_decoding multi_lora "
        "disaggregated tensor_parallel pipeline_parallel expert_parallel multi_model openai_api grpc",
    ),
)
MODEL_SECTIONS: Layout = ((_("Identity"), "model_id architecture licence config_kind source_path source_commit"),)
