"""Watch what a browser asks for and complains about."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from site_build.regress.markup import listed
from site_build.regress.servers import World

DRAWER_BELOW = 1000
"""Widths, in px, at which the navigation is a drawer; tabs from here on."""
STILL = "*, *::before, *::after { transition: none !important; animation: none !important; }"
"""What is measured must not be on its way somewhere."""

_TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`content policy: ${event.effectiveDirective} refuses ${event.blockedURI}`));
"""
"""Violations reach the same list as all other complaints."""


@dataclass
class Watch:
    """What happened in a context since it was opened."""

    asked: list[str] = field(default_factory=list)
    """Every address that a page or worker asked for."""
    complaints: list[str] = field(default_factory=list)
    """Console errors and warnings, uncaught errors, and violations of the content policy."""

    def clear(self) -> None:
        """Begin anew."""
        self.asked.clear()
        self.complaints.clear()

    def hear(self, line: ConsoleMessage) -> None:
        """Keep what is not said for pleasure."""
        if line.type in ("error", "warning"):
            self.complaints.append(f"{line.location['url']}: {line.type}: {line.text}")


OpenContext = Callable[..., BrowserContext]


def open_context(browser: Browser, world: World, *, beside: str = "", **options: Any) -> BrowserContext:
    """A fresh profile whose way to any other host leads to `world`; `beside` is a site on another machine."""
    settings: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}} | options
    own = ",".join(dict.fromkeys(["127.0.0.1", urlsplit(beside).hostname or "127.0.0.1"]))
    context = browser.new_context(proxy={"server": world.proxy, "bypass": own}, **settings)
    context.set_default_timeout(30_000)
    return context


def watch(context: BrowserContext) -> Watch:
    """Listen to a context, which hears its workers too."""
    seen = Watch()
    context.on("request", lambda request: seen.asked.append(request.url))
    context.on("weberror", lambda error: seen.complaints.append(f"{error.page and error.page.url}: {error.error}"))
    context.on("console", seen.hear)
    context.add_init_script(_TELL_VIOLATIONS)
    return seen


def assert_nothing_foreign(asked: list[str], arrived: list[str], strangers: list[str], origin: str) -> None:
    """Raise unless everything that was asked for arrived at the site's own server, and nothing anywhere else.

    Two witnesses: what the browser says it asked for, and what the servers got.
    """
    urls = {url for url in asked if not url.startswith(("data:", "blob:"))}
    foreign = {url for url in urls if not url.startswith(origin)}
    assert not foreign, f"the browser asked for:\n{listed(foreign)}"
    assert not strangers, f"the world was asked for:\n{listed(set(strangers))}"
    # Chromium asks for icons behind Playwright's back
    odd = {path for path in {urlsplit(url).path for url in urls} ^ set(arrived) if "favicon" not in path}
    assert not odd, f"only one witness saw:\n{listed(odd)}"


def walk_to_question(page: Page, home: str) -> str:
    """From the home page to the first question by what a reader sees; the question's path below the home page."""
    if page.viewport_size and page.viewport_size["width"] < DRAWER_BELOW:
        page.locator("label.md-header__button[for=__drawer]").click()
        # a section opens by its own check box
        page.locator(".md-nav--primary > .md-nav__list > .md-nav__item--nested > label").first.click()
        page.locator('.md-nav--primary a[href="questions/"]').first.click()
    else:
        page.locator('.md-tabs__link[href="questions/"]').click()
    page.wait_for_url(f"{home}questions/")
    page.locator(".rl-entries a").first.click()
    page.wait_for_url(f"{home}questions/*/")
    return page.url.removeprefix(home)
