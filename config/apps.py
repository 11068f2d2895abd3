from django.apps import AppConfig


class KvoteConfig(AppConfig):
    """The project itself: its commands, and the Celery application that every process sends tasks through."""

    name = "config"
    default = True

    def ready(self) -> None:
        from config import celery  # noqa: F401, PLC0415 - tasks must find our application, not Celery's default
