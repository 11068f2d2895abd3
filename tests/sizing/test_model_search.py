"""The model search of the form: what matches, in which order, and the shape beside each name."""

import pytest
from django.test import Client

from catalog.models import AiModel
from sizing.model_search import MOST_HITS, find_models
from tests.sizing.test_views import CONFIG

pytestmark = pytest.mark.django_db


def put(*names: str) -> None:
    AiModel.objects.bulk_create(AiModel(model_id=name, config=CONFIG) for name in names)


def test_every_word_must_occur_and_names_that_begin_with_it_come_first() -> None:
    put("acme/Tiny-Chat-7B", "acme/Chat-70B", "acme/Code-7B")
    assert [hit.name for hit in find_models("chat")] == ["acme/Chat-70B", "acme/Tiny-Chat-7B"]
    assert [hit.name for hit in find_models("7b tiny")] == ["acme/Tiny-Chat-7B"]
    assert find_models("nothing like it") == []


def test_a_hit_names_parameters_layers_context_and_cache_per_token() -> None:
    put("acme/Chat-70B")
    facts = find_models("chat")[0].facts
    for word in ("parameters", "layers", "context", "of KV per token"):
        assert word in facts


def test_a_config_that_cannot_be_read_leaves_the_shape_open() -> None:
    AiModel.objects.create(model_id="acme/Odd", config={"model_type": "unheard-of"})
    assert find_models("odd")[0].facts == ""


def test_the_list_is_short_and_speaks_for_itself_when_nothing_matches(client: Client) -> None:
    put(*(f"acme/Chat-{number}B" for number in range(1, 20)))
    page = client.get("/workloads/models/", {"q": "chat"}).content.decode()
    assert page.count('data-value="acme/Chat-') == MOST_HITS
    assert "No model of the catalogue has this name" in client.get("/workloads/models/?q=zzz").content.decode()
