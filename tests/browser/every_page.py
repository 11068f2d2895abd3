"""What the tests and the pictures of all pages share: a signed-in tab for a theme and a language."""

from playwright.sync_api import Browser, BrowserContext, ViewportSize

from tests.world import World

WIDE: ViewportSize = {"width": 1440, "height": 900}
TABLET: ViewportSize = {"width": 768, "height": 1024}
NARROW: ViewportSize = {"width": 375, "height": 667}

# Ten pages that carry the product; the names are those of the world
KEY_PAGES = (
    "sizing:start", "sizing:workload", "result", "option", "compare", "catalogue accelerator", "catalog:accelerators",
    "quote", "help:method", "accounts:organisation",
)  # fmt: skip


def signed_in(
    browser: Browser, world: World, base: str, *, theme: str, language: str, viewport: ViewportSize = WIDE
) -> BrowserContext:
    """A context with the member's session and the saved theme and language."""
    context = browser.new_context(base_url=base, viewport=viewport, locale=language, reduced_motion="reduce")
    values = {"sessionid": world.cookie(), "kvote_theme": theme, "kvote_language": language}
    context.add_cookies([{"name": name, "value": value, "url": base} for name, value in values.items()])
    return context
