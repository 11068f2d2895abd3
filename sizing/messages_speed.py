"""Words of the codes that speed, search and ranking use."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

VERDICTS: Mapping[str, Promise] = {
    "memory_does_not_fit": _("The model does not fit: %(short_gb)s GB are missing on each accelerator."),
    "memory_holds_too_few": _(
        "The cache holds %(sequences)s requests at once on each replica; %(wanted)s are in flight."
    ),
    "memory_tight": _(
        "It fits with little to spare: %(pool_gb)s GB of cache on each accelerator hold %(sequences)s requests, "
        "%(wanted)s are in flight."
    ),
    "memory_holds_all": _(
        "%(pool_gb)s GB of cache on each accelerator hold %(sequences)s requests; %(wanted)s are in flight."
    ),
    "memory_fraction_raised": _(
        "It starts only with a memory fraction of %(memory_utilisation)s instead of the usual %(usual)s: less is kept "
        "free for peaks, so try the start before you order."
    ),
    "memory_cache_format_smaller": _(
        "It starts only with a KV cache in %(format)s instead of BF16: check the quality of the answers."
    ),
    "speed_saturated": _("Saturated: requests come faster than they are served, and the queue grows."),
    "speed_no_limit_stated": _("No latency limit was stated, so speed is not judged."),
    "speed_limit_kept": _(
        "%(metric)s %(percentile)s is %(value_ms)s ms, the limit %(limit_ms)s ms; the whole 90 %% interval "
        "(up to %(high_ms)s ms) keeps it."
    ),
    "speed_limit_kept_not_surely": _(
        "%(metric)s %(percentile)s is %(value_ms)s ms and keeps the limit of %(limit_ms)s ms, but the 90 %% interval "
        "reaches %(high_ms)s ms."
    ),
    "speed_limit_missed": _("%(metric)s %(percentile)s is %(value_ms)s ms; the limit is %(limit_ms)s ms."),
    "speed_token_rate_missed": _(
        "%(tokens_per_s)s tokens per second are produced; %(wanted_tokens_per_s)s are asked for."
    ),
    "speed_figures_missing": _("The data sheet of this accelerator prints no usable compute rate."),
}

SOFTWARE: Mapping[str, Promise] = {
    "software_release_older": _(
        "Sources describe %(engine)s %(described)s; none says whether the stated release %(version)s runs this "
        "format here."
    ),
    "software_measured": _(
        "The documents of %(engine)s do not list this format here, but a published measurement ran it (%(reference)s)."
    ),
}

WARNINGS: Mapping[str, Promise] = {
    "speed_pipeline_not_calibrated": _("Pipeline stages are computed from the formulas; no measured point has them."),
    "layout_over_network": _(
        "The %(ranks)s accelerators of a stage lie in several servers of %(node)s: every layer waits for the network. "
        "No measured point has this, so the intervals are wider."
    ),
    "layout_over_pcie": _(
        "The fabric joins %(scale_up_domain)s accelerators, the stage has %(ranks)s: every layer waits for PCIe. "
        "No measured point has this, so the intervals are wider."
    ),
    "speed_phases_apart": _(
        "%(prefill)s copies of the model prefill and %(decode)s decode in each replica. Prefill is %(busy_percent)s %% "
        "busy; handing over the cache of a prompt takes %(handover_ms)s ms. No measured point has this."
    ),
    "speed_sparse_attention_not_calibrated": _(
        "The model attends sparsely; no measured point has such a model, and the indexer may take longer than computed."
    ),
    "speed_many_experts_large_batch": _(
        "More than 256 requests in flight with a mixture of experts: measured points end below, the figures tend "
        "to be too slow."
    ),
    "speed_wide_data_parallel_not_calibrated": _("No measured point has more than eight attention data ranks."),
    "speed_speculative_depends_on_acceptance": _(
        "Speculative decoding: speed follows the share of accepted tokens, which depends on your texts."
    ),
    "processors_accelerator_adds": _(
        "Processors alone carry the load. %(accelerator)s (%(devices)s) would carry %(times)s times as much, with "
        "%(tpot_ms)s instead of %(own_tpot_ms)s ms per output token and %(ttft_ms)s instead of %(own_ttft_ms)s ms to "
        "the first one."
    ),
    "speed_device_not_measured": _("This device is not among the measured ones (%(profile)s). Basis: %(source)s."),
}

REJECTIONS: Mapping[str, Promise] = {
    "does_not_fit": _(
        "With %(accelerators)s accelerators of %(usable_gb)s GB, %(short_gb)s GB are missing on each for one request "
        "of %(context_tokens)s tokens in %(weights_format)s."
    ),
    "vendor_excluded": _("The request excludes this maker."),
    "device_class_excluded": _("The request allows other classes of device only."),
    "fix_more_accelerators_stages": _(
        "Use %(accelerators)s accelerators in one replica (tensor parallel %(tensor)s, pipeline parallel %(pipeline)s)."
    ),
    "no_prediction_layers": _("%(model)s has no layers for multi-token prediction: name a draft model instead."),
    "layout_dense_width": _(
        "The dense width %(dense_width)s cannot be cut into %(tensor)s parts of whole FP8 blocks of %(block)s. These "
        "degrees work: %(valid)s."
    ),
    "layout_not_on_accelerator": _("No split of the model stays inside one server of this accelerator."),
    "fix_relax_limit": _("Raise the limit for %(metric)s %(percentile)s to %(limit_ms)s ms."),
    "pinned_accelerator_unknown": _("There is no accelerator %(value)s in the catalogue."),
    "engine_not_available": _("The serving software %(value)s is not among those that may be chosen."),
    "engine_keeps_phases_together": _(
        "This serving software does not run prefill and decode apart. These do: %(known)s."
    ),
    "no_layout_possible": _("No split of %(model)s agrees with the pinned numbers."),
    "trace_row_count": _("A trace has 2 to %(limit)s requests; this one has %(count)s. Give its busiest part."),
    "trace_without_span": _("All requests of the trace come at the same moment."),
    "trace_too_large": _("The trace is longer than %(limit)s characters. Give its busiest part."),
    "trace_columns_missing": _(
        "The trace needs columns for time (time_s), input tokens (input_tokens) and output tokens (output_tokens); "
        "found: %(found)s."
    ),
    "trace_row_wrong": _(
        "Line %(line)s of the trace is no request: it needs seconds, input tokens and output tokens as numbers."
    ),
    "trace_not_readable": _("The trace is neither CSV nor JSON."),
    "request_longer_than_cache": _(
        "A request of %(tokens)s tokens is longer than the cache of %(pool_tokens)s tokens."
    ),
}

ASSUMPTIONS: Mapping[str, Promise] = {
    "assumed_steady_load": _("Steady production: the burst in which a benchmark starts all slots at once is left out."),
    "assumed_equal_lengths": _("Only mean lengths are known, so all requests are equally long."),
    "assumed_peak_hour": _("Replicas are counted for the busiest hour, %(factor)s times the stated load."),
    "assumed_network": _("%(gbit_s)s Gbit/s of network for every accelerator between servers."),
    "assumed_draft_without_memory": _(
        "Neither a draft model nor prediction layers are stated, so neither memory nor time of whatever drafts is "
        "counted."
    ),
    "assumed_trace": _(
        "The trace has %(requests)s requests. The %(value)s in a row that come fastest are replayed: "
        "%(requests_per_s)s per second."
    ),
    "assumed_poisson_arrivals": _("Requests come independently of each other (Poisson)."),
}

NEIGHBOURS: Mapping[str, Promise] = {
    "layout_kind_not_possible": _("No layout of this kind serves the load here."),
    "neighbour_replica_more": _(
        "One replica more (%(accelerators)s accelerators): time per token %(tpot_percent)s %%, time to first token "
        "%(ttft_percent)s %%, throughput %(throughput_percent)s %%."
    ),
    "neighbour_replica_less": _(
        "One replica less (%(accelerators)s accelerators): time per token %(tpot_percent)s %%, time to first token "
        "%(ttft_percent)s %%, throughput %(throughput_percent)s %%."
    ),
    "neighbour_replica_more_saturated": _("One replica more is still saturated."),
    "neighbour_replica_less_saturated": _("One replica less is saturated."),
    "neighbour_accelerator_more": _("One accelerator more."),
    "neighbour_accelerator_less": _("One accelerator fewer."),
    "neighbour_accelerator_more_saturated": _("One accelerator more is still saturated."),
    "neighbour_accelerator_less_saturated": _("One accelerator fewer is saturated."),
    "accelerator_more_pays": _("One accelerator more pays: %(percent)s %% more load within the limits."),
    "accelerator_more_idles": _("One accelerator more idles: no layout makes use of it."),
    "accelerator_more_idles_until": _(
        "One accelerator more idles: no layout makes use of it; the next that pays is %(more)s more."
    ),
    "accelerator_less_suffices": _("One accelerator fewer still carries the stated load."),
    "accelerator_less_misses": _(
        "One accelerator fewer carries only %(share_percent)s %% of the stated load within the limits."
    ),
    "neighbour_needs_more": _("It needs %(accelerators)s accelerators more for the same load."),
    "neighbour_needs_fewer": _("It would need %(accelerators)s accelerators fewer; the request fixes the layout."),
    "neighbour_carries_less": _("With the same accelerators it carries %(percent)s %% less within the limits."),
    "neighbour_as_good": _("With the same accelerators it carries no less: an equal choice, by these figures."),
    "neighbour_apart": _(
        "Prefill and decode apart (%(accelerators)s accelerators): time per token %(tpot_percent)s %%, time to first "
        "token %(ttft_percent)s %%, throughput %(throughput_percent)s %%."
    ),
    "neighbour_apart_saturated": _("With prefill and decode apart it is saturated."),
    "neighbour_tensor": _(
        "Best split by tensor (%(accelerators)s accelerators): time per token %(tpot_percent)s %%, time to first "
        "token %(ttft_percent)s %%, throughput %(throughput_percent)s %%."
    ),
    "neighbour_pipeline": _(
        "Best split by pipeline (%(accelerators)s accelerators): time per token %(tpot_percent)s %%, time to first "
        "token %(ttft_percent)s %%, throughput %(throughput_percent)s %%."
    ),
    "neighbour_combined": _(
        "Best split by both (%(accelerators)s accelerators): time per token %(tpot_percent)s %%, time to first token "
        "%(ttft_percent)s %%, throughput %(throughput_percent)s %%."
    ),
    "neighbour_replicas": _(
        "Best with independent replicas (%(accelerators)s accelerators): time per token %(tpot_percent)s %%, time to "
        "first token %(ttft_percent)s %%, throughput %(throughput_percent)s %%."
    ),
    "neighbour_tensor_saturated": _("The best split by tensor is saturated."),
    "neighbour_pipeline_saturated": _("The best split by pipeline is saturated."),
    "neighbour_combined_saturated": _("The best split by both is saturated."),
    "neighbour_replicas_saturated": _("The best with independent replicas is saturated."),
}

ROLES: Mapping[str, Promise] = {
    "role_nothing_feasible": _("No option is feasible."),
    "role_lowest_cost": _("Lowest purchase cost."),
    "role_lowest_cost_at_least": _("Lowest known cost; lines without a price are still open, so it is at least this."),
    "role_lowest_cost_unknown": _("No option has a price."),
    "role_earliest_delivery": _("Earliest delivery."),
    "role_earliest_delivery_complete": _(
        "Earliest delivery that is known in full. Another option states at least %(weeks)s weeks, but not all of its "
        "lines have a lead time."
    ),
    "role_earliest_delivery_at_least": _("Earliest known delivery; lines without a lead time are still open."),
    "role_earliest_delivery_unknown": _("No option has a lead time."),
    "role_most_headroom": _("Carries the most beyond the stated load."),
}

WORDS: Mapping[str, Promise] = {**VERDICTS, **SOFTWARE, **WARNINGS, **REJECTIONS, **ASSUMPTIONS, **NEIGHBOURS, **ROLES}
