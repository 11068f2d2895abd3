"""Ready-made workloads of the kinds besides language models: complete filled forms."""

from django.utils.translation import gettext_lazy as _

from sizing.examples import Example, example

KIND_EXAMPLES: dict[str, tuple[Example, ...]] = {
    "image": (
        example(
            "image-studio",
            _("Image studio"),
            _("1,000 pictures an hour with SDXL"),
            model="stabilityai/stable-diffusion-xl-base-1.0", weights_format="fp8", items_per_hour=1000,
            seconds_per_item=20,
        ),
    ),
    "video": (
        example(
            "video-clips",
            _("Clips overnight"),
            _("200 clips of five seconds in twelve hours"),
            model="Wan-AI/Wan2.2-T2V-A14B (720p)", weights_format="fp8", items_per_hour=None, items=200,
            deadline_hours=12,
        ),
    ),
    "speech": (
        example(
            "voice-agent",
            _("Voice agent"),
            _("Speech for 50 conversations at once"),
            model="hexgrad/Kokoro-82M", mode="stream", streams=50, latency_ms=None, first_audio_ms=500,
        ),
        example(
            "transcription",
            _("Transcription archive"),
            _("10,000 hours of recordings in a month"),
            model="openai/whisper-large-v3", mode="batch", streams=None, audio_hours=10000, deadline_hours=720,
            latency_ms=None,
        ),
    ),
    "vision": (
        example(
            "traffic-cameras",
            _("Traffic cameras"),
            _("64 cameras with 15 frames a second"),
            model="YOLO11m", weights_format="int8", streams=64, fps=15, latency_ms=100,
        ),
        example(
            "quality-inspection",
            _("Quality inspection"),
            _("120 parts a second on a line"),
            model="YOLO11x", weights_format="fp16", streams=None, fps=None, images_per_s=120, latency_ms=50,
        ),
    ),
    "embedding": (
        example(
            "company-search",
            _("Index of company documents"),
            _("200 passages a second"),
            model="BAAI/bge-m3", documents_per_s=200, tokens_per_document=512, latency_ms=200,
        ),
    ),
    "recommendation": (
        example(
            "shop-recommendations",
            _("Shop recommendations"),
            _("5,000 queries a second, 100 candidates each"),
            queries_per_s=5000, samples_per_query=100, latency_ms=50,
        ),
    ),
    "rag": (
        example(
            "document-assistant",
            _("Assistant for company documents"),
            _("5 million passages, two questions a second"),
            model="meta-llama/Llama-3.1-8B-Instruct", queries_per_s=2, passages=5, latency_s=10,
        ),
    ),
    "tabular": (
        example(
            "fraud-scores",
            _("Fraud scores"),
            _("5,000 payments a second through 500 trees"),
            method="trees", rows_per_s=5000, trees=500, depth=8, features=60, latency_ms=20,
        ),
        example(
            "machine-anomalies",
            _("Anomalies of machines"),
            _("2,000 sensors, one window a second each"),
            method="network", rows_per_s=None, sensors=2000, frames_per_s=1, features=1024, mflop_per_row=20,
            parameters=1, trees=None, depth=None, latency_ms=100,
        ),
        example(
            "radar-frames",
            _("Radar at a crossing"),
            _("Eight radars with 20 frames a second"),
            method="radar", rows_per_s=None, sensors=8, frames_per_s=20, samples=512, chirps=256, antennas=12,
            trees=None, depth=None, latency_ms=50,
        ),
    ),
    "edge": (
        example(
            "edge-cameras",
            _("Eight cameras on a pole"),
            _("150 W, 40 °C, no server room"),
            model="YOLO11m", weights_format="int8", streams=8, fps=15, latency_ms=100, limit_w=150, ambient_c=40,
        ),
    ),
    "models": (
        example(
            "small-models",
            _("Twenty small models"),
            _("8 GB each, kept apart in hardware"),
            lines="assistant; 8; 20; 5", isolated=True,
        ),
    ),
}  # fmt: skip
BY_KEY = {each.key: each for examples in KIND_EXAMPLES.values() for each in examples}
