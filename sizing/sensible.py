"""Options that somebody could order, told apart before anything is dated, costed and screened."""

from collections.abc import Sequence
from decimal import Decimal

from quotes import bom
from sizing.core.candidate import Candidate, Rejection
from sizing.core.kinds.additions import on_processors
from sizing.core.kinds.candidate import KindCandidate
from sizing.core.values import Message
from sizing.priced import BuiltOption, Market

RACK_SCALE = "rack_scale"
LEAST_RACK_SHARE = 0.5  # a rack that is sold as one is no answer to a load that leaves half of it idle
LEAST_BOARD_SHARE = 0.25  # the same of a board, where the load is no language model's that may grow into it
FAR_BEYOND = 8.0  # times the cheapest ceiling or the fewest servers: listed with its reason, not as an option
FAR_MORE_CARDS = 16.0  # times the fewest accelerators: 32 small cards are no answer where two large ones do


def sensible[T: BuiltOption](options: Sequence[T], market: Market) -> tuple[list[T], list[Rejection]]:
    """Options that somebody could order, and the others with the reason.

    Refused: nothing holds the accelerators; a rack that stays mostly idle; known prices far above what
    another option costs at most; far more servers or accelerators than another option needs.
    """
    kept: list[T] = []
    refused = []
    for option in options:
        message, fix = _refusal(option, market)
        (kept.append(option) if message is None else refused.append(_rejected(option, message, fix)))
    measure = _measure(kept)
    bounds = [option.cost_bound for option in measure if option.cost_bound]
    cheapest = min(bounds, default=None)
    servers = min((option.bom.servers for option in measure), default=1)
    cards = min((option.candidate.deployment.accelerators_total for option in measure), default=1)
    near = []
    for option in kept:
        message = _far_beyond(option, cheapest, servers=servers, cards=cards)
        (near.append(option) if message is None else refused.append(_rejected(option, message, None)))
    return near, refused


def _measure[T: BuiltOption](kept: Sequence[T]) -> Sequence[T]:
    """What others are held against: a language model on processors alone sets no measure for accelerators."""
    others = [o for o in kept if not (isinstance(o.candidate, Candidate) and on_processors(o.candidate))]
    return others or kept


def _rejected(option: BuiltOption, message: Message, fix: Message | None) -> Rejection:
    return Rejection(
        accelerator=option.candidate.deployment.accelerator.slug,
        message=message,
        cheapest_fix=fix,
        deployment=option.candidate.deployment,
        performance=option.candidate.performance if isinstance(option.candidate, Candidate) else None,
    )


def _refusal(option: BuiltOption, market: Market) -> tuple[Message | None, Message | None]:
    deployment, built = option.candidate.deployment, option.bom
    if built.chassis is None:
        problem = built.problems[0] if built.problems else None
        return (problem.message, problem.remedy) if problem else (Message("no_chassis", {}), None)
    bought = built.layout.accelerators_bought if built.layout else deployment.accelerators_total
    rack = market.hardware.chassis_by_slug[built.chassis].category == RACK_SCALE
    if rack and deployment.accelerators_total < bought * LEAST_RACK_SHARE:
        return Message("sold_by_the_rack", {"used": deployment.accelerators_total, "bought": bought}), None
    if isinstance(option.candidate, KindCandidate) and deployment.accelerators_total < bought * LEAST_BOARD_SHARE:
        return Message("sold_by_the_board", {"used": deployment.accelerators_total, "bought": bought}), None
    return None, None


def _far_beyond(option: BuiltOption, cheapest: Decimal | None, *, servers: int, cards: int) -> Message | None:
    """Why an option is no answer beside the cheapest ceiling, the fewest servers and the fewest accelerators."""
    known, total = bom.known_sum(option.bom.lines), option.candidate.deployment.accelerators_total
    if cheapest is not None and known > cheapest * Decimal(FAR_BEYOND):
        return Message("far_dearer", {"times": float(known / cheapest)})
    if option.bom.servers > max(servers, 1) * FAR_BEYOND or total > max(cards, 1) * FAR_MORE_CARDS:
        return Message("far_larger", {"accelerators": total, "servers": option.bom.servers})
    return None
