"""What a page full of hostile texts must not have become, asked of the browser that shows it."""

import re
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from browser.servers import Site
from playwright.sync_api import Browser, Dialog, Page

from site_build.regress.looks import edges
from site_build.regress.servers import World
from site_build.regress.visits import assert_nothing_foreign, open_context, watch

_BECOME = """() => {
  const found = [];
  const mark = globalThis.planted;
  if (mark !== undefined) found.push(`the mark ${mark} was set`);
  const acting = "iframe, frame, object, embed, applet, base, marquee, plaintext, xmp, dialog, video, audio, picture, "
    + "area, template template, foreignObject, animate, set, mglyph, maction, annotation-xml, custom-element, "
    + "body style:not(svg style), body link:not([rel=modulepreload]), body meta, body title:not(svg title), "
    + "article script:not([type='application/json']):not([src*='/assets/'])";
  for (const element of document.querySelectorAll(acting)) found.push(`an element: ${element.outerHTML.slice(0, 120)}`);
  const places = ["href", "xlink:href", "src", "srcset", "action", "formaction", "data", "poster", "ping"];
  for (const element of document.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      if (/^on|^srcdoc$|^autofocus$/.test(name)) found.push(`an attribute: ${name}=${value}`);
      if (!places.includes(name)) continue;
      const { protocol, hostname } = new URL(value, document.baseURI);
      const image = protocol === "data:" && element.localName === "img";
      if (!["http:", "https:"].includes(protocol) && !image) found.push(`an address: ${value.slice(0, 120)}`);
      if (hostname.includes("planted")) found.push(`a host: ${value.slice(0, 120)}`);
    }
    const style = element.getAttribute("style") ?? "";
    if (style.includes("planted") || style.includes("fixed")) found.push(`a style: ${style.slice(0, 120)}`);
  }
  return found;
}"""
_WORDS = "() => (document.querySelector('article.md-content__inner') ?? document.body).textContent"


@dataclass
class Visit:
    """What pages with hostile texts did while a browser showed them."""

    pages: int = 0
    faults: list[str] = field(default_factory=list)
    """Everything that became more than text, a dialog, a complaint of the browser, a frame that broke."""
    words: dict[str, str] = field(default_factory=dict)
    """What each page says, spaces taken as one."""
    wide: list[str] = field(default_factory=list)
    """Pages that scroll sideways."""
    requests: int = 0
    """How much the pages asked for."""
    elsewhere: int = 0
    """How much of it is not the site's own, by the browser's own word and by what reached the rest of the world."""


def plain(text: str) -> str:
    """A text with single spaces."""
    return re.sub(r"\s+", " ", text)


def addresses(site: Path) -> list[str]:
    """Every page of a built site, cards too, as a path from its root."""
    files = (path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    return sorted(quote(file.removesuffix("index.html")) for file in files)


def visit(browser: Browser, world: World, site: Site, pages: Iterable[str]) -> Visit:
    """Open pages one after the other, and write down what they have become.

    Raises:
        AssertionError: something was asked for that is not the site's own.
    """
    seen = Visit()
    site.arrivals.clear()
    world.strangers.clear()
    with closing(open_context(browser, world, viewport={"width": 390, "height": 800})) as context:
        heard = watch(context)

        def dismissed(dialog: Dialog) -> None:
            seen.faults.append(f"a dialog: {dialog.message}")
            dialog.dismiss()

        context.on("dialog", dismissed)
        context.on("page", lambda other: seen.faults.append(f"a window: {other.url}") if seen.pages else None)
        page = context.new_page()
        for path in pages:
            page.goto(site.url + path)
            seen.pages += 1
            seen.faults += [f"{path}: {fault}" for fault in [*page.evaluate(_BECOME), *_broken_frame(page)]]
            seen.words[path] = plain(page.evaluate(_WORDS))
            if edges(page)["beyond"] > 0:
                seen.wide.append(path)
        page.wait_for_load_state("networkidle")
        seen.faults += heard.complaints
        seen.requests = len(heard.asked)
        seen.elsewhere = sum(not url.startswith((site.url, "data:", "blob:")) for url in heard.asked)
        seen.elsewhere += len(world.strangers)
        assert_nothing_foreign(heard.asked, list(site.arrivals), list(world.strangers), site.url)
    return seen


def _broken_frame(page: Page) -> list[str]:
    """What a reader needs and has lost; a card has no frame of its own."""
    if "/cards/" in page.url:
        return []
    needed = {"h1": 1, "nav.md-nav--primary": 1, "article.md-content__inner": 1, "footer.md-footer": 1}
    counts = {selector: page.locator(selector).count() for selector in needed}
    return [f"expected {count} {name}, got {counts[name]}" for name, count in needed.items() if counts[name] != count]
