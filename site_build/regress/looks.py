"""What a browser sees of an open page: its texts, what reaches beyond its window, the parts of its claims."""

from typing import Any

from playwright.sync_api import Page

PARTS = (
    ".rl-claim, .rl-claim__text, .rl-claim__link, .rl-claim__boundary, .rl-grade, .rl-grade__letter, "
    ".rl-locators, .rl-boundary, .rl-answer"
)
"""What a claim and its question are made of."""
_EDGES = """() => {
  const edge = window.innerWidth;
  const scrolls = (element) => element && element !== document.body &&
    (["auto", "scroll"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const cut = [...document.querySelectorAll("article.md-content__inner *")].filter((element) =>
    element.getBoundingClientRect().right > edge + 1 && element.checkVisibility() && !scrolls(element));
  return {
    beyond: document.scrollingElement.scrollWidth - edge,
    cut: cut.slice(0, 3).map((element) => `<${element.tagName.toLowerCase()} class="${element.className}">`),
  };
}"""
_TEXTS = """() => {
  const left = ".rl-hidden, button, select, form, .rl-auditor__tool, .rl-steps__bar, .rl-composer__tools, .rl-points, "
    + ".rl-claim__cite";
  const seen = { opacityProperty: true, visibilityProperty: true };
  const found = [];
  const walker = document.createTreeWalker(document.querySelector("article.md-content__inner"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (data.trim() && parentElement.checkVisibility(seen) && !parentElement.closest(left)) found.push(data);
  }
  return found;
}"""
_UNSEEN = """parts => [...document.querySelectorAll(parts)]
  .filter((element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    || !element.innerText.trim() || element.getBoundingClientRect().height < 1)
  .map((element) => element.outerHTML.slice(0, 120))"""
_CLAIMS = """() => [...document.querySelectorAll("#claims .rl-claim")].map((claim) => ({
  id: claim.id,
  grade: claim.querySelector(".rl-grade")?.dataset.grade ?? "",
  letter: claim.querySelector(".rl-grade__letter")?.innerText.trim().slice(0, 1) ?? "",
  places: claim.querySelectorAll(".rl-locators a, .rl-locators .rl-locator").length,
}))"""

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
    """Leave two of what is built alike in lists and tables: to look at all the rest would take minutes."""
    page.evaluate(_SHORTEN)


def edges(page: Page) -> dict[str, Any]:
    """How far the page reaches beyond its window (`beyond`, in px), and what is cut off at its edge (`cut`)."""
    found: dict[str, Any] = page.evaluate(_EDGES)
    return found


def visible_texts(page: Page) -> list[str]:
    """Every piece of text that can be seen, but for the controls of scripts and the points of charts."""
    found: list[str] = page.evaluate(_TEXTS)
    return found


def unseen(page: Page, selector: str) -> list[str]:
    """Parts of a page that a reader cannot see, or that say nothing."""
    found: list[str] = page.evaluate(_UNSEEN, selector)
    return found


def claim_faults(page: Page) -> list[str]:
    """What an open question lacks: parts that cannot be seen, claims without anchor, grade or place, its boundary."""
    faults = [f"cannot be seen: {part}" for part in unseen(page, PARTS)]
    claims = page.evaluate(_CLAIMS)
    if not claims:
        faults.append("expected claims, got none")
    for claim in claims:
        if not claim["id"]:
            faults.append("a claim has no anchor")
        if not claim["letter"] or claim["letter"] != claim["grade"]:
            faults.append(f"{claim['id']}: expected the letter {claim['grade'] or 'of a grade'}, got {claim['letter']}")
        if claim["grade"] != "T" and not claim["places"]:
            faults.append(f"{claim['id']}: expected a place to check, got none")
    if not page.locator("#boundary").is_visible():
        faults.append("expected the question's boundary, got none")
    return faults
