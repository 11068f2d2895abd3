"""Four answers to a kind of workload, an example, a class of hardware and why."""

from dataclasses import dataclass
from enum import StrEnum

from sizing.core.values import Message


class Makes(StrEnum):
    """What shall come out."""

    TEXT = "text"
    PICTURE = "picture"
    CLIP = "clip"
    SPEECH = "speech"
    TRANSCRIPT = "transcript"
    DETECTION = "detection"
    SEARCH = "search"
    SUGGESTION = "suggestion"
    ANSWER = "answer"
    SCORE = "score"


class Place(StrEnum):
    """Where it runs."""

    FIELD = "field"  # a machine, a vehicle, a pole: watts and temperature first
    OFFICE = "office"  # a workstation or one server
    ROOM = "room"  # a data centre


class Pace(StrEnum):
    """How soon an answer is needed."""

    LIVE = "live"
    SECONDS = "seconds"
    OVERNIGHT = "overnight"


class Size(StrEnum):
    """How much is asked of it, and whether it is planned ahead."""

    SMALL = "small"
    TEAM = "team"
    MANY = "many"
    LATER = "later"  # planned for the next generation of hardware


class HardwareClass(StrEnum):
    """Classes of requirement."""

    PROCESSOR = "processor"
    EDGE = "edge"
    PROFESSIONAL = "professional"
    MEMORY = "memory"
    SCALED = "scaled"
    NEXT = "next"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    makes: Makes
    place: Place
    pace: Pace
    size: Size


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """`example` is the key of a ready-made workload of `kind`; `reasons` say why, in order."""

    kind: str
    example: str
    hardware: HardwareClass
    reasons: tuple[Message, ...]


KINDS = {
    Makes.TEXT: ("llm_serving", "support-chat"),
    Makes.PICTURE: ("image", "image-studio"),
    Makes.CLIP: ("video", "video-clips"),
    Makes.SPEECH: ("speech", "voice-agent"),
    Makes.TRANSCRIPT: ("speech", "transcription"),
    Makes.DETECTION: ("vision", "traffic-cameras"),
    Makes.SEARCH: ("embedding", "company-search"),
    Makes.SUGGESTION: ("recommendation", "shop-recommendations"),
    Makes.ANSWER: ("rag", "document-assistant"),
    Makes.SCORE: ("tabular", "fraud-scores"),
}
IN_THE_FIELD = {Makes.DETECTION: ("edge", "edge-cameras"), Makes.SCORE: ("tabular", "radar-frames")}
"""Outside a room the limits of the place are asked for first."""

WRITTEN = frozenset({Makes.TEXT, Makes.ANSWER})
LIGHT = frozenset({Makes.SEARCH, Makes.SUGGESTION, Makes.DETECTION, Makes.SCORE})
HEAVY = frozenset({Makes.PICTURE, Makes.CLIP})


def guide(answers: Answers) -> Guidance:
    """The first rule that holds decides the class; the kind follows from what shall come out."""
    field = IN_THE_FIELD if answers.place is Place.FIELD else {}
    kind, example = field.get(answers.makes, KINDS[answers.makes])
    hardware, why = _hardware(answers)
    reasons = [Message(f"guide_kind_{answers.makes.value}"), Message(why)]
    if answers.pace is Pace.OVERNIGHT:
        reasons.append(Message("guide_overnight"))
    return Guidance(kind=kind, example=example, hardware=hardware, reasons=tuple(reasons))


def _hardware(answers: Answers) -> tuple[HardwareClass, str]:
    makes, size = answers.makes, answers.size
    rules = (
        (size is Size.LATER, HardwareClass.NEXT, "guide_next"),
        (answers.place is Place.FIELD, HardwareClass.EDGE, "guide_edge"),
        (makes is Makes.SCORE, HardwareClass.PROCESSOR, "guide_processor_tables"),
        (size is Size.SMALL and makes in LIGHT, HardwareClass.PROCESSOR, "guide_processor"),
        (makes is Makes.SUGGESTION, HardwareClass.MEMORY, "guide_memory_tables"),
        (size is Size.MANY and answers.place is Place.ROOM, HardwareClass.SCALED, "guide_scaled"),
        (makes in WRITTEN and size is not Size.SMALL, HardwareClass.MEMORY, "guide_memory_text"),
        (makes in HEAVY, HardwareClass.PROFESSIONAL, "guide_compute"),
    )
    holding = ((hardware, why) for holds, hardware, why in rules if holds)
    return next(holding, (HardwareClass.PROFESSIONAL, "guide_professional"))
