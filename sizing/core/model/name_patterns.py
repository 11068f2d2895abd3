"""Module names as exception lists write them, with their wildcards and library prefixes."""

import fnmatch
import re
from collections.abc import Sequence
from dataclasses import dataclass

_LAYER = re.compile(r"^(?P<prefix>.*?)layers\.(?P<layer>\d+|\*)(?P<rest>.*)$")
_TOWER = re.compile(r"vision|visual|audio|multi_modal|mm_projector|embed_vision|^mtp")


@dataclass(frozen=True, slots=True)
class Patterns:
    """A list of module names with wildcards, ready to ask."""

    exact: frozenset[tuple[int, str]] = frozenset()  # (layer, name); -1 for outside the layers
    names: frozenset[str] = frozenset()  # the name in any layer
    expressions: tuple[re.Pattern[str], ...] = ()
    whole_layers: frozenset[int] = frozenset()

    def match(self, layer: int, name: str) -> bool:
        """Whether the module, or an ancestor of it, is listed. `layer` is -1 outside the layers."""
        if layer >= 0 and layer in self.whole_layers:
            return True
        for part in _ancestors(name):
            if (layer, part) in self.exact or part in self.names:
                return True
        if self.expressions:
            full = f"model.layers.{layer}.{name}" if layer >= 0 else name
            return any(expression.match(full) for expression in self.expressions)
        return False


NO_PATTERNS = Patterns()


def patterns(names: Sequence[str]) -> Patterns:
    """Names as exception lists write them: full paths, prefixes with *, bare names, `re:` expressions."""
    exact: set[tuple[int, str]] = set()
    bare: set[str] = set()
    expressions: list[re.Pattern[str]] = []
    whole: set[int] = set()
    for stated in names:
        name = stated.lstrip("*")
        if name.startswith("re:"):
            expressions.append(_expression(name.removeprefix("re:")))
            continue
        if _TOWER.search(name):
            continue
        found = _LAYER.match(name)
        if found is None:
            bare.add(_plain(name.rstrip("*").rstrip(".").removeprefix("language_model.").removeprefix("model.")))
            continue
        rest = found["rest"].lstrip(".").rstrip("*").rstrip(".")
        if found["layer"] == "*":
            bare.add(_plain(rest))
        elif not rest:
            whole.add(int(found["layer"]))
        elif "*" in rest:
            expressions.append(re.compile(rf".*layers\.{found['layer']}\." + fnmatch.translate(_plain(rest))))
        else:
            exact.add((int(found["layer"]), _plain(rest)))
    return Patterns(frozenset(exact), frozenset(bare - {""}), tuple(expressions), frozenset(whole))


def _expression(text: str) -> re.Pattern[str]:
    """A pattern of the list; taken literally where it is no valid expression or could run away."""
    nested = re.search(r"\([^)]*[+*][^)]*\)[+*{]", text)
    if nested or len(text) > 200:
        return re.compile(re.escape(text))
    try:
        return re.compile(text)
    except re.error:
        return re.compile(re.escape(text))


def _plain(name: str) -> str:
    """One spelling for names that differ by library."""
    return name.replace("shared_expert.", "shared_experts.").replace("feed_forward.", "mlp.")


def _ancestors(name: str) -> list[str]:
    """The name and everything above it: mlp.gate, mlp."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)] + parts[1:]
