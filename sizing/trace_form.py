"""The part of the workload form that takes recorded requests: a file, or the same text pasted."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sizing.core.errors import InvalidWorkload
from sizing.messages import render
from sizing.traces import MAX_CHARACTERS, Row, trace_rows

TRACE_FIELDS = ("trace_file", "trace_text")


class TraceForm(forms.Form):
    """Recorded requests. They take the place of the stated load and of the lengths."""

    trace_file = forms.FileField(label=gettext_lazy("Recorded requests: CSV or JSON lines"), required=False)
    trace_text = forms.CharField(
        label=gettext_lazy("Or paste the recorded requests"),
        required=False,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )

    def clean_trace_file(self) -> list[Row] | None:
        upload = self.cleaned_data.get("trace_file")
        if not upload:
            return None
        if upload.size > MAX_CHARACTERS:
            raise forms.ValidationError(render(InvalidWorkload("trace_too_large", limit=MAX_CHARACTERS).message))
        try:
            text = upload.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(_("The file is not UTF-8 text.")) from None
        return _rows(text)

    def clean_trace_text(self) -> list[Row] | None:
        text = str(self.cleaned_data.get("trace_text") or "")
        return _rows(text) if text else None

    @property
    def trace(self) -> list[Row] | None:
        """The rows of a valid form; a file counts before pasted text."""
        return self.cleaned_data.get("trace_file") or self.cleaned_data.get("trace_text") or None


def _rows(text: str) -> list[Row]:
    try:
        return trace_rows(text)
    except InvalidWorkload as error:
        raise forms.ValidationError(render(error.message)) from None


def trace_initial(traffic: Mapping[str, Any]) -> str:
    """An earlier trace as the text of its field."""
    rows: Sequence[Sequence[float]] = traffic.get("trace") or ()
    if not rows:
        return ""
    return "\n".join(["time_s,input_tokens,output_tokens", *(f"{t:g},{int(i)},{int(o)}" for t, i, o in rows)])
