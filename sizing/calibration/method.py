"""Writes the generated parts of docs/method.md. Run: python -m sizing.calibration.method"""

import json
from pathlib import Path

from sizing.calibration.claimed import claims
from sizing.calibration.load import COEFFICIENTS, CURRENT_VERSION
from sizing.core.explain import as_markdown

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "method.md"


def main() -> None:
    """Replace what stands between the markers by what code and data say now."""
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, content in generated().items():
        text = replaced(text, name, content)
    DOCUMENT.write_text(text, encoding="utf-8")


def generated() -> dict[str, str]:
    """The generated parts by marker name."""
    return {
        "formulas": as_markdown(),
        "coefficients": _coefficients(),
        "devices": _devices(),
        "claims": _claims(),
    }


def replaced(text: str, name: str, content: str) -> str:
    """`text` with the part `name` replaced. Raises ValueError where its markers are missing."""
    start, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    before, _, rest = text.partition(start)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"docs/method.md has no markers for {name}")
    return f"{before}{start}\n{content}{end}{after}"


def _coefficients() -> str:
    stored = json.loads((COEFFICIENTS / f"{CURRENT_VERSION}.json").read_text(encoding="utf-8"))
    report = stored["report"]
    lines = [f"Version {stored['version']}, {report['points']} points in {report['groups']} groups.", ""]
    lines += ["| coefficient | value | how |", "|---|---|---|"]
    for name, value in {**stored["step"], **stored["latency"]}.items():
        how = "set before the fit" if name in report["fixed"] else "fitted"
        lines.append(f"| `{name}` | {value:.4g} | {how} |")
    lines += [f"| step factor of {slug} | {value:.4g} | fitted |" for slug, value in stored["engine_factors"].items()]
    lines += ["", "| error, median / 90th percentile in % | TPOT | TTFT | throughput |", "|---|---|---|---|"]
    for name, row in report["error_percent_median_and_90th"].items():
        lines.append(f"| {name.replace('_', ' ')} | " + " | ".join(f"{a} / {b}" for a, b in row.values()) + " |")
    lines += ["", "| 90 % interval: covered / width in % | TPOT | TTFT | throughput |", "|---|---|---|---|"]
    for name, row in report["coverage_and_width_percent"].items():
        lines.append(f"| {name.replace('_', ' ')} | " + " | ".join(f"{a} / {b}" for a, b in row.values()) + " |")
    lines += ["", "| evidence | TPOT | throughput | TTFT |", "|---|---|---|---|"]
    for name, band in stored["bands"].items():
        lines.append(f"| {name} | x/÷ {band['tpot']:.2f} | {band['throughput']:.2f} | {band['ttft']:.2f} |")
    return "\n".join(lines) + "\n"


def _devices() -> str:
    devices = json.loads((COEFFICIENTS / "devices.json").read_text(encoding="utf-8"))
    lines = [
        "| profile | bandwidth | compute | overhead | step | band at least | source |",
        "|---|---|---|---|---|---|---|",
    ]
    for slug, fields in devices.items():
        figures = [
            fields.get(name, 1.0) for name in ("bandwidth_factor", "compute_factor", "overhead_factor", "step_factor")
        ]
        cells = " | ".join(f"{figure:g}" for figure in figures)
        lines.append(f"| {slug} | {cells} | {fields.get('band', '')} | {fields['source']} |")
    return "\n".join(lines) + "\n"


def _claims() -> str:
    lines = ["| claim | claimed | measured by others | computed |", "|---|---|---|---|"]
    lines += [f"| {row.claim} | {row.claimed} | {row.others or '—'} | {row.computed:.2f} |" for row in claims()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
