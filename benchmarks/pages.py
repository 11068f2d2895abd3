"""Budgets of pages: server time over a large catalogue, weight, largest paint and layout shift in Chromium.

    python -m benchmarks.pages BASE_URL SESSION_ID PATH...

runs against a Kvote that is up (`make up`, or any server with 100,000 parts and 10,000 quotes in it) and prints one
line a page: the p95 of the server's answer, the kilobytes that travel, the largest contentful paint and the layout
shift under a processor slowed down four times, each beside its limit.
"""

import gzip
import shutil
import statistics
import sys
import time
import urllib.request
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Response, sync_playwright

SERVER_MS, ASKED = 120, 40
WEIGHT_KB = {"/workloads/new/": 180}
OTHER_KB = 650
PAINT_MS, SHIFT, SLOWER = 1200, 0.05, 4
COUNTED = ("document", "stylesheet", "script")
OBSERVE = """() => {
  window.kv = { paint: 0, shift: 0 };
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.kv.paint = entry.startTime; })
    .observe({ type: "largest-contentful-paint", buffered: true });
  const moved = (entry) => { if (!entry.hadRecentInput) window.kv.shift += entry.value; };
  new PerformanceObserver((list) => list.getEntries().forEach(moved)).observe({ type: "layout-shift", buffered: true });
}"""


def server_ms(url: str, session: str) -> float:
    """The 95th percentile of the time to the whole answer, in milliseconds."""
    times = []
    for _ in range(ASKED):
        request = urllib.request.Request(url, headers={"Cookie": f"sessionid={session}"})
        began = time.perf_counter()
        with urllib.request.urlopen(request) as answer:
            answer.read()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.quantiles(times, n=20)[-1]


def in_browser(browser: Browser, url: str, session: str) -> tuple[float, float, float, list[str]]:
    """Kilobytes of HTML, CSS and scripts as compressed, largest paint in ms, layout shift, console messages."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": "sessionid", "value": session, "url": url}])
    page, heard, seen = context.new_page(), [], list[Response]()
    page.on("console", lambda message: heard.append(message.text))
    page.on("response", lambda answer: seen.append(answer) if answer.request.resource_type in COUNTED else None)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(f"({OBSERVE})()")
    page.goto(url, wait_until="networkidle")
    kilobytes = sum(len(gzip.compress(answer.body(), 6)) for answer in seen) / 1000
    measured = page.evaluate("window.kv")
    context.close()
    return kilobytes, measured["paint"], measured["shift"], heard


def main() -> int:
    base, session, *paths = sys.argv[1:]
    failed = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(args=["--no-sandbox"], executable_path=find_chromium())
        for path in paths:
            limit_kb = WEIGHT_KB.get(urlsplit(path).path, OTHER_KB)
            slow = server_ms(base + path, session)
            kilobytes, paint, shift, heard = in_browser(browser, base + path, session)
            good = slow < SERVER_MS and kilobytes < limit_kb and paint < PAINT_MS and shift < SHIFT and not heard
            failed += not good
            print(
                f"{'ok  ' if good else 'over'} {path}: server p95 {slow:.0f} of {SERVER_MS} ms, {kilobytes:.0f} of "
                f"{limit_kb} kB, paint {paint:.0f} of {PAINT_MS} ms, shift {shift:.3f} of {SHIFT}, "
                f"{len(heard)} console messages"
            )
        browser.close()
    return 1 if failed else 0


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome-stable"))), None)


if __name__ == "__main__":
    sys.exit(main())
