import pytest
from axe_playwright_python.base import AXE_SCRIPT
from browser.published import LANGUAGES, Published, listed
from browser.servers import Site
from browser.visits import STILL, OpenContext
from playwright.sync_api import Page

SCHEMES = ("default", "slate")

_SHORTEN = """() => {
  const signature = (element) => [element, ...element.querySelectorAll("*")].map((part) =>
    `${part.tagName} ${part.className} ${part.dataset.grade} ${part.dataset.state}`).filter((part, place, all) =>
    all.indexOf(part) === place).sort().join();
  for (const parent of document.querySelectorAll("article.md-content__inner, article.md-content__inner *")) {
    if (parent.children.length < 5 || parent.closest("math, svg")) continue;
    const seen = new Map();
    for (const child of [...parent.children]) {
      const kind = signature(child);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (seen.get(kind) > 2) child.remove();
    }
  }
}"""
"""Leave two of what is built alike in lists and tables: the contrast of the rest would take minutes."""


def faults(page: Page) -> list[str]:
    """What axe finds wrong, with the place and the reason; a page that has been seen keeps axe."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then((results) => results.violations)")
    return [
        f"{rule['id']}: {node['target'][-1]}: {node.get('failureSummary', '').splitlines()[-1].strip()}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing(
    new_context: OpenContext, site: Site, published: Published, language: str, scheme: str
) -> None:
    """One page of each kind, as a phone, a tablet and a desktop show it, breaks no rule of accessibility."""
    page = new_context(color_scheme="light" if scheme == SCHEMES[0] else "dark").new_page()
    wrong = []
    for kind, path in published.kinds(language).items():
        page.goto(site.url + path)
        page.add_style_tag(content=STILL)
        page.evaluate(_SHORTEN)
        assert page.locator("body").get_attribute("data-md-color-scheme") == scheme
        for width in (360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            wrong += [f"{kind} {path} {width} px: {fault}" for fault in faults(page)]
    assert not wrong, listed(wrong)


def test_axe_sees_what_is_wrong(new_context: OpenContext, site: Site) -> None:
    """A picture without text, a nameless button and grey on grey are found on a page that was right."""
    page = new_context().new_page()
    page.goto(site.url)
    page.evaluate(
        """() => document.querySelector("article").insertAdjacentHTML("beforeend",
        '<img src="assets/images/favicon.png"><button></button><p style="color:#999;background:#888">grey</p>')"""
    )
    found = listed(faults(page))
    for rule in ("image-alt: ", "button-name: ", "color-contrast: "):
        assert rule in found
