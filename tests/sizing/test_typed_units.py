"""Numbers with units behind them: what they come to in the unit of their field, and what the page says of it."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import translation

from sizing.forms import WorkloadForm
from sizing.numbers import NumberField
from sizing.typed_units import UNITS, unit_of
from tests.sizing.test_forms import form


@pytest.mark.parametrize(
    ("field", "typed", "value", "reading"),
    [
        ("ttft_s", "2 s", 2, ""),
        ("ttft_s", "2000 ms", 2, "= 2\u00a0s"),
        ("ttft_s", "1.5", 1.5, ""),
        ("tpot_ms", "0.05 s", 50, "= 50\u00a0ms"),
        ("input_tokens", "1.5k", 1500, "= 1,500"),
        ("max_context_tokens", "128Ki", 131_072, "= 131,072"),
        ("users", "2 million", 2_000_000, "= 2,000,000"),
        ("requests_per_s", "90/min", 1.5, "= 1.5\u00a0/s"),
        ("requests_per_s", "90 per minute", 1.5, "= 1.5\u00a0/s"),
        ("power_kw", "12500 W", 12.5, "= 12.5\u00a0kW"),
        ("memory_gb", "80 GiB", 85.89934592, "= 85.899346\u00a0GB"),
        ("max_ambient_c", "95 °F", 35, "= 35\u00a0°C"),
        ("electricity_price", "30 ct", 0.3, "= 0.3"),
        ("budget", "60k", 60_000, "= 60,000"),
        ("max_weight_kg", "1.2 t", 1200, "= 1,200\u00a0kg"),
        ("write_off_years", "18 months", 1.5, "= 1.5"),
        ("requests_per_s", "1e3", 1000, ""),
    ],
)
def test_a_unit_behind_the_number_is_converted(field: str, typed: str, value: float, reading: str) -> None:
    number = NumberField(low=-1000, high=1e12, whole=field in {"input_tokens", "users"}, units=unit_of(field))
    assert number.clean(typed) == pytest.approx(value, rel=1e-6)
    assert number.reading == reading


def test_german_numbers_and_words_are_read() -> None:
    with translation.override("de"):
        assert NumberField(low=0, high=1e9, whole=True, units=unit_of("users")).clean("1,5 Tsd.") == 1500
        assert NumberField(low=0, high=1e9, units=unit_of("requests_per_s")).clean("90 pro Minute") == 1.5


@pytest.mark.parametrize("typed", ["2 parsec", "5 kW", "3 s s"])
def test_a_unit_that_the_field_does_not_take_is_named_with_those_it_takes(typed: str) -> None:
    with pytest.raises(ValidationError, match="It takes: s, ms, min, h"):
        NumberField(low=0, high=1e9, units=UNITS["s"]).clean(typed)


def test_mega_and_milli_are_kept_apart_by_their_case() -> None:
    assert UNITS["kW"].spelling_of("MW") == "MW"
    assert UNITS["kW"].spelling_of("kw") == "kW"
    assert UNITS["Gbit/s"].spelling_of("GB/s") is None
    assert UNITS["A"].spelling_of("MA") is None or UNITS["A"].spelling_of("MA") == "mA"


def test_a_fraction_of_a_thousand_must_be_whole_where_the_field_is() -> None:
    with pytest.raises(ValidationError, match="whole number"):
        NumberField(low=1, high=1e9, whole=True, units=UNITS["count"]).clean("1.2345k")


def test_every_number_of_the_form_takes_a_unit_or_is_a_bare_one() -> None:
    fields = form().fields
    bare = {name for name, field in fields.items() if isinstance(field, NumberField) and field.units is None}
    assert bare == {"burstiness", "pue", "spare_replicas", "feeds", "prefill_instances", "decode_instances"}
    assert isinstance(form(), WorkloadForm)


@pytest.mark.django_db
def test_the_preview_says_beside_the_field_what_was_read(client: Client) -> None:
    answer = client.post("/workloads/preview/", {"ttft_s": "2000 ms"}, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert 'id="id_ttft_s_read" aria-live="polite" hx-swap-oob="true">= 2\u00a0s</p>' in page
    assert 'id="id_tpot_ms_read" aria-live="polite" hx-swap-oob="true"></p>' in page
