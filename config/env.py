"""Reading the environment: small helpers, each naming the variable when its value is wrong."""

import os
import secrets
from ipaddress import ip_network
from pathlib import Path
from typing import Any, overload
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

SMTPS_PORT = 465
_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


class WrongSetting(SystemExit):
    """A setting has a value that Kvote cannot start with."""

    def __init__(self, name: str, value: str, remedy: str) -> None:
        super().__init__(f"{name}={value!r}: {remedy}")


def env_str(name: str, default: str = "") -> str:
    """The variable's text, or `default` where it is unset or empty."""
    return os.environ.get(name, "") or default


def env_list(name: str, default: str = "") -> list[str]:
    """The words of a comma-separated variable, without blanks."""
    return [word.strip() for word in env_str(name, default).split(",") if word.strip()]


def env_networks(name: str) -> list[str]:
    """Networks such as 10.1.0.0/16 of a comma-separated variable; raises WrongSetting for anything else."""
    words = env_list(name)
    try:
        return [str(ip_network(word)) for word in words]
    except ValueError as error:
        raise WrongSetting(name, ",".join(words), f"use networks such as 10.1.0.0/16 ({error})") from None


def env_bool(name: str, default: bool = False) -> bool:
    """True or False; raises WrongSetting for any other word."""
    raw = os.environ.get(name)
    if raw is None:
        return default
    word = raw.strip().lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise WrongSetting(name, raw, "use 1 or 0")


def env_int(name: str, default: int, *, low: int = 0, high: int = 2**31) -> int:
    """A whole number in `low`..`high`; raises WrongSetting otherwise."""
    raw = os.environ.get(name, "")
    if not raw:
        return default
    try:
        value = int(raw)
    except ValueError:
        raise WrongSetting(name, raw, "use a whole number") from None
    if not low <= value <= high:
        raise WrongSetting(name, raw, f"use a number from {low} to {high}")
    return value


@overload
def env_secret(name: str) -> str | None: ...
@overload
def env_secret(name: str, default: str) -> str: ...


def env_secret(name: str, default: str | None = None) -> str | None:
    """The secret itself, or the content of the file named by `NAME_FILE`."""
    path = os.environ.get(f"{name}_FILE")
    if path:
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise WrongSetting(f"{name}_FILE", path, f"the file cannot be read ({error.strerror})") from None
    return os.environ.get(name) or default


def kept_secret(path: Path) -> str | None:
    """The content of a secret file that an earlier `make up` left behind, or None where there is none."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def keep_secret(path: Path) -> str:
    """The secret in that file, which is made with a random one where there is none."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(50))
    except FileExistsError:
        pass
    return path.read_text(encoding="utf-8").strip()


def secret_key(found: str | None, *, needed: bool) -> str:
    """The signing key. Without one, a process that reaches no data gets a key that dies with it.

    Raises WrongSetting where data is reachable, because sessions signed with a throwaway key would be lost.
    """
    if found:
        return found
    if needed:
        raise WrongSetting("SECRET_KEY", "", "set a long random value, or name a file with SECRET_KEY_FILE")
    return secrets.token_urlsafe(50)


def broker_url(redis_url: str) -> str:
    """Celery's spelling of the address: `unix:///path?db=1` becomes `redis+socket:///path?virtual_host=1`."""
    if not redis_url.startswith("unix://"):
        return redis_url
    parts = urlsplit(redis_url)
    options = dict(parse_qsl(parts.query))
    if "db" in options:
        options["virtual_host"] = options.pop("db")
    return f"redis+socket://{parts.path}" + (f"?{urlencode(options)}" if options else "")


def mailer(*, host: str, port: int, username: str, password: str, starttls: bool) -> dict[str, Any]:
    """Django's mailer for an SMTP server, or the console where no host is given. Port 465 is TLS from the start."""
    if not host:
        return {"BACKEND": "django.core.mail.backends.console.EmailBackend"}
    implicit = port == SMTPS_PORT
    return {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": host,
            "port": port,
            "username": username,
            "password": password,
            "use_ssl": implicit,
            "use_tls": starttls and not implicit,
            "timeout": 30,
        },
    }


def database_from_url(url: str) -> dict[str, Any]:
    """Django's database entry for `postgresql://user:password@host:port/name`.

    A unix socket folder is given as `?host=/path`. Raises WrongSetting for another scheme or no name.
    """
    parts = urlsplit(url)
    name = parts.path.lstrip("/")
    if parts.scheme not in {"postgres", "postgresql"} or not name:
        raise WrongSetting("DATABASE_URL", url, "use postgresql://user:password@host:port/name")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(name),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": {"pool": True, **options},
    }
