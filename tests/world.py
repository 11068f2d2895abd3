"""One organisation with something on every page: runs in each state, quotes in each state, an import, a share link."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, resolve, reverse

from catalog.models import Accelerator, AiModel, BomRule, Component, Part, Processor, Server, ServingSoftware
from config.accounts import services as accounts
from config.accounts.choices import Role
from config.accounts.models import Membership, Organisation, User
from config.webhooks.models import WebhookEndpoint
from quotes import clearances, services, sharing
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
from tests.quotes.test_clearances import name_maker
from tests.quotes.test_life import current, locked
from tests.quotes.test_party_lists import csl_file, in_use, name_buyer
from tests.quotes.test_statements import record

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
# Answers that are no page: files, parts of pages, other formats, what only a program calls.
NO_PAGE = {
    "health_live", "health_ready", "sizing:progress", "sizing:serve-file", "catalog:import_progress",
    "catalog:import_errors", "quotes:evidence_file", "quotes:statement_file", "quotes:clearance_file",
    "quotes:shared_file", "quotes:attachment", "quotes:changes_file", "quotes:export",
    "oauth2_provider:oauth-server-metadata", "oauth2_provider:authorize", "oauth2_provider:token",
    "oauth2_provider:revoke-token", "openid_connect_login", "openid_connect_callback",
    "saml_acs", "saml_finish_acs", "saml_sls", "saml_metadata", "saml_login",
}  # fmt: skip
LISTED, RESEMBLING = "Acme Blocked Trading LLC", "Hikvison GmbH"
EXAMPLES = {"uuid": UUID(int=0), "int": 1, "str": "x", "slug": "x", "path": "x"}


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
    world.pages |= _kind_pages() | _run_pages(world)
    world.pages |= _quote_pages(world) | _catalogue_pages() | _import_page(world) | _settings_pages(world)
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


def example_addresses() -> Iterator[tuple[str, str]]:
    """Every route that could be a page, with an address of its form; the rows that it names do not exist."""
    for name, pattern in _all_routes(get_resolver()):
        words = {key: type(each).__name__.removesuffix("Converter").lower() for key, each in pattern.items()}
        values = {key: EXAMPLES[{"string": "str"}.get(word, word)] for key, word in words.items()}
        if name not in NO_PAGE:
            yield name, reverse(name, kwargs=values)


def _routes(resolver: URLResolver) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((name, converters) for name, converters in _all_routes(resolver) if not converters)


def _all_routes(
    resolver: URLResolver, space: str = "", before: Mapping[str, Any] = MappingProxyType({})
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and converters of each route outside of the administration and the API."""
    for entry in resolver.url_patterns:
        converters = {**before, **entry.pattern.converters}
        if isinstance(entry, URLPattern):
            if entry.name:
                yield (f"{space}:{entry.name}" if space else str(entry.name)), converters
        elif entry.namespace != "admin" and str(entry.pattern) != "api/v1/":
            yield from _all_routes(entry, entry.namespace or space, converters)


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
        "model of a run": reverse("sizing:run-model", args=[run.key]),
        "mix of servers": reverse("sizing:mix", args=[run.key]),
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
        **_screened_pages(organisation, user, approver.user),
        "quote options": reverse("quotes:options", args=[_quote_of_run(world).public_id]),
        "quote line": reverse("quotes:line", args=[draft.public_id, current(draft).lines.all()[0].public_id]),
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


def _quote_of_run(world: World) -> Quote:
    """A quote from the first option of the run that was really sized."""
    key = resolve(world.pages["result"]).kwargs["key"]
    option = SizingRun.objects.get(public_id=key).options.all()[0]
    return services.create_quote(option=option, user=world.member.user, organisation=world.member.organisation)


def _screened_pages(organisation: Organisation, user: User, approver: User) -> dict[str, str]:
    """A maker and a buyer with doubtful names, the list that names the buyer, and a maker's letter."""
    quote = services.create_quote(option=make_option(organisation), user=user, organisation=organisation)
    parties = in_use(organisation, approver, csl_file(LISTED))
    name_maker(quote, user, RESEMBLING)
    name_buyer(quote, user, LISTED.replace("Trading", "Tradin"))
    record(organisation, user)
    clearances.propose(quote=quote, line="2.1", regime="S889", reason="A maker of lenses in Jena.", user=user)
    return {
        "list of parties": reverse("quotes:party_list", args=[parties.public_id]),
        "name of a maker": reverse("quotes:clear_name_line", args=[quote.public_id, "S889", "2.1"]),
        "name of a buyer": reverse("quotes:clear_name", args=[quote.public_id, "PARTIES"]),
        "quote with doubts": quote.get_absolute_url(),
    }


def _settings_pages(world: World) -> dict[str, str]:
    endpoint = WebhookEndpoint.objects.create(
        organisation=world.member.organisation, url="https://hooks.example.org/kvote", salt="salt"
    )
    _invited, secret = accounts.invite(
        organisation=world.member.organisation, actor=world.member.user, email="new@example.org", role=Role.BUYER
    )
    return {
        "webhook": reverse("webhooks:endpoint", args=[endpoint.public_id]),
        "invitation": reverse("accounts:link", args=[secret]),
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
        "correct a server": reverse("catalog:correct_servers", args=[rows["server"]]),
        "correct a processor": reverse("catalog:correct_processors", args=[rows["processor"]]),
        "change a rule": reverse("catalog:edit_rule", args=[BomRule.objects.order_by("pk")[0].slug]),
    }


def _import_page(world: World) -> dict[str, str]:
    upload = SimpleUploadedFile("preise_november.csv", PRICES.encode("cp1252"), content_type="text/csv")
    answer = world.client().post(reverse("catalog:imports"), {"file": upload, "supplier": "Rechenwerk"})
    assert answer.status_code == 302, answer.content.decode()[:2000]
    return {"import": answer["Location"]}
