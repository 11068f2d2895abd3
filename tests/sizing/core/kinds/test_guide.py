"""Four answers and what follows from them."""

from itertools import product

import pytest

from sizing.core.kinds.guide import Answers, HardwareClass, Makes, Pace, Place, Size, guide


@pytest.mark.parametrize(
    ("answers", "kind", "hardware"),
    [
        ((Makes.TEXT, Place.ROOM, Pace.LIVE, Size.TEAM), "llm_serving", HardwareClass.MEMORY),
        ((Makes.PICTURE, Place.OFFICE, Pace.SECONDS, Size.TEAM), "image", HardwareClass.PROFESSIONAL),
        ((Makes.DETECTION, Place.FIELD, Pace.LIVE, Size.SMALL), "edge", HardwareClass.EDGE),
        ((Makes.DETECTION, Place.OFFICE, Pace.LIVE, Size.TEAM), "vision", HardwareClass.PROFESSIONAL),
        ((Makes.ANSWER, Place.ROOM, Pace.SECONDS, Size.TEAM), "rag", HardwareClass.MEMORY),
        ((Makes.SCORE, Place.ROOM, Pace.LIVE, Size.TEAM), "tabular", HardwareClass.PROCESSOR),
        ((Makes.SCORE, Place.FIELD, Pace.LIVE, Size.SMALL), "tabular", HardwareClass.EDGE),
        ((Makes.SEARCH, Place.OFFICE, Pace.SECONDS, Size.SMALL), "embedding", HardwareClass.PROCESSOR),
        ((Makes.SUGGESTION, Place.ROOM, Pace.LIVE, Size.MANY), "recommendation", HardwareClass.MEMORY),
        ((Makes.TEXT, Place.ROOM, Pace.LIVE, Size.MANY), "llm_serving", HardwareClass.SCALED),
        ((Makes.CLIP, Place.ROOM, Pace.OVERNIGHT, Size.LATER), "video", HardwareClass.NEXT),
        ((Makes.TRANSCRIPT, Place.OFFICE, Pace.OVERNIGHT, Size.TEAM), "speech", HardwareClass.PROFESSIONAL),
    ],
)
def test_answers_lead_to_a_kind_and_a_class(
    answers: tuple[Makes, Place, Pace, Size], kind: str, hardware: HardwareClass
) -> None:
    makes, place, pace, size = answers
    found = guide(Answers(makes=makes, place=place, pace=pace, size=size))
    assert (found.kind, found.hardware) == (kind, hardware)


def test_every_combination_says_why() -> None:
    for makes, place, pace, size in product(Makes, Place, Pace, Size):
        found = guide(Answers(makes=makes, place=place, pace=pace, size=size))
        assert len(found.reasons) >= 2
        assert ("guide_overnight" in {reason.code for reason in found.reasons}) == (pace is Pace.OVERNIGHT)
