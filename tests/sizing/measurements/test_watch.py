"""Production metrics against the plan: utilisation, growth, and the day on which the plan is reached."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest

from sizing.measurements.point import MeasurementProblem
from sizing.measurements.watch import watch

START = datetime(2026, 11, 1, tzinfo=UTC)


def prometheus(days: int, level: float, growth_per_day: float, *, replicas: int = 2) -> bytes:
    """Hourly samples of running and waiting requests, shared by the replicas."""
    series = []
    for name, share in (("vllm:num_requests_running", 0.9), ("vllm:num_requests_waiting", 0.1)):
        for replica in range(replicas):
            each = level * share / replicas
            values = [
                [(START + timedelta(hours=hour)).timestamp(), str(each * (1 + growth_per_day) ** (hour // 24))]
                for hour in range(24 * days)
            ]
            series.append({"metric": {"__name__": name, "instance": f"replica-{replica}"}, "values": values})
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": series}}).encode()


def test_running_and_waiting_of_all_replicas_are_added_up() -> None:
    found = watch(prometheus(3, 40.0, 0.0), planned=50.0)
    assert (found.mean, found.peak) == pytest.approx((40.0, 40.0))
    assert found.utilisation == pytest.approx(0.8)
    assert found.days == 3


@pytest.mark.parametrize("mark", [",", ";"])
def test_a_table_made_by_hand_names_running_and_waiting(mark: str) -> None:
    rows = [("time", "running", "waiting"), ("2026-11-01T08:00:00Z", "30", "5"), ("2026-11-01T09:00:00Z", "40", "5")]
    found = watch("\n".join(mark.join(row) for row in rows).encode(), planned=50.0)
    assert found.mean == pytest.approx(40.0)


def test_a_size_is_planned_ahead_only_as_far_as_was_watched() -> None:
    found = watch(prometheus(28, 20.0, 0.02), planned=50.0)
    assert found.ahead_weeks == 4
    assert found.foreseen == pytest.approx(found.peak * 1.02**28, rel=0.02)
    assert watch(prometheus(3, 40.0, 0.0), planned=50.0).foreseen == 40.0


def test_growth_says_when_the_plan_is_reached() -> None:
    found = watch(prometheus(14, 20.0, 0.02), planned=50.0)
    assert found.growth_per_week == pytest.approx(1.02**7 - 1, rel=1e-6)
    # mean peak of the last week: 20 x mean of 1.02^7..1.02^13 = 24.4; ln(50 / 24.4) / ln 1.02 = 36.2 days
    assert found.reached_on == date(2026, 11, 14) + timedelta(days=37)
    assert found.soonest is not None
    assert found.soonest <= found.reached_on


def test_less_than_a_week_foretells_nothing() -> None:
    found = watch(prometheus(5, 20.0, 0.1), planned=50.0)
    assert (found.growth_per_week, found.reached_on) == (None, None)


def test_a_shrinking_load_never_reaches_the_plan() -> None:
    assert watch(prometheus(14, 20.0, -0.02), planned=50.0).reached_on is None


def test_a_plan_that_is_exceeded_is_reached_on_the_last_day() -> None:
    assert watch(prometheus(14, 60.0, 0.0), planned=50.0).reached_on == date(2026, 11, 14)


def test_a_table_with_times_as_text_or_seconds() -> None:
    rows = "".join(f"{(START + timedelta(days=d)).isoformat()},{10 + d},2\n" for d in range(10))
    content = f"time,vllm:num_requests_running,vllm:num_requests_waiting,note\n{rows}".encode()
    assert watch(content, planned=30.0).daily[0] == (date(2026, 11, 1), 12.0)
    seconds = f"time,requests_in_flight\n{START.timestamp()},7\n".encode()
    assert watch(seconds, planned=30.0).peak == 7.0


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"time,cpu\n1,2\n", "watch_no_metric"),
        (b"", "watch_no_metric"),
        (b'{"data": 3}', "watch_not_prometheus"),
        (b'{"data": {', "measurement_not_json"),
        (b"\xff\xfe", "measurement_not_text"),
        (b"time,requests_in_flight\nyesterday,3\n", "measurement_field_wrong"),
        (b"time,requests_in_flight\n2026-11-01,-3\n", "measurement_field_wrong"),
        (b"time,requests_in_flight\n2026-11-01,nan\n", "measurement_field_wrong"),
        (
            b'{"data": {"result": [{"metric": {"__name__": "requests_in_flight"}, "values": [3]}]}}',
            "measurement_field_wrong",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(MeasurementProblem) as caught:
        watch(content, planned=10.0)
    assert caught.value.code == code


def test_the_line_of_a_wrong_value_is_named() -> None:
    with pytest.raises(MeasurementProblem) as caught:
        watch(b"time,requests_in_flight\n2026-11-01,3\n2026-11-02,x\n", planned=10.0)
    assert caught.value.message.params["line"] == 3
