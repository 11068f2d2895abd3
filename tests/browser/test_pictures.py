"""Pictures of every page, and the ten key pages against their baseline.

`make pictures` puts every page in light and dark, at three widths, in both languages into `screenshots`, or
into the folder that PICTURES names, and the pictures of the guide into `static/img/guide`. A changed baseline is
looked at like changed code; KVOTE_GOLDEN=write makes it anew.
"""

import os
import re
from base64 import b64encode
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.every_page import KEY_PAGES, NARROW, TABLET, WIDE, signed_in
from tests.world import World, build_world

pytestmark = [pytest.mark.browser, pytest.mark.full, pytest.mark.django_db(transaction=True)]
BASELINE = Path(__file__).resolve().parent / "baseline"
WIDTHS = {"1440": WIDE, "768": TABLET, "375": NARROW}
GRID = (24, 36)  # columns and rows of a stored fingerprint
DRAWN_MS = 30_000  # charts are drawn in idle time, one after the other
MOST_DIFFERENT = 12  # of 255, mean over the cells: text of other lengths stays below, a lost block does not
# What the guide shows; the names are those of the world
GUIDE = {"workload": "sizing:workload", "result": "result", "option": "option", "import": "import", "quote": "quote"}
GUIDE_SIZE = ViewportSize(width=1200, height=750)

# Grey means of a grid of cells, computed in the browser that took the picture: small to store, blind to single pixels.
FINGERPRINT = """async ([data, columns, rows]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, columns, rows);
  const { data: bytes } = context.getImageData(0, 0, columns, rows);
  const grey = (at) => Math.round((bytes[at] + bytes[at + 1] + bytes[at + 2]) / 3);
  return Array.from({ length: columns * rows }, (_, cell) => grey(4 * cell));
}"""


@pytest.fixture
def world(live_kvote: str) -> World:
    call_command("seed", verbosity=0)
    return build_world()


def settle(page: Page, address: str) -> bool:
    """Open a page and wait for its charts; False where the address is no page."""
    answer = page.goto(address, wait_until="networkidle")
    page.evaluate("document.fonts.ready")
    expect(page.locator("[data-figure]:not([data-drawn])")).to_have_count(0, timeout=DRAWN_MS)
    return answer is not None and answer.status == 200 and "text/html" in answer.headers.get("content-type", "")


def test_key_pages_look_as_they_were_reviewed(chromium: Browser, world: World, live_kvote: str) -> None:
    context = signed_in(chromium, world, live_kvote, theme="light", language="en")
    page, blank = context.new_page(), chromium.new_page()
    far = {}
    for name in KEY_PAGES:
        assert settle(page, world.pages[name]), name
        made = fingerprint(blank, page.screenshot())
        path = BASELINE / f"{slug(name)}.txt"
        if os.environ.get("KVOTE_GOLDEN") == "write":
            path.parent.mkdir(exist_ok=True)
            path.write_text(as_text(made))
        kept = [int(cell) for cell in path.read_text().split()]
        difference = sum(abs(a - b) for a, b in zip(made, kept, strict=True)) / len(kept)
        if difference > MOST_DIFFERENT:
            far[name] = round(difference, 1)
    blank.close()
    context.close()
    assert far == {}


def test_pictures_of_every_page(chromium: Browser, world: World, live_kvote: str) -> None:
    folder = Path(os.environ.get("PICTURES") or settings.BASE_DIR / "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        for language in ("en", "de"):
            for width, viewport in WIDTHS.items():
                context = signed_in(
                    chromium, world, live_kvote, theme=theme, language=language, viewport=viewport
                )  # fmt: skip
                page = context.new_page()
                for name, address in world.pages.items():
                    if settle(page, address):
                        path = folder / f"{slug(name)}-{theme}-{width}-{language}.png"
                        page.screenshot(path=path, full_page=True)
                context.close()
    assert len(list(folder.glob("*.png"))) >= 12 * 60


def test_pictures_of_the_guide(chromium: Browser, world: World, live_kvote: str) -> None:
    folder = Path(settings.BASE_DIR) / "static" / "img" / "guide"
    folder.mkdir(exist_ok=True)
    for language in ("en", "de"):
        context = signed_in(chromium, world, live_kvote, theme="light", language=language, viewport=GUIDE_SIZE)
        page = context.new_page()
        for name, of_world in GUIDE.items():
            assert settle(page, world.pages[of_world]), name
            page.screenshot(path=folder / f"{name}-{language}.jpg", type="jpeg", quality=70)
        context.close()
    assert len(list(folder.glob("*.jpg"))) == 2 * len(GUIDE)


def fingerprint(blank: Page, picture: bytes) -> list[int]:
    cells: list[int] = blank.evaluate(FINGERPRINT, [b64encode(picture).decode(), *GRID])
    return cells


def as_text(cells: list[int]) -> str:
    columns = GRID[0]
    rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
    return "\n".join(" ".join(map(str, row)) for row in rows) + "\n"


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
