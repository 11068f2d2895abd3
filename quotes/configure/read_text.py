"""Free wording of data sheets -> figures: mounts, processor families, supplies, cooling, ports."""

import re
from collections.abc import Iterable

from quotes.configure.facts import MountKind, MountOption, SupplyScheme, VoltageRange

WIDTHS = {"single": 1, "dual": 2, "triple": 3}

# Families by the words that vendors use; a name that fits two sockets (plain "Xeon 6") stays out on purpose.
GENERATIONS: tuple[tuple[str, str], ...] = (
    (r"\b9005\b", "EPYC 9005"),
    (r"\b9004\b", "EPYC 9004"),
    (r"\b9006\b", "EPYC 9006"),
    (r"\b8004\b", "EPYC 8004"),
    (r"\b7003\b", "EPYC 7003"),
    (r"Xeon (?:Scalable )?(?:\dth/)?5th Gen|4th/5th Gen|\b5th Gen\b", "Xeon 5th Gen"),
    (r"\b4th(?:/5th)? Gen\b", "Xeon 4th Gen"),
    (r"\b3rd Gen\b", "Xeon 3rd Gen"),
    (r"\b6700P?E?\b|LGA.4710", "Xeon 6 (6700P)"),
    (r"\b6500P?\b|^(?!.*\b6700).*LGA.4710", "Xeon 6 (6500P)"),
    (r"\b6900P?\b|LGA.7529", "Xeon 6 (6900P)"),
    (r"\bW-3400\b", "Xeon W-3400"),
    (r"Grace", "Grace"),
    (r"Vera", "Vera"),
)


SERIES = frozenset({"9004", "9005", "9006", "8004", "6500P", "6700P", "6700E", "6900P", "6900E"})


def mount_options(text: str, maximum: int | None) -> tuple[MountOption, ...]:
    """Ways to fit accelerators from "PCIe dual-width x8 (600 W) or single-width x16 (75 W)" and the like."""
    if not text:
        return ()
    if text.startswith("integrated") and "or PCIe" not in text:
        return (MountOption(kind=MountKind.INTEGRATED, count=maximum),)
    options: list[MountOption] = []
    for part in re.split(r"\bor\b", text):
        options.extend(_options_of(part, options[-1] if options else None, maximum))
    return tuple(options)


def _options_of(part: str, previous: MountOption | None, maximum: int | None) -> list[MountOption]:
    lowered = part.lower()
    if "hgx" in lowered:
        count = first_number(part, r"(\d+)-GPU") or maximum
        return [MountOption(kind=MountKind.BOARD, count=None if count is None else int(count))]
    if "oam" in lowered:
        count = first_number(part, r"\b(\d+)\s*$") or maximum
        return [MountOption(kind=MountKind.OAM, count=None if count is None else int(count))]
    is_pcie = "pcie" in lowered or (previous is not None and previous.kind is MountKind.PCIE)
    if not is_pcie or "per blade" in lowered or "expansion model" in lowered:
        return [MountOption(kind=MountKind.UNKNOWN)]
    width = next((number for word, number in WIDTHS.items() if f"{word}-width" in lowered), None)
    if width is None and "low-profile" in lowered:
        width = 1
    if width is None and previous is not None and re.fullmatch(r"\s*x\d+.*", part):
        width = previous.slot_width
    return [
        MountOption(
            kind=MountKind.PCIE,
            count=_count(part) or maximum,
            slot_width=width,
            max_w=first_number(part, r"(\d+) W"),
            low_profile="low-profile" in lowered,
        )
    ]


def _count(part: str) -> int | None:
    """Largest count of "x8/x10", "x8-x10", "x2/4/6/8"; a lane width right after PCIe is not a count."""
    without_lanes = re.sub(r"PCIe [\d.]+ x16|\(x\d+\)", "", part)
    match = re.search(r"\bx(\d+(?:[/-]x?\d+)*)", without_lanes)
    if match is None:
        return None
    return max(int(number) for number in re.findall(r"\d+", match[1]))


