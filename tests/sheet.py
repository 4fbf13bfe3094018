"""Photograph a page of each kind, in both languages and themes, on a phone and on a desk, and put all on one sheet.

Run from the repository's root after `k3 build`: `.venv/bin/python tests/sheet.py site docs/contact-sheet.jpg`. A third
argument names a folder that keeps the single pictures.
"""

import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Literal

sys.path.insert(0, str(Path(__file__).parent))

from browser.conftest import find_chromium
from browser.published import LANGUAGES, Published
from browser.servers import serving
from playwright.sync_api import Browser, Page, sync_playwright

from site_build.regress.chromium import FLAGS

WINDOWS = ((390, 844), (1280, 800))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ORDER = tuple(product(WINDOWS, LANGUAGES, THEMES))
"""Pictures of a row."""
PICTURES = 150
"""Height of a picture on the sheet."""
QUALITY = 50


def photograph(browser: Browser, published: Published, folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """Each kind of page with its pictures: by window, language and theme."""
    kinds = {language: published.kinds(language) for language in LANGUAGES}
    pages = {theme: browser.new_context(color_scheme=theme, reduced_motion="reduce").new_page() for theme in THEMES}
    with serving(published.folder) as site:
        for kind in kinds[LANGUAGES[0]]:
            for language, theme in product(LANGUAGES, THEMES):
                pages[theme].goto(site.url + kinds[language][kind])
                settle(pages[theme])
                # a page that is open follows its window, which saves loading it for each
                for width, height in WINDOWS:
                    pages[theme].set_viewport_size({"width": width, "height": height})
                    pages[theme].screenshot(path=folder / f"{kind}-{width}-{language}-{theme}.png")
            names = (f"{kind}-{width}-{language}-{theme}.png" for (width, _), language, theme in ORDER)
            yield kind, [folder / name for name in names]


def settle(page: Page) -> None:
    """Wait for what comes after the page itself: its letters, and the controls of a lab that runs in it."""
    page.evaluate("() => document.fonts.ready.then(() => {})")
    if page.locator(".rl-lab[data-folder]").count():
        page.wait_for_selector(".rl-lab[data-ready]")


def sheet_html(rows: list[tuple[str, list[Path]]]) -> str:
    """The sheet as a page: a row for each kind."""
    cells = []
    for kind, pictures in rows:
        images = (f'<img src="data:image/png;base64,{b64encode(file.read_bytes()).decode()}">' for file in pictures)
        cells.append(f"<tr><th>{kind}</th><td>{''.join(images)}</td></tr>")
    style = f"table {{ width: max-content; font: 13px sans-serif }} img {{ height: {PICTURES}px; margin: 2px }}"
    return f"<style>{style}</style><table>{''.join(cells)}</table>"


def main(site: Path, sheet: Path, kept: Path | None) -> None:
    """Write the sheet."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = find_chromium(Path(sys.prefix) / ".browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        pictures = kept or Path(folder)
        pictures.mkdir(parents=True, exist_ok=True)
        rows = list(photograph(browser, Published(site, ""), pictures))
        page = browser.new_page()
        page.set_content(sheet_html(rows))
        sheet.parent.mkdir(parents=True, exist_ok=True)
        page.locator("table").screenshot(path=sheet, type="jpeg", quality=QUALITY)
    sys.stdout.write(f"{sheet}: {len(rows)} kinds of page, {sheet.stat().st_size // 1000} kB\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
