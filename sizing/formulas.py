"""The formulas behind estimates as a reader meets them: short, each symbol named in the reader's language.

The core names a formula (`Estimate.explain`). What exactly it computes, with sources, stands in its
own register (`sizing.core.explain`), which an explanation prints below this one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """`text` in symbols, what each symbol means in order, and how to read it."""

    text: str
    symbols: Mapping[str, str | Promise]
    sentence: str | Promise


def _formula(text: str, sentence: str | Promise, **symbols: str | Promise) -> Formula:
    named = {SPELLINGS.get(key, key): words for key, words in symbols.items()}
    return Formula(text=text, symbols=MappingProxyType(named), sentence=sentence)


# Symbols that cannot be keyword arguments
SPELLINGS = {"phi": "φ", "P_tdp": "P_TDP", "eta_psu": "η_PSU"}

_STEP: dict[str, str | Promise] = {
    "t_plain": _("time of a step that only decodes: weights and cache read, arithmetic, exchange, overhead"),
    "t_extra": _("what a step takes more when it carries prefill"),
    "phi": _("share of steps that carry prefill"),
    "C": _("requests in flight per replica"),
}
_SIMULATED = _(
    "Requests arrive, wait, are prefilled in chunks and decoded in a common batch, step by step; "
    "the percentile is that of the simulated requests after warm-up."
)

FORMULAS: Mapping[str, Formula] = MappingProxyType(
    {
        "tpot_closed_form": _formula(
            "TPOT = (t_plain + (1 − 1/C) · φ · t_extra) / k",
            _("The mean step of a full batch, divided by the tokens that a request gains in it."),
            **_STEP,
            k=_("tokens per request and step: 1 without speculative decoding"),
        ),
        "ttft_closed_form": _formula(
            "TTFT = t_front + p/2 · t_step + t_own + t_queue",
            _("Front end, the rest of the running step, the own prefill, and waiting for others."),
            t_front=_("front end and launch of the prefill"),
            p=_("steps that the engine keeps under way, fitted"),
            t_step=_("time of the running step"),
            t_own=_("prefill of the own input, in chunks"),
            t_queue=_("waiting for a place in the batch"),
        ),
        "e2e_closed_form": _formula(
            "E2E = TTFT + (N_out − 1) · TPOT",
            _("The first token, then every further one."),
            N_out=_("output tokens of the request"),
        ),
        "tpot_simulated": _formula(
            "TPOT = (t_last − t_first) / (N_out − 1)", _SIMULATED, N_out=_("output tokens of the request")
        ),
        "ttft_simulated": _formula("TTFT = t_first − t_arrival", _SIMULATED),
        "e2e_simulated": _formula("E2E = t_last − t_arrival", _SIMULATED),
        "output_throughput": _formula(
            "X = R · C · N_out / (TTFT + (N_out − 1) · TPOT)",
            _("Little's law: requests in flight over the time that each stays. An arrival rate sets it directly."),
            R=_("replicas"),
            C=_("requests in flight per replica"),
            N_out=_("output tokens of the request"),
        ),
        "compute_utilisation": _formula(
            "u = F / (P · t_step)",
            _("Arithmetic of the mean step over what the data sheet's dense peak could do in that time."),
            F=_("operations in a step"),
            P=_("dense peak of the data sheet"),
            t_step=_("time of the mean step"),
        ),
        "bandwidth_utilisation": _formula(
            "u = (W + K) / (B · t_step)",
            _("Bytes that the mean step reads over what the memory could deliver in that time."),
            W=_("weights read in a step"),
            K=_("key-value cache read in a step"),
            B=_("memory bandwidth of the data sheet"),
            t_step=_("time of the mean step"),
        ),
        "cache_utilisation": _formula(
            "u = C / C_max",
            _("Requests held over requests that fit into the cache."),
            C=_("requests in flight per replica"),
            C_max=_("requests that the key-value cache holds"),
        ),
        "device_utilisation": _formula(
            "u = t_busy / t",
            _("Share of the time in which a step runs."),
            t_busy=_("time with a running step"),
        ),
        "accelerator_power": _formula(
            "P = P_TDP · (0.2 + (a − 0.2) · u)",
            _("Idle draw plus the active share in proportion to busy time; never above the limit."),
            P_tdp=_("power limit of the accelerator"),
            a=_("active share: 0.65 while memory binds, up to 1 with arithmetic"),
            u=_("share of the time in which a step runs"),
        ),
        "energy_per_token": _formula(
            "E = (P / X) · 10⁶ / (3.6 · 10⁶)",
            _("Energy of the accelerators for a million output tokens, without host and cooling."),
            P=_("power of all accelerators, watts"),
            X=_("output tokens per second"),
        ),
        "node_power": _formula(
            "P = (a · P_acc + h · P_host) · (1 + c) / η_PSU",
            _("Typical draw at the plug: accelerators and host at their usual share, fans, losses of the supplies."),
            a=_("usual share of the accelerators"),
            h=_("usual share of the host"),
            c=_("fans and conversion"),
            eta_psu=_("efficiency of the power supplies"),
        ),
        "energy_per_year": _formula(
            "E = (P_idle + (P − P_idle) · u) · PUE · 8760 h",
            _("Idle and loaded draw weighted by the share of busy time, with the cooling of the site."),
            P_idle=_("draw without load"),
            P=_("draw under load"),
            u=_("share of the time in which a step runs"),
        ),
    }
)
