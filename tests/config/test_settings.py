"""docs/settings.md lists exactly what is read from the environment."""

import ast
import re
from collections.abc import Iterator

from django.conf import settings

READERS = {"env_str", "env_bool", "env_int", "env_list", "env_networks", "env_secret"}
FOLDERS = ("config", "catalog", "sizing", "quotes")


def variables_read() -> Iterator[str]:
    for folder in FOLDERS:
        for path in (settings.BASE_DIR / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in READERS
                if named and node.args and isinstance(node.args[0], ast.Constant):
                    yield str(node.args[0].value)


def documented() -> list[str]:
    text = (settings.BASE_DIR / "docs" / "settings.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([A-Z_]+)` \|", text, re.M)


def test_every_setting_is_documented_and_nothing_else() -> None:
    assert sorted(documented()) == sorted(set(variables_read()))


def test_the_environment_is_read_in_one_way_only() -> None:
    offenders = [
        path.relative_to(settings.BASE_DIR).as_posix()
        for folder in FOLDERS
        for path in (settings.BASE_DIR / folder).rglob("*.py")
        if re.search(r"os\.environ(\.get\(|\[)|os\.getenv", path.read_text(encoding="utf-8"))
    ]

    # env.py is the reader itself; embedded.py sets the two addresses for the processes below it.
    assert sorted(offenders) == ["config/embedded.py", "config/env.py"]


def test_lock_files_name_no_package_host() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        assert "://" not in (settings.BASE_DIR / name).read_text(encoding="utf-8")


def test_every_locked_package_has_a_hash() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (settings.BASE_DIR / name).read_text(encoding="utf-8")
        entries = re.findall(r"^(\S+==\S+)[^\n]*\n(\s+--hash=sha256:)?", text, re.M)
        assert len(entries) > 50
        assert [package for package, digest in entries if not digest] == []


def test_every_direct_dependency_is_explained() -> None:
    project = (settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8")
    explained = (settings.BASE_DIR / "docs" / "dependencies.md").read_text(encoding="utf-8")
    block = project.split("dependencies = [", 1)[1].split("\n]", 1)[0] + project.split("dev = [", 1)[1].split("\n]")[0]

    names = re.findall(r'^\s+"([A-Za-z0-9-]+)', block, re.M)
    assert len(names) > 30
    assert [name for name in names if f"`{name}`" not in explained] == []
