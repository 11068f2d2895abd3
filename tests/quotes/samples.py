"""Options as a sizing run stores them, with every case a document must show. Names and figures are made up."""

from typing import Any


def money(amount: str | None, currency: str = "USD", **more: Any) -> dict[str, Any]:
    return {
        "amount": amount,
        "low": None,
        "high": None,
        "currency": currency,
        "basis": "list",
        "source": "Distributor Secret Ltd price list",
        "as_of": "2026-11-15",
        **more,
    }


def lead(low: float, typical: float, high: float, source: str = "distributor_feed") -> dict[str, Any]:
    return {"low": low, "typical": typical, "high": high, "source": source, "as_of": "2026-11-26"}


def origin(raw: str, code: str, grade: str, evidence: str, date: str = "2026-11-26") -> dict[str, Any]:
    return {"raw": raw, "code": code, "grade": grade, "evidence": evidence, "date": date}


def estimate(value: float | None, low: float | None, high: float | None, unit: str) -> dict[str, Any]:
    basis = "unknown" if value is None else "calibrated"
    return {"value": value, "low": low, "high": high, "unit": unit, "basis": basis, "source": "", "explain": ""}


def bom(currency: str = "USD") -> list[dict[str, Any]]:
    feed = "distributor_feed"
    return [
        {
            "line": "1.1", "kind": "base", "schedule": "33411", "category": "accelerator", "manufacturer": "Norvane",
            "mpn": "NV-A96P-600", "part": "norvane-a96p",
            "description": "Accelerator 96 GB, PCIe 5.0, 600 W, passive", "quantity": 8,
            "unit_price": money("9150.00", currency), "discount_pct": "6", "lead_weeks": lead(6, 8, 11, "maker"),
            "origin": origin("Mexico", "MX", "B", feed), "power_w": 600, "reason": "sized", "eccn": "3A090.b",
            "hts": "8473 30",
        },
        {
            "line": "1.2", "kind": "base", "category": "server", "manufacturer": "Castellan", "mpn": "CP-4U8-2S-X13",
            "description": "Server chassis 4U, 2 sockets, 8 slots", "quantity": 2,
            "unit_price": money("11240.00", currency), "discount_pct": "5", "lead_weeks": lead(4, 5, 6, "maker"),
            "origin": origin("Taiwan (R.O.C.)", "TW", "A", "manufacturer_letter", "2026-10-02"), "eccn": "5A992.c",
            "hts": "8471 50",
        },
        {
            "line": "1.3", "kind": "base", "category": "cpu", "manufacturer": "Litmark", "mpn": "LM-9532-29",
            "description": "Processor, 32 cores, 2.9 GHz", "quantity": 4, "unit_price": money("2180.00", currency),
            "lead_weeks": lead(2, 2.5, 3), "origin": origin("Ireland", "IE", "B", feed), "eccn": "5A992.c",
            "hts": "8542 31",
        },
        {
            "line": "1.4", "kind": "base", "category": "memory", "manufacturer": "Haldermem", "mpn": "HM-64R6400-1RC",
            "description": "Memory 64 GB DDR5-6400 RDIMM", "quantity": 32, "unit_price": money("588.00", currency),
            "discount_pct": "4", "lead_weeks": lead(2, 3, 5), "origin": origin("Korea", "KR", "B", feed),
            "eccn": "EAR99", "hts": "8473 30",
        },
        {
            "line": "1.5", "kind": "base", "category": "rails", "manufacturer": "Corvidra", "mpn": "CR-290-41803",
            "description": "Rail kit 4U, 28–36 in", "quantity": 2, "unit_price": money(None, currency),
            "lead_weeks": None, "origin": None,
        },
        {
            "line": "1.6", "kind": "option", "category": "accelerator", "manufacturer": "Norvane",
            "mpn": "NV-A96P-600", "description": "Two further accelerators 96 GB", "quantity": 2,
            "unit_price": money("9150.00", currency), "discount_pct": "6", "lead_weeks": lead(6, 8, 11, "maker"),
            "origin": origin("Mexico", "MX", "B", feed), "eccn": "3A090.b", "hts": "8473 30",
        },
        {
            "line": "1.7", "kind": "alternative", "alternative_to": "1.4", "category": "memory",
            "manufacturer": "Asagiri", "mpn": "AO-64R-J", "description": "Memory 64 GB DDR5-6400 RDIMM",
            "quantity": 32, "unit_price": money("603.00", currency, as_of="2026-11-24"),
            "lead_weeks": lead(3, 3.5, 4), "origin": origin("Japan", "JP", "A", "manufacturer_letter", "2026-11-24"),
            "eccn": "EAR99", "hts": "8473 30",
        },
        {
            "line": "2.1", "kind": "base", "category": "switch", "section_title": "Network", "manufacturer": "Vantrel",
            "mpn": "VT-3200C-F", "description": "Switch, 32 ports 100 GbE, front-to-back air", "quantity": 1,
            "unit_price": money("14900.00", currency), "discount_pct": "8", "lead_weeks": lead(3, 4, 5),
            "origin": origin("Made in P.R.C.", "CN", "B", feed), "eccn": "5A992.c", "hts": "8517 62",
        },
        {
            "line": "2.2", "kind": "base", "category": "cable", "manufacturer": "Perilux", "mpn": "PX-DAC-100-2M-2",
            "description": "Copper cable 100 GbE, 2 m", "quantity": 4, "pack_size": 2,
            "unit_price": money("168.00", currency, as_of="2026-11-24"), "lead_weeks": lead(0.5, 0.7, 1, "stock"),
            "origin": origin("Mexico", "MX", "C", "datasheet", "2026-07-09"), "eccn": "EAR99", "hts": "8544 42",
        },
        {
            "line": "3.1", "kind": "service", "manufacturer": "Ridgeline", "mpn": "RS-INT-24",
            "description": "Integration, 24 h burn-in, measured report", "quantity": 2, "unit": "node",
            "unit_price": money("2450.00", currency), "lead_weeks": None,
        },
        {
            "line": "3.2", "kind": "licence", "category": "software", "manufacturer": "Openhelm",
            "mpn": "OH-INF-SUP-12", "description": "Inference server, support, 12 months", "quantity": 8,
            "unit": "gpu", "unit_price": money("1200.00", currency), "lead_weeks": None,
        },
        {
            "line": "3.3", "kind": "included", "included_in": "1.2", "manufacturer": "Ridgeline", "mpn": "RS-NBD-36",
            "description": "On-site service, next day, 36 months", "quantity": 2, "unit": "node", "unit_price": None,
        },
    ]  # fmt: skip


