from django.apps import AppConfig


class QuotesConfig(AppConfig):
    name = "quotes"
    default = True
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from quotes.own_records import records_of  # noqa: PLC0415 - needs loaded apps
        from sizing.own_records import register  # noqa: PLC0415

        register(records_of)
        self.register_words()

    def register_words(self) -> None:
        from quotes import messages, messages_bom, messages_screening  # noqa: PLC0415 - words need loaded apps
        from sizing.messages import register, register_features, register_singular  # noqa: PLC0415

        register(messages.WORDS)
        register(messages_bom.WORDS)
        register_features(messages_bom.FEATURES)
        register_singular(messages_bom.SINGULAR)
        register(messages_screening.WORDS)


class QuotesWordsConfig(QuotesConfig):
    """The words of the app without its tables, for a process that neither reads nor writes a quote."""

    default = False

    def ready(self) -> None:
        self.register_words()

    def import_models(self) -> None:
        self.models = {}
