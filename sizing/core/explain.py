"""The register of formulas: what every figure is worked out by, from what, and where that comes from.

Estimates name an entry by `Estimate.explain`. docs/method.md prints the register; a test compares.
"""

from collections.abc import Iterable
from dataclasses import dataclass

PUBLISHED = "InferenceX and NVIDIA serving measurements, fitted (sizing/data/coefficients)"
ROOFLINE = "Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009"
LITTLE = "Little: A proof for the queuing formula L = lambda W, Operations Research 9(3), 1961"
KHINCHINE = "Pollaczek 1930, Khinchine 1932: mean wait of M/G/1"
OWN = "derivation in this document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """One entry: `text` as it is computed, `inputs` as symbol and meaning, `source` where it comes from."""

    name: str
    section: str
    text: str
    inputs: tuple[str, ...]
    source: str


def _f(name: str, section: str, text: str, inputs: str, source: str) -> Formula:
    return Formula(name=name, section=section, text=text, inputs=tuple(inputs.split("; ")), source=source)


STEP = (
    _f(
        "smooth_maximum",
        "step",
        "smax(x, y) = (x^p + y^p)^(1/p), p = 3",
        "x, y: seconds of reading and of computing in one group of kernels",
        "overlap of copies and arithmetic; exponent by leave-one-out",
    ),
    _f(
        "dense_step",
        "step",
        "t_d = smax(W_d / (e_w BW), F_d (T' + m0) / (e_c T')); "
        "W_d = (P_attn b_attn + P_dense b_dense) / TP + V H b_head / n",
        "P: parameters; b: bytes per weight; T' = T / DP: tokens of the step; F_d: seconds at dense peak",
        f"{ROOFLINE}; {PUBLISHED}",
    ),
    _f(
        "expert_step",
        "step",
        "t_x = smax(L_m U P_exp b_exp / (n e_w BW), F_x (1 + i0 / I) (m + x0) / (e_c m)); U = E (1 - (1 - k/E)^T)",
        "E: routed experts; k: active; I: expert width; m = T k / E: tokens of one expert; L_m: layers with experts",
        f"expected number of distinct experts under even routing; {PUBLISHED}",
    ),
    _f(
        "cache_step",
        "step",
        "t_kv = smax(b (c_full kv_full + min(c, w) kv_window + state + index) / (S e_kv BW), F_att / e_pa)",
        "b: decoding sequences; c: mean context; w: window; S = min(TP, KV heads) DP, DP for a latent cache",
        f"{ROOFLINE}; {PUBLISHED}",
    ),
    _f(
        "prefill_attention",
        "step",
        "t_pa = 2 p c_p L_att (a_q + a_v) / (n F_bf16 e_pa), c_p = half the prompt (causal mean)",
        "p: prompt tokens of the step; a_q, a_v: heads x width",
        f"FLOP count of causal attention; {PUBLISHED}",
    ),
    _f(
        "exchange",
        "step",
        "t_c = 2 L T H 2 . 2 (n-1)/n / (e_net link) + 2 L t_ar; attention data parallelism: 2 L (T/DP) k H 1.5 (n-1)/n "
        "where each expert lies on one rank, 2 L T H 2 (n-1)/n where experts are cut over all ranks",
        "n: ranks of a stage; link: bytes/s one way; t_ar: latency of one all-reduce",
        "ring all-reduce (Patarasuk, Yuan 2009); dispatch in FP8 and combine in BF16; gather and scatter in BF16",
    ),
    _f(
        "pipeline",
        "step",
        "a token passes all stages; each works on 1/PP of the sequences; + (PP - 1) (T H 2 / (e_net link) + t_ar)",
        "PP: stages",
        OWN,
    ),
    _f(
        "activations",
        "step",
        "t_a = (T/DP) 2 H (L n_act + L_m k n_mact) / BW",
        "n_act, n_mact: passes over the activations",
        PUBLISHED,
    ),
    _f(
        "overhead",
        "step",
        "t_o = L t_L + L_m t_M + [MLA] L t_mla + [block FP8] L_m t_q + (b/DP) t_seq",
        "launches per layer, per expert layer, per latent layer, per block-scaled layer and per sequence",
        PUBLISHED,
    ),
    _f(
        "drafting",
        "step",
        "t_dr = (g - 1) t_draft(b, 0) + t_draft(b, p); the model checks b (1 + g) tokens; "
        "a = 1 + s (1 - s^g) / (1 - s) tokens a step",
        "g: drafted tokens; t_draft: a step of the draft model or prediction layer on the same accelerators; "
        "s: acceptance of one token",
        "Leviathan, Kalman, Matias 2023 (arXiv 2211.17192), section 3.1",
    ),
)

LOOP = (
    _f(
        "prefill_interference",
        "closed-loop",
        "TPOT = (t(b, 0) + (1 - 1/C) f d) / a; f = min(1, r/p); r = b isl a / osl; "
        "d = t(b, p) - t(b, 0), or t(0, p) where prefill runs apart",
        "C: requests in flight; r: prompt tokens needed per step; p: chunk; a: tokens accepted per step (1 without "
        "drafts)",
        "mean field of continuous batching with chunked prefill; a request is not interrupted by its own prompt",
    ),
    _f(
        "batch",
        "closed-loop",
        "b = C_e D / (D + min(idle, 3 D)); D = osl TPOT; C_e = min(C, C_cap); three passes",
        "idle: front end, own prefill and 0.3 of a start burst",
        OWN,
    ),
    _f(
        "ttft_closed_form",
        "closed-loop",
        "TTFT = tau0 + a_L L + a_tok isl + (c_step/2) step + (t(b,0) + d) max(1, isl/p) + k_si N_si step "
        "+ C S / (2 R) + 0.9 D (C - C_e)/C_e + o y / (1 - y)",
        "S = d isl / p: prefill work of a request; R: prompts per slot of a benchmark (without the last term), "
        "infinite in production; N_si: stream interval; o: own prefill; y = (o + h) h / (o + h + osl t(b, 0) / a)^2; "
        "h = (C - 1) S: prompts of the others",
        f"{PUBLISHED}; the wait for others against the event simulation",
    ),
    _f(
        "tpot_closed_form",
        "closed-loop",
        "mean as prefill_interference; quantile: mean + z d sqrt(osl f) / osl",
        "z: normal quantile; the number of interrupted steps of an answer is about Poisson",
        OWN,
    ),
    _f(
        "e2e_closed_form",
        "closed-loop",
        "E2E = TTFT + (osl - 1) TPOT; spreads of both parts added as independent",
        "osl: answer length",
        OWN,
    ),
    _f(
        "output_throughput",
        "closed-loop",
        "X = C osl / (TTFT + (osl - 1) TPOT) per replica",
        "C: requests in flight",
        LITTLE,
    ),
    _f(
        "open_loop",
        "closed-loop",
        "C = 1 + lambda (TTFT + (osl - 1) TPOT), solved by iteration",
        "lambda: arrivals per second and replica; an arrival finds the time average and itself",
        f"{LITTLE}; Poisson arrivals see time averages (Wolff 1982)",
    ),
    _f(
        "prefill_queue",
        "closed-loop",
        "W_q = S (burst + 1 + cv^2) / (4 (1 - x)) ln(x / (1 - q)), x = (C - 1) S / (TTFT + D), C S / D in a benchmark; "
        "at most (C - 1) S in a closed loop; + (L_q / L - 1) own prefill",
        "x: share of a round in which prompts of others are computed; q: quantile; burst, cv^2: squared variation of "
        "gaps and lengths; L_q: prompt length at the quantile",
        KHINCHINE,
    ),
    _f(
        "slot_wait",
        "closed-loop",
        "W = 0.9 D (C - C_e) / C_e",
        "D: decode life; C - C_e: requests that the cache does not hold",
        f"{LITTLE}; reproduces the sweep of NVIDIA NIM at 5,000/500 tokens beyond its knee",
    ),
    _f(
        "phases_apart",
        "closed-loop",
        "TPOT = t(b, 0) / a; round = smax(TTFT + D, C S / P), p = 4; TTFT gains the handover isl kv / link, a decode "
        "step and the queue of the round; b = C_e D / (D + idle) / Q",
        "P, Q: instances that prefill and that decode; S: seconds of one prompt; kv: cache bytes of a token on one "
        "accelerator",
        "asymptotic bounds of closed queueing networks (Denning, Buzen: Operational analysis, ACM Computing Surveys "
        "10(3), 1978); checked against the event simulation",
    ),
    _f(
        "saturation",
        "closed-loop",
        "saturated if C > C_cap, with open arrivals also if x > 0.9",
        "a closed loop waits for itself, so its queue does not grow; no time to first token is printed then",
        OWN,
    ),
    _f(
        "capacity",
        "capacity",
        "C_cap = pool / (kv (isl - prefix + 0.6 osl) + state) x DP, at most the engine's limit of sequences",
        "pool: cache bytes of one accelerator; prefix: shared tokens, held once",
        "mean occupancy of paged caches; docs/method.md#memory",
    ),
)

SIMULATED = tuple(
    _f(
        f"{name}_simulated",
        "simulation",
        f"{what} of simulated requests: continuous batching, first come first served, chunked prefill, cache-limited "
        "admission, preemption by recomputation; steps from the same t(b, p)",
        "seed, lengths and load of the request; requests of the start are cut",
        "discrete-event simulation (sizing/core/simulate)",
    )
    for name, what in (("ttft", "time to first token"), ("tpot", "time per token"), ("e2e", "end-to-end time"))
)

USE = (
    _f(
        "compute_utilisation",
        "use",
        "seconds of arithmetic at dense peak in a mean step / step",
        "all products and attention",
        ROOFLINE,
    ),
    _f(
        "bandwidth_utilisation",
        "use",
        "seconds of reading at printed bandwidth in a mean step / step",
        "weights touched, caches, activations",
        ROOFLINE,
    ),
    _f("cache_utilisation", "use", "requests admitted / C_cap", "C_cap: capacity", OWN),
    _f("device_utilisation", "use", "share of time in which a step runs", "batch and front end", OWN),
    _f(
        "accelerator_power",
        "use",
        "P = TDP (0.2 + (0.65 + 0.35 min(compute / 0.6, 1) - 0.2) busy)",
        "compute, busy: utilisations; upper bound: TDP",
        "assumption: idle 0.2, memory-bound decode 0.65 of the limit",
    ),
    _f("energy_per_token", "use", "E = P / X / 3.6e6 x 10^6 kWh per million tokens", "P: power; X: output rate", OWN),
)

REGISTER: dict[str, Formula] = {f.name: f for f in (*STEP, *LOOP, *SIMULATED, *USE)}

SECTIONS = {
    "step": "One engine step",
    "closed-loop": "Load",
    "capacity": "Capacity",
    "simulation": "Simulation",
    "use": "Utilisation, power, energy",
}


def formula(name: str) -> Formula:
    """The entry `name`. Raises KeyError where there is none."""
    return REGISTER[name]


def as_markdown(formulas: Iterable[Formula] = REGISTER.values()) -> str:
    """The register as the part of docs/method.md between its markers."""
    lines: list[str] = []
    entries = list(formulas)
    for section, title in SECTIONS.items():
        lines += [f"### {title} {{#{section}}}", ""]
        for entry in (e for e in entries if e.section == section):
            lines += [f"**`{entry.name}`**: `{entry.text}`", ""]
            lines += [f"- {each}" for each in entry.inputs]
            lines += [f"- Source: {entry.source}", ""]
    return "\n".join(lines).rstrip() + "\n"