def card_limits(notes: str, slugs: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Largest count per accelerator from "Limits per card: 10x H200 NVL/L40S, 8x RTX PRO 6000"."""
    match = re.search(r"Limits per card: ([^.;]+)", notes)
    if match is None:
        return ()
    limits: list[tuple[str, int]] = []
    for count, names in re.findall(r"(\d+)x ([^,]+)", match[1]):
        for name in names.split("/"):
            words = name.lower().split()
            limits += [(slug, int(count)) for slug in sorted(slugs) if _names(slug, words)]
    return tuple(limits)


def _names(slug: str, words: list[str]) -> bool:
    parts = slug.split("-")
    return all(word in parts for word in words)


def cpu_generations(text: str) -> tuple[str, ...]:
    """Processor generations that a family text allows; none where the text itself is in doubt."""
    if "verify" in text:
        return ()
    return tuple(name for pattern, name in GENERATIONS if re.search(pattern, text))


def cpu_models(text: str) -> tuple[str, ...]:
    """Exact processor models that a text names ("EPYC 9575F", "Xeon Platinum 8480C", "Xeon 6787P")."""
    found = re.findall(
        r"\b(?:EPYC )?(9\d{2}[1-9]\w?|9[01]\d5F?|8\d\d4P)\b|\b(?:Xeon )?(?:6 )?"
        r"((?:Platinum |Gold )?(?:6[4-9]\d{2}[PENY]|8[345]\d{2}[A-Z]?\+?))(?!\w)",
        text,
    )
    names = [first or second for first, second in found]
    return tuple(name for name in dict.fromkeys(names) if name not in SERIES)


def supply_scheme(text: str) -> SupplyScheme | None:
    """Carrying and spare supplies from a text that begins with them ("4+4 (8 fitted)"); None for all else."""
    match = re.match(r"(\d+)\+(\d+)", text)
    return SupplyScheme(carrying=int(match[1]), spare=int(match[2])) if match else None


VOLTAGE_TOLERANCE = 0.1  # a single printed figure is a nominal voltage: mains vary by 10 %


def voltage_ranges(text: str) -> tuple[VoltageRange, ...]:
    """Inputs from "200-240 V AC / 240 V DC"; none where the text also allows inputs that it does not number."""
    if "HVAC" in text:
        return ()
    ranges = []
    for low, high, current in re.findall(r"(\d+)(?:-(\d+))? V (AC|DC)(?! output)", text):
        nominal = float(low)
        low_v, high_v = (nominal, float(high)) if high else (nominal, nominal)
        if not high:
            low_v, high_v = nominal * (1 - VOLTAGE_TOLERANCE), nominal * (1 + VOLTAGE_TOLERANCE)
        ranges.append(VoltageRange(low_v=low_v, high_v=high_v, current=current))
    return tuple(ranges)


def cooling_kinds(text: str) -> tuple[str, ...]:
    """Cooling that a chassis is built for: "air", "liquid", "fanless"."""
    lowered = text.lower()
    kinds = []
    if re.search(r"\bair\b", lowered.replace("liquid-to-air", "")):
        kinds.append("air")
    if "dlc" in lowered or "liquid-cooled" in lowered or "liquid assist" in lowered or lowered == "liquid":
        kinds.append("liquid")
    if "fanless" in lowered:
        kinds.append("fanless")
    return tuple(kinds)


def cooling_filed(text: str) -> tuple[str, ...]:
    """Cooling of a filed build: one that names liquid for any part needs liquid, a closed loop does not."""
    lowered = text.lower()
    if "liquid" in lowered and "liquid assisted" not in lowered:
        return ("liquid",)
    return cooling_kinds(text.replace("Air-cooled", "air").replace("air-cooled", "air"))


FORMS = ("E1.S", "E3.S", "U.2", "M.2", "QSFP112", "QSFP56", "QSFP28", "QSFP-DD", "OSFP", "SFP28", "OCP", "RDIMM")


def component_form(text: str) -> str:
    """The plug or bay that a component's text names first in the order of FORMS; "" where none."""
    return next((form for form in FORMS if form in text), "")


def ports_of(text: str) -> tuple[int | None, float | None]:
    """Ports and speed of one port in Gbit/s from "2x 200 Gb/s" or "64x 800G"."""
    match = re.search(r"(\d+)x (\d+)\s*(?:Gb/s|GbE|G\b|GBase)", text)
    if match is None:
        match = re.search(r"(\d+)x(\d+)G\b", text)
    if match is None:
        single = first_number(text, r"\b(?:NDR)?(\d{2,3})(?:G(?:bE)?\b| Gb/s| OSFP)")
        return (1, single) if single else (None, None)
    return int(match[1]), float(match[2])


def first_number(text: str, pattern: str) -> float | None:
    """First group of the first match of `pattern` as a number."""
    match = re.search(pattern, text)
    return float(match[1]) if match else None
