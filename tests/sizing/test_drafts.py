"""Drafts, the list of workloads, the comparison, and fixes that can be tried."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from config.accounts.choices import Role
from sizing.models_draft import WorkloadDraft
from sizing.trying import changes_of, try_url
from tests.factories import make_membership
from tests.sizing.test_views import done_run, text_of

pytestmark = pytest.mark.django_db
TYPED = {"name": "Half a form", "users": "", "input_tokens": "1.200", "save": "draft"}


def test_a_half_filled_form_is_kept_as_it_was_typed(client: Client) -> None:
    answer = client.post("/workloads/new/", TYPED)
    draft = WorkloadDraft.objects.get()
    assert answer.status_code == 302
    assert draft.values["users"] == ""
    page = text_of(client.get(answer["Location"]))
    assert 'value="1.200"' in page
    assert "1 field needs another look" not in page


def test_saving_again_writes_over_the_draft_and_a_copy_does_not(client: Client) -> None:
    client.post("/workloads/new/", TYPED)
    draft = WorkloadDraft.objects.get()
    client.post("/workloads/new/", TYPED | {"name": "Renamed", "draft": draft.key})
    assert [row.name for row in WorkloadDraft.objects.all()] == ["Renamed"]
    copied = client.post(f"/workloads/drafts/{draft.key}/copy/")
    assert copied.status_code == 302
    assert WorkloadDraft.objects.count() == 2
    client.post(f"/workloads/drafts/{draft.key}/discard/")
    assert WorkloadDraft.objects.count() == 1


def test_a_draft_of_an_organisation_is_not_found_by_others(client: Client) -> None:
    member = make_membership(role=Role.PLANNER)
    client.force_login(member.user)
    client.post("/workloads/new/", TYPED)
    draft = WorkloadDraft.objects.get()
    assert draft.organisation == member.organisation
    for stranger in (Client(), client_of(make_membership(role=Role.ADMINISTRATOR))):
        assert stranger.get(draft.get_absolute_url()).status_code == 404
        assert stranger.post(f"/workloads/drafts/{draft.key}/discard/").status_code == 404
        assert "Half a form" not in text_of(stranger.get("/workloads/"))
    assert "Half a form" in text_of(client.get("/workloads/"))


def client_of(member: Any) -> Client:
    client = Client()
    client.force_login(member.user)
    return client


def test_the_list_asks_a_fixed_number_of_queries(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    member = make_membership()
    client.force_login(member.user)
    counts = []
    for _more in range(2):
        done_run(organisation=member.organisation, created_by=member.user)
        with django_assert_num_queries(7) as asked:
            assert client.get("/workloads/?state=done").status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_options_of_a_run_stand_side_by_side_against_the_first(client: Client) -> None:
    run = done_run()
    page = text_of(client.get(f"/compare/?option={run.key}.2&option={run.key}.1"))
    assert page.count('scope="col"') == 2
    assert "Differences are stated against" in page
    assert "−€33,480" in page  # the first option against the second
    only = text_of(client.get(f"/compare/?option={run.key}.2&option={run.key}.1&differences=1"))
    assert 'class="is-same"' in page
    assert 'class="is-same"' not in only


def test_runs_under_other_conditions_say_so(client: Client) -> None:
    one, other = done_run(), done_run()
    other.workload.request = other.workload.request | {"weights_format": "int4"}
    other.workload.save()
    page = text_of(client.get(f"/compare/?option={one.key}.1&option={other.key}.1"))
    assert "The runs differ in 1 input" in page
    assert client.get(f"/compare/?option={one.key}.1&option=nobody.1").status_code == 404


def test_deltas_follow_the_chosen_option(client: Client) -> None:
    run = done_run()
    page = text_of(client.get(f"{run.get_absolute_url()}?option=2"))
    assert "−€33,480" in page
    assert "+€33,480" not in page


def test_a_fix_opens_the_form_with_the_change_in_it(client: Client) -> None:
    run = done_run()
    params = {"metric": "tpot", "percentile": "p95", "limit_ms": 54.2}
    address = try_url(run, {"cheapest_fix": {"code": "fix_relax_limit", "params": params}})
    assert "tpot_ms=55" in address
    assert 'name="tpot_ms" value="55"' in text_of(client.get(address))
    assert try_url(run, {"cheapest_fix": {"code": "fix_none", "params": {}}}) == ""
    assert changes_of({"kv_format": "fp8", "name": "x"}) == {"kv_format": "fp8"}
