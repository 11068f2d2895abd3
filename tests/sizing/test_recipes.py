"""Recipes state exactly what the figures of an option assume, in words that shells and YAML readers take."""

import json
import shlex
from typing import Any

import pytest
import yaml

from sizing.benchmark_plan import benchmark_plan
from sizing.recipes import Recipe, recipes


def option(**changes: Any) -> dict[str, Any]:
    return {
        "accelerator": "nvidia-h100-sxm5-80gb",
        "engine": "vllm",
        "engine_version": "0.32.0",
        "replicas": 2,
        "accelerators_per_replica": 4,
        "parallelism": {"tensor": 4, "pipeline": 1, "expert": 1, "data": 1},
        "weights_format": "fp8",
        "kv_format": "fp8",
        "engine_settings": {
            "max_batched_tokens": 8192,
            "max_sequences": 1024,
            "memory_utilisation": 0.9,
            "prefix_caching": True,
        },
        "performance": {"requests_in_flight_per_replica": 32.0},
    } | changes


REQUEST = {
    "model": {"id": "meta-llama/Llama-3.1-70B-Instruct"},
    "traffic": {"input_tokens": {"mean": 1024.0}, "output_tokens": {"mean": 256.0}, "shared_prefix_tokens": 100},
}


def recipe(stated: dict[str, Any], request: dict[str, Any], *, context_tokens: int) -> Recipe | None:
    """The option's own recipe."""
    return next(iter(recipes(stated, request, context_tokens=context_tokens)), None)


def words(command: str) -> list[str]:
    return shlex.split(command.replace("\\\n", " "))


def value_of(command: str, name: str) -> str:
    found = words(command)
    return found[found.index(name) + 1]


def test_vllm_command_carries_what_the_figures_assume() -> None:
    made = recipe(option(), REQUEST, context_tokens=8192)
    assert made is not None
    assert words(made.command)[:3] == ["vllm", "serve", "meta-llama/Llama-3.1-70B-Instruct"]
    assert value_of(made.command, "--tensor-parallel-size") == "4"
    assert value_of(made.command, "--max-model-len") == "8192"
    assert value_of(made.command, "--gpu-memory-utilization") == "0.9"
    assert value_of(made.command, "--kv-cache-dtype") == "fp8"
    assert "--enable-prefix-caching" in words(made.command)


@pytest.mark.parametrize(
    ("engine", "name", "expected"),
    [
        ("sglang", "--tp-size", "4"),
        ("sglang", "--chunked-prefill-size", "8192"),
        ("tensorrt-llm", "--tp_size", "4"),
        ("tensorrt-llm", "--max_num_tokens", "8192"),
        ("llama-cpp", "--ctx-size", str(8192 * 1024)),
        ("llama-cpp", "--cache-type-k", "q8_0"),
    ],
)
def test_other_engines_use_their_own_option_names(engine: str, name: str, expected: str) -> None:
    made = recipe(option(engine=engine), REQUEST, context_tokens=8192)
    assert made is not None
    assert value_of(made.command, name) == expected


def test_attention_data_parallelism_is_stated_the_way_each_engine_counts_it() -> None:
    split = {"tensor": 1, "pipeline": 1, "expert": 8, "data": 8}
    vllm = recipe(option(parallelism=split), REQUEST, context_tokens=4096)
    sglang = recipe(option(parallelism=split, engine="sglang", engine_version="0.5.10"), REQUEST, context_tokens=4096)
    assert vllm is not None
    assert sglang is not None
    assert value_of(vllm.command, "--data-parallel-size") == "8"
    assert "--enable-expert-parallel" in words(vllm.command)
    assert value_of(sglang.command, "--tp-size") == "8"
    assert "--enable-dp-attention" in words(sglang.command)


def test_compose_gives_each_replica_its_own_accelerators() -> None:
    made = recipe(option(), REQUEST, context_tokens=8192)
    assert made is not None
    services = yaml.safe_load(made.compose)["services"]
    devices = [s["deploy"]["resources"]["reservations"]["devices"][0]["device_ids"] for s in services.values()]
    assert devices == [["0", "1", "2", "3"], ["4", "5", "6", "7"]]
    assert services["replica-0"]["entrypoint"] == words(made.command)


def test_kubernetes_manifest_is_yaml_with_the_same_command() -> None:
    made = recipe(option(accelerator="amd-mi300x"), REQUEST, context_tokens=8192)
    assert made is not None
    deployment, service = yaml.safe_load_all(made.kubernetes)
    container = deployment["spec"]["template"]["spec"]["containers"][0]
    assert deployment["spec"]["replicas"] == 2
    assert container["command"] == words(made.command)
    assert container["resources"]["limits"] == {"amd.com/gpu": 4}
    assert service["kind"] == "Service"


def test_a_hostile_model_name_stays_one_word() -> None:
    request = REQUEST | {"model": {"name": 'x"; rm -rf / #\n- a: b', "id": None}}
    made = recipe(option(), request, context_tokens=8192)
    assert made is not None
    assert words(made.command)[2] == 'x"; rm -rf / #\n- a: b'


