from django.apps import AppConfig


class SizingConfig(AppConfig):
    name = "sizing"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from sizing import (  # noqa: PLC0415 - needs the apps
            messages,
            messages_inputs,
            messages_kinds,
            messages_loop,
            messages_model,
            messages_speed,
            requests,
        )
        from sizing.kinds.requests import SERIALIZERS  # noqa: PLC0415 - needs the apps

        messages.register(messages_inputs.WORDS)
        messages.register(messages_model.WORDS)
        messages.register(messages_speed.WORDS)
        messages.register(messages_kinds.WORDS)
        messages.register(messages_loop.WORDS)
        requests.register(SERIALIZERS)
