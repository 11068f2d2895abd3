"""The sizing summary of a document: figures with interval, target and basis, and the memory bar."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from quotes.printing.locale import EN_DASH, NBSP, Reader
from quotes.printing.model import AssumptionRow, MemoryPart, Sizing, SizingRow
from quotes.printing.words import description
from sizing.caveats import texts
from sizing.figures import scale
from sizing.kinds import presentation as kinds
from sizing.messages import render
from sizing.pages import input_name, taken_value

Content = Mapping[str, Any]
FIGURE_CAVEATS = ("rates", "conditions", "classes", "test")
MEMORY_CAVEATS = ("weights", "memory", "precision")
_GB = 1_000_000_000
_BILLION = 1_000_000_000
_MS_PER_S = 1000


def sizing(content: Content, reader: Reader) -> Sizing | None:
    """The block, or None where the quote did not start from a sizing."""
    stored = content["sizing"]
    if not stored or not (stored.get("figures") or stored.get("memory")):
        return None
    return Sizing(
        sentence=_sentence(stored, reader),
        rows=tuple(_row(figure, reader) for figure in stored.get("figures") or ()) + _memory_row(stored, reader),
        memory=_memory(stored.get("memory") or {}, reader),
        caveats=texts(FIGURE_CAVEATS),
        memory_caveats=texts(MEMORY_CAVEATS),
    )


def scope(content: Content, reader: Reader) -> str:
    """What was sized, in one sentence: load and layout; "" where nothing is known."""
    stored = content["sizing"]
    layout, load = stored.get("layout") or {}, stored.get("load") or {}
    if not layout.get("accelerators_total"):
        return ""
    hardware = _("%(count)s × %(accelerator)s") % {
        "count": reader.number(layout["accelerators_total"]),
        "accelerator": _accelerator(content),
    }
    load_words = _kind_load(stored) or _load_words(load, reader)
    if not load_words:
        return hardware + "."
    sized = _("%(hardware)s, sized for %(load)s.") % {"hardware": hardware, "load": load_words}
    quoted = sum(Decimal(line["quantity"]) for line in content["lines"] if _is_accelerator(line))
    if quoted in (0, layout["accelerators_total"]):
        return sized
    changed = _("The lines quote %(count)s of them: the sizing was not made for that number.")
    return f"{sized} {changed % {'count': reader.number(quoted)}}"


def _is_accelerator(line: Content) -> bool:
    return bool(line["category"] == "accelerator" and line["counts"])


def _accelerator(content: Content) -> str:
    """The accelerator as the lines call it, else the catalogue's name."""
    line = next((x for x in content["lines"] if _is_accelerator(x)), None)
    if line:
        name = description(line).split(": ", 1)[-1].split(",", 1)[0]
        return name if line["manufacturer"] in name else f"{line['manufacturer']} {name}"
    return str(content["sizing"]["layout"].get("accelerator") or "")


def _sentence(stored: Content, reader: Reader) -> str:
    parts = []
    model, layout = stored.get("model") or {}, stored.get("layout") or {}
    if model.get("name"):
        parameters = model.get("parameters_total")
        size = (
            _(", %(billions)s B parameters") % {"billions": reader.figure(parameters / _BILLION)} if parameters else ""
        )
        parts.append(f"{model['name']}{size}.")
    weights, cache = (str(layout.get(key) or "").upper() for key in ("weights_format", "kv_format"))
    if weights and cache:
        parts.append(_("Formats of weights and cache: %(formats)s.") % {"formats": reader.join((weights, cache))})
    elif weights:
        parts.append(_("Format of the weights: %(format)s.") % {"format": weights})
    if layout.get("replicas") and layout.get("accelerators_per_replica"):
        counts = {name: reader.number(layout[name]) for name in ("replicas", "accelerators_per_replica")}
        parts.append(_("Replicas: %(replicas)s, accelerators in each: %(accelerators_per_replica)s.") % counts)
    if load := _kind_load(stored) or _load_words(stored.get("load") or {}, reader):
        parts.append(_("Load: %(load)s.") % {"load": load})
    parts.append(_("Ranges are 90 % intervals."))
    return " ".join(parts)


