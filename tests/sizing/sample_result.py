"""A result as the contract writes it, with three options and two rejections, for tests of pages and charts."""

from typing import Any

from sizing.messages import register

WORDS = {
    "sample_reason": "A reason.",
    "sample_short": "14.8 GB short.",
    "sample_slow": "5 ms too slow.",
    "sample_fix": "4-bit weights fit.",
    "sample_steady": "Steady arrivals.",
    "sample_open": "One line has no price.",
    "sample_card": "Card 96 GB",
    "sample_rail": "Rail kit",
}
register(WORDS)


def message(code: str) -> dict[str, Any]:
    return {"code": code, "params": {}}


def estimate(
    value: float | None, low: float | None = None, high: float | None = None, unit: str = "ms"
) -> dict[str, Any]:
    basis = "unknown" if value is None else "calibrated"
    return {
        "value": value,
        "low": low,
        "high": high,
        "unit": unit,
        "basis": basis,
        "source": "test",
        "explain": "tpot_closed_form",
    }


def money(amount: str | None, currency: str = "EUR") -> dict[str, Any]:
    basis = "sum" if amount else "unknown"
    seen = {"source": "Price list", "as_of": "2026-11-26"}
    return {"amount": amount, "low": None, "high": None, "currency": currency, "basis": basis} | seen


def verdict(state: str, margin: float | None) -> dict[str, Any]:
    return {"state": state, "margin": margin} | message("sample_reason")


def percentiles(p95: float | None) -> dict[str, Any]:
    wide = (None, None) if p95 is None else (p95 * 0.86, p95 * 1.18)
    return {
        "mean": estimate(None if p95 is None else p95 * 0.8),
        "p50": estimate(None if p95 is None else p95 * 0.8),
        "p95": estimate(p95, *wide),
        "p99": estimate(None if p95 is None else p95 * 1.2),
    }


def option(rank: int, **changes: Any) -> dict[str, Any]:
    """A complete option; keyword arguments overrule top-level keys."""
    option = {
        "rank": rank, "labels": [], "accelerator": "maker-a-card-96gb", "accelerators_total": 2, "replicas": 1,
        "accelerators_per_replica": 2,
        "parallelism": {"tensor": 2, "pipeline": 1, "expert": 1, "data": 1},
        "engine": "vllm", "engine_version": "0.11", "weights_format": "fp8", "kv_format": "bf16",
        "server": "rack-server-4u", "servers": 1,
        "verdicts": {
            "memory": verdict("ok", 0.4), "speed": verdict("caution", 0.14), "software": verdict("ok", None),
            "power": verdict("unknown", None), "rack": verdict("ok", 0.5), "cooling": verdict("unknown", None),
            "delivery": verdict("ok", 0.27), "budget": verdict("ok", 0.36),
        },
        "memory_figures": [],
        "memory_per_accelerator": {
            "usable_bytes": 88_500_000_000, "weight_bytes": 35_300_000_000, "activation_bytes": 1_550_000_000,
            "runtime_bytes": 2_000_000_000, "kv_pool_bytes": 49_650_000_000,
        },
        "kv_tokens_per_replica": 303_000, "max_concurrent_requests_per_replica": 195,
        "performance": {
            "ttft_ms": percentiles(900), "tpot_ms": percentiles(43), "e2e_ms": percentiles(16_000),
            "output_tokens_per_s_per_replica": estimate(1400, 1200, 1600, "tokens/s"),
            "output_tokens_per_s_total": estimate(1400, 1200, 1600, "tokens/s"), "saturated": False,
        },
        "bottleneck": "memory_bandwidth", "power_w": estimate(2100, 1900, 2300, "W"),
        "energy_kwh_per_million_tokens": estimate(0.42, 0.3, 0.5, "kWh"),
        "utilisation": {"compute": estimate(0.2, 0.1, 0.3, "share"), "bandwidth": estimate(0.7, 0.6, 0.8, "share"),
                        "kv": estimate(0.26, 0.2, 0.3, "share")},
        "cost": {"purchase": money("38420.00"), "per_year": money("21000.00"), "per_million_tokens": money("0.62"),
                 "per_request": money("0.0009"), "complete": True, "open_lines": 0, "against": []},
        "delivery": {"weeks_p50": 7, "weeks_p90": 11, "date_p50": "2027-01-18", "date_p90": "2027-02-15",
                     "complete": True, "deciding_line": "1.1"},
        "screening": {"taa": {"flag": "unknown", "applicability": "not_applicable", "counts": {"unknown": 2}},
                      "s889": {"flag": "unknown", "applicability": "not_applicable", "counts": {"unknown": 2}}},
        "bom": [
            {"line": "1.1", "kind": "base", "manufacturer": "Maker A", "mpn": "900-0001", "part": "card-96gb",
             "description": message("sample_card"), "quantity": 2, "unit_price": money("8490.00"),
             "lead_weeks": {"low": 6, "typical": 7, "high": 10, "source": "Distributor", "as_of": "2026-11-26"},
             "origin": {"country": "MX", "source": "Maker", "as_of": "2026-09-02"}, "power_w": 600,
             "reason": message("sample_reason")},
            {"line": "1.2", "kind": "base", "manufacturer": "Maker B", "mpn": "RAIL-4U", "part": "rail",
             "description": message("sample_rail"), "quantity": 1, "unit_price": money(None), "lead_weeks": None,
             "origin": None, "power_w": None, "reason": message("sample_reason")},
        ],
    }  # fmt: skip
    return option | changes


