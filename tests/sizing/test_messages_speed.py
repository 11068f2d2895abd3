"""Every code that the core speaks has words in both languages."""

import re
from pathlib import Path

import pytest
from django.utils import translation

from sizing.core.alternatives import KINDS
from sizing.core.rank import ROLES
from sizing.core.values import Message
from sizing.messages import WORDS, render
from sizing.messages_speed import WORDS as SPEED

CORE = Path(__file__).resolve().parents[2] / "sizing" / "core"
MINE = ("alternatives", "assemble", "rank", "recommend", "reject", "request", "search", "verdicts")


def spoken() -> set[str]:
    codes: set[str] = set()
    for name in MINE:
        source = (CORE / f"{name}.py").read_text(encoding="utf-8")
        codes |= set(re.findall(r'(?:Message|Invalid\w+)\(\s*"([a-z_]+)"', source))
    kinds = (*KINDS, "replica_more", "replica_less", "accelerator_more", "accelerator_less", "apart")
    codes |= {f"neighbour_{kind}{end}" for kind in kinds for end in ("", "_saturated")}
    codes |= {f"role_{role}" for role in ROLES} | {f"role_{role}_unknown" for role in ROLES[:2]}
    return codes


def test_every_code_of_search_and_speed_has_words() -> None:
    assert len(spoken()) > 40
    assert sorted(spoken() - set(WORDS)) == []


@pytest.mark.parametrize("code", sorted(SPEED))
def test_words_differ_between_the_languages_and_take_the_same_parameters(code: str) -> None:
    with translation.override("en"):
        english = str(SPEED[code])
    with translation.override("de"):
        german = str(SPEED[code])
    assert english != german
    assert sorted(re.findall(r"%\((\w+)\)s", english)) == sorted(re.findall(r"%\((\w+)\)s", german))


def test_numbers_are_written_as_the_reader_writes_them() -> None:
    message = Message(
        "speed_limit_missed", {"metric": "ttft", "percentile": "p95", "value_ms": 1234.5, "limit_ms": 1000.0}
    )
    with translation.override("de"):
        assert "1.234" in render(message)
    with translation.override("en"):
        assert "1,234" in render(message)
