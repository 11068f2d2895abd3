"""One organisation with a row of everything that the API shows, and callers of every role."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from catalog.import_jobs import start_import
from catalog.models import AiModel, Component, Processor, Server, ServingSoftware, StorageFormat
from config.accounts.choices import Role
from config.accounts.models import ApiToken, Organisation, User
from config.accounts.services import store_file
from config.webhooks import services
from config.webhooks.models import WebhookEndpoint
from config.webhooks.secrets import new_salt
from quotes.attachments import attach
from quotes.models import EvidenceFeed, NameClearance, PartyList, Quote
from quotes.services import create_quote
from sizing.models import SizingOption, SizingRun
from tests.catalog.rows import make_accelerator, make_lead_time, make_part, make_price
from tests.config.api.calls import CONFIG, Caller, caller, visitor
from tests.factories import make_membership, make_organisation
from tests.quotes.conftest import fresh, make_option
from tests.sizing import sample_result


@dataclass(frozen=True)
class World:
    organisation: Organisation
    names: dict[str, str]

    def caller(self, name: str) -> Caller:
        """The caller of this column of the matrix."""
        if name == "visitor":
            return visitor()
        if name == "stranger":
            return caller(Role.ADMINISTRATOR)
        if name == "reader":
            return caller(Role.ADMINISTRATOR, organisation=self.organisation, scopes=("read",))
        return caller(name, organisation=self.organisation)


def make_world() -> World:
    organisation = make_organisation(country="US")
    planner = make_membership(role=Role.PLANNER, organisation=organisation).user
    token = caller(Role.BUYER, organisation=organisation)
    assert token.member is not None
    accelerator = make_accelerator()
    make_accelerator(slug="other", name="Other")
    Server.objects.create(slug="server", vendor="ACME", model="S1", category="rack", confidence="A")
    Processor.objects.create(slug="processor", vendor="ACME", name="P1", cores=8)
    Component.objects.create(slug="component", vendor="ACME", model="C1", category="nic", confidence="A")
    ServingSoftware.objects.create(slug="software", name="vLLM")
    StorageFormat.objects.create(slug="fp8", name="FP8", family="fp", applies_to="weights", weight_bits=8)
    AiModel.objects.create(model_id="acme/small", config=CONFIG)
    part = make_part("own-part", organisation=organisation, accelerator=accelerator)
    price = make_price(part, organisation=organisation, unit_price=Decimal("100.5"))
    lead = make_lead_time(part, organisation=organisation)
    option = make_option(organisation)
    SizingRun.objects.filter(pk=option.run_id).update(result=sample_result.result())
    SizingOption.objects.filter(pk=option.pk).update(data=fresh(sample_result.option(1)))
    quote = create_quote(option=option, user=planner, organisation=organisation)
    webhook = WebhookEndpoint.objects.create(organisation=organisation, url="https://example.org/", salt=new_salt())
    delivery = services.send_test(endpoint=webhook, user=planner)
    priced = start_import(
        organisation=organisation, actor=planner, name="prices.csv", data=b"mpn;price;currency\nA-1;1,50;EUR\n"
    )
    names = {
        "import": str(priced.public_id),
        "webhook": str(webhook.public_id),
        "delivery": str(delivery.public_id),
        "organisation": str(organisation.public_id),
        "token": str(ApiToken.objects.get(user=token.member.user).public_id),
        "accelerator": accelerator.slug,
        "part": part.slug,
        "price": str(price.public_id),
        "lead_time": str(lead.public_id),
        "run": str(option.run.public_id),
        "quote": str(quote.public_id),
        **_beside(quote, planner),
    }
    return World(organisation, names)


def _beside(quote: Quote, user: User) -> dict[str, str]:
    """A file beside the quote, a feed with origins, a loaded list of parties and a name said to be another firm."""
    revision, organisation = quote.current_revision, quote.organisation
    assert revision is not None
    attachment = attach(revision=revision, user=user, name="scope.pdf", content=b"%PDF-1.7")
    stored = store_file(organisation=organisation, name="feed.csv", content=b"mpn", content_type="text/csv")
    feed = EvidenceFeed.objects.create(organisation=organisation, file=stored, stated_by="X", loaded_by=user)
    party_list = PartyList.objects.create(
        organisation=organisation, kind="csl", published_on=date(2026, 11, 30), file=stored, loaded_by=user
    )
    clearance = NameClearance.objects.create(
        organisation=organisation, name="X", entity_id="E-1", score=95, reason="x", proposed_by=user
    )
    return {
        "clearance": str(clearance.public_id),
        "attachment": str(attachment.public_id),
        "feed": str(feed.public_id),
        "party_list": str(party_list.public_id),
    }
