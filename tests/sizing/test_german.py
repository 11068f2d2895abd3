"""German pages: every sentence of the sizing pages has its translation, and none is left in English."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client
from django.utils.html import escape

from catalog.models import AiModel
from sizing.choices import RunState
from tests.sizing.test_views import CONFIG, MODEL, done_run, make_run, text_of

PARTS = Path(settings.BASE_DIR) / "config" / "locale" / "de" / "parts"
SHORTEST_SENTENCE = 14  # shorter words occur in both languages and in the names of classes


def translated() -> dict[str, str]:
    """English -> German for each message without plural that the two languages write differently."""
    pairs = {}
    for path in sorted(PARTS.glob("*.po")):
        with path.open("rb") as file:
            pairs |= {str(m.id): str(m.string) for m in read_po(file) if m.id and isinstance(m.id, str)}
    return {english: german for english, german in pairs.items() if english != german}


def fragments(english: str) -> list[str]:
    """The pieces of a message between its placeholders that are long enough to be recognised."""
    pieces = re.split(r"%\(\w+\)s|%%", english)
    return [piece.strip() for piece in pieces if len(piece.strip()) >= SHORTEST_SENTENCE and " " in piece.strip()]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["start", "workload", "running", "failed", "result", "option", "explanation"])
def test_no_english_sentence_is_left_on_a_german_page(client: Client, name: str) -> None:
    AiModel.objects.create(model_id=MODEL, config=CONFIG)
    done = done_run().get_absolute_url()
    addresses = {
        "start": "/",
        "workload": "/workloads/new/",
        "running": make_run(state=RunState.RUNNING, stage="speed").get_absolute_url(),
        "failed": make_run(state=RunState.FAILED, stage="speed").get_absolute_url(),
        "result": done,
        "option": f"{done}options/1/",
        "explanation": f"{done}options/1/?why=tpot",
    }
    page = text_of(client.get(addresses[name], headers={"accept-language": "de"}))
    page = page.replace("Chat assistant for 200 users", "")  # the name of the run is the person's own
    assert '<html lang="de"' in page
    left = [english for english in translated() for piece in fragments(english) if escape(piece) in page]
    assert left == []


def test_german_keeps_placeholders_and_addresses_readers_formally() -> None:
    for english, german in translated().items():
        assert sorted(re.findall(r"%\(\w+\)s", english)) == sorted(re.findall(r"%\(\w+\)s", german)), english
        assert not re.search(r"\b(du|dein|deine|dir|dich)\b", german, re.IGNORECASE), german
