from django.apps import AppConfig


class OAuthConfig(AppConfig):
    name = "config.oauth"
    label = "oauth"
    default_auto_field = "django.db.models.BigAutoField"
