"""A built site in a browser: what every command here begins with."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, Playwright, sync_playwright

from site_build.serving import make_server

BROWSER_VARIABLE = "K3_BROWSER"
_OFF = (
    # Chromium itself asks a server of its maker what the search field is for
    "AutofillServerCommunication",
    # the list takes the place of Playwright's own, so its network calls are named again
    *("HttpsUpgrades", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding"),
    # two pages for an address field that nobody sees took most of the time of opening a window
    *("WebUIOmniboxAimPopup", "WebUIOmniboxPopup"),
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={','.join(_OFF)}",
)


@contextmanager
def open_site(site: Path) -> Iterator[tuple[Browser, str]]:
    """Serve a site and start Chromium; gives the browser and the site's address."""
    server = make_server(site)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        with sync_playwright() as playwright:
            browser = launch(playwright)
            yield browser, f"http://127.0.0.1:{server.server_port}/"
            browser.close()
    finally:
        server.shutdown()


def launch(playwright: Playwright) -> Browser:
    """Start Chromium without calls of its own."""
    return playwright.chromium.launch(executable_path=_find_browser(), args=list(FLAGS))


def build_id_of(site: Path) -> str:
    """The build id that a site's pages carry."""
    mark = '<meta name="ledger-build" content="'
    return (site / "index.html").read_text(encoding="utf-8").partition(mark)[2].partition('"')[0]


def _find_browser() -> str:
    """The browser that is named, or that set-up found, or one on the path."""
    record = Path(sys.prefix) / ".browser"
    recorded = record.read_text(encoding="utf-8").strip() if record.is_file() else ""
    named = os.environ.get(BROWSER_VARIABLE) or recorded or shutil.which("chromium")
    if not named:
        sys.exit(f"expected Chromium on the path or in {BROWSER_VARIABLE}, got none. Run: bash setup.sh browser")
    return named
