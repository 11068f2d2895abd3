"""What stands beside an option: sensitivities, nearest measured points, load curve, roofline and its neighbours."""

from dataclasses import replace

from sizing.core.alternatives import alternatives
from sizing.core.assemble import Chosen, at_row
from sizing.core.candidate import Candidate, NearestPoint
from sizing.core.claims import claims_of
from sizing.core.coefficients import MeasuredPoint
from sizing.core.estimates import model_signature
from sizing.core.load_curve import load_curve
from sizing.core.nearest import nearest_points
from sizing.core.operating_points import roofline
from sizing.core.search import Carried
from sizing.core.sensitivity import sensitivities


def with_context(candidate: Candidate, one: Chosen, result: Carried, row: int) -> Candidate:
    """The candidate with neighbours, sensitivities, nearest measured points, load curve and roofline."""
    moved = sensitivities(one)
    return replace(
        candidate,
        nearest=tuple(_nearest(candidate, one)),
        neighbours=alternatives(one, result, row),
        sensitivity=moved["tpot"],
        sensitivities=moved,
        claims=claims_of(one),
        load_curve=load_curve(one, candidate.performance),
        roofline=roofline(one),
    )


def _nearest(candidate: Candidate, one: Chosen) -> list[NearestPoint]:
    request, deployment = one.grid.request, candidate.deployment
    model = request.model
    wanted = MeasuredPoint(
        reference="",
        family=model.family,
        signature=model_signature(model),
        accelerator=deployment.accelerator.slug,
        compute_capability=deployment.accelerator.compute_capability,
        engine=deployment.engine,
        engine_version=deployment.engine_version,
        weights_format=deployment.weights_format,
        accelerators=deployment.layout.accelerators,
        concurrent=at_row(one.concurrent, 0),
        input_tokens=request.traffic.input_tokens.mean,
        output_tokens=request.traffic.output_tokens.mean,
        active_parameters=float(model.active_parameters),
        total_parameters=float(model.total_parameters),
        tpot_s=0.0,
        ttft_s=None,
        measured_on="",
    )
    return nearest_points(one.coefficients.measured_table, wanted)
