"""Reading the environment: a wrong value stops the start and names the variable."""

from pathlib import Path

import pytest

from config import env


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("KV_TEST", "KV_TEST_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("raw", "value"), [("1", True), ("yes", True), ("On", True), ("0", False), ("off", False), ("", False)]
)
def test_words_for_yes_and_no(monkeypatch: pytest.MonkeyPatch, raw: str, value: bool) -> None:
    monkeypatch.setenv("KV_TEST", raw)

    assert env.env_bool("KV_TEST", not value) is value


@pytest.mark.parametrize(
    ("read", "raw", "remedy"),
    [
        (env.env_bool, "maybe", "use 1 or 0"),
        (lambda name: env.env_int(name, 1), "many", "use a whole number"),
        (lambda name: env.env_int(name, 1, low=1, high=10), "11", "use a number from 1 to 10"),
    ],
)
def test_a_wrong_value_names_variable_value_and_remedy(
    monkeypatch: pytest.MonkeyPatch, read: object, raw: str, remedy: str
) -> None:
    monkeypatch.setenv("KV_TEST", raw)

    with pytest.raises(SystemExit) as stop:
        read("KV_TEST")  # type: ignore[operator]

    assert str(stop.value) == f"KV_TEST={raw!r}: {remedy}"


def test_a_secret_comes_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret\n")
    monkeypatch.setenv("KV_TEST", "ignored")
    monkeypatch.setenv("KV_TEST_FILE", str(tmp_path / "secret"))

    assert env.env_secret("KV_TEST") == "s3cret"


def test_a_secret_file_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KV_TEST_FILE", str(tmp_path / "nothing"))

    with pytest.raises(SystemExit, match=r"KV_TEST_FILE=.*the file cannot be read"):
        env.env_secret("KV_TEST")


def test_a_kept_secret_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secret_key"

    first = env.keep_secret(path)

    assert env.keep_secret(path) == first == env.kept_secret(path)
    assert len(first) >= 50
    assert path.stat().st_mode & 0o777 == 0o600


def test_data_in_reach_without_a_signing_key_stops_the_start() -> None:
    with pytest.raises(SystemExit, match="SECRET_KEY"):
        env.secret_key(None, needed=True)


def test_without_data_a_throwaway_key_will_do() -> None:
    assert env.secret_key(None, needed=False) != env.secret_key(None, needed=False)


@pytest.mark.parametrize(
    ("given", "celery"),
    [
        ("", ""),
        ("redis://broker:6379/1", "redis://broker:6379/1"),
        ("rediss://:p@broker:6379/0", "rediss://:p@broker:6379/0"),
        ("unix:///run/valkey.sock", "redis+socket:///run/valkey.sock"),
        ("unix:///run/valkey.sock?db=7", "redis+socket:///run/valkey.sock?virtual_host=7"),
    ],
)
def test_celery_spells_the_broker_differently(given: str, celery: str) -> None:
    assert env.broker_url(given) == celery


def test_a_database_address_with_all_parts() -> None:
    entry = env.database_from_url("postgresql://me:p%40ss@db.example:5433/kvote?sslmode=require")

    assert (entry["HOST"], entry["PORT"]) == ("db.example", "5433")
    assert (entry["USER"], entry["PASSWORD"], entry["NAME"]) == ("me", "p@ss", "kvote")
    assert entry["OPTIONS"] == {"pool": True, "sslmode": "require"}


def test_a_socket_folder_is_a_host() -> None:
    assert env.database_from_url("postgresql://kvote@/kvote?host=/run/pg")["HOST"] == "/run/pg"


@pytest.mark.parametrize("url", ["sqlite:///x.db", "postgresql://host/", "mysql://host/x"])
def test_another_kind_of_database_is_refused(url: str) -> None:
    with pytest.raises(SystemExit, match=r"DATABASE_URL=.*use postgresql://"):
        env.database_from_url(url)
