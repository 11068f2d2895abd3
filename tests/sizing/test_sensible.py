"""What is listed with a reason instead of as an option."""

from types import SimpleNamespace
from typing import Any

from sizing.sensible import _far_beyond


def option(*, servers: int, accelerators: int) -> Any:
    deployment = SimpleNamespace(accelerators_total=accelerators)
    return SimpleNamespace(
        bom=SimpleNamespace(lines=(), servers=servers), candidate=SimpleNamespace(deployment=deployment)
    )


def test_many_times_the_fewest_accelerators_are_no_option() -> None:
    refused = _far_beyond(option(servers=2, accelerators=32), None, servers=1, cards=1)
    assert refused is not None
    assert (refused.code, refused.params) == ("far_larger", {"accelerators": 32, "servers": 2})
    assert _far_beyond(option(servers=1, accelerators=16), None, servers=1, cards=1) is None
    assert _far_beyond(option(servers=2, accelerators=32), None, servers=1, cards=2) is None


def test_many_times_the_fewest_servers_are_no_option() -> None:
    assert _far_beyond(option(servers=9, accelerators=9), None, servers=1, cards=8) is not None
    assert _far_beyond(option(servers=8, accelerators=8), None, servers=1, cards=8) is None
