"""Sentences that readers stumbled over: names of measures, whole numbers, lines without a name."""

from django.utils import translation

from sizing.core.values import Message
from sizing.messages import localised, render


def test_a_measure_is_named_in_capitals_and_in_words() -> None:
    params = {"metric": "ttft", "percentile": "p95", "value_ms": 812.4, "limit_ms": 500.0}
    assert render(Message("speed_limit_missed", params)) == (
        "TTFT (time to first token) p95 is 812 ms; the limit is 500 ms."
    )
    with translation.override("de"):
        assert "TPOT (Zeit je Ausgabetoken)" in render(Message("speed_limit_missed", params | {"metric": "tpot"}))


def test_whole_numbers_have_no_decimals() -> None:
    assert render(Message("assumed_integration", {"value": 1.0})) == "1 week for integration and validation."


def test_a_line_without_a_name_is_named_by_its_number() -> None:
    assert render(Message("cost_open_line_unnamed", {"line": "1.9"})) == "Price open: line 1.9."


def test_open_prices_name_no_break_even_of_zero() -> None:
    params = {"open_lines": 4, "requests_per_day": 9000, "break_even_requests_per_day": 0}
    sentence = render(Message("cost_undecided_no_prices", params))
    assert sentence.startswith("Not decided: 4 prices are open")
    assert " 0 requests" not in sentence


def test_messages_that_recur_are_worded_like_single_ones() -> None:
    params = ({"value": 1}, {"value": 1.0}, {"value": True}, {"value": 1}, {"value": ["a", "b"]}, {"other": 1})
    found = [{"code": "assumed_integration", "params": each} for each in params]
    assert localised(found) == [render(each) for each in found]
    with translation.override("de"):
        assert localised(found) == [render(each) for each in found]
