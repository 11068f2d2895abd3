"""Made-up samples of what is shown of an option: its card, its verdicts, the steps of planning, what is left to do."""

from typing import Any

from django.utils.translation import gettext as _

from sizing.figures import NBSP
from sizing.planning import PlanningStep
from sizing.verdict_words import VerdictView

HERE = "#s-option"


def samples() -> dict[str, Any]:
    verdicts = sample_verdicts()
    option = {
        "rank": 1,
        "hardware": "2 × RTX PRO 6000",
        "layout": "TP 2 · FP8",
        "url": HERE,
        "price": {"amount": 25400, "currency": "EUR"},
        "amount": 25400,
        "delivery_words": f"6–10{NBSP}" + _("wk"),
        "delivery": {"weeks_p90": 10},
        "ttft": _estimate(410, 350, 480),
        "tpot": _estimate(43, 37, 51),
        "throughput": _estimate(2900, 2400, 3500, unit="tokens/s"),
        "power": _estimate(1210, 1050, 1400, unit="W"),
        "verdicts": verdicts,
        "open_points": [verdict for verdict in verdicts if verdict.state == "caution"],
    }
    return {
        "cards": [
            {"option": option, "role": _("Lowest cost"), "chosen": True, "suggested": True},
            {"option": None, "role": _("Earliest delivery"), "reason": _("No option has a known lead time.")},
        ],
        "option": option,
        "planning": planning(),
        "todo": [
            {"state": "fail", "words": _("Line 3: the origin is unknown.")},
            {"state": "caution", "words": _("Line 7: the price is older than 30 days.")},
        ],
    }


def _estimate(value: float, low: float, high: float, *, unit: str = "ms") -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "unit": unit, "basis": "calibrated", "source": "", "explain": ""}


def sample_verdicts() -> list[VerdictView]:
    """One of each state."""
    each = (
        ("memory", _("Memory"), "ok", "+14 %", _("fits")),
        ("speed", _("Speed"), "caution", "+2 %", _("tight")),
        ("power", _("Power"), "fail", "−310 W", _("over the limit")),
        ("delivery", _("Delivery"), "unknown", _("unknown"), _("no lead time of one line")),
    )
    return [
        VerdictView(key=key, label=label, state=state, value=value, note=note, reason=note)
        for key, label, state, value, note in each
    ]


def planning() -> list[PlanningStep]:
    return [
        PlanningStep(label=label, state=state, word=word, note="", url=HERE)
        for label, state, word in (
            (_("Model"), "ok", _("known")),
            (_("Targets"), "caution", _("assumed")),
            (_("Test with real load"), "unknown", _("not yet")),
        )
    ]
