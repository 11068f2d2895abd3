"""Words of the codes that reading a model, dividing memory and splitting it use."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

READING: Mapping[str, Promise] = {
    "model_not_an_object": _("A model's config.json is one JSON object; this is not."),
    "model_too_many_keys": _("The file has %(keys)s keys; a model's config has fewer than %(limit)s."),
    "model_file_empty": _("The file is an empty object. Paste the whole config.json of the model."),
    "model_file_is_adapter": _(
        "This is an adapter's file (LoRA), made for %(base)s. Paste the config.json of the base model."
    ),
    "model_file_is_diffusers_index": _(
        "This is the index of an image pipeline (model_index.json). Choose the image workload, or paste the "
        "config.json of a language model."
    ),
    "model_file_is_weight_index": _(
        "This is the index of the weight files. Paste config.json, which stands beside it."
    ),
    "model_file_is_tokenizer": _("This is the tokeniser's file. Paste config.json, which stands beside it."),
    "model_file_is_preprocessor": _("This is the preprocessor's file. Paste config.json, which stands beside it."),
    "model_file_is_generation": _(
        "This is the file of generation settings. Paste config.json, which stands beside it."
    ),
    "model_file_is_quantisation_only": _(
        "This file describes a quantisation only. Paste config.json, which stands beside it."
    ),
    "model_is_vision": _("%(model_type)s holds no language model. Choose the vision or embedding workload for it."),
    "model_class_no_decoder": _(
        "%(architecture)s is no decoder that Kvote knows, so its cache would be a guess. Type its shape by hand, or "
        "choose the embedding workload."
    ),
    "model_keys_private": _(
        "This class is not known here, and these keys shape its layers: %(keys)s. Kvote does not guess; type layers, "
        "key-value heads, head width and parameters by hand."
    ),
    "model_file_is_package": _("This is a JavaScript package file, not a model's config.json."),
    "model_keys_missing": _("The model cannot be read without: %(keys)s. Add it, or type the shape by hand."),
    "model_number_expected": _("%(key)s must be a number; it is %(value)s."),
    "model_number_not_whole": _("%(key)s must be a whole number; it is %(value)s."),
    "model_number_too_small": _("%(key)s is %(value)s; the smallest sensible value is %(limit)s."),
    "model_number_beyond_sanity": _("%(key)s is %(value)s, beyond any model (limit %(limit)s). Check the file."),
    "model_boolean_expected": _("%(key)s must be true or false; it is %(value)s."),
    "model_text_expected": _("%(key)s must be a text; it is %(value)s."),
    "model_list_expected": _("%(key)s must be a list; it is %(value)s."),
    "model_object_expected": _("%(key)s must be an object; it is %(value)s."),
    "model_list_too_long": _("The list %(key)s has %(length)s entries; more than %(limit)s are not read."),
    "model_list_too_short": _(
        "The list %(key)s has %(length)s entries for %(layers)s layers. Complete it; Kvote does not guess the rest."
    ),
    "model_list_entry_wrong": _("The list %(key)s holds the entry %(value)s, which means nothing here."),
    "model_layer_type_unknown": _("The layer type %(value)s is not known. Known are: %(known)s."),
    "model_heads_do_not_divide": _(
        "The hidden size %(hidden_size)s is not divisible by %(heads)s heads, and no head width is stated."
    ),
    "model_kv_heads_do_not_divide": _("%(kv_heads)s key-value heads do not divide %(heads)s query heads."),
    "model_experts_too_few": _("%(active)s experts are active but only %(experts)s exist."),
    "model_shared_layers_too_many": _("%(shared)s layers share a cache, but the model has only %(layers)s."),
    "model_ratio_does_not_divide": _("The compression ratio %(ratio)s does not divide the width %(width)s."),
    "model_quantisation_unknown": _(
        "The quantisation %(value)s is not known, so its bytes would be a guess. Known are: %(known)s. Paste the "
        "config.json of the unquantised model and choose a weight format."
    ),
    "model_block_size_wrong": _("%(key)s must hold two whole numbers; it is %(value)s."),
    "model_bits_unknown": _("%(key)s is %(value)s; known are 2, 3, 4, 6 and 8 bits."),
    "model_shape_key_unknown": _("A typed shape has no field %(key)s. Known are: %(known)s."),
    "model_parameters_too_few": _(
        "%(parameters)s parameters are fewer than attention and vocabulary alone need (%(needed)s). The field "
        "takes a count, not billions."
    ),
    "model_format_unknown": _("The number format %(value)s is not known. Short names are: %(known)s."),
    "model_file_too_large": _("The file has %(size_mb)s MB; a config.json above %(limit_mb)s MB is not read."),
    "model_file_unreadable": _("%(file)s cannot be read: %(problem)s."),
    "model_file_not_json": _("%(file)s is not JSON: %(problem)s."),
    "model_file_not_text": _("%(file)s is not text in UTF-8. Paste the config.json, not the weights."),
    "model_file_nested": _("The file is nested too deeply to be a model's config.json."),
    "model_header_too_large": _("The header of %(file)s claims %(size_mb)s MB; more than %(limit_mb)s MB is not read."),
    "model_header_broken": _("The header of %(file)s is damaged: %(problem)s."),
    "model_gguf_architecture_unknown": _("The GGUF architecture %(value)s is not known. Known are: %(known)s."),
    "model_gguf_layers_differ": _("%(key)s differs from layer to layer. Paste the model's config.json instead."),
    "model_gguf_latent_old": _(
        "This GGUF file of latent attention was written before its widths were stored: %(keys)s is missing. Add the "
        "model's config.json beside it; the bytes of the file then still count."
    ),
    "weight_files_incomplete": _(
        "The weight files (%(source)s) hold %(size_gb)s GB, this model needs %(needed_gb)s GB by its config. Give "
        "every shard, and the config that stands beside them."
    ),
    "model_gguf_without_tensors": _("This GGUF file holds no tensors, only a vocabulary or a description."),
    "model_config_missing": _("These files hold weights only. Add the model's config.json, which stands beside them."),
    "model_format_not_readable": _("%(file)s is neither GGUF nor safetensors."),
    "hub_offline": _(
        "The model hub cannot be reached from here. Paste the config.json, or choose a model of the catalogue."
    ),
    "hub_not_found": _("The hub has no model %(model)s, or it is private. Check the name."),
    "hub_gated": _("%(model)s is gated: accept its terms on the hub and give your own access token."),
    "hub_token_refused": _(
        "The hub does not accept this access token for %(model)s. Check that it is valid and may read the model."
    ),
    "hub_failed": _("The hub answered with an error for %(model)s: %(problem)s. Paste the config.json instead."),
}

NOTES: Mapping[str, Promise] = {
    "model_context_unknown": _("The file does not state the context length; state it in the request."),
    "model_context_short": _(
        "The context is only %(max_context_tokens)s tokens: tools that compile models cut it. Check the original."
    ),
    "model_size_differs": _(
        "The name says %(stated_b)s billion parameters, the config %(computed_b)s billion. Check that they belong "
        "together."
    ),
    "model_family_unknown": _(
        "The model class %(model_type)s is not known. Read by the general decoder rule: check the parameter count."
    ),
    "model_list_cut": _("The list %(key)s has %(length)s entries for %(layers)s layers; the rest is left out."),
    "model_without_lm_head": _(
        "%(architecture)s checkpoints often leave the LM head out, although the file reads as if it were there."
    ),
    "model_tower_apart": _(
        "The %(tower)s tower (%(parameters)s parameters) is not part of the total; memory counts it in addition."
    ),
    "kv_grouped": _("2 x attention layers x key-value heads x head width x bytes per value"),
    "kv_grouped_indexed": _(
        "2 x attention layers x key-value heads x head width x bytes per value; index keys in addition"
    ),
    "kv_grouped_windowed": _(
        "2 x attention layers x key-value heads x head width x bytes per value; sliding layers end at their window"
    ),
    "kv_latent": _("layers x (latent rank + rope width) x bytes per value, one copy for all heads"),
    "kv_latent_indexed": _(
        "layers x (latent rank + rope width) x bytes per value, one copy for all heads; index keys in addition"
    ),
    "kv_compressed": _(
        "layers x head width / compression ratio x bytes per value, and a window of full latents in every layer"
    ),
    "kv_encoder_decoder": _(
        "2 x decoder layers x heads x head width x bytes per value; the encoder's output is kept once"
    ),
    "kv_none_encoder": _("an encoder keeps no cache"),
    "kv_none_recurrent": _("no cache: a constant state per sequence"),
}

LAYOUTS: Mapping[str, Promise] = {
    "layout_degree_wrong": _("The %(degree)s degree is %(value)s; it must lie between 1 and %(limit)s."),
    "layout_heads": _(
        "Tensor parallel %(tensor)s does not divide the %(heads)s attention heads. These degrees do: %(valid)s."
    ),
    "layout_kv_heads": _(
        "Tensor parallel %(tensor)s neither divides nor is a multiple of the %(kv_heads)s key-value heads. These "
        "degrees work: %(valid)s."
    ),
    "layout_hidden_size": _(
        "Tensor parallel %(tensor)s does not divide the hidden size %(hidden_size)s. These degrees do: %(valid)s."
    ),
    "layout_vocabulary": _(
        "Tensor parallel %(tensor)s does not divide the padded vocabulary of %(padded)s. These degrees do: %(valid)s."
    ),
    "layout_expert_width": _(
        "The experts' width %(expert_width)s cannot be cut into %(ranks)s parts of whole blocks of %(block)s. These "
        "counts work: %(valid)s; or use expert parallelism."
    ),
    "layout_pipeline_too_deep": _("%(pipeline)s pipeline stages are more than the %(layers)s layers."),
    "layout_no_experts": _("Expert parallel %(expert)s: this model has no experts."),
    "layout_experts": _(
        "Expert parallel %(expert)s does not divide the %(experts)s experts. These degrees do: %(valid)s."
    ),
    "layout_expert_degree": _(
        "Expert parallel %(expert)s must equal the tensor degree %(tensor)s, the data degree %(data)s or their product."
    ),
    "layout_count_differs": _(
        "%(accelerators)s accelerators are stated, but tensor %(tensor)s x pipeline %(pipeline)s x data %(data)s "
        "is %(product)s."
    ),
    "layout_tensor_beyond_fabric": _(
        "Tensor parallel %(tensor)s leaves the fabric, which joins %(scale_up_domain)s accelerators: slow. Pipeline "
        "stages between nodes are faster."
    ),
    "layout_latent_copied": _("Every one of the %(tensor)s tensor ranks holds the whole latent cache."),
    "layout_kv_heads_copied": _(
        "%(kv_heads)s key-value heads are copied %(copies)s times over %(tensor)s tensor ranks: the cache per "
        "accelerator shrinks no further."
    ),
    "layout_stages_uneven": _(
        "%(layers)s layers do not divide into %(pipeline)s equal stages; the fullest one counts."
    ),
    "format_support_native": _("%(device)s computes in %(format)s."),
    "format_support_weight_only": _(
        "%(device)s stores weights in %(format)s and computes in 16 bits: it saves memory, not time."
    ),
    "format_support_refused": _(
        "%(device)s (compute capability %(capability)s) cannot run %(format)s, which needs %(needed)s."
    ),
    "format_support_version": _(
        "%(device)s (compute capability %(capability)s) runs %(format)s by this engine from version %(since)s on; "
        "stated is %(version)s."
    ),
    "format_support_unknown": _("No source states whether %(device)s runs %(format)s."),
    "engine_unknown": _("The engine %(value)s is not known. Known are: %(known)s."),
}

MEMORY: Mapping[str, Promise] = {
    "memory_fits": _("%(spare_gb)s GB per accelerator stay free beside the longest request."),
    "memory_short": _(
        "Weights and reserves need %(short_gb)s GB more per accelerator than the engine may use (%(budget_gb)s GB)."
    ),
    "memory_context_short": _(
        "One request of %(context_tokens)s tokens needs %(short_gb)s GB more cache per accelerator; "
        "%(longest_tokens)s tokens fit."
    ),
    "memory_concurrency_short": _("%(held)s sequences of %(tokens)s tokens fit at once; %(wanted)s are asked for."),
    "fix_context": _("Limit the context to %(tokens)s tokens."),
    "fix_kv_format": _("Keep the cache in %(format)s: %(kv_gb)s GB of cache per accelerator then suffice."),
    "fix_settings": _(
        "Set the engine to %(max_sequences)s sequences and a memory fraction of %(memory_utilisation)s: "
        "%(kv_gb)s GB are then left for the cache."
    ),
    "fix_weights_format": _("Store the weights in %(format)s: %(weights_gb)s GB instead of %(before_gb)s GB."),
    "fix_more_accelerators": _(
        "Use %(accelerators)s accelerators in one replica (tensor parallel %(tensor)s): %(kv_gb)s GB of cache on each."
    ),
    "fix_other_accelerator": _(
        "Use %(device)s with %(usable_gb)s GB instead, %(accelerators)s in one replica: %(kv_gb)s GB of cache on each."
    ),
    "fix_offload": _(
        "Offload %(offload_gb)s GB of weights per accelerator to host memory: %(host_gb)s GB of RAM, and every step "
        "waits for the link (%(link_gb_s)s GB/s), %(step_ms)s to %(step_high_ms)s ms a step. Slow, and not counted as "
        "a fit."
    ),
    "accelerators_mixed": _(
        "One replica cannot mix %(names)s: every rank gets an equal share and waits for the slowest, so it would hold "
        "and do no more than as many %(weakest)s with %(usable_gb)s GB each."
    ),
    "accelerators_of_several_makers": _(
        "One replica cannot span accelerators of several makers: %(names)s share no collective library."
    ),
    "accelerators_stated_twice": _(
        "Give either accelerator and count or accelerators; accelerator is already %(value)s."
    ),
    "fix_weakest": _("Use %(count)s × %(device)s in the replica, and the others in replicas of their own."),
    "fix_layout": _(
        "Split it over %(accelerators)s accelerators (tensor parallel %(tensor)s, pipeline %(pipeline)s); more of them "
        "add replicas, %(kv_gb)s GB are then left for the cache."
    ),
    "fix_none": _("No single change makes it fit: combine a smaller model, more accelerators and a shorter context."),
    "formula_usable": _("what driver and engine report of the vendor's capacity"),
    "numbers_usable": _("%(memory_bytes)s GB by the vendor's count"),
    "formula_weights": _("bytes of the weights of one rank of the fullest stage; copies where a part cannot be split"),
    "numbers_weights": _(
        "attention %(attention_bytes)s + key-value projections %(kv_projections_bytes)s + parts that every rank holds "
        "%(copied_attention_bytes)s + dense %(dense_bytes)s + experts %(experts_bytes)s + norms and routers "
        "%(other_bytes)s + embedding and head %(tables_bytes)s + towers %(towers_bytes)s + drafts and adapters "
        "%(beside_bytes)s GB; the whole model has %(total_bytes)s GB, split over tensor %(tensor)s, pipeline "
        "%(pipeline)s, data %(data)s"
    ),
    "formula_sampler": _("sequences x vocabulary x bytes per logit, and a spare where fewer sequences are set"),
    "numbers_sampler": _(
        "%(max_sequences)s x %(vocab_size)s x %(logits_bytes)s bytes + %(spare_bytes)s GB (default: "
        "%(default_sequences)s sequences)"
    ),
    "formula_activations": _("passes x batched tokens x hidden size x bytes per value"),
    "numbers_activations": _(
        "%(activation_passes)s x %(max_batched_tokens)s x %(hidden_size)s x %(value_bytes)s bytes"
    ),
    "formula_runtime": _("context, graphs and allocator of one accelerator"),
    "numbers_runtime": _("a constant of the engine"),
    "formula_collectives": _("buffers of collectives, stated for 2 and 8 accelerators and in proportion between"),
    "numbers_collectives": _("%(accelerators)s accelerators in one replica"),
    "formula_encoder": _(
        "copies x the larger of batched tokens and tokens of one input x hidden size x bytes per value"
    ),
    "numbers_encoder": _("%(copies)s x %(tokens)s x %(hidden_size)s x %(value_bytes)s bytes"),
    "formula_pool_device": _("fraction x usable memory - weights - activations - runtime"),
    "numbers_pool_device": _(
        "%(memory_utilisation)s x %(usable_bytes)s - %(weight_bytes)s - %(activation_bytes)s - %(runtime_bytes)s GB"
    ),
    "formula_pool_static": _("fraction x usable memory - weights; activations and runtime lie outside the fraction"),
    "numbers_pool_static": _(
        "%(memory_utilisation)s x %(usable_bytes)s - %(weight_bytes)s GB; outside: %(activation_bytes)s + "
        "%(runtime_bytes)s GB"
    ),
    "formula_pool_free": _("fraction x (usable memory - weights - activations - runtime)"),
    "numbers_pool_free": _(
        "%(memory_utilisation)s x (%(usable_bytes)s - %(weight_bytes)s - %(activation_bytes)s - %(runtime_bytes)s) GB"
    ),
    "formula_pool_none": _("usable memory - weights - activations - runtime"),
    "numbers_pool_none": _("%(usable_bytes)s - %(weight_bytes)s - %(activation_bytes)s - %(runtime_bytes)s GB"),
    "formula_token": _("cache elements per token x bytes per value / ranks that share the heads"),
    "numbers_token": _(
        "%(elements)s elements (%(window_elements)s more within a window of %(window_tokens)s tokens, "
        "%(indexer_elements)s of an indexer) x %(value_bytes)s bytes / %(ranks)s ranks, tensor %(tensor)s, pipeline "
        "%(pipeline)s, %(kv_heads)s key-value heads"
    ),
    "formula_request": _("tokens in whole blocks x bytes per token + window + state"),
    "numbers_request": _(
        "%(tokens)s tokens in blocks of %(block_tokens)s x %(token_bytes)s bytes + %(window_tokens)s x "
        "%(window_token_bytes)s bytes + %(state_bytes)s GB"
    ),
    "formula_window_bounds": _("with windows honoured, and with whole pages reserved for sliding layers"),
    "numbers_window_bounds": _(
        "%(capped_bytes)s and %(full_bytes)s bytes per token, window of %(window_tokens)s tokens"
    ),
    "formula_state": _("state of the recurrent layers, split by tensor parallelism; pages are padded to it"),
    "numbers_state": _("%(whole_bytes)s GB per sequence over %(layers)s layers; blocks of %(block_tokens)s tokens"),
    "formula_model_weights": _("parameters of each kind x bytes of a stored weight, scales and exceptions included"),
    "numbers_model_weights": _(
        "attention %(attention_b)s x %(attention_rate)s + dense %(dense_b)s x %(dense_rate)s + experts %(experts_b)s x "
        "%(experts_rate)s + embedding and head %(tables_b)s x %(tables_rate)s + others %(other_b)s x %(other_rate)s "
        "= %(total_gb)s GB (billions x bytes)"
    ),
    "numbers_model_cache": _(
        "(%(sum)s) elements x %(value_bytes)s bytes = %(bytes)s bytes; within windows (%(windowed)s) more elements"
    ),
    "figure_usable": _("Usable memory"),
    "figure_weights": _("Weights"),
    "figure_sampler": _("Sampler"),
    "figure_activations": _("Activations"),
    "figure_runtime": _("Engine and graphs"),
    "figure_collectives": _("Collective buffers"),
    "figure_encoder": _("Encoder work space"),
    "figure_pool": _("Pool of the KV cache"),
    "figure_token": _("KV cache of one token"),
    "figure_longest_request": _("Longest request"),
    "figure_window_bounds": _("KV cache of one token, windows ignored"),
    "figure_state": _("State of one sequence"),
    "setting_max_sequences": _("The engine is limited to %(max_sequences)s sequences to free memory for the cache."),
    "setting_memory_utilisation": _("The memory fraction is raised to %(memory_utilisation)s."),
}

WORDS: Mapping[str, Promise] = {**READING, **NOTES, **LAYOUTS, **MEMORY}