def test_an_engine_without_a_command_line_has_no_recipe() -> None:
    assert recipe(option(engine="nim"), REQUEST, context_tokens=8192) is None


def test_vllm_is_offered_behind_triton_with_the_same_settings() -> None:
    own, behind = recipes(option(), REQUEST, context_tokens=8192)
    name = "llama-3-1-70b-instruct"
    settings = json.loads(behind.files[f"{name}/1/model.json"])
    assert (own.engine, behind.engine) == ("vllm", "triton")
    assert (settings["tensor_parallel_size"], settings["max_model_len"], settings["kv_cache_dtype"]) == (4, 8192, "fp8")
    assert 'backend: "vllm"' in behind.files[f"{name}/config.pbtxt"]
    deployment, _service, config_map = yaml.safe_load_all(behind.kubernetes)
    paths = [item["path"] for item in deployment["spec"]["template"]["spec"]["volumes"][0]["configMap"]["items"]]
    assert paths == list(behind.files)
    assert json.loads(config_map["data"][f"{name}__1__model.json"]) == settings
    assert words(behind.command) == ["tritonserver", "--model-repository=/models"]


@pytest.mark.parametrize(
    ("assumed", "release", "note"),
    [
        ("0.24.0", "26.07", "recipe_triton_same"),
        ("0.32.0", "26.08", "recipe_triton_other"),  # the newest holds 0.27.1
        ("0.16.0", "26.02", "recipe_triton_other"),  # 0.15.1: no newer than assumed
    ],
)
def test_triton_comes_in_the_release_that_holds_the_assumed_version(assumed: str, release: str, note: str) -> None:
    behind = recipes(option(engine_version=assumed), REQUEST, context_tokens=8192)[1]
    assert behind.engine_version == release
    assert f"nvcr.io/nvidia/tritonserver:{release}-vllm-python-py3" in behind.compose
    assert [each.code for each in behind.notes] == [note]
    assert behind.notes[0].params["assumed"] == assumed


def test_newer_releases_of_sglang_split_attention_in_their_own_words() -> None:
    split = {"tensor": 1, "pipeline": 1, "expert": 8, "data": 8}
    made = recipe(option(engine="sglang", engine_version="0.5.23", parallelism=split), REQUEST, context_tokens=4096)
    assert made is not None
    assert value_of(made.command, "--attn-dp-size") == "8"
    assert "--enable-dp-attention" not in words(made.command)


@pytest.mark.parametrize(
    ("accelerator", "resource", "device"),
    [
        ("nvidia-l4", "nvidia.com/gpu", None),
        ("amd-mi300x", "amd.com/gpu", "/dev/kfd"),
        ("intel-arc-pro-b60", "gpu.intel.com/xe", "/dev/dri"),
        ("intel-gaudi3-pcie", "habana.ai/gaudi", None),
        ("amd-epyc-9965", None, None),
    ],
)
def test_containers_get_the_devices_of_their_maker(accelerator: str, resource: str | None, device: str | None) -> None:
    made = recipe(option(accelerator=accelerator), REQUEST, context_tokens=8192)
    assert made is not None
    service = yaml.safe_load(made.compose)["services"]["replica-0"]
    deployment, *_rest = yaml.safe_load_all(made.kubernetes)
    limits = deployment["spec"]["template"]["spec"]["containers"][0]["resources"].get("limits", {})
    assert list(limits) == ([resource] if resource else [])
    assert (device in service.get("devices", [])) is (device is not None)
    assert ("deploy" in service) is accelerator.startswith("nvidia")


@pytest.mark.parametrize(
    ("engine", "name", "expected"), [("vllm", "--distributed-executor-backend", "ray"), ("sglang", "--nnodes", "2")]
)
def test_a_replica_over_two_servers_has_a_command_and_no_single_container(
    engine: str, name: str, expected: str
) -> None:
    made = recipe(
        option(engine=engine, replicas=1, servers=2, accelerators_per_replica=16), REQUEST, context_tokens=8192
    )
    assert made is not None
    assert value_of(made.command, name) == expected
    assert (made.servers, made.compose, made.kubernetes) == (2, "", "")


DRAFTED = {"speculative": {"draft_tokens": 3, "method": "mtp"}, "lora": {"adapters": 4, "rank": 20}}


def drafted(engine: str, **changes: Any) -> Recipe:
    made = recipe(option(engine=engine, **changes), REQUEST | {"deployment": DRAFTED}, context_tokens=4096)
    assert made is not None
    return made


def test_drafted_tokens_and_adapters_are_in_the_command() -> None:
    vllm, sglang, trtllm = drafted("vllm"), drafted("sglang"), drafted("tensorrt-llm")
    assert json.loads(value_of(vllm.command, "--speculative-config")) == {"num_speculative_tokens": 3, "method": "mtp"}
    assert value_of(vllm.command, "--max-lora-rank") == "32"  # the next that vLLM takes
    assert value_of(sglang.command, "--speculative-num-steps") == "3"
    assert value_of(sglang.command, "--max-loras-per-batch") == "4"
    written = yaml.safe_load(trtllm.files["serve.yaml"])
    assert written["speculative_config"] == {"decoding_type": "MTP", "num_nextn_predict_layers": 3}
    assert written["lora_config"] == {"max_loras": 4, "max_lora_rank": 20}
    assert [note.code for note in vllm.notes] == ["recipe_adapters"]


