"""Every promised record in a browser: its page is there, and shows what its entry promises.

Run as `python -m site_build.regress.coverage ROOT SITE`; `k3 coverage --run` does so. Writes `evidence/coverage.json`.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from site_build.evidence import write_evidence
from site_build.model import Language, Ledger
from site_build.regress.chromium import build_id_of, open_site
from site_build.source import read_ledger
from site_build.views import FOLDERS

_LOOK = """(selector) => {
  const found = [...document.querySelectorAll(selector)], faults = [];
  if (found.length !== 1) return [`expected one ${selector}, got ${found.length}`];
  const [part] = found;
  if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) faults.push("cannot be seen");
  const { width, height } = part.getBoundingClientRect();
  const framed = part.matches("[data-component]");
  if (width < 200 || height < (framed ? 80 : 20)) faults.push(`measures ${width} by ${height}`);
  if (!framed) return faults;
  const bodies = [...part.querySelectorAll(".rl-body")];
  if (!bodies.length) faults.push("has no body");
  for (const body of bodies) {
    const boxes = [...body.querySelectorAll("svg, table, li, a, .rl-piece, .rl-bar, .rl-panel, .rl-flow__stage")]
      .map((part) => part.getBoundingClientRect());
    if (!boxes.some((box) => box.width && box.height)) faults.push(`its ${body.dataset.kind} is empty`);
  }
  for (const step of part.querySelectorAll(".rl-step")) step.hidden = false;
  for (const box of part.querySelectorAll("div, span, table, pre")) {
    const moves = ["auto", "scroll"].includes(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth + 1;
    if (moves && box.tabIndex !== 0) faults.push(`scrolls ${box.className} out of the keyboard's reach`);
  }
  for (const svg of part.querySelectorAll(".rl-chart > svg")) {
    const frame = svg.getBoundingClientRect(), box = svg.parentElement;
    if (box.scrollWidth > box.clientWidth + 1) faults.push(`a picture of ${box.scrollWidth} px in ${box.clientWidth}`);
    for (const text of svg.querySelectorAll("text")) {
      const box = text.getBoundingClientRect(), { a, b } = text.getScreenCTM();
      const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
      if (size < 10.9) faults.push(`writes ${text.textContent} in ${size.toFixed(1)} px`);
      const over = [frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom];
      if (box.width && Math.max(...over) > 1) faults.push(`cuts ${text.textContent}`);
    }
  }
  if (!part.querySelector("figcaption")?.innerText.trim()) faults.push("has no caption");
  if (!part.querySelector(":scope > .rl-data a[download]")) faults.push("has no data to download");
  const twin = part.querySelector(":scope > details.rl-twin-text");
  if (!twin) return [...faults, "has no text twin"];
  twin.open = true;
  const text = twin.innerText.replace(twin.querySelector("summary").innerText, "").trim();
  if (text.length < 40) faults.push(`its text twin says only: ${text}`);
  return faults;
}"""
_UNTITLED = """(selector) => [...document.querySelectorAll(`${selector} .rl-chart > svg`)]
  .filter((svg) => !svg.querySelector("title")?.textContent || !svg.querySelector("desc")?.textContent)
  .map(() => "a picture has no title or description")"""


@dataclass(frozen=True)
class Promise:
    """A part that a page owes its reader."""

    kind: str
    id: str
    path: str
    """The page, from a language's root."""
    selector: str


def promises(ledger: Ledger) -> Iterator[Promise]:
    """Every promised record: a question's component, a contract's picture, a lab's result, a work's heading."""
    for kind, selector in (("question", ""), ("figure", "[data-component]"), ("table", "[data-component]"),
                           ("lab", ".rl-lab"), ("cite", "article header")):  # fmt: skip
        for id_, record in ledger.records[kind].items():
            if getattr(record, "in_path", getattr(record, "promised", False)):
                own = ledger.questions[id_].acceptance.selector if kind == "question" else selector
                yield Promise(kind, id_, f"{FOLDERS[kind]}/{id_}/", own)


def faults_on(page: Page, address: str, selector: str) -> list[str]:
    """What a browser finds wrong with a promised part of a page."""
    answer = page.goto(address, wait_until="domcontentloaded")
    if answer is None or not answer.ok:
        return [f"expected a page, got {answer and answer.status}"]
    return look_at(page, selector)


def look_at(page: Page, selector: str) -> list[str]:
    """The same for a page that is open."""
    return [*part_faults(page, selector), *untitled_pictures(page, selector)]


def part_faults(page: Page, selector: str) -> list[str]:
    """What can be seen to be wrong with a promised part of an open page."""
    found: list[str] = page.evaluate(_LOOK, selector)
    return found


def untitled_pictures(page: Page, selector: str) -> list[str]:
    """A line for each picture of a part that a screen reader cannot tell about."""
    found: list[str] = page.evaluate(_UNTITLED, selector)
    return found


def measure(root: Path, site: Path) -> dict[str, Any]:
    """Look at every promised record in every language; the faults by kind, id and language."""
    ledger = read_ledger(root).ledger
    if ledger is None or not (site / "index.html").is_file():
        sys.exit(f"{site}: expected a built site, got none. Run: k3 build")
    records: dict[str, dict[str, dict[Language, list[str]]]] = {}
    with open_site(site) as (browser, address):
        page = browser.new_page()
        for promise in promises(ledger):
            found = {
                language: faults_on(page, f"{address}{_home(ledger, language)}{promise.path}", promise.selector)
                for language in ledger.info.languages
            }
            records.setdefault(promise.kind, {})[promise.id] = found
        version = f"Chromium {browser.version}"
    return {"build": build_id_of(site), "browser": version, "records": records}


def _home(ledger: Ledger, language: Language) -> str:
    return "" if language == ledger.info.languages[0] else f"{language}/"


def main() -> None:
    """Look, write the evidence, and end with 1 if a promised part is not as it should be."""
    root, site = (Path(argument) for argument in sys.argv[1:3])
    measured = measure(root, site)
    write_evidence(root, "coverage", measured)
    kinds = measured["records"].values()
    sys.exit(1 if any(faults for kind in kinds for found in kind.values() for faults in found.values()) else 0)


if __name__ == "__main__":
    main()
