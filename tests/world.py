"""One organisation with something on every page: runs in each state, quotes in each state, an import, a share link."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from catalog.models import Accelerator, AiModel, Component, Part, Processor, Server, ServingSoftware
from config.accounts.choices import Role
from config.accounts.models import Membership, Organisation
from quotes import services, sharing
from quotes.models import Quote
from quotes.transitions import revise
from sizing.drafts import save_draft
from sizing.examples import BY_KEY
from sizing.execute import execute_run
from sizing.forms import WorkloadForm
from sizing.kinds.cards import CARDS
from sizing.models import SizingRun
from sizing.services import start_run
from sizing.views import known_models
from tests.factories import make_membership, make_user
from tests.quotes.conftest import make_option
from tests.quotes.test_life import current, locked

EXAMPLE = "support-chat"
PRICES = (
    "Hersteller;Herstellernummer;Bezeichnung;Preis EUR netto;Lieferzeit\n"
    "NVIDIA;900-21010-0020-000;NVIDIA H200 NVL 141 GB;31.250,00;8-10 Wochen\n"
    "Supermicro;SYS-522GA-NRT;Server 5 HE, 8 Steckplätze;18.400,00;4-6 Wochen\n"
    "Samsung;M321RAGA0B20-CWK;64 GB DDR5-5600 RDIMM;389,50;2 Wochen\n"
)
BUYER = {
    "buyer_street": "Amtsweg 4", "buyer_postal_code": "20095", "buyer_city": "Hamburg", "buyer_country": "DE",
    "jurisdiction": "Hamburg", "place_of_performance": "Hamburg",
}  # fmt: skip
# Answers that are no page: files, other formats, what only answers a POST or sends the reader on.
NO_PAGE = {
    "health_live", "health_ready", "sizing:progress",
    "oauth2_provider:oauth-server-metadata", "oauth2_provider:authorize", "oauth2_provider:token",
    "oauth2_provider:revoke-token",
}  # fmt: skip


@dataclass
class World:
    """`pages` maps a readable name to the address; signed in as `member`, an administrator."""

    member: Membership
    pages: dict[str, str] = field(default_factory=dict)

    def client(self) -> Client:
        client = Client()
        client.force_login(self.member.user)
        return client

    def cookie(self) -> str:
        return self.client().cookies["sessionid"].value


def build_world() -> World:
    """The shipped catalogue must be loaded. A real run is executed, which takes about two seconds."""
    organisation = Organisation.objects.create(
        name="Nordlicht", legal_name="Nordlicht IT GmbH", street="Hafenstraße 12", postal_code="20457", city="Hamburg",
        country="DE", phone="+49 40 5550142", contact_email="angebot@nordlicht.example", vat_id="DE123456789",
        currency="EUR",
        legal_form="GmbH",
        register_number="Amtsgericht Hamburg, HRB 12345",
        managing_directors="Lena Brandt",
        cage_code="9ZZ99",
        uei="ZZEXAMPLE999",
    )  # fmt: skip
    world = World(
        member=make_membership(
            role=Role.ADMINISTRATOR, organisation=organisation, user=make_user(is_staff=True, first_name="Lena")
        )
    )
    world.pages |= dict(plain_pages())
    world.pages |= _kind_pages() | _run_pages(world) | _quote_pages(world) | _catalogue_pages() | _import_page(world)
    return world


def plain_pages() -> Iterator[tuple[str, str]]:
    """Every route without parameters, of whichever app; the administration and the API have their own tests."""
    for name, _pattern in _routes(get_resolver()):
        if name not in NO_PAGE and (address := _address(name)):
            yield name, address


def _address(name: str) -> str:
    """Empty for a route that only exists below one with parameters, such as that of a sign-in provider."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""


