"""Words of the codes around measurements and calibration."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REFUSALS: Mapping[str, Promise] = {
    "measurement_no_file": _("Choose a result file first."),
    "measurement_too_large": _("The file has more than %(limit_mb)s MB. Save results without the details of requests."),
    "measurement_too_many": _("The file has more than %(limit)s results. Split it."),
    "measurement_not_text": _("Line %(line)s is no UTF-8 text. Choose the file that the benchmark tool wrote."),
    "measurement_not_json": _("Line %(line)s is no valid JSON: %(detail)s."),
    "measurement_not_csv": _("Line %(line)s is no valid CSV: %(detail)s."),
    "measurement_not_objects": _("Line %(line)s: a result is a JSON object; here stands something else."),
    "measurement_too_deep": _("Line %(line)s: the JSON is nested too deeply."),
    "measurement_empty": _("The file holds no result."),
    "measurement_unknown_tool": _("Line %(line)s: not a result of a tool that Kvote reads (%(tools)s)."),
    "measurement_field_missing": _("Line %(line)s: “%(field)s” is missing."),
    "measurement_field_wrong": _("Line %(line)s: “%(field)s” cannot be %(value)s."),
    "measurement_nothing_completed": _("Line %(line)s: no request was completed, so nothing was measured."),
    "measurement_mostly_failed": _("Line %(line)s: %(share_pct)s %% of the requests failed. Measure again."),
    "measurement_time_impossible": _("Line %(line)s: %(metric)s of %(value_s)s s is not possible."),
    "measurement_percentiles_disordered": _("Line %(line)s: the percentiles of %(metric)s fall where they must rise."),
    "measurement_parts_not_whole": _(
        "Line %(line)s: first token and following tokens make %(parts_s)s s, the whole request %(whole_s)s s."
    ),
    "measurement_more_in_flight": _(
        "Line %(line)s: rate and latency make %(flight)s requests in flight, the client allowed %(concurrent)s."
    ),
    "measurement_far_from_possible": _(
        "Line %(line)s: %(measured_ms)s ms per token where %(expected_ms)s ms are expected. Are model, accelerator, "
        "number of accelerators and unit right?"
    ),
    "measurement_load_unknown": _(
        "Line %(line)s: the file does not say how many requests were in flight or how long they were. "
        "Export the JSON file instead, or import it on the page of the option."
    ),
    "measurement_other_engine": _("Line %(line)s was measured with %(found)s; this option serves with %(expected)s."),
    "measurement_no_rate": _("Line %(line)s: %(tool)s reports no queries per second, which this kind is measured by."),
    "measurement_rate_impossible": _(
        "Line %(line)s: %(measured)s %(unit)s where %(expected)s are expected is not possible. "
        "Check the batch and the unit."
    ),
    "measurement_rate_odd": _(
        "%(measured)s %(unit)s are far from the %(expected)s that the answer expects: compare batch, format and clocks."
    ),
    "measurement_setting_wrong": _("%(field)s: %(detail)s"),
    "measurement_model_unknown": _("The catalogue has no model “%(value)s”."),
    "measurement_accelerator_unknown": _("The catalogue has no accelerator “%(value)s”."),
    "measurement_accelerator_not_sized": _("“%(value)s” cannot be sized: figures are missing or it is not sold."),
    "measurement_not_supported": _("%(value)s does not serve this format or split on this accelerator."),
    "measurement_organisation_unclear": _("Name the organisation with --organisation; %(count)s match."),
    "measurement_option_unknown": _("There is no option %(value)s."),
    "quality_no_results": _("Not a result of lm_eval: “results” is missing."),
    "quality_no_shared_task": _("The two files share no task with a score. Evaluate the same tasks twice."),
    "watch_no_metric": _("The file holds none of the metrics that count requests in flight: %(names)s."),
    "watch_not_prometheus": _("Not an answer of a Prometheus range query: %(detail)s."),
    "calibration_unknown": _("There is no calibration %(number)s."),
    "calibration_without_points": _("There is no measurement of time per token to learn from. Import some first."),
    "measurement_file_missing": _("%(file)s cannot be read: %(detail)s"),
}

WARNINGS: Mapping[str, Promise] = {
    "measurement_speculative": _("Speculative decoding was on: %(tokens)s tokens were accepted per step."),
    "measurement_some_failed": _("%(share_pct)s %% of the requests failed and are not in the figures."),
    "measurement_short": _(
        "%(requests)s requests with %(concurrent)s in flight are few: start and end of the run weigh much."
    ),
    "measurement_mlperf_invalid": _("The load generator calls the run %(value)s."),
    "measurement_far_from_expected": _(
        "%(measured_ms)s ms per token where %(expected_ms)s ms are expected: check the deployment before relying on it."
    ),
}

RECIPES: Mapping[str, Promise] = {
    "recipe_gguf": _(
        "llama.cpp reads GGUF files. The command asks the model's repository for the format %(weights_format)s, and "
        "that repository may hold no GGUF file: then name one that does, or convert the model with "
        "convert_hf_to_gguf.py and llama-quantize."
    ),
    "recipe_llama_build": _(
        "llama.cpp has builds in place of releases; these options are those of October 2026. Note the build that you "
        "measure, and pin the image by its digest."
    ),
    "recipe_openvino": _(
        "The server converts the model to OpenVINO's format while it starts, in %(weights_format)s; the folder for "
        "models must be writable. The public repository OpenVINO holds many models that are converted already."
    ),
    "recipe_checkpoint": _(
        "A checkpoint is served in the format that it is stored in. The figures assume %(weights_format)s: "
        "name a checkpoint in that format, or quantise the model first."
    ),
    "recipe_draft": _(
        "The figures assume %(tokens)s drafted tokens a step, without saying what drafts them: set the draft model "
        "that you will use."
    ),
    "recipe_adapters": _(
        "The figures hold memory for LoRA adapters (%(count)s at once). Name your adapters where the server starts."
    ),
    "recipe_phases_vllm": _(
        "Prefill (%(prefill)s instances) and decode (%(decode)s instances) run apart. Put a proxy in front that sends "
        "each request to a prefill instance first and then to a decode instance, as vLLM's guide to NixlConnector "
        "shows; each instance needs a port and a VLLM_NIXL_SIDE_CHANNEL_PORT of its own."
    ),
    "recipe_phases_sglang": _(
        "Prefill (%(prefill)s instances) and decode (%(decode)s instances) run apart. Put SGLang's router in front "
        "with --pd-disaggregation, and name in it every prefill and every decode instance."
    ),
    "recipe_triton_named": _("The container is Triton %(release)s, the release that the figures assume."),
    "recipe_triton_newest": _(
        "The container is Triton %(release)s, the newest release that NVIDIA's compatibility matrix lists (read "
        "%(read)s). A TensorRT plan runs only in the TensorRT that built it: build it with trtexec of the container "
        "nvcr.io/nvidia/tensorrt:%(release)s-py3."
    ),
    "recipe_triton_same": _(
        "The container is Triton %(release)s: it holds %(engine)s %(held)s, which the figures assume (NVIDIA's "
        "compatibility matrix, read %(read)s)."
    ),
    "recipe_triton_other": _(
        "The container is Triton %(release)s with %(engine)s %(held)s. The figures assume %(assumed)s, which no "
        "release holds that NVIDIA's compatibility matrix lists (read %(read)s): measure before you rely on them."
    ),
    "recipe_phases_none": _(
        "The figures assume prefill (%(prefill)s instances) and decode (%(decode)s instances) apart. Kvote has no "
        "command for that with this serving software: follow its own guide to disaggregated serving."
    ),
}

WORDS = {**REFUSALS, **WARNINGS, **RECIPES}
