from django.apps import AppConfig


class SizingConfig(AppConfig):
    name = "sizing"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from sizing import messages, messages_inputs, messages_model, messages_speed  # noqa: PLC0415 - needs the apps

        messages.register(messages_inputs.WORDS)
        messages.register(messages_model.WORDS)
        messages.register(messages_speed.WORDS)
