"""Delay against batch as the option page draws it: title, lines, table."""

from typing import Any

from sizing import presentation
from sizing.kinds.batch_chart import batch_chart


def point(batch: int, delay_s: float, p95_s: float | None, **changes: Any) -> dict[str, Any]:
    values = {"batch": batch, "delay_s": delay_s, "batch_s": 0.004 * batch, "p95_s": p95_s, "busy": 0.5}
    return values | {"items_per_s": 250.0, "kept": True, "chosen": False} | changes


def shown(points: list[dict[str, Any]], limit_ms: float | None = 100) -> Any:
    data = {"rank": 1, "performance": {"batching": points}}
    request = {"kind": "vision", "vision": {}, "targets": {"latency_ms": {"p95": limit_ms}}}
    return batch_chart(presentation.option_view(data, request, names={}, run_url="/runs/x/"))


POINTS = [
    point(1, 0.0, None, busy=1.2, kept=False),
    point(2, 0.005, 0.02, chosen=True),
    point(4, 0.015, 0.03),
    point(8, 0.035, 0.12, kept=False),
]


def test_the_title_names_the_wait_and_the_largest_batch_within_the_limit() -> None:
    title = shown(POINTS).title.replace("\u00a0", " ")
    assert title == "Batches of 2 carry the load: 5 ms of waiting, latency 20 ms; up to 4 keep 100 ms"


def test_the_table_says_where_the_queue_grows_and_what_misses_the_limit() -> None:
    rows = [[cell["text"] for cell in row] for row in shown(POINTS).rows]
    assert rows[0][3] == "queue grows"
    assert rows[0][-1] == "load missed"
    assert rows[1][0] == "2, enough for the load"
    assert [row[-1] for row in rows[1:]] == ["kept", "kept", "missed"]


def test_a_wait_is_drawn_where_there_is_one() -> None:
    latency, batch, wait = shown(POINTS).figure["data"]
    assert list(latency["x"]) == [2, 4, 8]
    assert list(batch["x"]) == [2, 4, 8]
    assert list(wait["y"]) == [5.0, 15.0, 35.0]


def test_a_job_with_a_deadline_has_nothing_to_draw() -> None:
    chart = shown([])
    assert chart.figure is None
    assert "no request waits" in chart.empty
