"""Hub lookup against a stand-in for the library: config, exact bytes, and clear refusals.

`test_hub_library.py` asks the real library over HTTP.
"""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HTTPError,
    NotASafetensorsRepoError,
    RepositoryNotFoundError,
)

from sizing.core.errors import InvalidModel
from sizing.hub import hub_model


class Hub:
    """Answers as HfApi does; `failure` is raised at the first call."""

    token = "of-the-user"

    def __init__(self, files: dict[str, Any], *, failure: Exception | None = None, sizes: int = 100) -> None:
        self.files = files
        self.failure = failure
        self.sizes = sizes

    def model_info(self, model_id: str, **_: Any) -> Any:
        if self.failure is not None:
            raise self.failure
        siblings = [SimpleNamespace(rfilename=name, size=self.sizes) for name in self.files]
        return SimpleNamespace(sha="abc", siblings=siblings)

    def hf_hub_download(self, model_id: str, name: str, *, local_dir: str, **_: Any) -> str:
        path = Path(local_dir) / name
        path.write_text(json.dumps(self.files[name]))
        return str(path)

    def get_safetensors_metadata(self, model_id: str, **_: Any) -> Any:
        if "model.safetensors" not in self.files:
            raise NotASafetensorsRepoError("none")
        tensors = {
            "a": SimpleNamespace(dtype="BF16", data_offsets=(0, 40)),
            "b": SimpleNamespace(dtype="BF16", data_offsets=(40, 100)),
        }
        return SimpleNamespace(files_metadata={"model.safetensors": SimpleNamespace(tensors=tensors)})


def response(status: int) -> Any:
    request = SimpleNamespace(method="GET", url="https://hub.invalid")
    return SimpleNamespace(status_code=status, headers={}, request=request, url=request.url)


def look_up(hub: Hub) -> Any:
    return hub_model("org/model", api=hub)  # type: ignore[arg-type]  (a stand-in)


def test_config_and_exact_bytes_are_read() -> None:
    found = look_up(Hub({"config.json": {"hidden_size": 8}, "model.safetensors": None}))
    assert found.config == {"hidden_size": 8}
    assert (found.bytes_by_format, found.revision) == ({"BF16": 100}, "abc")


def test_a_modelopt_side_file_comes_along() -> None:
    found = look_up(Hub({"config.json": {"hidden_size": 8}, "hf_quant_config.json": {"quantization": {}}}))
    assert found.config["hf_quant_config"] == {"quantization": {}}
    assert found.bytes_by_format == {}


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (HTTPError("no route"), "hub_offline"),
        (TimeoutError("slow"), "hub_offline"),
        (GatedRepoError("gated", response=response(403)), "hub_gated"),
        (RepositoryNotFoundError("none", response=response(404)), "hub_not_found"),
        (HfHubHTTPError("broken", response=response(502)), "hub_failed"),
        (HfHubHTTPError("no access", response=response(403)), "hub_token_refused"),
    ],
)
def test_failures_say_what_to_do(failure: Exception, code: str) -> None:
    with pytest.raises(InvalidModel) as caught:
        look_up(Hub({}, failure=failure))
    assert caught.value.code == code
    assert caught.value.message.params["model"] == "org/model"


def test_a_huge_config_is_refused_unread() -> None:
    with pytest.raises(InvalidModel) as caught:
        look_up(Hub({"config.json": {}}, sizes=10**9))
    assert caught.value.code == "model_file_too_large"
