"""Charts of an option: titles state what the numbers support, tables hold them, and nothing is drawn without them."""

from typing import Any

import pytest
from django.utils import translation

from sizing import presentation
from sizing.caveats import CAVEATS
from sizing.cost_charts import cost_chart, sensitivity_chart
from sizing.option_charts import option_charts
from sizing.speed_charts import load_chart, roofline_chart
from tests.sizing import sample_result


def estimate(value: float | None, unit: str = "ms") -> dict[str, Any]:
    low, high = (None, None) if value is None else (value * 0.8, value * 1.25)
    return sample_result.estimate(value, low, high, unit)


def point(count: float, tpot: float, ttft: float | None, **marks: bool) -> dict[str, Any]:
    return {
        "requests_in_flight": count,
        "requests_in_flight_per_replica": count,
        "tpot_ms": estimate(tpot),
        "ttft_ms": estimate(ttft),
        "e2e_ms": estimate(None),
        "output_tokens_per_s": estimate(count * 20, "token/s"),
        "saturated": False,
        "simulated": False,
        "stated": False,
        "knee": False,
    } | marks


CURVE = [
    point(1, 20, 300),
    point(10, 30, 500),
    point(50, 43, 900, stated=True),
    point(100, 60, 1_600, knee=True),
    point(200, 90, None, saturated=True),
]
ROOFLINE = {
    "bandwidth_gb_s": 1_800.0,
    "roofs": [
        {"format": "fp8", "tflops": 900.0, "ridge_flop_per_byte": 500.0},
        {"format": "bf16", "tflops": 450.0, "ridge_flop_per_byte": 250.0},
    ],
    "points": [
        {
            "phase": "decode",
            "format": "fp8",
            "tokens_per_step": 50.0,
            "step_ms": 40.0,
            "flop_per_byte": 100.0,
            "tflops": 90.0,
            "gb_per_s": 900.0,
            "attainable_tflops": 180.0,
            "memory_bound": True,
        },
        {
            "phase": "prefill",
            "format": "fp8",
            "tokens_per_step": 2048.0,
            "step_ms": 80.0,
            "flop_per_byte": 2_000.0,
            "tflops": 630.0,
            "gb_per_s": 300.0,
            "attainable_tflops": 900.0,
            "memory_bound": False,
        },
    ],
}


def view(**changes: Any) -> presentation.OptionView:
    data = sample_result.option(1, **changes)
    return presentation.option_view(data, sample_result.request(), names={}, run_url="/runs/x/")


def owned(**changes: Any) -> dict[str, Any]:
    """Cost of owning with everything known: 38,420 at the start, 3,000 a year; renting for 30,000 a year."""
    rent = {"kind": "rent", "name": "Cloud A", "per_year": sample_result.money("30000.00"), "break_even_months": 17.1}
    base = sample_result.option(1)["cost"] | {"running_complete": True, "against": [rent]}
    return base | {"running_per_year": sample_result.money("3000.00")} | changes


def test_the_title_of_the_load_chart_says_how_far_the_target_holds() -> None:
    chart = load_chart(view(load_curve=CURVE), "tpot")
    assert chart.title == (
        "Up to 50 requests in flight the time per output token stays under 50\u00a0ms; the knee is at 100"
    )
    assert chart.figure is not None
    assert [row[0]["text"] for row in chart.rows] == ["1", "10", "50 (your load)", "100 (knee)", "200 (saturated)"]


def test_no_time_to_first_token_is_drawn_past_saturation() -> None:
    chart = load_chart(view(load_curve=CURVE), "ttft")
    assert chart.figure is not None
    assert list(chart.figure["data"][2]["x"]) == [1, 10, 50, 100]
    assert chart.rows[-1][1] == {"text": "unknown", "num": True, "open": True}


def test_the_band_is_the_interval_of_the_estimates() -> None:
    chart = load_chart(view(load_curve=CURVE), "tpot")
    assert chart.figure is not None
    low, high = (list(chart.figure["data"][at]["y"]) for at in (0, 1))
    assert (low[2], high[2]) == pytest.approx((43 * 0.8, 43 * 1.25))


def test_roofline_says_what_limits_each_step() -> None:
    chart = roofline_chart(view(roofline=ROOFLINE))
    assert chart.title == (
        "Decode is limited by bandwidth: 50\u00a0% of the roof; Prefill is limited by compute: 70\u00a0% of the roof"
    )
    assert chart.figure is not None
    roof = chart.figure["data"][0]
    assert list(roof["y"])[1:] == [900.0, 900.0]
    assert roof["y"][0] == pytest.approx(roof["x"][0] * 1.8)


def test_cost_over_time_names_the_month_from_which_owning_is_cheaper() -> None:
    chart = cost_chart(view(cost=owned()))
    assert chart.title == "Owning is cheaper after 17.1 months"
    own, rent = chart.rows
    assert own[3]["text"] == "€47,420"  # 38,420 + 3 x 3,000
    assert rent[3]["text"] == "€90,000"


def test_open_prices_make_no_break_even() -> None:
    chart = cost_chart(view(cost=owned(complete=False, open_lines=2)))
    assert "at least" in chart.title
    assert "no break-even is known" in chart.title
    assert chart.rows[0][0]["text"] == "Own, at least"


def test_an_alternative_that_stays_cheaper_is_said() -> None:
    cheap = {"kind": "api", "name": "API B", "per_year": sample_result.money("900.00"), "break_even_months": None}
    chart = cost_chart(view(cost=owned(against=[cheap])))
    assert chart.title == "API: API B stays cheaper for 36 months: do not buy for cost alone"


def test_sensitivity_is_sorted_and_signed() -> None:
    effects = {"bandwidth": -0.47, "compute": -0.36, "link": 0.0, "concurrent": 0.41}
    chart = sensitivity_chart(view(sensitivity=effects))
    assert chart.title.startswith("Memory bandwidth moves the time per output token most: a tenth more changes it by")
    assert [row[0]["text"] for row in chart.rows] == ["Memory bandwidth", "Requests in flight", "Compute"]
    assert chart.rows[1][1]["text"] == "+4.1\u00a0%"


def test_without_numbers_a_chart_says_so_and_draws_nothing() -> None:
    for _name, chart in option_charts(view(cost=owned(against=[]))):
        assert chart.figure is None
        assert chart.empty


def test_titles_are_german_for_a_german_reader() -> None:
    with translation.override("de"):
        chart = load_chart(view(load_curve=CURVE), "tpot")
        assert chart.title.startswith("Bis 50 gleichzeitige Anfragen bleibt die Zeit je Ausgabetoken unter 50\u00a0ms")


def test_every_caveat_has_german_words() -> None:
    english = {code: str(words) for code, words in CAVEATS.items()}
    with translation.override("de"):
        assert all(str(words) != english[code] for code, words in CAVEATS.items())
