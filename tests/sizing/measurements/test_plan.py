"""The plan reproduces the workload's token mix around the load that the answer assumes."""

import shlex

from sizing.benchmark_plan import benchmark_plan, quality_check
from sizing.serving import context_tokens, other_load, scalable, script_of
from tests.sizing.test_recipes import REQUEST, option, value_of, words


def commands(tool: str, engine: str = "vllm") -> list[str]:
    return [step.command for step in benchmark_plan(option(engine=engine), REQUEST) if step.tool == tool]


def test_the_sweep_goes_from_a_quarter_to_twice_the_assumed_load() -> None:
    plan = benchmark_plan(option(), REQUEST)
    assert [step.concurrency for step in plan if step.tool == "vllm bench serve"] == [8, 16, 32, 48, 64]


def test_each_tool_sends_the_same_prompt_answer_and_shared_prefix() -> None:
    bench = commands("vllm bench serve")[0]
    assert value_of(bench, "--random-input-len") == "924"
    assert value_of(bench, "--random-prefix-len") == "100"
    assert value_of(bench, "--num-prompts") == "80"
    guide = commands("guidellm")[0]
    assert value_of(guide, "--data") == (
        "kind=synthetic_text,prompt_tokens=924,output_tokens=256,prefix_tokens=100,prefix_count=1"
    )
    assert value_of(guide, "--profile") == "kind=concurrent,streams=8"
    perf = commands("aiperf")[0]
    assert value_of(perf, "--synthetic-input-tokens-mean") == "924"
    assert value_of(perf, "--prefix-prompt-length") == "100"


def test_sglang_is_also_measured_by_its_own_client() -> None:
    command = commands("sglang.bench_serving", "sglang")[0]
    assert value_of(command, "--gsp-system-prompt-len") == "100"
    assert value_of(command, "--gsp-question-len") == "924"
    unshared = REQUEST | {"traffic": REQUEST["traffic"] | {"shared_prefix_tokens": 0}}
    plan = benchmark_plan(option(engine="sglang"), unshared)
    alone = next(step.command for step in plan if step.tool == "sglang.bench_serving")
    assert value_of(alone, "--random-input-len") == "1024"
    assert commands("sglang.bench_serving") == []


def test_a_load_in_requests_a_second_is_sent_at_rates_with_its_burstiness() -> None:
    # 8 a second over 2 replicas: 4 each, swept from 1 to 8; a variation of 2 is a gamma shape of 1 / 2^2
    request = REQUEST | {"traffic": REQUEST["traffic"] | {"requests_per_s": 8.0, "burstiness": 2.0}}
    plan = benchmark_plan(option(), request)
    assert [step.rate_per_s for step in plan if step.tool == "vllm bench serve"] == [1.0, 2.0, 4.0, 6.0, 8.0]
    first = {step.tool: step.command for step in reversed(plan)}
    assert value_of(first["vllm bench serve"], "--request-rate") == "1"
    assert value_of(first["vllm bench serve"], "--burstiness") == "0.25"
    assert "--max-concurrency" not in words(first["vllm bench serve"])
    assert value_of(first["guidellm"], "--profile") == "kind=poisson,rate=1"
    assert value_of(first["aiperf"], "--arrival-smoothness") == "0.25"


def test_llama_cpp_is_measured_by_llama_bench() -> None:
    (command,) = commands("llama-bench", "llama-cpp")
    assert value_of(command, "--n-prompt") == "1024"
    assert value_of(command, "--n-gen") == "256"


def test_quality_is_evaluated_on_named_tasks() -> None:
    assert value_of(quality_check(REQUEST).command, "--tasks") == "gsm8k,ifeval,mmlu_pro"


def test_the_script_holds_every_command_of_the_plan_and_is_shell() -> None:
    plan = benchmark_plan(option(), REQUEST)
    script = script_of(plan)
    assert script.startswith("#!/bin/sh\nset -eu\n")
    assert all(step.command in script for step in plan)
    assert "meta-llama/Llama-3.1-70B-Instruct" in shlex.split(script.replace("\\\n", " "), comments=True)


def test_a_hostile_model_name_stays_one_word_in_every_tool() -> None:
    name = "x'; rm -rf / #"
    request = REQUEST | {"model": {"id": name}}
    for step in benchmark_plan(option(), request):
        if "--model" in step.command:
            assert name in words(step.command)


def test_context_is_as_stated_else_as_the_result_assumed_it() -> None:
    assumed = {"assumptions": [{"field": "traffic.max_context_tokens", "value": 4096}]}
    assert context_tokens({"traffic": {"max_context_tokens": 8192}}, assumed) == 8192
    assert context_tokens({"traffic": {"max_context_tokens": None}}, assumed) == 4096
    assert context_tokens({"traffic": {}}, {"model": {"max_context_tokens": 131072}}) == 131072


def test_size_again_multiplies_the_load_in_its_own_terms() -> None:
    rate = {"traffic": {"requests_per_s": 6.0, "burstiness": 2.0}, "deployment": {"engine": "vllm"}}
    again = other_load(rate, "1.5")
    assert again["traffic"] == {"requests_per_s": 9.0, "burstiness": 2.0}
    assert again["deployment"] is None
    users = other_load({"traffic": {"users": 101, "active_share": 0.2}}, "1.5")
    assert users["traffic"] == {"users": 152.0, "active_share": 0.2}  # 151.5: people come whole
    assert not scalable({"traffic": {"trace": {"public_id": "t"}}})
