"""What must be done once after an update: catalogues, schema, seed, static files. Each part can run again."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from config.catalogues import compile_catalogues

# The browsable API and ReDoc are not offered; the API page is Swagger UI.
UNUSED_STATIC = ["rest_framework", "redoc"]


def prepare_data() -> None:
    """Bring schema and seed up to date if the code has changed since this was last done here.

    For the bundled database alone, which nobody else brings up to date or throws away; prints nothing.
    """
    if is_prepared():
        return
    wanted = _wanted()
    bring_up_to_date()
    _mark().write_text(wanted, encoding="utf-8")


def is_prepared() -> bool:
    """Whether that was done for this code. Needs the settings alone."""
    return _content(_mark()) == _wanted()


def _mark() -> Path:
    return Path(settings.DATA_DIR) / "prepared"


def _wanted() -> str:
    words, migrations = settings.BASE_DIR.glob("config/locale/**/*.po"), settings.BASE_DIR.glob("*/migrations/*.py")
    return fingerprint([*words, *migrations, *_seed_files()])


def bring_up_to_date() -> None:
    """Compile the catalogues, migrate, seed; what they report goes to logs/prepare.log."""
    log = settings.DATA_DIR / "logs" / "prepare.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    compile_catalogues()
    with log.open("a", encoding="utf-8") as output:
        call_command("migrate", interactive=False, stdout=output)
        call_command("seed", stdout=output, stderr=output)


def collect_static() -> None:
    """Hashed and compressed copies of the static files, made again only when a source has changed."""
    if settings.DEBUG:
        return
    mark = settings.STATIC_ROOT / ".fingerprint"
    wanted = fingerprint(_static_files())
    if _content(mark) == wanted:
        return
    call_command("collectstatic", verbosity=0, interactive=False, clear=True, ignore_patterns=list(UNUSED_STATIC))
    mark.write_text(wanted, encoding="utf-8")


def fingerprint(files: Iterable[Path]) -> str:
    """SHA-256 over version, path, size and time of change of the files."""
    digest = hashlib.sha256(settings.VERSION.encode())
    for path in sorted(files):
        found = path.stat()
        digest.update(f"{path}\0{found.st_size}\0{found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _seed_files() -> Iterator[Path]:
    for pattern in ("catalog/data/**/*", "catalog/seed/**/*.py"):
        yield from (path for path in settings.BASE_DIR.glob(pattern) if path.is_file())


def _static_files() -> Iterator[Path]:
    from django.contrib.staticfiles.finders import get_finders  # noqa: PLC0415 - needs the app registry

    for finder in get_finders():
        for path, storage in finder.list([]):
            yield Path(os.path.join(storage.location, path))


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
