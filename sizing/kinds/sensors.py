"""Cameras, edge devices, tables and sensors: their loads as tasks of the core."""

from collections.abc import Mapping
from typing import Any

from sizing.core.kinds.tabular import TabularTask, radar_flops, tree_nodes
from sizing.core.kinds.vision import Network, VisionTask
from sizing.kinds import models
from sizing.kinds.reader import Read, Reader, facts_of, items_per_s, model_id

DEFAULT_MBIT = 4.0
DEFAULT_CAMERA = (1920, 1080)


def vision(reader: Reader, key: str = "vision") -> Read:
    load, stated = reader.stated[key], reader.stated["model"]
    if stated["shape"]:
        shape = models.own_shape(stated["shape"], ("parameters", "flops", "input_pixels"))
        model = Network(
            name=stated["name"] or "own network",
            parameters=shape["parameters"],
            image_flops=shape["flops"],
            reference_pixels=shape["input_pixels"],
            layers=models.layers_of(shape["flops"]),
        )
    else:
        model = models.network(models.row_of(model_id(reader), "vision"))
    side = round(model.reference_pixels**0.5)
    width = reader.taken(f"{key}.width", load["width"], side, "assumed_published_size")
    height = reader.taken(f"{key}.height", load["height"], side, "assumed_published_size")
    streams, fps = load["streams"] or 0, load["fps"] or 0.0
    camera = (0, 0)
    if streams:
        camera = (
            reader.taken(f"{key}.camera_width", load["camera_width"], DEFAULT_CAMERA[0], "assumed_camera"),
            reader.taken(f"{key}.camera_height", load["camera_height"], DEFAULT_CAMERA[1], "assumed_camera"),
        )
    task = VisionTask(
        model=model,
        input_pixels=float(width * height),
        demand_per_s=load["images_per_s"] or streams * fps,
        limit_p95_s=reader.limit_s("latency_ms"),
        streams=streams,
        fps=fps,
        camera_pixels=float(camera[0] * camera[1]),
        mbit_per_stream=reader.taken(f"{key}.mbit_per_stream", load["mbit_per_stream"], DEFAULT_MBIT, "assumed_mbit")
        if streams
        else 0.0,
        powered_cameras=bool(load["powered_cameras"]),
    )
    return task, "image", facts_of(model.name, model.parameters, task.flops, "image")


def edge(reader: Reader) -> Read:
    return vision(reader, "edge")


def tabular(reader: Reader) -> Read:
    load, stated = reader.stated["tabular"], reader.stated["model"]
    method = load["method"]
    transforms = radar_flops(load["samples"], load["chirps"], load["antennas"]) if method == "radar" else 0.0
    flops = transforms + (0.0 if method == "trees" else load["flops_per_row"] or 0.0)
    trees = (load["trees"], load["depth"]) if method == "trees" else (0.0, 0.0)
    values = load["features"]
    if method == "radar":
        values = values or 2.0 * load["samples"] * load["chirps"] * load["antennas"]
    values = reader.taken("tabular.features", values, DEFAULT_FEATURES[method], "assumed_features")
    sensors = load["sensors"] or 0
    task = TabularTask(
        name=stated["name"] or method,
        values_per_row=float(values),
        visits=float(trees[0] * trees[1]),
        flops=float(flops),
        parameters=float(load["parameters"] or 0.0) if method != "trees" else 0.0,
        nodes=tree_nodes(*trees) if method == "trees" else 0.0,
        demand_per_s=_rows_per_s(load),
        limit_p95_s=reader.limit_s("latency_ms") if load["rows"] is None else None,
        random_arrivals=load["rows"] is None,
        sensors=sensors,
    )
    return task, "row", facts_of(task.name, task.weight_parameters, task.flops, "row")


DEFAULT_FEATURES = {"trees": 100.0, "network": 100.0, "radar": 1.0, "lidar": 480_000.0}
"""Values of one row where not stated: a table of 100 columns; 120,000 points of four values (KITTI, 64 beams)."""


def _rows_per_s(load: Mapping[str, Any]) -> float:
    if load["rows_per_s"] is not None:
        return float(load["rows_per_s"])
    if load["sensors"] is not None:
        return float(load["sensors"] * load["frames_per_s"])
    return items_per_s(None, load["rows"], load["deadline_hours"])
