"""The public verify page: anybody who holds a document can check it, nobody learns more than it says."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from quotes.forms import VerifyForm
from quotes.verify import MAX_FILE_BYTES, Verification, verify_file, verify_value


@require_http_methods(["GET", "HEAD", "POST"])
def verify(request: HttpRequest, value: str = "") -> HttpResponse:
    """By check value (address, query or form) or by an exported JSON file."""
    form = VerifyForm(request.POST or None, request.FILES or None, initial={"value": value})
    found: Verification | None = None
    asked = value or request.GET.get("value", "")
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data["file"]
        if upload is not None and upload.size <= MAX_FILE_BYTES:
            found = verify_file(upload.read())
        elif upload is not None:
            found = Verification(outcome="unreadable", value="")
        else:
            asked = form.cleaned_data["value"]
    if found is None and asked:
        found = verify_value(asked)
    status = 404 if found is not None and found.outcome == "unknown" else 200
    return render(request, "quotes/verify.html", {"form": form, "found": found, "asked": asked}, status=status)
