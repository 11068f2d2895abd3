"""What a place away from a computer room asks for: mounting, ports, protection.

A fact that nobody states satisfies no limit.
"""

import re
from collections.abc import Iterator

from quotes.configure.facts import Chassis
from sizing.core.values import Message, State, Verdict
from sizing.core.workload import Site

# What makers and buyers write, and the one word that stands for it here.
TRAITS: tuple[tuple[str, str], ...] = (
    (r"\bfanless\b", "fanless"),
    (r"\bpoe\b|power over ethernet", "poe"),
    (r"\bcan(?:[ -]?bus)?\b", "can"),
    (r"(?<!optional )\bcom ports?\b(?! bracket)|\brs-?(?:232|422|485)\b|\bserial(?: ports?)?$|\bserial port", "serial"),
    (r"\bcellular\b|\blte\b|\b[45]g\b", "cellular"),
    (r"\bwall\b", "wall"),
    (r"\bdin[ -]?rail\b", "din_rail"),
    (r"\brack\b", "rack"),
    (r"\bdesk(?:top)?\b", "desk"),
    (r"\bdust\b", "dust"),
    (r"\bshock\b", "shock"),
    (r"\bvibration\b", "vibration"),
    (r"\bmil-?std(?:-?810\w?)?\b", "mil_std_810"),
)
DENIED = re.compile(r"\bno (?:built-in )?[\w-]+", re.IGNORECASE)
MOUNTED_BY_CATEGORY = {
    "rackmount": "rack",
    "rack_scale": "rack",
    "workstation": "desk",
    "tower": "desk",
    "compact": "desk",
}


def traits_in(text: str) -> frozenset[str]:
    """Traits that a text states. What it denies or sells as an extra is not among them."""
    kept = DENIED.sub(" ", text.lower().replace("_", "-"))
    return frozenset(trait for pattern, trait in TRAITS if re.search(pattern, kept))


def edge_verdicts(site: Site, chassis: Chassis) -> Iterator[Verdict]:
    """One verdict for each mounting, port and protection that the site asks for.

    Known to be there: ok. Known to be missing: fail. Not stated anywhere: unknown, which is never ok.
    """
    for wanted in asked_traits(site):
        params = {"chassis": chassis.model, "feature": wanted}
        if wanted in chassis.traits:
            yield Verdict(state=State.OK, margin=None, message=Message("bom_edge_there", params))
        elif wanted in chassis.lacks:
            yield Verdict(state=State.FAIL, margin=None, message=Message("bom_edge_missing", params))
        else:
            yield Verdict(state=State.UNKNOWN, margin=None, message=Message("bom_edge_unknown", params))


def asked_traits(site: Site) -> tuple[str, ...]:
    """The traits that a site asks for, each once; a word that is not understood stays as it is and is never met."""
    words = [*([site.mounting] if site.mounting else []), *site.ports, *site.environment]
    found: list[str] = []
    for word in words:
        found += sorted(traits_in(word)) or [word.strip().lower()]
    return tuple(dict.fromkeys(found))


def known_traits(category: str, features: str, cooling: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Traits that a chassis has and those that it is known to lack, from its category, cooling and the maker's words.

    A server with fans is not fanless; a rack server hangs in a rack and on no wall.
    """
    traits = set(traits_in(features))
    lacks: set[str] = set()
    if "fanless" in cooling:
        traits.add("fanless")
    elif cooling:
        lacks.add("fanless")
    mounted = MOUNTED_BY_CATEGORY.get(category)
    if mounted is not None:
        traits.add(mounted)
        lacks |= {"rack", "wall", "din_rail"} - traits
    return frozenset(traits), frozenset(lacks - traits)
