"""Compose files and Kubernetes manifests around one command, with the devices that an accelerator needs.

Devices as their makers document them: NVIDIA container toolkit (`driver: nvidia`), AMD ROCm (/dev/kfd and /dev/dri),
Intel GPUs (/dev/dri), Gaudi (`habana` runtime); Kubernetes resource names of each maker's device plug-in. Read 2026-12.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

PORT = 8000
FOLDER = "/models"  # where the files of a recipe are mounted


@dataclass(frozen=True, slots=True, kw_only=True)
class Devices:
    """How containers get at the devices of one maker. Empty: the processor alone."""

    resource: str = ""  # of the Kubernetes device plug-in
    nodes: tuple[str, ...] = ()  # device files that a compose service passes on
    chooser: str = ""  # environment variable that picks devices by number
    driver: str = ""  # of compose's device reservations
    runtime: str = ""


MAKERS = {
    "nvidia-": Devices(resource="nvidia.com/gpu", driver="nvidia"),
    "amd-mi": Devices(resource="amd.com/gpu", nodes=("/dev/kfd", "/dev/dri"), chooser="ROCR_VISIBLE_DEVICES"),
    "amd-radeon": Devices(resource="amd.com/gpu", nodes=("/dev/kfd", "/dev/dri"), chooser="ROCR_VISIBLE_DEVICES"),
    "intel-gaudi": Devices(resource="habana.ai/gaudi", chooser="HABANA_VISIBLE_DEVICES", runtime="habana"),
    "intel-": Devices(resource="gpu.intel.com/xe", nodes=("/dev/dri",), chooser="ZE_AFFINITY_MASK"),
}
PROCESSORS = ("intel-xeon", "intel-core", "amd-epyc", "amd-ryzen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """One replica: image, command and the files that it reads, by their paths below FOLDER."""

    image: str
    arguments: Sequence[str]
    ports: Sequence[int] = (PORT,)
    files: Mapping[str, str] = field(default_factory=dict)
    reads_folder: bool = False  # FOLDER holds a model that a person put there, whatever `files` says


def devices_of(accelerator: str) -> Devices:
    """By the slug; a processor, and a maker without a documented plug-in, gets none."""
    if accelerator.startswith(PROCESSORS):
        return Devices()
    return next((found for start, found in MAKERS.items() if accelerator.startswith(start)), Devices())


def compose_file(option: Mapping[str, Any], container: Container) -> str:
    """One service per replica, each with its own accelerators."""
    services = [_service(option, container, replica) for replica in range(int(option["replicas"]))]
    return "services:\n" + "\n".join(services) + "\nvolumes:\n  cache: {}\n"


def _service(option: Mapping[str, Any], container: Container, replica: int) -> str:
    devices, count = devices_of(str(option["accelerator"])), int(option["accelerators_per_replica"])
    numbers = [str(replica * count + index) for index in range(count)]
    lines = [
        f"  replica-{replica}:",
        f"    image: {container.image}",
        "    ipc: host",
        "    entrypoint:",
        yaml_list(container.arguments, 6),
        f"    ports: [{', '.join(map(yaml_text, _published(container.ports, replica)))}]",
        *_environment(devices, numbers),
        f"    volumes: [{', '.join(map(yaml_text, _volumes(container)))}]",
    ]
    if devices.runtime:
        lines.append(f"    runtime: {devices.runtime}")
    if devices.nodes:
        lines.append(f"    devices: [{', '.join(map(yaml_text, devices.nodes))}]")
        lines.append('    group_add: ["video", "render"]')
    if devices.driver:
        lines += [
            "    deploy:\n      resources:\n        reservations:\n          devices:",
            f"            - driver: {devices.driver}",
            f"              device_ids: [{', '.join(map(yaml_text, numbers))}]",
            "              capabilities: [gpu]",
        ]
    return "\n".join(lines)


def _published(ports: Sequence[int], replica: int) -> list[str]:
    """Ports of the host, each replica's after the other's."""
    return [f"{port + replica * len(ports)}:{port}" for port in ports]


def _environment(devices: Devices, numbers: Sequence[str]) -> list[str]:
    chosen = f", {devices.chooser}: {yaml_text(','.join(numbers))}" if devices.chooser else ""
    return [f'    environment: {{HF_HOME: "/cache"{chosen}}}']


def _volumes(container: Container) -> list[str]:
    return ["cache:/cache", *([f".{FOLDER}:{FOLDER}:ro"] if container.files or container.reads_folder else [])]


def kubernetes_manifest(option: Mapping[str, Any], container: Container) -> str:
    """A Deployment with as many pods as replicas, a Service in front, and a ConfigMap for the files."""
    resource = devices_of(str(option["accelerator"])).resource
    limits = f"{{limits: {{{resource}: {int(option['accelerators_per_replica'])}}}}}" if resource else "{}"
    ports = ", ".join(f"{{containerPort: {port}}}" for port in container.ports)
    served = ", ".join(f"{{name: port-{port}, port: {port}, targetPort: {port}}}" for port in container.ports)
    mounts, volumes = _config_volume(container)
    return (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: kvote-serving\nspec:\n"
        f"  replicas: {int(option['replicas'])}\n"
        "  selector: {matchLabels: {app: kvote-serving}}\n"
        "  template:\n    metadata: {labels: {app: kvote-serving}}\n    spec:\n      containers:\n"
        f"        - name: engine\n          image: {container.image}\n"
        f"          command:\n{yaml_list(container.arguments, 12)}\n"
        f"          ports: [{ports}]\n"
        f"          resources: {limits}\n{mounts}{volumes}"
        "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: kvote-serving\nspec:\n"
        f"  selector: {{app: kvote-serving}}\n  ports: [{served}]\n" + _config_map(container)
    )


def _config_volume(container: Container) -> tuple[str, str]:
    if not container.files:
        return "", ""
    items = "".join(
        f"            - {{key: {yaml_text(_key(path))}, path: {yaml_text(path)}}}\n" for path in container.files
    )
    mounts = f"          volumeMounts: [{{name: files, mountPath: {yaml_text(FOLDER)}}}]\n"
    volume = "      volumes:\n        - name: files\n          configMap:\n            name: kvote-serving\n"
    return mounts, f"{volume}            items:\n{items}"


def _config_map(container: Container) -> str:
    if not container.files:
        return ""
    data = "".join(
        f"  {yaml_text(_key(path))}: |\n" + "".join(f"    {line}\n" for line in text.splitlines())
        for path, text in container.files.items()
    )
    return f"---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kvote-serving\ndata:\n{data}"


def _key(path: str) -> str:
    """A ConfigMap's keys hold no slash."""
    return path.replace("/", "__")


def yaml_list(texts: Sequence[str], indent: int) -> str:
    """A block list of quoted scalars."""
    return "\n".join(f"{' ' * indent}- {yaml_text(text)}" for text in texts)


def yaml_text(text: str) -> str:
    """A double-quoted YAML scalar."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
