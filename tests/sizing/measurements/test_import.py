"""Imported results are matched to the deployment, judged, stored with their source and kept to one organisation."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from config.accounts.models import AuditEvent, Organisation
from config.accounts.services import read_file
from sizing.calibration.load import load_coefficients
from sizing.core.errors import SizingError
from sizing.measurements.predict import Loads, Setting, canonical, deployed, state_of
from sizing.measurements.services import import_results, loads_of, setting_from, setting_of
from sizing.models import Measurement
from tests.factories import make_organisation
from tests.sizing.measurements import samples
from tests.sizing.measurements.samples import as_bytes

pytestmark = pytest.mark.usefixtures("seeded")
MODEL = "meta-llama/Llama-3.1-8B-Instruct"


def setting(**changes: Any) -> Setting:
    values = {"model": canonical({"id": MODEL}), "accelerator": "nvidia-h100-sxm5-80gb", "engine": "vllm"}
    return Setting(**(values | changes))


def vllm_result(tpot_ms: float, *, concurrent: int = 32, **changes: Any) -> bytes:
    """A result that agrees with itself for any time per token."""
    e2e_ms = 180.5 + 255 * tpot_ms
    completed = concurrent * 10
    return as_bytes(
        {key: value for key, value in samples.VLLM.items() if "tpot" not in key and "e2el" not in key}
        | {
            "max_concurrency": concurrent, "num_prompts": completed, "completed": completed,
            "total_input_tokens": completed * 1024, "total_output_tokens": completed * 256,
            "mean_tpot_ms": tpot_ms, "mean_e2el_ms": e2e_ms,
            "output_throughput": concurrent * 256 / e2e_ms * 1000,
        } | changes
    )  # fmt: skip


def expected_ms(concurrent: float = 32.0) -> float:
    place = deployed(setting(), load_coefficients())

    loads = Loads(
        concurrent=np.array([concurrent]),
        input_tokens=np.array([1024.0]),
        output_tokens=np.array([256.0]),
        prompts_per_slot=np.array([10.0]),
    )
    return float(state_of(place, loads).tpot_s[0] * 1e3)


def test_a_result_is_stored_with_file_line_load_and_statistics() -> None:
    owner = make_organisation()
    content = vllm_result(expected_ms())
    (row,) = import_results(organisation=owner, content=content, name="bench.json", setting=setting())
    assert (row.tool, row.line, row.concurrent, row.input_tokens) == ("vllm bench serve", 1, 32.0, 1024.0)
    assert row.prompts_per_slot == 10.0
    assert row.statistics["ttft"]["p99"] == pytest.approx(401.9)
    assert read_file(row.file) == content
    assert AuditEvent.objects.get(object_kind="measurement").after["loads"] == 1


def test_the_same_file_twice_is_stored_once() -> None:
    owner, content = make_organisation(), vllm_result(expected_ms())
    for _ in range(2):
        import_results(organisation=owner, content=content, name="bench.json", setting=setting())
    assert Measurement.objects.count() == 1


def test_a_stored_measurement_gives_back_its_deployment() -> None:
    owner = make_organisation()
    at = setting(tensor=2, kv_format="fp8", max_sequences=256)
    (row,) = import_results(organisation=owner, content=vllm_result(expected_ms()), name="b.json", setting=at)
    again = setting_of(Measurement.objects.get(pk=row.pk))
    assert (again.tensor, again.kv_format, again.max_sequences) == (2, "fp8", 256)
    assert loads_of([row]).concurrent.tolist() == [32.0]


def test_what_no_such_machine_can_do_is_refused_and_nothing_is_stored() -> None:
    owner = make_organisation()
    with pytest.raises(SizingError) as caught:
        import_results(organisation=owner, content=vllm_result(0.4), name="b.json", setting=setting())
    assert caught.value.code == "measurement_far_from_possible"
    assert Measurement.objects.count() == 0


def test_what_is_far_from_expected_gets_a_warning() -> None:
    content = vllm_result(expected_ms() * 2.5)
    (row,) = import_results(organisation=make_organisation(), content=content, name="b.json", setting=setting())
    assert [warning["code"] for warning in row.warnings] == ["measurement_far_from_expected"]


def test_results_of_another_engine_are_refused() -> None:
    with pytest.raises(SizingError) as caught:
        import_results(
            organisation=make_organisation(), content=as_bytes(samples.LLAMA_BENCH), name="l.json", setting=setting()
        )
    assert caught.value.code == "measurement_other_engine"


def test_a_file_without_its_load_is_refused() -> None:
    with pytest.raises(SizingError) as caught:
        import_results(
            organisation=make_organisation(), content=as_bytes(samples.GENAI_PERF_CSV), name="g.csv", setting=setting()
        )
    assert caught.value.code == "measurement_load_unknown"


def test_unknown_names_are_refused() -> None:
    with pytest.raises(SizingError, match="measurement_model_unknown"):
        setting_from({"model": "nobody/nothing", "accelerator": "nvidia-h100-sxm5-80gb", "engine": "vllm"})
    with pytest.raises(SizingError, match="measurement_accelerator_unknown"):
        setting_from({"model": MODEL, "accelerator": "none", "engine": "vllm"})


def run_command(path: Path, *arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("import_measurements", str(path), *arguments, stdout=out)
    return dict(json.loads(out.getvalue()))


def test_the_command_imports_a_file(tmp_path: Path) -> None:
    make_organisation(name="Acme")
    path = tmp_path / "bench.json"
    path.write_bytes(vllm_result(expected_ms()))
    found = run_command(path, "--model", MODEL.lower(), "--accelerator", "nvidia-h100-sxm5-80gb")
    assert found["imported"] == 1
    assert found["measurements"][0]["concurrent_requests"] == 32.0
    assert Measurement.objects.get().organisation == Organisation.objects.get(name="Acme")


def test_the_command_refuses_with_a_problem_document_and_exit_code_2(tmp_path: Path) -> None:
    make_organisation(name="Acme")
    path = tmp_path / "bench.json"
    path.write_bytes(b"{")
    errors = StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command(
            "import_measurements", str(path), "--model", MODEL, "--accelerator", "nvidia-h100-sxm5-80gb", stderr=errors
        )
    assert stopped.value.code == 2
    document = json.loads(errors.getvalue())
    assert document["code"] == "measurement_not_json"
    assert "Line 1" in document["detail"]
