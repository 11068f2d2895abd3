"""Words of the codes that the kinds besides language models raise."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WORDS: Mapping[str, Promise] = {
    # requests and models
    "kind_without_fit": _("No measured point is known for %(value)s."),
    "kind_model_by_id_only": _("Name a model of the catalogue under model.id."),
    "model_without_operations": _("The operations of %(value)s are not published: it cannot be sized."),
    "shape_key_unknown": _("There is no such number. Known here: %(known)s."),
    "shape_number_missing": _("Give %(name)s as a number above zero."),
    "accelerator_not_offered": _("%(value)s cannot be bought or sized: choose another accelerator."),
    # why a device falls out
    "kind_rates_unknown": _("No arithmetic rate is published, so it cannot be sized."),
    "kind_does_not_fit": _("The model and its working space need %(needed_gb)s GB; %(short_gb)s GB are missing."),
    "kind_item_too_slow": _("One item alone takes %(value_ms)s ms, the limit is %(limit_ms)s ms."),
    "kind_stream_too_slow": _(
        "A single stream needs %(real_time_factor)s s for one second of audio or starts too late."
    ),
    "kind_load_too_high": _("Even %(most)s devices do not carry the load."),
    "kind_small_computer": _("It comes in small computers alone, which no server takes."),
    "kind_no_engine": _("None of the allowed serving software runs here."),
    "tables_do_not_fit": _(
        "The tables of %(table_gb)s GB fit neither one device nor eight, and host memory is not allowed or its link "
        "not known."
    ),
    "device_over_site_power": _("The device draws up to %(power_w)s W, the place allows %(limit_w)s W."),
    "devices_over_site_power": _(
        "It takes %(devices)s devices, which draw up to %(power_w)s W alone; the place allows %(limit_w)s W."
    ),
    "kind_software_measured": _("%(engine)s was measured on this device (%(source)s)."),
    "software_intel_only": _("%(engine)s runs on Intel GPUs and on processors only."),
    "kind_int8_only": _("%(accelerator)s computes 8-bit networks alone: choose INT8."),
    "kind_own_runtime": _(
        "%(accelerator)s runs networks that its maker's own tools have compiled; %(engine)s calls them."
    ),
    "software_unsupported_maker": _("%(engine)s does not run on %(accelerator)s."),
    "rag_retrieval_too_slow": _(
        "Embedding, search and ranking take %(value_ms)s ms; half of the limit, %(limit_ms)s ms, is kept for them."
    ),
    "rag_latency_missed": _(
        "Retrieval takes %(retrieval_ms)s ms; with the answer of the language model %(limit_ms)s ms are not kept."
    ),
    # what an accelerator adds to processors
    "kind_accelerator_adds": _(
        "Processors alone carry the load. %(accelerator)s (%(devices)s) would carry %(times)s times as much."
    ),
    "kind_accelerator_adds_nothing": _("Processors alone carry the load; no accelerator here would carry more."),
    # what would help
    "rag_fix_candidates": _("Rank fewer passages, choose a smaller model for ranking, or allow more time."),
    "kind_fix_small_computer": _("Ask for compact computers or edge boxes under “Form”."),
    "kind_fix_memory": _("Store the weights in 8 bits, or take a device with more memory."),
    "kind_fix_latency": _("Allow more time for one item, or choose a smaller model."),
    "kind_fix_load": _("Lower the load, or split it over several places."),
    "kind_fix_tables": _("Place the tables in host memory, or store them in fewer bits."),
    "kind_fix_power": _("Allow more power for one device."),
    # memory and speed
    "kind_memory_fits": _("%(used_gb)s GB of %(usable_gb)s GB in use."),
    "kind_memory_tight": _("%(used_gb)s GB of %(usable_gb)s GB in use: little is left for updates."),
    "kind_load_kept": _("%(load_pct)s %% of what all replicas carry (%(replicas)s)."),
    "kind_load_kept_not_surely": _(
        "%(load_pct)s %% of what all replicas carry (%(replicas)s); at the lower end of the interval, too little."
    ),
    "kind_load_missed": _("The load is %(load_pct)s %% of what all replicas carry (%(replicas)s)."),
    "kind_latency_kept": _("%(value_ms)s ms of %(limit_ms)s ms at p95."),
    "kind_latency_kept_not_surely": _(
        "%(value_ms)s ms of %(limit_ms)s ms at p95; the upper end of the interval is over it."
    ),
    "kind_latency_missed": _("%(value_ms)s ms at p95, the limit is %(limit_ms)s ms."),
    "rag_end_to_end_kept": _("%(value_ms)s ms of %(limit_ms)s ms from question to last word at p95."),
    "rag_end_to_end_kept_not_surely": _(
        "%(value_ms)s ms of %(limit_ms)s ms from question to last word at p95; the upper end of the interval is close "
        "to it or over it."
    ),
    "rag_end_to_end_missed": _("%(value_ms)s ms from question to last word at p95, the limit is %(limit_ms)s ms."),
    "assumed_index_memory": _("The index lies in main memory: %(memory_gb)s GB, and %(drives_gb)s GB on NVMe."),
    "assumed_index_drives": _("The index lies on NVMe: %(drives_gb)s GB, and %(memory_gb)s GB in main memory."),
    "assumed_rag_usual": _("%(value)s: usual for an assistant on documents."),
    "assumed_enclosures": _("Industrial and small computers: no server room is expected at the edge."),
    "assumed_features": _("%(value)s values make one row or frame."),
    "assumed_format_fp32": _("FP32: trees and small networks are served as they were trained."),
    "assumed_format_int8": _("INT8: what edge devices compute fastest."),
    # advice on software
    "advice_family_not_served": _("%(engine)s does not list this family of models (%(source)s)."),
    "advice_ties_to_nvidia": _("%(engine)s ties you to NVIDIA: no other maker's devices run it."),
    "advice_ties_to_intel": _("%(engine)s ties you to Intel devices and to processors."),
    "advice_files_tied": _("Its engine files belong to one GPU family and release: build them again after a change."),
    "advice_archived": _("%(engine)s is archived: no further release is to be expected."),
    "advice_licence_per_gpu": _(
        "%(engine)s needs a licence for each GPU in production; the bill of materials lists it."
    ),
    "advice_few_users": _(
        "%(engine)s suits few users at once; under load, engines with continuous batching carry more."
    ),
    "advice_weight_only": _("%(format)s is stored, not computed: memory shrinks, arithmetic stays at 16 bits."),
    "advice_emulated": _("%(format)s is emulated here: it runs, but gains no speed."),
    "advice_nvidia_format": _("NVFP4 is computed natively on NVIDIA Blackwell alone."),
    "advice_not_listed": _("%(format)s is not listed for %(devices)s with %(engine)s."),
    "advice_device_announced": _("%(accelerator)s is announced, not on sale: plan with it, but no quote can name it."),
    "advice_device_eol": _("%(accelerator)s is at its end of life: have the supplier confirm that it can be had."),
    # several models
    "several_too_large": _("The largest model needs %(largest_gb)s GB, one device has %(usable_gb)s GB."),
    "several_not_isolated": _("The device cannot be cut into instances, and sharing it would not keep models apart."),
    "several_not_on_processors": _(
        "Several models at once are placed on accelerators only. Size each model alone to see it on processors."
    ),
    "several_fix_memory": _("Take a device with more memory, or store the largest model in fewer bits."),
    "several_fix_isolation": _("Allow one device per model."),
    "several_memory": _("%(used_gb)s GB of %(usable_gb)s GB on the fullest device."),
    "several_compute_not_stated": _("No share of compute is stated for the models: speed is not judged."),
    "several_compute_kept": _(
        "The models need %(compute_pct)s %% of a device's compute on average; %(margin_pct)s %% are kept for "
        "interference where they share one."
    ),
    "several_bin": _("Device %(number)s: %(models)s."),
    # four questions
    "guide_kind_text": _(
        "Text comes from a language model: memory bandwidth sets the pace, memory the number of users."
    ),
    "guide_kind_picture": _("Pictures come from diffusion: arithmetic sets the pace, so rates in 8 and 4 bits count."),
    "guide_kind_clip": _("Clips are diffusion over many frames: arithmetic alone decides, minutes per clip are usual."),
    "guide_kind_speech": _("A voice must keep up with real time and start within half a second."),
    "guide_kind_transcript": _("Recognition runs many times faster than real time: one card carries an archive."),
    "guide_kind_detection": _("Cameras need decoding, a small network per frame, and network capacity."),
    "guide_kind_search": _("Search turns texts into vectors: short runs in small batches."),
    "guide_kind_suggestion": _("Suggestions read rows of large tables: where these lie decides."),
    "guide_kind_answer": _(
        "Answers from documents are a chain: embedding, search, ranking and a language model share one limit."
    ),
    "guide_kind_score": _("Tables and sensors need trees or small networks: little arithmetic, short answers."),
    "guide_processor_tables": _(
        "Trees and small networks run on processors; the result shows what an accelerator would add."
    ),
    "guide_next": _("Announced parts are planned with; no quote names them as available."),
    "guide_edge": _("Watts, temperature and size come first; small devices carry small networks."),
    "guide_processor": _("A few requests a second need no accelerator; the result shows what one would add."),
    "guide_memory_tables": _("The tables should fit device memory; otherwise they go to the server's."),
    "guide_memory_text": _("Long contexts and many users need memory and bandwidth before arithmetic."),
    "guide_scaled": _("Thousands of users need several boards with a fast fabric between them."),
    "guide_compute": _("Much arithmetic for the money, and memory enough for the usual models."),
    "guide_professional": _("One or two cards in a usual server carry it."),
    "guide_overnight": _("With a deadline instead of a waiting person, fewer devices suffice."),
    # assumptions
    "assumed_share_of_any": _("Shares of compute are taken as shares of whichever device is looked at."),
    "assumed_published_size": _("The size at which the model was published: %(value)s."),
    "assumed_published_steps": _("%(value)s steps, the published default."),
    "assumed_guidance": _("%(value)s passes through the network per step, as published."),
    "assumed_format_bf16": _("Weights in BF16, as published."),
    "assumed_format_fp16": _("Weights in FP16: it needs no calibration. INT8 or FP8 would be faster."),
    "assumed_segment": _("%(value)s seconds of speech in one piece."),
    "assumed_utterance": _("Utterances of %(value)s seconds."),
    "assumed_first_audio": _("The first sound within %(value)s s: usual for a conversation."),
    "assumed_open_pipeline": _(
        "Planned with an open pipeline, as it is published for single cards. A compiled server (vLLM, Triton) is "
        "several times faster: name it under serving software."
    ),
    "assumed_speech_tokens": _("2.8 words a second and 1.3 tokens a word, as in English read aloud."),
    "assumed_camera": _("Cameras of 1920 x 1080 pixels."),
    "assumed_mbit": _("%(value)s Mbit/s per camera: H.264 at 1080p and 30 frames a second."),
    "assumed_tokens": _("%(value)s tokens per text, the length at which the model was published."),
    "assumed_dlrm": _("%(value)s, as in DLRM-v2 of MLPerf."),
}
