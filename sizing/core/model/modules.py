"""Weights by name and purpose."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a weight matrix is for: decides its number format and how parallelism splits it."""

    ATTENTION = "attention"
    RECURRENT = "recurrent"
    DENSE = "dense"
    EXPERTS = "experts"
    ROUTER = "router"
    SMALL = "small"  # norms, biases, sinks, convolutions
    EMBEDDING = "embedding"
    LM_HEAD = "lm_head"


@dataclass(frozen=True, slots=True)
class Module:
    """One weight (or a set of equal ones) under the name that exception lists use."""

    name: str
    parameters: int
    role: Role


def small(name: str, parameters: int) -> tuple[Module, ...]:
    """A norm, bias or other vector; nothing where it has no parameters."""
    return (Module(name, parameters, Role.SMALL),) if parameters else ()
