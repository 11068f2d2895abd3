"""Each short formula with numbers put in, computed here and not written down: how a figure comes about by example.

The numbers are those of one invented option of usual size; they show the working and promise nothing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sizing import figures
from sizing.formulas import FORMULAS

SYMBOL = re.compile(r"[A-Za-zφη][A-Za-z_φη]*")
UNITS_IN_TEXT = frozenset({"h"})  # 8760 h
DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """A formula by example: `text` with the numbers in place of the symbols, and what it comes to."""

    text: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Values of the symbols, in the units of the formula, how it computes, and the unit of what it comes to."""

    values: Mapping[str, float]
    compute: Callable[[Mapping[str, float]], float]
    unit: str


def _example(unit: str, compute: Callable[[Mapping[str, float]], float], **values: float) -> Example:
    named = {SPELLINGS.get(key, key): value for key, value in values.items()}
    return Example(values=MappingProxyType(named), compute=compute, unit=unit)


SPELLINGS = {"phi": "φ", "P_tdp": "P_TDP", "eta_psu": "η_PSU"}

EXAMPLES: Mapping[str, Example] = MappingProxyType(
    {
        "tpot_closed_form": _example(
            "ms", lambda v: (v["t_plain"] + (1 - 1 / v["C"]) * v["φ"] * v["t_extra"]) / v["k"],
            t_plain=24.0, C=50, phi=0.34, t_extra=18.0, k=1,
        ),
        "ttft_closed_form": _example(
            "ms", lambda v: v["t_front"] + v["p"] / 2 * v["t_step"] + v["t_own"] + v["t_queue"],
            t_front=40.0, p=1, t_step=30.0, t_own=180.0, t_queue=65.0,
        ),
        "e2e_closed_form": _example(
            "ms", lambda v: v["TTFT"] + (v["N_out"] - 1) * v["TPOT"], TTFT=300.0, N_out=350, TPOT=30.0
        ),
        "tpot_simulated": _example(
            "ms", lambda v: (v["t_last"] - v["t_first"]) / (v["N_out"] - 1), t_last=10_770.0, t_first=300.0, N_out=350
        ),
        "ttft_simulated": _example("ms", lambda v: v["t_first"] - v["t_arrival"], t_first=1300.0, t_arrival=1000.0),
        "e2e_simulated": _example("ms", lambda v: v["t_last"] - v["t_arrival"], t_last=11_770.0, t_arrival=1000.0),
        "output_throughput": _example(
            "tokens/s", lambda v: v["R"] * v["C"] * v["N_out"] / (v["TTFT"] + (v["N_out"] - 1) * v["TPOT"]),
            R=1, C=50, N_out=350, TTFT=0.3, TPOT=0.03,
        ),
        "compute_utilisation": _example(
            "", lambda v: v["F"] / (v["P"] * v["t_step"]), F=7.1e12, P=1.98e15, t_step=0.03
        ),
        "bandwidth_utilisation": _example(
            "", lambda v: (v["W"] + v["K"]) / (v["B"] * v["t_step"]), W=35.3e9, K=12.7e9, B=3.35e12, t_step=0.03
        ),
        "cache_utilisation": _example("", lambda v: v["C"] / v["C_max"], C=50, C_max=195),
        "device_utilisation": _example("", lambda v: v["t_busy"] / v["t"], t_busy=3100, t=3600),
        "accelerator_power": _example(
            "W", lambda v: v["P_TDP"] * (0.2 + (v["a"] - 0.2) * v["u"]), P_tdp=700, a=0.65, u=0.86
        ),
        "energy_per_token": _example("kWh", lambda v: v["P"] / v["X"] * 1e6 / 3.6e6, P=1400, X=1680),
        "node_power": _example(
            "W", lambda v: (v["a"] * v["P_acc"] + v["h"] * v["P_host"]) * (1 + v["c"]) / v["η_PSU"],
            a=0.7, P_acc=1400, h=0.6, P_host=700, c=0.12, eta_psu=0.94,
        ),
        "energy_per_year": _example(
            "kWh", lambda v: (v["P_idle"] + (v["P"] - v["P_idle"]) * v["u"]) * v["PUE"] * 8760,
            P_idle=0.6, P=1.67, u=0.4, PUE=1.4,
        ),
    }
)  # fmt: skip


def worked(name: str) -> Worked | None:
    """The formula of that name by example, in the reader's numbers; None where none is kept."""
    example = EXAMPLES.get(name)
    if example is None:
        return None
    left, _sign, right = FORMULAS[name].text.partition(" = ")
    text = SYMBOL.sub(lambda found: _number(example.values, found[0]), right)
    value = example.compute(example.values)
    return Worked(text=f"{left} = {text}", result=figures.with_unit(shown(value), figures.shown_unit(example.unit)))


def _number(values: Mapping[str, float], symbol: str) -> str:
    """The value of a symbol; a unit that belongs to the formula stays."""
    return symbol if symbol in UNITS_IN_TEXT and symbol not in values else shown(values[symbol])


def shown(value: float) -> str:
    """A number to four digits; very large ones as a power of ten."""
    if abs(value) >= 1e7:
        mantissa, _e, exponent = f"{value:.3e}".partition("e")
        power = str(int(exponent)).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"{shown(float(mantissa))} · 10{power}"
    rounded = float(f"{value:.{DIGITS}g}")
    text = f"{rounded:.10f}".rstrip("0").rstrip(".")
    return figures.number(rounded, len(text.partition(".")[2]))
