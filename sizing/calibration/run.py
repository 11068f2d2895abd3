"""Fits the coefficients and writes the version's file with its fit report.

Run: python -m sizing.calibration.run VERSION
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from sizing.calibration.errors import METRICS, LogErrors, errors_of, left_out, median_and_tail
from sizing.calibration.fit import CORPUS, ENGINE_PRIOR_WEIGHT, FIXED, PRIOR_WEIGHT, PRIORS, Fit, fit, predict
from sizing.calibration.intervals import INSIDE_GROUP, OVER_GROUPS, bands_of, coverage
from sizing.calibration.load import COEFFICIENTS, CURRENT_VERSION
from sizing.calibration.measured import Measured, measured, serving_rows, system_figures
from sizing.calibration.models import measured_models
from sizing.core.estimates import model_signature

DIGITS = 6


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, leave groups out, learn the bands and write `sizing/data/coefficients/VERSION.json`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", nargs="?", default=CURRENT_VERSION)
    version = parser.parse_args(arguments).version
    content = json.dumps(calibrate(version), indent=2, sort_keys=False) + "\n"
    (COEFFICIENTS / f"{version}.json").write_text(content, encoding="utf-8")


def calibrate(version: str) -> dict[str, object]:
    """The content of a coefficients file."""
    points = measured(serving_rows(), measured_models())
    whole = fit(points, version=version)
    same = errors_of(points, predict(points, whole.values))
    family = left_out(points, points.families, whole)
    system = left_out(points, points.systems, whole)
    bands = bands_of(points.groups, same, system, family)
    sets = {"in_sample": same, "family_left_out": family, "accelerator_left_out": system}
    return {
        "version": version,
        "step": _rounded(asdict(whole.coefficients.step)),
        "latency": _rounded(asdict(whole.coefficients.latency)),
        "engine_factors": _rounded(whole.coefficients.engine_factors),
        "bands": {kind: _rounded(asdict(band)) for kind, band in bands.items()},
        **_seen(points),
        "corpus": _rounded(whole.corpus),
        "report": _report(points, whole, sets),
    }


def _seen(points: Measured) -> dict[str, object]:
    models = measured_models()
    signatures = {family: model_signature(models[family]) for family in set(points.families.tolist())}
    systems = system_figures()
    slugs = [str(systems[str(system)]["slug"]) for system in points.systems]
    triples = {
        (signatures[str(family)], slug, str(engine))
        for family, slug, engine in zip(points.families, slugs, points.engines, strict=True)
    }
    return {
        "calibrated_models": sorted(signatures.values()),
        "calibrated_accelerators": sorted(set(slugs)),
        "calibrated_triples": [list(triple) for triple in sorted(triples)],
    }


def _report(points: Measured, whole: Fit, sets: Mapping[str, LogErrors]) -> dict[str, object]:
    labels = {"family_left_out": points.families, "accelerator_left_out": points.systems}
    table = {
        name: {metric: [round(100 * x, 2) for x in median_and_tail(errors.absolute(metric))] for metric in METRICS}
        for name, errors in sets.items()
    }
    covered = {
        name: {
            metric: [round(100 * x, 1) for x in coverage(points.groups, getattr(sets[name], metric), label)]
            for metric in METRICS
        }
        for name, label in labels.items()
    }
    return {
        "points": len(points),
        "groups": int(points.groups.max()) + 1,
        "cost": round(whole.cost, DIGITS),
        "error_percent_median_and_90th": table,
        "coverage_and_width_percent": covered,
        "refused_points": int(sum(sets["in_sample"].refused)),
        "fixed": dict(FIXED),
        "priors": dict(PRIORS),
        "prior_weight": PRIOR_WEIGHT,
        "engine_prior_weight": ENGINE_PRIOR_WEIGHT,
        "corpus_descriptors": sorted(CORPUS),
        "band_rule": [INSIDE_GROUP, OVER_GROUPS],
    }


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{value:.{DIGITS}g}") for name, value in values.items()}


if __name__ == "__main__":
    main()
