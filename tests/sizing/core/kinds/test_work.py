"""Time of one run: worked examples with round numbers, properties, and devices that print few rates."""

import pytest

from sizing.core.errors import InvalidWorkload
from sizing.core.hardware import DeviceKind, Vendor
from sizing.core.kinds.fitted import banded, device_class
from sizing.core.kinds.work import Run, operation_s, peak_flops, run_s
from sizing.core.precision import Rate
from sizing.core.values import Basis
from tests.sizing.core.kinds.round import coefficients, device

RUN = Run(flops=1e12, rate=Rate.FP16, weight_bytes=8e9, item_bytes=4e8, launches=10)


def seconds(run: Run = RUN, *, batch: int = 4, engine: str = "tensorrt", **fit: float) -> float:
    found = run_s(run, device(), "vision", coefficients(**fit), batch=batch, engine=engine)
    assert found is not None
    return found


def test_time_is_launches_plus_operations_plus_reads() -> None:
    # operations: 4 x 1e12 / (0.5 x 1e14) = 0.08 s; reads: (8e9 + 4 x 4e8) / (0.8 x 1e12) = 0.012 s; launches: 10 x 1 ms
    assert seconds(launch_s=1e-3) == pytest.approx(0.08 + 0.012 + 0.01)


def test_power_limit_adds_energy_over_watts() -> None:
    # 16-bit operations cost twice the 8-bit energy: 1e12 x 2 x 1e-12 J / 500 W = 4 ms beside 20 ms of computing
    fit = coefficients(energy_j_per_8bit_operation=1e-12).fit("vision")
    assert operation_s(1e12, device(), Rate.FP16, fit) == pytest.approx(0.020 + 0.004)
    assert operation_s(1e12, device(), Rate.FP8, fit) == pytest.approx(0.010 + 0.002)


def test_a_device_with_fewer_watts_is_slower_at_equal_peak() -> None:
    fit = coefficients(energy_j_per_8bit_operation=1e-12).fit("vision")
    small = operation_s(1e12, device(tdp_w=72.0), Rate.FP8, fit)
    large = operation_s(1e12, device(tdp_w=700.0), Rate.FP8, fit)
    assert small is not None
    assert large is not None
    assert small > large


def test_one_item_alone_reaches_a_share_of_the_rate() -> None:
    # share at batch b: 1 - (1 - 0.5) / b = 0.5 at 1 and 0.75 at 2
    fit = coefficients(single_share=0.5).fit("vision")
    assert operation_s(1e12, device(), Rate.FP16, fit, batch=1) == pytest.approx(0.04)
    assert operation_s(1e12, device(), Rate.FP16, fit, batch=2) == pytest.approx(0.02 / 0.75)


def test_open_pipelines_take_longer_than_compiled_engines() -> None:
    assert seconds(engine="onnxruntime") == pytest.approx(2.0 * seconds(engine="tensorrt"))


def test_larger_batches_never_lower_the_rate() -> None:
    rates = [batch / seconds(batch=batch, launch_s=1e-3, single_share=0.6) for batch in (1, 2, 4, 8, 16, 64)]
    assert rates == sorted(rates)


def test_formats_without_units_compute_in_16_bits() -> None:
    plain = device(flops_per_s={Rate.FP16: 1e14})
    assert peak_flops(plain, Rate.FP8) == 1e14
    assert peak_flops(plain, Rate.FP4) == 1e14


def test_modules_that_print_int8_alone_do_half_of_it_in_16_bits() -> None:
    # Jetson AGX Orin prints 85 dense INT8 TOPS for its GPU: 42.5 TFLOP/s in 16 bits
    orin = device(kind=DeviceKind.EDGE, flops_per_s={Rate.INT8: 85e12, Rate.FP32: 5.3e12})
    assert peak_flops(orin, Rate.FP16) == pytest.approx(42.5e12)


def test_a_device_without_rates_is_not_sized() -> None:
    assert run_s(RUN, device(flops_per_s={}), "vision", coefficients(), batch=1, engine="tensorrt") is None


def test_processors_reach_their_own_share_and_feel_no_power_limit() -> None:
    # 1e12 / (0.25 x 1e14) = 40 ms
    fit = coefficients(energy_j_per_8bit_operation=1e-12).fit("vision")
    assert operation_s(1e12, device(kind=DeviceKind.CPU), Rate.BF16, fit) == pytest.approx(0.04)


def test_turing_takes_its_own_factor() -> None:
    old = device(compute_capability="7.5", slug="t4")
    assert device_class(old) == "nvidia-old"
    slow = run_s(RUN, old, "vision", coefficients(), batch=1, engine="tensorrt")
    assert slow == pytest.approx(1.5 * seconds(batch=1))


def test_intervals_are_wider_where_the_device_was_not_measured() -> None:
    def interval(model: str, **changes: object) -> tuple[float | None, float | None, Basis]:
        found = banded(10.0, "s", device(**changes), "vision", model, coefficients(), explain="x")
        return found.low, found.high, found.basis

    assert interval("known") == (8.0, 12.5, Basis.CALIBRATED)
    assert interval("known", slug="other", vendor=Vendor.AMD) == (pytest.approx(10 / 1.5), 15.0, Basis.FORMULA)


def test_intervals_are_wider_where_the_network_was_not_measured() -> None:
    # measured 1.25, other network 1.4, other device 1.5; both: exp(sqrt(ln 1.5^2 + ln 1.4^2 - ln 1.25^2)) = 1.612
    at = coefficients()
    assert at.band(device(), "vision", "another") == pytest.approx(1.4)
    assert at.band(device(slug="other"), "vision", "another") == pytest.approx(1.612, abs=1e-3)


def test_families_without_a_fit_are_named() -> None:
    with pytest.raises(InvalidWorkload, match="radar"):
        coefficients().fit("radar")
