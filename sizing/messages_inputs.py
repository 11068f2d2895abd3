"""Words of the codes that requests, catalogue look-ups, the software table and the budget raise."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WORDS: Mapping[str, Promise] = {
    # the request against model and catalogue
    "model_not_in_catalogue": _(
        "The catalogue has no model %(value)s. Nearest: %(nearest)s. Or give its config.json under model.config."
    ),
    "format_unknown": _("There is no storage format %(value)s. Short names: %(known)s; or a slug of the catalogue."),
    "no_weight_format": _("State a weight format."),
    "no_cache_format": _("State a format of the KV cache."),
    "lengths_beyond_model": _(
        "Input and output together are %(tokens)s tokens, the model takes %(limit)s. Shorten them or choose a model "
        "with a longer context."
    ),
    "context_beyond_model": _("A context of %(value)s tokens is beyond the model's %(limit)s. Give at most that."),
    "context_below_lengths": _(
        "A context of %(value)s tokens is shorter than one request of %(tokens)s. Give at least that."
    ),
    "prefix_beyond_input": _("The shared prefix of %(value)s tokens is longer than the mean input. Shorten it."),
    "load_not_stated_once": _("State the load once: requests in flight, requests per second, or users."),
    "load_not_positive": _("The load must be above zero."),
    "lengths_below_one_token": _("Input and output need at least one token each."),
    "processor_is_no_accelerator": _(
        "%(value)s is a processor. A language model is sized on accelerators: name one, or leave the choice to Kvote."
    ),
    "accelerator_unknown": _("The catalogue has no accelerator %(value)s. Nearest: %(nearest)s."),
    # accelerators that no search may choose
    "accelerator_figures_missing": _("Memory or bandwidth is not published, so it cannot be sized."),
    "accelerator_announced": _("Announced, not on sale: plan with it, but no quote can name it."),
    "accelerator_withdrawn": _("Withdrawn from sale."),
    "accelerator_cloud_only": _("Only rented in a cloud, not sold."),
    "accelerator_export_variant": _("An export variant that is sold in China only."),
    "no_chassis": _("No server of the catalogue takes it."),
    "sold_by_the_board": _("Sold as a board of %(bought)s only; this load uses %(used)s of them."),
    "sold_by_the_rack": _("Sold as a rack of %(bought)s only; this load uses %(used)s of them."),
    "far_dearer": _("Known prices alone are %(times)s times what the cheapest option costs at most."),
    "far_larger": _("It would take %(accelerators)s accelerators in %(servers)s servers."),
    "accelerator_eol": _("End of life: have the supplier confirm that it can still be had."),
    # software verdicts
    "engine_one_accelerator": _(
        "%(engine)s keeps each replica of a language model on one accelerator. Leave the split open, or take vLLM."
    ),
    "software_nvidia_only": _("%(engine)s runs on NVIDIA accelerators only."),
    "software_unknown": _("No source says whether %(engine)s runs %(format)s here. Ask the maker or try it."),
    "software_not_on_processors": _("No source says that %(engine)s serves %(format)s on processors."),
    "software_no_longer_named": _(
        "%(engine)s %(version)s stored %(format)s and computed in 16 bits (%(source)s); documents of newer releases no "
        "longer name it. Try it before you rely on it."
    ),
    "software_native": _("%(engine)s %(version)s runs %(format)s natively (%(source)s)."),
    "software_weight_only": _(
        "%(engine)s %(version)s stores %(format)s and computes in 16 bits: it saves memory, not compute (%(source)s)."
    ),
    "software_emulated": _("%(engine)s %(version)s unpacks %(format)s to a wider format first (%(source)s)."),
    "software_unsupported": _("%(engine)s %(version)s does not run %(format)s here (%(source)s)."),
    "software_no_fp8_cache": _("%(engine)s keeps no FP8 KV cache here (%(source)s). Use BF16."),
    # budget
    "budget_not_stated": _("No budget given: not judged."),
    "budget_price_unknown": _("No price is known: the budget cannot be judged."),
    "budget_over": _("%(amount)s %(currency)s is over the budget of %(budget)s %(currency)s."),
    "budget_incomplete": _(
        "Known prices are at least %(amount)s of %(budget)s %(currency)s; the open lines may break the budget."
    ),
    "budget_kept": _("%(amount)s of %(budget)s %(currency)s."),
    # assumptions
    "assumed_weights_as_stored": _("Weights as the checkpoint stores them."),
    "assumed_weight_files": _(
        "Weights as the files hold them: %(size_gb)s GB (%(source)s); from the config %(computed_gb)s GB were computed."
    ),
    "assumed_files_narrowed": _(
        "Tensors of 32 or 64 bits are loaded in 16 bits, as serving software does unless told otherwise: "
        "%(served_gb)s GB in memory. State fp32 as the weight format to keep them as they are."
    ),
    "assumed_files_converted": _(
        "The files hold %(size_gb)s GB (%(source)s), but another format is stated: %(format)s, so bytes are computed."
    ),
    "assumed_cache_bf16": _("The KV cache in BF16, the engines' default."),
    "assumed_engine": _("Served with %(value)s, whose memory use is measured best."),
    "assumed_engine_gguf": _("Served with llama.cpp, whose own format GGUF is."),
    "assumed_context": _("Planned for requests of up to %(tokens)s tokens: twice the mean."),
    "assumed_active_share": _("%(share_pct)s %% of the users wait for an answer at the peak: usual in offices."),
    "assumed_integration": _("%(value)s week for integration and validation."),
    "assumed_shipping": _("%(value)s week for shipping."),
    "assumed_write_off": _("Written off over %(value)s years, nothing left at the end."),
    "assumed_currency": _("Amounts in %(value)s."),
    "assumed_buyer_unknown": _("The type of buyer is unknown, so whether TAA and Section 889 apply is undetermined."),
    "assumed_flat_load": _("The stated load is taken as lasting round the clock: no daily profile was given."),
    # origins of figures
    "usable_memory_rule": _("No driver report: 0.997 of the printed gigabytes (10^9 bytes)."),
    "processor_memory_rule": _("90 % of one 64 GB module per channel."),
    "processor_memory_need": _(
        "The smallest module per channel that holds model and caches; 72 GB and a tenth of the rest are left to the "
        "system."
    ),
}
