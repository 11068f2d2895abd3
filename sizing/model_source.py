"""One model from whatever describes it: config.json, headers of weight files, a typed shape, the hub, the catalogue."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from sizing.core.errors import InvalidModel
from sizing.core.model.gguf_config import config_from_gguf
from sizing.core.model.weight_files import ExactBytes
from sizing.gguf_files import whole_metadata
from sizing.model_facts import MAX_CONFIG_BYTES, exact_facts, read_config, too_large
from sizing.model_files import index_total_bytes, read_weight_stream
from sizing.weight_file import WeightFile


class GivenFile(NamedTuple):
    """An open file. `size` is that of the whole file, which may be longer than what the stream holds."""

    name: str
    stream: BinaryIO
    size: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A config that the parser reads, and the exact bytes where a file states them."""

    config: Mapping[str, object]
    exact: ExactBytes | None = None
    name: str = ""


def described_by_files(files: Sequence[GivenFile]) -> Described:
    """Config and exact bytes from any mix of config.json, index, side file and weight files.

    A GGUF file alone is enough; safetensors files and an index need config.json beside them. Raises
    InvalidModel naming the file.
    """
    config: Mapping[str, object] | None = None
    side: Mapping[str, object] | None = None
    index: Mapping[str, Any] | None = None
    weights: list[WeightFile] = []
    names: list[str] = []
    for given in files:
        header = read_weight_stream(given.stream, given.name, size=given.size)
        if header is not None:
            weights.append(header)
            names.append(given.name)
            continue
        read = _json_of(given)
        if "weight_map" in read:
            index = read
            names.append(given.name)
        elif "quantization" in read and "producer" in read:
            side = read
        else:
            config = read
    exact = _exact(weights, index, names)
    gguf = [header for header in weights if header.kind == "gguf"]
    if config is None and gguf:
        config = config_from_gguf(whole_metadata(gguf))
    if config is None:
        raise InvalidModel("model_config_missing" if weights or index is not None else "model_file_empty")
    if side is not None and "quantization_config" not in config:
        config = {**config, "hf_quant_config": side}
    return Described(config=config, exact=exact, name=_gguf_name(gguf))


def _json_of(given: GivenFile) -> Mapping[str, object]:
    if given.size is not None and given.size > MAX_CONFIG_BYTES:
        raise too_large(given.size)
    given.stream.seek(0)
    data = given.stream.read(MAX_CONFIG_BYTES + 1)
    return read_config(data, file=given.name)


def _exact(weights: Sequence[WeightFile], index: Mapping[str, Any] | None, names: Sequence[str]) -> ExactBytes | None:
    """Headers count before an index, whose total a converter may have made up."""
    if weights:
        by_format: dict[str, int] = {}
        for header in weights:
            for name, size in header.bytes_by_format.items():
                by_format[name] = by_format.get(name, 0) + size
        return ExactBytes(
            kind=weights[0].kind,
            total_bytes=sum(header.tensor_bytes for header in weights),
            files=len(weights),
            by_format=by_format,
            elements=sum(header.elements for header in weights),
            source=names[0][:200],
        )
    total = index_total_bytes(index) if index is not None else None
    if total is None:
        return None
    return ExactBytes(kind="index", total_bytes=total, files=_shards(index), source=names[0][:200])


def _shards(index: Mapping[str, Any] | None) -> int:
    names: Iterable[object] = ((index or {}).get("weight_map") or {}).values()
    return len({str(name) for name in names}) or 1


def _gguf_name(files: Sequence[WeightFile]) -> str:
    name = files[0].metadata.get("general.name") if files else ""
    return name[:200] if isinstance(name, str) else ""


def described_by_hub(model_id: str, *, token: str | None = None) -> Described:
    """Config and exact bytes from the hub. Raises InvalidModel with a remedy, also where the machine is offline."""
    from sizing.hub import hub_model  # noqa: PLC0415 - the hub's library is heavy, and few requests need it

    found = hub_model(model_id, token=token)
    exact = None
    if found.bytes_by_format:
        exact = ExactBytes(
            kind="hub",
            total_bytes=sum(found.bytes_by_format.values()),
            by_format=found.bytes_by_format,
            source=found.model_id,
            revision=found.revision,
        )
    return Described(config=found.config, exact=exact, name=found.model_id)


def described_by_text(text: str) -> Described:
    """A pasted config.json."""
    return Described(config=read_config(text.encode("utf-8", "replace"), file="config.json"))


def model_of_files(names: Sequence[str], stated: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a request's model that the named files give: exact bytes, and a config where none is stated.

    Raises InvalidModel naming the file.
    """
    with ExitStack() as stack:
        given = [opened(name, stack) for name in names]
        if isinstance(stated.get("config"), Mapping):
            config = BytesIO(json.dumps(stated["config"]).encode())
            given.append(GivenFile("config.json", config, None))
        elif stated.get("id"):
            given.append(GivenFile("config.json", BytesIO(b"{}"), None))
        read = described_by_files(given)
    found: dict[str, Any] = {} if stated.get("id") or stated.get("config") else {"config": dict(read.config)}
    if read.exact is not None:
        found["weight_files"] = exact_facts(read.exact, 0)
    return found


def opened(name: str, stack: ExitStack) -> GivenFile:
    """A file by its path, closed with the stack. Raises InvalidModel where it cannot be read."""
    path = Path(name)
    try:
        return GivenFile(path.name, stack.enter_context(path.open("rb")), path.stat().st_size)
    except OSError as error:
        raise InvalidModel("model_file_unreadable", file=name, problem=error.strerror or "?") from None