def _kind_load(stored: Content) -> str:
    """The load of a kind besides language models; "" for those."""
    kind = str(stored.get("kind") or "")
    return kinds.load_words({"kind": kind, kind: stored.get("load") or {}}) if stored.get("load") else ""


def _load_words(load: Content, reader: Reader) -> str:
    parts = []
    if load.get("users"):
        parts.append(_("%(count)s users") % {"count": reader.count(load["users"])})
    elif load.get("concurrent_requests"):
        parts.append(_("%(count)s requests in flight") % {"count": reader.count(load["concurrent_requests"])})
    elif load.get("requests_per_s"):
        parts.append(_("%(count)s requests a second") % {"count": reader.count(load["requests_per_s"])})
    tokens = [_mean(load.get("input_tokens")), _mean(load.get("output_tokens"))]
    if all(tokens):
        parts.append(
            _("%(input)s tokens in and %(output)s out on average")
            % {"input": reader.number(tokens[0] or 0, 0), "output": reader.number(tokens[1] or 0, 0)}
        )
    return ", ".join(parts)


def _mean(length: Any) -> float | None:
    value = length.get("mean") if isinstance(length, Mapping) else length
    return float(value) if value else None


def _row(figure: Content, reader: Reader) -> SizingRow:
    value, low, high = figure.get("value"), figure.get("low"), figure.get("high")
    scale, unit = _unit(figure)
    known = value is not None
    printed = (
        f"{reader.figure(value * scale)}{NBSP}{unit}".strip() if value is not None else pgettext("document", "unknown")
    )
    interval = ""
    if known:
        interval = _("range unknown") if low is None or high is None else _range(low * scale, high * scale, reader)
    target = figure.get("target")
    return SizingRow(
        figure=_figure_words(figure["code"]),
        value=printed,
        value_unknown=not known,
        interval=interval,
        target=_target_words(target, scale, unit, figure["sense"], reader)
        if target is not None
        else _no_target(figure),
        target_unknown=target is None and figure["code"] == "power_w",
        basis=_basis_words(figure.get("basis")),
        caution=_("crosses the target") if _crosses(figure) else "",
    )


def _range(low: float, high: float, reader: Reader) -> str:
    ends = list(dict.fromkeys((reader.figure(low), reader.figure(high))))
    return EN_DASH.join(ends)


def _unit(figure: Content) -> tuple[float, str]:
    """Factor and unit for print: whole seconds and kilowatts where the number asks for it."""
    size = max(abs(figure.get("value") or 0), abs(figure.get("target") or 0))
    if "_ms_" in figure["code"]:
        return (1 / _MS_PER_S, "s") if size >= _MS_PER_S else (1.0, "ms")
    if figure["code"] == "power_w":
        return (1e-3, "kW") if size >= 1000 else (1.0, "W")
    if figure["code"] in kinds.LABELS:
        return scale(float(figure.get("value") or 0), str(figure.get("unit") or ""))
    return 1.0, ""


def _crosses(figure: Content) -> bool:
    target, low, high = figure.get("target"), figure.get("low"), figure.get("high")
    if target is None or low is None or high is None:
        return False
    return bool(high > target if figure["sense"] == "at_most" else low < target)


def _target_words(target: float, scale: float, unit: str, sense: str, reader: Reader) -> str:
    shown = f"{reader.figure(target * scale)}{NBSP}{unit}".strip()
    words = _("at most %(value)s") if sense == "at_most" else _("at least %(value)s")
    return words % {"value": shown}


def _no_target(figure: Content) -> str:
    return _("no limit given") if figure["code"] == "power_w" else _("none given")


