"""An organisation with people of each role, and quotes made from a stored option."""

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client
from django.utils import timezone

from config.accounts.choices import Role
from config.accounts.models import Membership, Organisation, User
from quotes.models import Quote
from quotes.services import create_quote
from sizing.models import SizingOption, SizingRun, Workload
from tests.quotes import samples


def make_user(name: str, organisation: Organisation | None, role: str = Role.PLANNER) -> User:
    user = User.objects.create(username=name, email=f"{name}@ridgeline.example", first_name=name.title())
    if organisation is not None:
        Membership.objects.create(organisation=organisation, user=user, role=role)
    return user


def make_option(
    organisation: Organisation | None, *, buyer_type: str = "us_gsa_mas", currency: str = "USD"
) -> SizingOption:
    request = samples.request(buyer_type, currency)
    workload = Workload.objects.create(
        organisation=organisation, name=request["name"], kind=request["kind"], request=request
    )
    run = SizingRun.objects.create(
        workload=workload, organisation=organisation, state="done", as_of=date(2026, 11, 30), result=samples.result()
    )
    return SizingOption.objects.create(
        run=run, rank=1, accelerator="norvane-a96p", data=fresh(samples.option(currency))
    )


def fresh(option: dict) -> dict:
    """The option with prices and lead times of today, so that tests do not age."""
    today = timezone.localdate().isoformat()
    for line in option["bom"]:
        for key in ("unit_price", "lead_weeks"):
            if line.get(key):
                line[key] = {**line[key], "as_of": today}
        if isinstance(line.get("origin"), dict):
            line["origin"] = {**line["origin"], "date": today}
    return option


@pytest.fixture
def organisation(db: None) -> Organisation:
    return Organisation.objects.create(
        name="Ridgeline Systems",
        legal_name="Ridgeline Systems Integration, Inc.",
        street="1200 Millrace Drive",
        postal_code="22199",
        city="Fairmont Heights, VA",
        country="US",
        phone="+1 703 555 0142",
        contact_email="sales@ridgeline.example",
        cage_code="9ZZ99",
        uei="ZZEXAMPLE999",
        currency="USD",
    )


@pytest.fixture
def planner(organisation: Organisation) -> User:
    return make_user("jordan", organisation)


@pytest.fixture
def approver(organisation: Organisation) -> User:
    return make_user("taylor", organisation, Role.APPROVER)


@pytest.fixture
def quote(organisation: Organisation, planner: User) -> Quote:
    return create_quote(option=make_option(organisation), user=planner, organisation=organisation)


@pytest.fixture
def signed_in(client: Client) -> Callable[[User], Client]:
    def sign_in(user: User) -> Client:
        client.force_login(user)
        return client

    return sign_in