def _routes(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            if entry.name and not entry.pattern.converters and not entry.pattern.regex.groups:
                yield (f"{space}:{entry.name}" if space else str(entry.name)), entry
        elif entry.namespace != "admin" and str(entry.pattern) != "api/v1/" and not entry.pattern.regex.groups:
            yield from _routes(entry, entry.namespace or space)


def _kind_pages() -> dict[str, str]:
    return {f"kind {card.kind}": reverse("sizing:kind", args=[card.kind]) for card in CARDS} | {
        "search for a term": f"{reverse('search')}?q=h200",
        "search without finding": f"{reverse('search')}?q=qqqq",
    }


def sized_run(member: Membership, *, example: str = EXAMPLE) -> SizingRun:
    """A run of an example, really sized."""
    typed = {key: str(value) for key, value in BY_KEY[example].values.items()}
    form = WorkloadForm(typed | {"name": str(BY_KEY[example].name), "currency": "EUR"}, known_models=known_models())
    assert form.is_valid(), form.errors
    run = start_run(request=form.request_json(), user=member.user, organisation=member.organisation)
    execute_run(run.pk)
    return SizingRun.objects.get(pk=run.pk)


def _run_pages(world: World) -> dict[str, str]:
    run = sized_run(world.member)
    other = {"workload": run.workload, "organisation": run.organisation, "created_by": run.created_by}
    states: dict[str, dict[str, Any]] = {
        "queued": {}, "running": {"stage": "speed", "progress_done": 312, "progress_total": 610},
        "failed": {"stage": "speed", "message": {"code": "run_cancelled", "params": {}}}, "cancelled": {},
    }  # fmt: skip
    made = {
        f"run {state}": SizingRun.objects.create(**other, state=state, as_of=run.as_of, **fields).get_absolute_url()
        for state, fields in states.items()
    }
    empty = SizingRun.objects.create(
        **other, state="done", as_of=run.as_of, result=(run.result or {}) | {"options": []}
    )  # fmt: skip
    result, compare = run.get_absolute_url(), reverse("sizing:compare")
    draft = save_draft(
        kind="llm_serving", values={"name": "Later", "users": "40"}, user=world.member.user,
        organisation=world.member.organisation,
    )  # fmt: skip
    return made | {
        "draft": draft.get_absolute_url(),
        "result chosen": f"{result}?option=3",
        "compare": f"{compare}?option={run.key}.1&option={run.key}.2&option={run.key}.3",
        "compare differences": f"{compare}?option={run.key}.1&option={run.key}.2&differences=1",
        "run without option": empty.get_absolute_url(),
        "result": result,
        "result filtered": f"{result}?sort=-price&all=1",
        "option": f"{result}options/1/",
        "explanation": f"{result}options/1/?why=tpot",
        "verdict explained": f"{result}options/1/?why=memory",
        "serve and measure": f"{result}options/1/serve/",
        "workload again": f"{reverse('sizing:workload')}?from={run.key}",
    }


def _quote_pages(world: World) -> dict[str, str]:
    organisation, user = world.member.organisation, world.member.user
    draft = services.create_quote(
        option=make_option(organisation, currency="EUR", buyer_type="commercial"), user=user, organisation=organisation
    )
    sold = services.create_quote(option=make_option(organisation), user=user, organisation=organisation)
    approver = Membership.objects.create(organisation=organisation, user=make_user(), role=Role.APPROVER)
    services.edit_quote(quote=sold, changes=BUYER, user=user, version=current(sold).version)
    revision = locked(Quote.objects.get(pk=sold.pk), user, approver.user)
    _link, secret = sharing.share(revision=revision, user=user, days=30)
    revise(quote=Quote.objects.get(pk=sold.pk), user=user)
    address, old = reverse("quotes:quote", args=[draft.public_id]), sold.public_id
    return {
        "quote": address,
        "quote lines": reverse("quotes:lines", args=[draft.public_id]),
        "quote fields": reverse("quotes:edit", args=[draft.public_id]),
        "quote prices": reverse("quotes:prices", args=[draft.public_id]),
        "quote locked": reverse("quotes:revision", args=[old, 1]),
        "quote revised": reverse("quotes:revision", args=[old, 2]),
        "quote changes": reverse("quotes:changes", args=[old, 2]),
        "quote shared": reverse("quotes:shared", args=[secret]),
        "quote verified": reverse("quotes:verify_value", args=[revision.content_hash]),
        "quote unknown value": reverse("quotes:verify_value", args=["0" * 16]),
    }


def _catalogue_pages() -> dict[str, str]:
    rows = {
        "accelerator": Accelerator.objects.get(slug="nvidia-h200-nvl-141gb").slug,
        "server": Server.objects.order_by("pk").values_list("slug", flat=True)[0],
        "processor": Processor.objects.order_by("pk").values_list("slug", flat=True)[0],
        "component": Component.objects.order_by("pk").values_list("slug", flat=True)[0],
        "part": Part.objects.order_by("pk").values_list("slug", flat=True)[0],
        "software": ServingSoftware.objects.order_by("pk").values_list("slug", flat=True)[0],
        "model": AiModel.objects.order_by("pk").values_list("model_id", flat=True)[0],
    }
    compare = reverse("catalog:compare")
    pair = "&".join(f"slug={slug}" for slug in ("nvidia-h200-nvl-141gb", "nvidia-h100-nvl-94gb"))
    return {f"catalogue {name}": reverse(f"catalog:{name}", args=[value]) for name, value in rows.items()} | {
        "catalogue compare pair": f"{compare}?{pair}",
        "add a price": reverse("catalog:add_price", args=[rows["part"]]),
        "add a lead time": reverse("catalog:add_lead_time", args=[rows["part"]]),
        "correct an accelerator": reverse("catalog:correct_accelerators", args=[rows["accelerator"]]),
    }


def _import_page(world: World) -> dict[str, str]:
    upload = SimpleUploadedFile("preise_november.csv", PRICES.encode("cp1252"), content_type="text/csv")
    answer = world.client().post(reverse("catalog:imports"), {"file": upload, "supplier": "Rechenwerk"})
    assert answer.status_code == 302, answer.content.decode()[:2000]
    return {"import": answer["Location"]}