def test_tensorrt_llm_reads_cache_and_attention_settings_from_its_file() -> None:
    split = {"tensor": 1, "pipeline": 1, "expert": 8, "data": 8}
    made = recipe(option(engine="tensorrt-llm", parallelism=split), REQUEST, context_tokens=4096)
    assert made is not None
    written = yaml.safe_load(made.files["serve.yaml"])
    cache = {"free_gpu_memory_fraction": 0.9, "enable_block_reuse": True, "dtype": "fp8"}
    assert written == {"kv_cache_config": cache, "enable_attention_dp": True}
    assert value_of(made.command, "--extra_llm_api_options") == "/models/serve.yaml"


@pytest.mark.parametrize(
    ("engine", "word", "note"),
    [
        ("vllm", "--kv-transfer-config", "recipe_phases_vllm"),
        ("sglang", "--disaggregation-mode", "recipe_phases_sglang"),
        ("tensorrt-llm", "", "recipe_phases_none"),
    ],
)
def test_phases_apart_have_a_command_each_or_a_sentence(engine: str, word: str, note: str) -> None:
    phases = {"prefill_instances": 2, "decode_instances": 6}
    made = recipe(option(engine=engine, phases=phases), REQUEST, context_tokens=4096)
    assert made is not None
    assert [each.code for each in made.notes] == [note]
    assert words(made.command).count(word) == (2 if word else 0)
    assert (made.compose, made.kubernetes) == ("", "")


def test_llama_cpp_asks_for_the_assumed_quantisation_and_says_it_may_be_missing() -> None:
    made = recipe(option(engine="llama-cpp", weights_format="gguf_q4_k_m"), REQUEST, context_tokens=4096)
    assert made is not None
    assert value_of(made.command, "--hf-repo") == "meta-llama/Llama-3.1-70B-Instruct:Q4_K_M"
    assert [note.code for note in made.notes] == ["recipe_gguf", "recipe_llama_build"]
    assert "ghcr.io/ggml-org/llama.cpp:server-cuda" in made.compose
    assert "/app/llama-server" in made.compose


def test_slots_of_llama_cpp_share_what_the_memory_holds() -> None:
    apart = recipe(option(engine="llama-cpp", kv_tokens_per_replica=10**7), REQUEST, context_tokens=4096)
    shared = recipe(option(engine="llama-cpp", kv_tokens_per_replica=317_952), REQUEST, context_tokens=4096)
    assert apart is not None
    assert shared is not None
    assert value_of(apart.command, "--ctx-size") == str(4096 * 1024)
    assert "--kv-unified" not in words(apart.command)
    assert value_of(shared.command, "--ctx-size") == "317952"  # 4,096 tokens for each of 1,024 slots would not start
    assert "--kv-unified" in words(shared.command)


def test_a_format_that_the_engine_does_not_make_is_said() -> None:
    made = recipe(option(weights_format="nvfp4"), REQUEST, context_tokens=4096)
    assert made is not None
    assert [note.code for note in made.notes] == ["recipe_checkpoint"]
    assert "--quantization" not in words(made.command)


@pytest.mark.parametrize(
    ("engine", "image", "told", "absent"),
    [
        ("llama-cpp", "ghcr.io/ggml-org/llama.cpp:server", "--numa", "--n-gpu-layers"),
        ("vllm", "public.ecr.aws/q9t5s3a7/vllm-cpu-release-repo:v", "--max-model-len", "--device"),
        ("sglang", "sglang-cpu:latest", "--device", "--n-gpu-layers"),
    ],
)
def test_processors_get_images_and_options_of_their_own(engine: str, image: str, told: str, absent: str) -> None:
    split = {"tensor": 2, "pipeline": 1, "expert": 1, "data": 1}
    made = recipe(option(accelerator="amd-epyc-9555", engine=engine, parallelism=split), REQUEST, context_tokens=8192)
    assert made is not None
    assert yaml.safe_load(made.compose)["services"]["replica-0"]["image"].startswith(image)
    assert told in words(made.command)
    assert absent not in words(made.command)


def test_openvino_holds_the_cache_that_was_counted() -> None:
    served = option(
        engine="openvino", accelerator="intel-arc-pro-b60", weights_format="int8", kv_format="int8",
        parallelism={"tensor": 1, "pipeline": 1, "expert": 1, "data": 1},
        memory_per_accelerator={"kv_pool_bytes": 12_900_000_000},
    )  # fmt: skip
    made = recipe(served, REQUEST, context_tokens=8192)
    assert made is not None
    assert value_of(made.command, "--cache_size") == "12"
    assert value_of(made.command, "--kv_cache_precision") == "u8"
    assert value_of(made.command, "--target_device") == "GPU"
    assert "openvino/model_server:latest-gpu" in made.compose
    assert "/v3/completions" in benchmark_plan(served, REQUEST)[0].command
    assert "recipe_openvino" in {note.code for note in made.notes}