def _figure_words(code: str) -> str:
    base, _sep, percentile = code.rpartition("_")
    names = {
        "tpot_ms": _("Time per output token"),
        "ttft_ms": _("Time to first token"),
        "e2e_ms": _("End-to-end time"),
    }
    if base in names:
        shown = pgettext("document", "mean") if percentile == "mean" else percentile
        return f"{names[base]}, {shown}"
    return {
        "output_tokens_per_s": _("Output tokens per second, in total"),
        "power_w": _("Power, in total, full load"),
    }.get(code, str(kinds.LABELS.get(code, code)))


def _basis_words(basis: str | None) -> str:
    return {
        "measured": pgettext("document", "measured"),
        "interpolated": _("estimated, between measurements"),
        "calibrated": pgettext("document", "estimated"),
        "formula": pgettext("document", "formula"),
    }.get(basis or "", pgettext("document", "unknown"))


def _memory_row(stored: Content, reader: Reader) -> tuple[SizingRow, ...]:
    memory = stored.get("memory") or {}
    usable = memory.get("usable_bytes")
    if not usable:
        return ()
    used = sum(memory.get(key) or 0 for key in ("weight_bytes", "kv_pool_bytes", "activation_bytes", "runtime_bytes"))
    value = _("%(used)s of %(usable)s GB") % {
        "used": reader.number(used / _GB, 1),
        "usable": reader.number(usable / _GB, 1),
    }
    fits = used <= usable
    return (
        SizingRow(
            figure=_("Memory in use, per accelerator"),
            value=value,
            value_unknown=False,
            interval="",
            target=pgettext("document", "fits") if fits else _("does not fit"),
            target_unknown=False,
            basis=_("formula, parts below"),
            caution="" if fits else _("does not fit"),
        ),
    )


def _memory(memory: Content, reader: Reader) -> tuple[MemoryPart, ...]:
    usable = memory.get("usable_bytes") or 0
    if not usable:
        return ()
    names = (
        ("weights", "weight_bytes", _("weights %(gb)s GB")),
        ("kv", "kv_pool_bytes", _("KV cache %(gb)s GB")),
        ("activation", "activation_bytes", _("activation %(gb)s GB")),
        ("runtime", "runtime_bytes", _("runtime %(gb)s GB")),
    )
    parts = [
        MemoryPart(
            part=part,
            share=min((memory.get(key) or 0) / usable, 1.0),
            words=words % {"gb": reader.number((memory.get(key) or 0) / _GB, 1)},
        )
        for part, key, words in names
        if memory.get(key)
    ]
    free = max(usable - sum(memory.get(key) or 0 for _part, key, _words in names), 0)
    parts.append(
        MemoryPart(
            part="free",
            share=free / usable,
            words=_("free %(free)s of %(usable)s GB usable, per accelerator")
            % {"free": reader.number(free / _GB, 1), "usable": reader.number(usable / _GB, 1)},
        )
    )
    return tuple(parts)


def assumptions(content: Content, reader: Reader) -> tuple[str, ...]:
    """Numbered assumptions: the input by its label, the value taken and why."""
    texts = []
    for row in assumption_rows(content, reader):
        reason = f" ({row.reason})" if row.reason else ""
        texts.append(f"{row.field}: {row.value}{reason}")
    return tuple(texts)


def assumption_rows(content: Content, reader: Reader) -> tuple[AssumptionRow, ...]:
    """The same as cells."""
    return tuple(
        AssumptionRow(
            field=input_name(str(entry.get("field") or "")),
            value=_value_words(entry.get("value"), reader),
            reason=_reason_words(entry.get("reason"), entry),
        )
        for entry in content["sizing"].get("assumptions") or ()
    )


def _value_words(value: Any, reader: Reader) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return reader.count(value)
    return taken_value(value) or pgettext("document", "unknown")


def _reason_words(reason: Any, entry: Content) -> str:
    if isinstance(reason, Mapping):
        return render(reason)
    if entry.get("code"):
        return render({"code": entry["code"], "params": entry.get("params") or {}})
    return str(reason or "")
