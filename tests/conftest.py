"""Fixtures that every test may use: real Postgres and Valkey, a real worker, a real browser."""

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings as django_settings
from django.db import connection, transaction
from django.utils import translation
from playwright.sync_api import Browser, Page, sync_playwright
from pytest_django import DjangoDbBlocker, Settings
from pytest_django.live_server_helper import LiveServer

from catalog.seed.load import load_seed
from catalog.seed.report import SeedReport
from config.catalogues import compile_catalogues
from tests.processes import BROWSER_FLAGS, BROWSER_NAMES, Worker

# "quick" (make test), "full" (make test-full) or "soak" (make soak)
KIND = os.environ.get("KVOTE_TESTS", "quick")


def pytest_configure(config: pytest.Config) -> None:
    if not django_settings.DATABASES or not django_settings.REDIS_URL:
        raise pytest.UsageError("Set DATABASE_URL and REDIS_URL, or run .ci/test, which starts servers for the tests.")
    # Playwright's event loop lives in the thread of the tests, which Django would mistake for async code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    compile_catalogues()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Full tests run in `make test-full` only, soak tests in `make soak` only."""
    picked, left = [], []
    for item in items:
        is_soak, is_full = item.get_closest_marker("soak") is not None, item.get_closest_marker("full") is not None
        wanted = is_soak if KIND == "soak" else not is_soak and (KIND == "full" or not is_full)
        (picked if wanted else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = picked


@pytest.fixture(autouse=True)
def own_cache_quick_passwords(settings: Settings) -> None:
    """Each test has cache keys of its own, so that one's rate limits and lockouts do not reach the next.

    Passwords are hashed by the quickest means: how long Argon2 takes is not what a test is about.
    """
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    default = django_settings.CACHES["default"] | {"KEY_PREFIX": f"test-{uuid.uuid4().hex}"}
    settings.CACHES = django_settings.CACHES | {"default": default}
    AxesProxyHandler.get_implementation(force=True)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """A request leaves its language active in the thread; every test starts and ends in English."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="module")
def shipped(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[SeedReport]:
    """The shipped catalogue, loaded once for all tests of a module and rolled back after them."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield load_seed()
        transaction.set_rollback(True)


@pytest.fixture
def seeded(shipped: SeedReport, db: None) -> SeedReport:
    """The shipped catalogue; what the test changes is rolled back after it."""
    return shipped


@pytest.fixture(scope="session")
def worker_process(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Worker]:
    """One Celery worker for the whole session, on the tests' database and broker."""
    with django_db_blocker.unblock():
        database = str(connection.settings_dict["NAME"])
    worker = Worker(database=database, log=tmp_path_factory.mktemp("worker") / "worker.log")
    worker.start()
    yield worker
    worker.stop()


@pytest.fixture
def worker(transactional_db: None, worker_process: Worker) -> Worker:
    """The running worker; rows are really committed. A test that kills it gets a fresh one the next time."""
    worker_process.ensure()
    return worker_process


@pytest.fixture
def live_kvote(transactional_db: None, live_server: LiveServer) -> str:
    """The address of a web server on the tests' database."""
    return str(live_server.url)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, BROWSER_NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser, live_kvote: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A tab with empty cookies, in English, whose relative addresses lead to Kvote.

    At the end the test fails if the browser reported a breach of the content security policy or a
    script error. `wait_for_function` is itself such a breach: use locators and `expect`.
    """
    context = chromium.new_context(base_url=live_kvote, locale="en-GB", accept_downloads=True)
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("pageerror", lambda error: complaints.append(f"script error: {error}"))
    tab.on(
        "console",
        lambda message: complaints.append(message.text) if "Content Security Policy" in message.text else None,
    )
    yield tab
    context.close()
    assert complaints == []


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder whose path is short enough for a unix socket, which pytest's own are not."""
    with tempfile.TemporaryDirectory(prefix="kv-") as folder:
        yield Path(folder)
