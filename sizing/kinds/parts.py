"""An option of these kinds as a request to the configurator and as a load for the cost comparison."""

from quotes import bom, cost
from sizing.core.kinds.candidate import KindCandidate
from sizing.core.workload import Site
from sizing.kinds.hardware import part_of

SECONDS_PER_DAY = 86_400


def bom_request(
    candidate: KindCandidate, hardware: bom.Prepared, *, site: Site, procurement: bom.Procurement, as_of: str
) -> bom.BomRequest:
    """The option as parts to buy."""
    deployment, demand = candidate.deployment, candidate.demand
    boards = -(-deployment.accelerators_per_replica // deployment.accelerator.logical_devices)
    return bom.BomRequest(
        accelerator=part_of(deployment.accelerator, hardware),
        accelerators_per_replica=boards,
        replicas=deployment.replicas,
        spare_replicas=deployment.spare_replicas,
        accelerators_total=deployment.accelerators_total if deployment.beside else None,
        site=site,
        procurement=procurement,
        as_of=as_of,
        model_bytes=demand.weight_bytes,
        requests_per_s=demand.items_per_s,
        payload_bytes_per_request=demand.payload_bytes_per_item or None,
        precision=deployment.weights_format,
        engine=deployment.engine,
        cpu_cores_needed=demand.host_cores,
        host_offload_bytes=demand.host_bytes,
    )


def load(candidate: KindCandidate) -> cost.Load:
    """The stated load over a day, in items of the kind."""
    demand = candidate.demand
    return cost.Load(
        requests_per_day=None if demand.items_per_s is None else demand.items_per_s * SECONDS_PER_DAY,
        capacity_requests_per_s=demand.capacity_items_per_s,
        unit=demand.unit,
        units_per_request=1.0,
    )
