"""Bill of materials, delivery, cost, screening and rank of every feasible option of one workload, on one core.

The workload is a chat of 200 users on a 70B model over the whole shipped catalogue, with no hardware excluded:
every deployment that the search calls feasible is configured, dated, priced, screened and ranked, as a run does.
The search itself is not counted. Needs a seeded database, as `manage.py seed` makes it.

Run: python -m benchmarks.configure_options. Prints seconds of processor time against the limit of 1.5 s and the
peak memory against 300 MB; exit status 1 above either.
"""

import os
import resource
import sys
import time
from datetime import date

import django

LIMIT_S = 1.5
LIMIT_MB = 300
REQUEST = {
    "kind": "llm_serving",
    "model": {"id": "meta-llama/Llama-3.1-70B-Instruct"},
    "weights_format": "fp8",
    "traffic": {"input_tokens": 1024, "output_tokens": 256, "users": 200},
    "targets": {"tpot_ms": {"p95": 80}},
    "site": {"electricity_price_per_kwh": 0.25, "pue": 1.4, "volts": 230, "max_power_w": 200_000, "rack_units": 84},
    "procurement": {"currency": "USD"},
    "as_of": "2026-11-30",
}


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from sizing import available, pipeline  # noqa: PLC0415 - Django must be set up first
    from sizing.calibration.load import load_coefficients  # noqa: PLC0415
    from sizing.core.rank import rank  # noqa: PLC0415
    from sizing.core.recommend import recommend  # noqa: PLC0415
    from sizing.inputs import asked  # noqa: PLC0415
    from sizing.priced import price_option  # noqa: PLC0415
    from sizing.requests import read_request  # noqa: PLC0415

    question = asked(read_request(REQUEST, today=date(2026, 11, 30)))
    found = recommend(question.core, available.core_catalogue(()), coefficients=load_coefficients())
    market = pipeline.market_of(read_request(REQUEST, today=date(2026, 11, 30)), question, None)
    started = time.process_time()
    priced = [price_option(candidate, market) for candidate in found.options]
    ranking = rank([pipeline.rank_item(index, option) for index, option in enumerate(priced)])
    used_s = time.process_time() - started
    used_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(ranking.order)} options: {used_s:.2f} s of {LIMIT_S} s ({used_s / LIMIT_S:.0%}), "
        f"{used_mb:.0f} of {LIMIT_MB} MB"
    )
    return int(used_s > LIMIT_S or used_mb > LIMIT_MB)


if __name__ == "__main__":
    sys.exit(main())
