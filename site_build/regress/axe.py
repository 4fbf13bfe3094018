"""Accessibility: axe, whose script comes with its package and is put into the page, asked about what is visible."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

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


def shorten(page: Page) -> None:
    """Leave two of what is built alike in lists and tables: the contrast of the rest would take minutes."""
    page.evaluate(_SHORTEN)


def broken_rules(page: Page) -> list[str]:
    """What axe finds wrong, with the place and the reason; a page that has been seen keeps axe."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then((results) => results.violations)")
    return [
        f"{rule['id']}: {node['target'][-1]}: {node.get('failureSummary', '').splitlines()[-1].strip()}"
        for rule in found
        for node in rule["nodes"]
    ]
