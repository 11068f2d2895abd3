"""Bill of materials, delivery and cost for 300 options of the shipped catalogue, on one core.

Run: python -m benchmarks.configure_options. Prints seconds of processor time against the limit of 1.5 s
and the peak memory against 300 MB.
"""

import resource
import time
from datetime import date
from decimal import Decimal

from quotes.bom import configure, prepare
from quotes.cost import CostTerms, Load, compare
from quotes.delivery import DeliveryTerms, plan_delivery
from tests.quotes.bom_world import AS_OF, api_rates, catalogue, rental_rates, request, rules

LIMIT_S = 1.5
LIMIT_MB = 300
OPTIONS = 300


def main() -> None:
    stored, rentals, apis, known = rules(), rental_rates(), api_rates(), catalogue()
    terms = CostTerms(currency="USD", as_of=AS_OF, write_off_years=5, electricity_price_per_kwh=Decimal("0.2"), pue=1.4)
    load = Load(requests_per_day=1e5, capacity_requests_per_s=3.0, input_tokens=800, output_tokens=200)
    delivery = DeliveryTerms(order_date=date.fromisoformat(AS_OF), integration_weeks=1, shipping_weeks=1)
    plans = [(part.slug, cards) for part in known.accelerators for cards in (1, 2, 4, 8)][:OPTIONS]
    started = time.process_time()
    prepared = prepare(known)
    for slug, cards in plans:
        result = configure(request(slug, cards, 2), prepared, stored)
        plan_delivery(result.lines, delivery)
        compare(
            result,
            load,
            terms,
            stored,
            accelerator=slug,
            model="llama-3.1-8b-instruct",
            rental_rates=rentals,
            api_rates=apis,
        )
    used_s = time.process_time() - started
    used_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(plans)} options: {used_s:.2f} s of {LIMIT_S} s ({used_s / LIMIT_S:.0%}), {used_mb:.0f} of {LIMIT_MB} MB"
    )


if __name__ == "__main__":
    main()
