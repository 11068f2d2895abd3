"""The page that leads from four questions to a filled form."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from sizing.choices import Kind
from sizing.core.kinds.guide import Answers, Guidance, HardwareClass, Makes, Pace, Place, Size, guide
from sizing.examples import BY_KEY as LANGUAGE_EXAMPLES
from sizing.kinds.examples import BY_KEY
from sizing.messages import render as words

type Choices = Mapping[StrEnum, str | Promise]

MAKES: Choices = {
    Makes.TEXT: _("Text: answers, summaries, code"),
    Makes.PICTURE: _("Pictures"),
    Makes.CLIP: _("Video clips"),
    Makes.SPEECH: _("A voice that speaks"),
    Makes.TRANSCRIPT: _("Text from speech"),
    Makes.DETECTION: _("What a camera sees"),
    Makes.SEARCH: _("Found passages and rankings"),
    Makes.SUGGESTION: _("Suggestions for customers"),
    Makes.ANSWER: _("Answers from our own documents"),
    Makes.SCORE: _("Scores and alarms from tables or sensors"),
}
PLACES: Choices = {
    Place.OFFICE: _("An office or one server"),
    Place.ROOM: _("A data centre"),
    Place.FIELD: _("In the field: machine, vehicle, pole"),
}
PACES: Choices = {
    Pace.LIVE: _("At once, somebody waits"),
    Pace.SECONDS: _("Within seconds"),
    Pace.OVERNIGHT: _("By tomorrow"),
}
SIZES: Choices = {
    Size.SMALL: _("A few people or cameras"),
    Size.TEAM: _("A team or a department"),
    Size.MANY: _("Thousands"),
    Size.LATER: _("Planned for the next generation of hardware"),
}
CLASSES: Mapping[HardwareClass, tuple[str | Promise, str | Promise]] = {
    HardwareClass.PROCESSOR: (_("Processors alone"), _("Servers with AMX or AVX-512: Xeon 6, EPYC 9005")),
    HardwareClass.EDGE: (_("Edge devices"), _("Jetson Orin and Thor, L4, RTX 2000 and 4000 Ada")),
    HardwareClass.PROFESSIONAL: (_("Professional cards"), _("L40S, RTX 6000 Ada, RTX PRO 6000 Blackwell")),
    HardwareClass.MEMORY: (_("Memory-intensive accelerators"), _("H200, MI300X, MI325X, RTX PRO 6000 Blackwell")),
    HardwareClass.SCALED: (_("Boards of eight and racks"), _("HGX H200 and B200, MI355X, GB200 NVL72")),
    HardwareClass.NEXT: (
        _("Next generation"),
        _("Announced: Vera Rubin, MI455X. Planned with, never quoted as available"),
    ),
}
CLASS_PAGES: Mapping[HardwareClass, tuple[str, str]] = {
    HardwareClass.PROCESSOR: ("catalog:processors", ""),
    HardwareClass.EDGE: ("catalog:accelerators", "?kind=edge"),
    HardwareClass.PROFESSIONAL: ("catalog:accelerators", "?q=RTX"),
    HardwareClass.MEMORY: ("catalog:accelerators", "?memory=96"),
    HardwareClass.SCALED: ("catalog:servers", "?accelerators=8"),
    HardwareClass.NEXT: ("catalog:accelerators", "?status=announced"),
}
"""Where the catalogue lists the hardware of each class."""

ROLES: tuple[tuple[str | Promise, str | Promise, str], ...] = (
    (_("Technical lead"), _("Size a workload and open every figure."), "sizing:start"),
    (_("Procurement"), _("Bring prices in, then turn an option into a quote."), "quotes:list"),
    (_("Start-up"), _("Compare renting and an API with owning; every result shows all three."), "catalog:cloud_rates"),
)


class GuideForm(forms.Form):
    """Four questions, each with a default."""

    makes = forms.ChoiceField(label=_("What shall come out?"), choices=list(MAKES.items()), widget=forms.RadioSelect)
    place = forms.ChoiceField(label=_("Where does it run?"), choices=list(PLACES.items()), widget=forms.RadioSelect)
    pace = forms.ChoiceField(label=_("How soon?"), choices=list(PACES.items()), widget=forms.RadioSelect)
    size = forms.ChoiceField(label=_("How much?"), choices=list(SIZES.items()), widget=forms.RadioSelect)


@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """The questions, and below them the advice once all four are answered. The address keeps the answers."""
    answered = any(name in request.GET for name in GuideForm.base_fields)
    form = GuideForm(request.GET) if answered else GuideForm()
    context: dict[str, Any] = {"form": form, "roles": [_role(*role) for role in ROLES], "classes": class_links()}
    if answered and form.is_valid():
        data = form.cleaned_data
        found = guide(
            Answers(
                makes=Makes(data["makes"]), place=Place(data["place"]), pace=Pace(data["pace"]), size=Size(data["size"])
            )
        )
        context["advice"] = advice(found)
    return render(request, "sizing/kinds/guide.html", context)


def class_links() -> list[dict[str, str]]:
    """Every class of requirement with its usual parts and where the catalogue lists them."""
    return [
        {"name": str(title), "what": str(parts), "url": reverse(CLASS_PAGES[each][0]) + CLASS_PAGES[each][1]}
        for each, (title, parts) in CLASSES.items()
    ]


def _role(name: str | Promise, what: str | Promise, route: str) -> dict[str, str]:
    return {"name": str(name), "what": str(what), "url": reverse(route)}


def advice(found: Guidance) -> dict[str, Any]:
    """The guidance in words, with the address of the filled form."""
    title, parts = CLASSES[found.hardware]
    if found.kind == Kind.LLM_SERVING:
        url, example = reverse("sizing:workload"), LANGUAGE_EXAMPLES[found.example]
    else:
        url, example = reverse("sizing:kind", args=[found.kind]), BY_KEY[found.example]
    return {
        "kind": Kind(found.kind).label,
        "example": example,
        "url": f"{url}?example={found.example}",
        "hardware": title,
        "parts": parts,
        "parts_url": reverse(CLASS_PAGES[found.hardware][0]) + CLASS_PAGES[found.hardware][1],
        "reasons": [words(reason) for reason in found.reasons],
    }
