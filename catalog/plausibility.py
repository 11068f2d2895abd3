"""Whether technical figures can be true: pure checks with a reason for each doubt.

They catch the usual slips: a rate with sparsity in a dense field, GiB or MiB typed as GB,
milliwatts or kilowatts as watts, a link's speed as memory bandwidth, PCIe and SXM mixed up. The
limits are wide; every row of the shipped data that is right passes (a test holds that).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sizing.core.values import Message

type Facts = Mapping[str, object]

GIB_PER_GB = 1.073741824
TIE = 0.005  # relative distance at which two printed figures count as the same

MATRIX_PER_VECTOR = {
    "7.0": 8.0,
    "7.5": 8.0,
    "8.0": 16.0,
    "8.6": 4.0,
    "8.7": 8.0,
    "8.9": 4.0,
    "9.0": 16.0,
    "10.0": 32.0,
    "10.3": 32.0,
    "11.0": 32.0,
    "12.0": 4.0,
    "12.1": 4.0,
    "gfx90a": 8.0,
    "gfx942": 8.0,
    "gfx950": 16.0,
    "gfx1100": 2.0,
    "gfx1201": 4.0,
}
"""Highest dense 16-bit matrix rate over the FP32 vector rate, by compute capability.

Source: the data sheets of the shipped accelerators, for example H100 SXM 989.4 / 67 = 14.8,
A100 312 / 19.5 = 16, L4 121 / 30.3 = 4, B200 2250 / 75 = 30.
"""

RATE_STEPS = {
    "tf32_dense_tflops": 0.5,
    "fp16_dense_tflops": 1.0,
    "bf16_dense_tflops": 1.0,
    "fp8_dense_tflops": 2.0,
    "int8_dense_tops": 2.0,
    "fp6_dense_tflops": 4.0,
    "fp4_dense_tflops": 4.0,
    "int4_dense_tops": 4.0,
}
"""How much faster than 16 bits a narrower format can be at most."""
ULTRA_FP4_STEP = 6.0  # compute capability 10.3 runs FP4 at three times FP8
SLACK = 1.3

DRAM_READ_S = (0.008, 1.5)
"""Time to read a whole DRAM once: HBM4 22 TB/s on 288 GB takes 13 ms, LPDDR5X 273 GB/s on 128 GB 470 ms."""
TDP_W = (1.0, 30_000.0)
HBM_GB_S = (400.0, 40_000.0)


class Severity(StrEnum):
    ERROR = "error"  # cannot be true as it stands
    WARNING = "warning"  # unusual: a person confirms it


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason not to believe a figure."""

    field: str
    severity: Severity
    message: Message


def doubts_about(row: object) -> tuple[Doubt, ...]:
    """Every doubt about a catalogue row (Accelerator, Processor or Server), by its fields."""
    check = {
        "Accelerator": accelerator_doubts,
        "Processor": processor_doubts,
        "Server": server_doubts,
    }.get(type(row).__name__)
    return check(vars(row)) if check else ()


def accelerator_doubts(facts: Facts) -> tuple[Doubt, ...]:
    """Doubts about one accelerator; keys are the field names of the model, absent figures are None."""
    return (
        *_sparse(facts),
        *_memory(facts),
        *_power(facts),
        *_bandwidth(facts),
        *_form(facts),
        *_formats(facts),
    )


def processor_doubts(facts: Facts) -> tuple[Doubt, ...]:
    """Doubts about one processor: bandwidth against channels, threads against cores, power."""
    return (*_channels(facts), *_threads(facts), *_limits(facts, "tdp_w", 5.0, 1000.0, "power_unit"))


def server_doubts(facts: Facts) -> tuple[Doubt, ...]:
    """Doubts about one server: power of supplies and system, height, temperature."""
    return (
        *_limits(facts, "max_system_power_w", 20.0, 400_000.0, "power_unit"),
        *_limits(facts, "rack_units", 0.5, 60.0, "height_unit"),
        *_limits(facts, "max_ambient_c", 15.0, 85.0, "temperature_unit"),
        *_supplies(facts),
    )


