"""Tests in several processes at once: each has a Valkey database of its own, as it has a Postgres one by pytest-django.

Loaded with `-p tests.parallel`, before the settings are read.
"""

import os


def own_broker(url: str, process: str) -> str:
    """`url` with a database number of its own for the process `gw0`, `gw1` …; 0 stays with whoever runs alone."""
    return f"{url.partition('?')[0]}?db={int(process.removeprefix('gw')) + 1}"


if process := os.environ.get("PYTEST_XDIST_WORKER"):
    os.environ["REDIS_URL"] = own_broker(os.environ["REDIS_URL"], process)
