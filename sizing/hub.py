"""Looks a model up on the hub by name: its config.json and the exact bytes of its weights.

The token is the user's own and is passed on, never stored; no ambient token of the server is used.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import HfApi
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    LocalEntryNotFoundError,
    NotASafetensorsRepoError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
    SafetensorsParsingError,
)
from huggingface_hub.errors import HTTPError as TransportError  # type: ignore[attr-defined]  # of its HTTP library

from sizing.core.errors import InvalidModel
from sizing.model_facts import MAX_CONFIG_BYTES, read_config, too_large

TIMEOUT_S = 10.0
SIDE_FILE = "hf_quant_config.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class HubModel:
    """What the hub holds for one name. `bytes_by_format` is empty where there is no safetensors header."""

    model_id: str
    revision: str
    config: Mapping[str, object]
    bytes_by_format: Mapping[str, int]


def hub_model(model_id: str, *, token: str | None = None, api: HfApi | None = None) -> HubModel:
    """Config and weight bytes of a model. Raises InvalidModel with a remedy, also when offline."""
    api = api if api is not None else HfApi(token=token or False)
    try:
        info = api.model_info(model_id, files_metadata=True, timeout=TIMEOUT_S)
        sizes = {file.rfilename: file.size or 0 for file in info.siblings or ()}
        config = dict(_file(api, model_id, "config.json", sizes))
        if SIDE_FILE in sizes and "quantization_config" not in config:
            config["hf_quant_config"] = _file(api, model_id, SIDE_FILE, sizes)
        return HubModel(
            model_id=model_id, revision=info.sha or "", config=config, bytes_by_format=_bytes(api, model_id)
        )
    except GatedRepoError:
        raise InvalidModel("hub_gated", "/model/id", model=model_id) from None
    except (RepositoryNotFoundError, RevisionNotFoundError, HFValidationError):
        raise InvalidModel("hub_not_found", "/model/id", model=model_id) from None
    except LocalEntryNotFoundError:
        raise InvalidModel("hub_offline", "/model/id", model=model_id) from None
    except EntryNotFoundError:
        raise InvalidModel("hub_failed", "/model/id", model=model_id, problem="no config.json") from None
    except HfHubHTTPError as error:
        raise _refusal(error, model_id, given=bool(api.token)) from None
    except (TransportError, OSError):
        raise InvalidModel("hub_offline", "/model/id", model=model_id) from None


def _file(api: HfApi, model_id: str, name: str, sizes: Mapping[str, int]) -> Mapping[str, object]:
    """One small JSON file of the repository; a large one is refused unread."""
    if sizes.get(name, 0) > MAX_CONFIG_BYTES:
        raise too_large(sizes[name])
    with tempfile.TemporaryDirectory() as folder:
        path = api.hf_hub_download(model_id, name, local_dir=folder, etag_timeout=TIMEOUT_S)
        return read_config(Path(path).read_bytes(), file=name)


def _bytes(api: HfApi, model_id: str) -> dict[str, int]:
    """Bytes of all tensors by format, from the headers of the shards; only headers travel."""
    try:
        metadata = api.get_safetensors_metadata(model_id, timeout=TIMEOUT_S)
    except (NotASafetensorsRepoError, SafetensorsParsingError):
        return {}
    found: dict[str, int] = {}
    for file in metadata.files_metadata.values():
        for tensor in file.tensors.values():
            start, end = tensor.data_offsets
            found[tensor.dtype] = found.get(tensor.dtype, 0) + end - start
    return found


def _refusal(error: HfHubHTTPError, model_id: str, *, given: bool) -> InvalidModel:
    """A token that is missing, or `given` and not taken (401, 403), is told apart from the hub's other errors."""
    status = getattr(getattr(error, "response", None), "status_code", "?")
    if status in (401, 403):
        return InvalidModel("hub_token_refused" if given else "hub_gated", "/model/id", model=model_id)
    return InvalidModel("hub_failed", "/model/id", model=model_id, problem=str(status))