def usable_memory_doubts(*, memory_gb: float, usable_bytes: int, devices: int) -> tuple[Doubt, ...]:
    """Doubts about a driver's total against the printed capacity of all `devices` together.

    A driver reports at most what is soldered on (GB read as GiB) and never less than 85 % of it.
    """
    share = usable_bytes * devices / (memory_gb * 1e9)
    if 0.85 <= share <= GIB_PER_GB * 1.01:
        return ()
    params = {"usable_gb": round(usable_bytes * devices / 1e9, 1), "memory_gb": memory_gb}
    return (Doubt("usable_bytes", Severity.WARNING, Message("usable_memory_far_from_printed", params)),)


def _sparse(facts: Facts) -> Iterator[Doubt]:
    for field in RATE_STEPS:
        rate, ceiling = _number(facts, field), _dense_ceiling(facts, field)
        if rate is not None and ceiling is not None and rate > ceiling * SLACK:
            params = {"rate": rate, "ceiling": round(ceiling, 1), "half": rate / 2}
            yield Doubt(field, Severity.ERROR, Message("rate_looks_sparse", params))


def _dense_ceiling(facts: Facts, field: str) -> float | None:
    """Most that a chip of this class reaches without sparsity, from its vector rate, else from its 16-bit rate."""
    chip = str(facts.get("compute_capability") or "")
    ratio = MATRIX_PER_VECTOR.get(chip)
    if ratio is None:
        return None
    step = ULTRA_FP4_STEP if (chip, field) == ("10.3", "fp4_dense_tflops") else RATE_STEPS[field]
    vector = _number(facts, "fp32_dense_tflops")
    if vector is not None:
        return vector * ratio * step
    half = _number(facts, "bf16_dense_tflops") or _number(facts, "fp16_dense_tflops")
    return half * step if half is not None else None


def _memory(facts: Facts) -> Iterator[Doubt]:
    memory = _number(facts, "memory_gb")
    if memory is None:
        return
    if memory > 2048:
        yield Doubt("memory_gb", Severity.ERROR, Message("memory_looks_like_mib", {"memory_gb": memory}))
    elif memory >= 4 and memory % 1:
        for other, code in (
            (memory / GIB_PER_GB, "memory_looks_like_bytes"),
            (memory * GIB_PER_GB, "memory_looks_like_gib"),
        ):
            if abs(other - round(other)) <= TIE * 10 and round(other) % 2 == 0:
                yield Doubt(
                    "memory_gb", Severity.ERROR, Message(code, {"memory_gb": memory, "printed_gb": round(other)})
                )
                return


def _power(facts: Facts) -> Iterator[Doubt]:
    yield from _limits(facts, "tdp_w", *TDP_W, "power_unit")
    low, high = _number(facts, "configurable_tdp_min_w"), _number(facts, "tdp_w")
    if low is not None and high is not None and low > high:
        params = {"low_w": low, "high_w": high}
        yield Doubt("configurable_tdp_min_w", Severity.ERROR, Message("lowest_power_above_highest", params))
    card = str(facts.get("form_factor") or "").startswith("PCIe")
    if card and high is not None and high > 650:
        yield Doubt("tdp_w", Severity.WARNING, Message("card_above_its_connector", {"tdp_w": high, "limit_w": 600}))