def option(currency: str = "USD") -> dict[str, Any]:
    """A complete option: four accelerators a replica, two servers, one open line."""
    return {
        "rank": 1,
        "accelerator": "norvane-a96p",
        "accelerators_total": 8,
        "replicas": 2,
        "accelerators_per_replica": 4,
        "engine": "vllm",
        "weights_format": "fp8",
        "kv_format": "fp8",
        "server": "castellan-4u",
        "servers": 2,
        "memory_per_accelerator": {
            "usable_bytes": 91_200_000_000,
            "weight_bytes": 30_800_000_000,
            "kv_pool_bytes": 41_600_000_000,
            "activation_bytes": 3_900_000_000,
            "runtime_bytes": 2_300_000_000,
        },
        "performance": {
            "ttft_ms": {"p95": estimate(800, 600, 1100, "ms")},
            "tpot_ms": {"p95": estimate(43, 37, 51, "ms")},
            "e2e_ms": {"p95": estimate(None, None, None, "ms")},
            "output_tokens_per_s_total": estimate(2940, 2500, 3400, "1/s"),
            "saturated": False,
        },
        "power_w": estimate(5900, 5200, 6600, "W"),
        "cost": {"purchase": money(None, currency)},
        "delivery": {"weeks_p50": 10, "weeks_p90": 13, "complete": False, "deciding_line": "1.1"},
        "bom": bom(currency),
    }


def request(buyer_type: str = "us_gsa_mas", currency: str = "USD") -> dict[str, Any]:
    return {
        "name": "Inference service for 400 users",
        "kind": "llm_serving",
        "model": {"id": "acme/open-123b"},
        "traffic": {"input_tokens": 1024, "output_tokens": 256, "users": 400, "active_share": 0.25},
        "targets": {"ttft_ms": {"p95": 1000}, "tpot_ms": {"p95": 50}},
        "site": {"max_power_w": None},
        "procurement": {
            "buyer_type": buyer_type,
            "currency": currency,
            "destination_country": None if buyer_type.startswith("us") else "DE",
        },
    }


def result() -> dict[str, Any]:
    return {
        "engine_version": "1",
        "catalog_version": "7",
        "input_hash": "sha256:00",
        "model": {"parameters_total": 123_000_000_000},
        "assumptions": [
            {"field": "traffic.active_share", "value": 0.25, "reason": "a quarter of the users waits at the peak"},
            {"field": "site.max_power_w", "value": None, "reason": "no limit was given, so power is not judged"},
        ],
    }
