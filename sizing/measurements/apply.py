"""Options near an organisation's own measured points follow them, say so, and have narrower intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, log
from typing import Any

from config.accounts.models import Organisation
from sizing.core.candidate import Candidate, NearestPoint, Performance
from sizing.core.estimates import model_signature
from sizing.core.request import CoreRequest
from sizing.core.values import Basis, Estimate
from sizing.core.verdicts import speed_verdict
from sizing.measurements.kriging import Learned, Places, correct, distance_to, interval_factor, places_of
from sizing.measurements.learned import learned_of
from sizing.models import CalibrationVersion

MEASURED_WITHIN = 0.15
"""Doublings from an own point within which an option counts as measured: 11 % of load or length."""

UNTOUCHED_ABOVE = 0.95
"""Share of the variance left above which own points say nothing of an option, and it stays as it is."""

INTERPOLATED_BELOW = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A calibration ready for use."""

    number: int
    sha256: str
    measured: Sequence[Mapping[str, Any]]
    learned: Mapping[str, Learned]


def active(organisation: Organisation | None) -> Own | None:
    """The organisation's calibration in use, or None."""
    if organisation is None:
        return None
    row = CalibrationVersion.objects.filter(organisation=organisation, active=True).values_list("pk", "sha256").first()
    return _read(*row) if row else None


@lru_cache(maxsize=8)
def _read(key: int, sha256: str) -> Own:
    row = CalibrationVersion.objects.get(pk=key)
    return Own(number=row.number, sha256=sha256, measured=row.content["measured"], learned=learned_of(row.content))


def corrected(options: Sequence[Candidate], request: CoreRequest, own: Own | None) -> tuple[Candidate, ...]:
    """The options with what own measurements say of them; the others unchanged, in the same order."""
    if own is None or not own.measured:
        return tuple(options)
    return tuple(_corrected(option, request, own) for option in options)


def place_of(option: Candidate, request: CoreRequest) -> Places:
    """Where an option lies among measured points, at the load of one replica."""
    deployment, traffic = option.deployment, request.traffic
    labels = (model_signature(request.model), deployment.accelerator.slug, deployment.engine, deployment.weights_format)
    figures = (
        option.performance.requests_in_flight_per_replica, traffic.input_tokens.mean, traffic.output_tokens.mean,
        float(deployment.layout.accelerators), float(deployment.layout.data),
    )  # fmt: skip
    return places_of([labels], [figures])


def _corrected(option: Candidate, request: CoreRequest, own: Own) -> Candidate:
    place = place_of(option, request)
    token, first = own.learned["tpot"], own.learned["ttft"]
    found = {"tpot": correct(token, place), "ttft": correct(first, place)}
    if float(found["tpot"].left[0]) > UNTOUCHED_ABOVE:
        return option
    distance, index = distance_to(token, place)
    nearest = own.measured[int(index[0])] if distance[0] < 10.0 else None
    basis = option.performance.tpot_ms["mean"].basis
    if distance[0] <= MEASURED_WITHIN:
        basis = Basis.MEASURED
    elif float(found["tpot"].left[0]) < INTERPOLATED_BELOW:
        basis = Basis.INTERPOLATED
    source = f"own calibration {own.number}"
    if nearest is not None:
        source += f", {nearest['reference']}, distance {distance[0]:.2f}"
    changes = {
        metric: _Change(
            factor=exp(float(each.residual[0])), left=float(each.left[0]), learned=own.learned[metric], basis=basis,
            source=source,
        )
        for metric, each in found.items()
    }  # fmt: skip
    performance = _performance(option.performance, changes, request)
    points = [_as_nearest(nearest, float(distance[0]))] if nearest is not None else []
    return replace(
        option,
        performance=performance,
        speed_verdict=speed_verdict(performance, request.targets),
        nearest=(*points, *option.nearest),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """How one metric moves: by what factor, and how much of its interval stays."""

    factor: float
    left: float
    learned: Learned
    basis: Basis
    source: str

    def of(self, estimate: Estimate, factor: float | None = None) -> Estimate:
        """The estimate moved, its interval as narrow as the variance that is left."""
        if estimate.value is None or estimate.high is None:
            return estimate
        value = estimate.value * (self.factor if factor is None else factor)
        width = estimate.high / estimate.value
        wide = interval_factor(width, self.left, self.learned) if width > 1.0 else 1.0
        return replace(estimate, value=value, low=value / wide, high=value * wide, basis=self.basis, source=self.source)


def _performance(before: Performance, changes: Mapping[str, _Change], request: CoreRequest) -> Performance:
    """Latencies each by its own change; end-to-end time and rate from both, as Little's law joins them."""
    token, first = changes["tpot"], changes["ttft"]
    tpot = {statistic: token.of(each) for statistic, each in before.tpot_ms.items()}
    ttft = {statistic: first.of(each) for statistic, each in before.ttft_ms.items()}
    stretch = _stretch(before, tpot, ttft, request.traffic.output_tokens.mean)
    e2e = {statistic: token.of(each, stretch) for statistic, each in before.e2e_ms.items()}
    closed = request.traffic.concurrent_requests is not None
    rate = 1.0 / stretch if closed else 1.0  # open arrivals bring what they bring
    return replace(
        before,
        tpot_ms=tpot,
        ttft_ms=ttft,
        e2e_ms=e2e,
        output_tokens_per_s_per_replica=token.of(before.output_tokens_per_s_per_replica, rate),
        output_tokens_per_s_total=token.of(before.output_tokens_per_s_total, rate),
    )


def _stretch(
    before: Performance, tpot: Mapping[str, Estimate], ttft: Mapping[str, Estimate], output_tokens: float
) -> float:
    """By what factor a whole request takes longer; by that of its tokens where the first one is unknown."""

    def whole(first: Estimate, token: Estimate) -> float:
        return (first.value or 0.0) + max(output_tokens - 1.0, 0.0) * (token.value or 0.0)

    old, new = whole(before.ttft_ms["mean"], before.tpot_ms["mean"]), whole(ttft["mean"], tpot["mean"])
    return exp(log(new) - log(old)) if old > 0 and new > 0 else 1.0


def _as_nearest(point: Mapping[str, Any], distance: float) -> NearestPoint:
    family, accelerator, engine, weights = point["labels"]
    concurrent, given, answer, accelerators, _data = point["figures"]
    return NearestPoint(
        reference=f"own:{point['reference']}",
        distance=distance,
        tpot_ms=point["tpot_ms"],
        ttft_ms=point["ttft_ms"],
        description={
            "family": family.split("/")[0],
            "accelerator": accelerator,
            "accelerators": int(accelerators),
            "engine": engine,
            "engine_version": "",
            "weights_format": weights,
            "concurrent_requests": concurrent,
            "input_tokens": given,
            "output_tokens": answer,
            "measured_on": "",
        },
    )