def _bandwidth(facts: Facts) -> Iterator[Doubt]:
    bandwidth, memory = _number(facts, "memory_bandwidth_gb_s"), _number(facts, "memory_gb")
    kind = str(facts.get("memory_type") or "")
    if bandwidth is None or "SRAM" in kind:
        return
    link = _number(facts, "scale_up_gb_s_bidirectional")
    if link is not None and min(abs(bandwidth / link - 1), abs(bandwidth / link - 0.5)) < TIE:
        params = {"bandwidth_gb_s": bandwidth, "link_gb_s": link}
        yield Doubt("memory_bandwidth_gb_s", Severity.ERROR, Message("bandwidth_equals_link", params))
    if kind.startswith("HBM") and not HBM_GB_S[0] <= bandwidth <= HBM_GB_S[1]:
        reason = Message("bandwidth_not_of_this_memory", {"bandwidth_gb_s": bandwidth, "memory_type": kind})
        yield Doubt("memory_bandwidth_gb_s", Severity.ERROR, reason)
    elif memory is not None and not DRAM_READ_S[0] <= memory / bandwidth <= DRAM_READ_S[1]:
        params = {"bandwidth_gb_s": bandwidth, "read_ms": round(memory / bandwidth * 1000, 1)}
        yield Doubt("memory_bandwidth_gb_s", Severity.ERROR, Message("bandwidth_unit", params))


def _form(facts: Facts) -> Iterator[Doubt]:
    form = str(facts.get("form_factor") or "")
    named = f"{facts.get('slug') or ''} {facts.get('name') or ''} {facts.get('variant') or ''}".lower()
    card = form.startswith("PCIe")
    module = form.startswith(("SXM", "OAM"))
    if card and ("sxm" in named or "oam" in named):
        yield Doubt("form_factor", Severity.ERROR, Message("card_named_as_module", {"form_factor": form}))
    if module and ("pcie" in named or "nvl-" in named):
        yield Doubt("form_factor", Severity.ERROR, Message("module_named_as_card", {"form_factor": form}))
    if module and facts.get("slot_width") is not None:
        yield Doubt("slot_width", Severity.WARNING, Message("module_with_slots", {"form_factor": form}))
    if form.startswith("SXM") and str(facts.get("scale_up_link") or "none") == "none":
        yield Doubt("scale_up_link", Severity.WARNING, Message("module_without_link", {"form_factor": form}))


def _formats(facts: Facts) -> Iterator[Doubt]:
    for rate, flag in (
        ("fp8_dense_tflops", "supports_fp8"),
        ("fp4_dense_tflops", "supports_fp4"),
        ("int8_dense_tops", "supports_int8"),
    ):
        if _number(facts, rate) is not None and facts.get(flag) is False:
            yield Doubt(flag, Severity.ERROR, Message("rate_without_support", {"field": rate}))


def _channels(facts: Facts) -> Iterator[Doubt]:
    channels, speed = _number(facts, "memory_channels"), _number(facts, "memory_speed_mts")
    bandwidth = _number(facts, "memory_bandwidth_gb_s")
    if channels is None or speed is None or bandwidth is None:
        return
    expected = channels * 8 * speed / 1000  # 8 bytes a transfer and channel
    if abs(bandwidth / expected - 1) > 0.02 and str(facts.get("memory_type") or "").startswith("DDR"):
        params = {"bandwidth_gb_s": bandwidth, "expected_gb_s": round(expected, 1)}
        yield Doubt("memory_bandwidth_gb_s", Severity.ERROR, Message("bandwidth_against_channels", params))


def _threads(facts: Facts) -> Iterator[Doubt]:
    cores, threads = _number(facts, "cores"), _number(facts, "threads")
    if cores is not None and threads is not None and threads not in (cores, 2 * cores):
        params = {"cores": cores, "threads": threads}
        yield Doubt("threads", Severity.WARNING, Message("threads_against_cores", params))


def _supplies(facts: Facts) -> Iterator[Doubt]:
    for size in str(facts.get("psu_watts") or "").split("|"):
        if size.strip().isdigit() and not 40 <= int(size) <= 20_000:
            yield Doubt(
                "psu_watts", Severity.ERROR, Message("power_unit", {"value": int(size), "low": 40, "high": 20_000})
            )


def _limits(facts: Facts, field: str, low: float, high: float, code: str) -> Iterator[Doubt]:
    value = _number(facts, field)
    if value is not None and not low <= value <= high:
        yield Doubt(field, Severity.ERROR, Message(code, {"value": value, "low": low, "high": high}))


def _number(facts: Facts, field: str) -> float | None:
    value = facts.get(field)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
