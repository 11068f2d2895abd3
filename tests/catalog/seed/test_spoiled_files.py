"""Files that hold errors, the command around them, and model files; each test starts with an empty catalogue."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalog.models import Accelerator, AiModel
from catalog.seed.load import SeedFailed, load_seed
from tests.catalog.seed.spoil import replace

pytestmark = pytest.mark.django_db


def test_an_unreadable_cell_loads_nothing_and_names_the_place(data_dir: Path) -> None:
    replace(data_dir / "accelerators.csv", "HBM2,900,", "HBM2,9OO,")
    with pytest.raises(SeedFailed, match=r"accelerators.csv line 2: memory_bandwidth_gb_s '9OO' is no FloatField"):
        load_seed(data_dir)
    assert not Accelerator.objects.exists()


def test_the_command_prints_the_report_and_fails_for_errors_only(data_dir: Path) -> None:
    out, err = StringIO(), StringIO()
    call_command("seed", "--data", data_dir, stdout=out, stderr=err)
    assert "unknown in cloud_rates.csv (rows kept): nvidia-a10g-24gb" in out.getvalue()
    replace(data_dir / "cpus.csv", "amd-epyc-9755,AMD", "amd-epyc-9965,AMD")
    with pytest.raises(CommandError, match="nothing was loaded"):
        call_command("seed", "--data", data_dir, stdout=out, stderr=err)
    assert "ERROR processor: amd-epyc-9965 occurs twice" in err.getvalue()


def test_config_files_of_models_are_loaded_where_they_are_shipped(data_dir: Path) -> None:
    folder = data_dir / "models"
    (folder / "configs").mkdir(parents=True)
    (folder / "configs" / "tiny.json").write_text('{"architectures": ["LlamaForCausalLM"], "num_hidden_layers": 2}')
    (folder / "sources.csv").write_text(
        "model_id,file,source_repo,source_path,commit,snapshot_date,kind,licence,note\n"
        "example/tiny,configs/tiny.json,example/repo,config.json,abc,2026-08-21,original,apache-2.0,\n"
    )
    load_seed(data_dir)
    model = AiModel.objects.get()
    assert (model.model_id, model.architecture, model.config["num_hidden_layers"]) == (
        "example/tiny",
        "LlamaForCausalLM",
        2,
    )
