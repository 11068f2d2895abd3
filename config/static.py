"""Which of the packages' static files are collected: not those of pages that Kvote does not have."""

from django.contrib.staticfiles.apps import StaticFilesConfig


class KvoteStaticFilesConfig(StaticFilesConfig):
    # The browsable API and ReDoc are not offered; the API page is Swagger UI.
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "rest_framework", "redoc"]