NO_MEMORY: dict[str, Any] = {"fixes": [], "memory_per_accelerator": None, "memory_figures": []}


def result() -> dict[str, Any]:
    """Three options with one role each, two rejections, two assumptions, one warning."""
    dear = option(
        2, labels=["earliest_delivery"], accelerator="maker-b-card-94gb",
        cost=option(2)["cost"] | {"purchase": money("71900.00")},
        delivery=option(2)["delivery"] | {"weeks_p50": 3, "weeks_p90": 5, "date_p90": "2027-01-04"},
        verdicts=option(2)["verdicts"] | {"budget": verdict("fail", -0.2), "speed": verdict("ok", 0.42)},
    )  # fmt: skip
    roomy = option(
        3, labels=["most_headroom"], accelerator="maker-b-card-141gb", replicas=2, accelerators_per_replica=1,
        cost=option(3)["cost"] | {"purchase": money("84600.00"), "complete": False, "open_lines": 2},
        delivery=option(3)["delivery"] | {"weeks_p50": None, "weeks_p90": None, "complete": False, "date_p50": None,
                                          "date_p90": None},
    )  # fmt: skip
    return {
        "engine_version": "0.1", "catalog_version": "7", "price_snapshot": "2026-11-30", "as_of": "2026-11-30",
        "input_hash": "sha256:0",
        "model": {"parameters_total": 70_553_706_496, "parameters_active": 70_553_706_496,
                  "weight_bytes": 70_600_000_000, "kv_bytes_per_token": 327_680,
                  "kv_bytes_per_token_window_ignored": 327_680, "state_bytes_per_sequence": 0,
                  "max_context_tokens": 131_072, "notes": []},
        "options": [option(1, labels=["lowest_cost"]), dear, roomy],
        "rejected": [
            NO_MEMORY
            | {"accelerator": "maker-a-card-48gb", "cheapest_fix": message("sample_fix")}
            | message("sample_short"),
            {"accelerator": "maker-c-card-16gb", "cheapest_fix": None} | NO_MEMORY | message("sample_slow"),
        ],
        "assumptions": [
            {"field": "traffic.burstiness", "value": 1.0} | message("sample_steady"),
            {"field": "site.pue", "value": None} | message("sample_reason"),
        ],
        "warnings": [message("sample_open")],
    }  # fmt: skip


def request(**changes: Any) -> dict[str, Any]:
    """A contract request of the chat assistant that the result above answers."""
    return {
        "name": "Chat assistant for 200 users", "kind": "llm_serving",
        "model": {"id": "meta-llama/Llama-3.3-70B-Instruct"}, "weights_format": "fp8", "kv_format": "bf16",
        "traffic": {"input_tokens": 1200, "output_tokens": 350, "users": 200, "active_share": 0.25},
        "targets": {"ttft_ms": {"p95": 1500}, "tpot_ms": {"p95": 50}},
        "site": {"rack_units": 8},
        "procurement": {"currency": "EUR", "budget": "60000.00", "needed_by": "2027-03-15"},
    } | changes  # fmt: skip


NAMES = {
    "maker-a-card-96gb": "Card A 96GB",
    "maker-b-card-94gb": "Card B 94GB",
    "maker-b-card-141gb": "Card B 141GB",
    "maker-a-card-48gb": "Card A 48GB",
}
