"""What every step of one configuration needs at hand."""

from dataclasses import dataclass

from quotes.configure.facts import Chassis
from quotes.configure.prepare import Prepared
from quotes.configure.request import BomRequest, NodeLayout
from quotes.configure.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One request on one chassis with its layout, the indexed catalogue and the rules."""

    request: BomRequest
    chassis: Chassis
    layout: NodeLayout
    prepared: Prepared
    rules: Rules
