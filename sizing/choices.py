from django.db import models
from django.utils.translation import gettext_lazy as _


class RunState(models.TextChoices):
    """Where a run stands; the first three may still change."""

    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    CANCELLING = "cancelling", _("being cancelled")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


FINISHED = (RunState.DONE, RunState.FAILED, RunState.CANCELLED)


class Stage(models.TextChoices):
    """The steps of a run in their order, as the progress list shows them."""

    READ = "read", _("Read workload")
    MEMORY = "memory", _("Memory")
    SPEED = "speed", _("Speed")
    PARTS = "parts", _("Parts and prices")
    DELIVERY = "delivery", _("Delivery")
    RANKING = "ranking", _("Ranking")


class Kind(models.TextChoices):
    """The kinds of inference that Kvote sizes."""

    LLM_SERVING = "llm_serving", _("Chat, RAG, code")
    IMAGE = "image", _("Images")
    VIDEO = "video", _("Video")
    SPEECH = "speech", _("Speech")
    VISION = "vision", _("Vision and cameras")
    EMBEDDING = "embedding", _("Embedding and reranking")
    RECOMMENDATION = "recommendation", _("Recommendation")
    RAG = "rag", _("Answers from documents")
    TABULAR = "tabular", _("Tables, time series, sensors")
    EDGE = "edge", _("Edge")
    MODELS = "models", _("Several models")


class BuyerType(models.TextChoices):
    COMMERCIAL = "commercial", _("Commercial")
    US_FEDERAL_CIVILIAN = "us_federal_civilian", _("US federal, civilian")
    US_DOD = "us_dod", _("US Department of Defense")
    US_GSA_MAS = "us_gsa_mas", _("US GSA schedule (MAS)")
    US_FED_SUBCONTRACTOR = "us_fed_subcontractor", _("Subcontractor to a US federal prime")
    US_FEDERAL_GRANT = "us_federal_grant", _("US federal grant")
    US_STATE_LOCAL = "us_state_local", _("US state or local")
    EU_PUBLIC = "eu_public", _("Public buyer in the EU")
    UNKNOWN = "unknown", _("Unknown")
