"""The Celery application. Every option stands in `settings.py` under `CELERY_`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("kvote")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
