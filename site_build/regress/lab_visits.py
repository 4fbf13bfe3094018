"""What a lab's page may ask for and when, and what a browser keeps of it for a second visit."""

import time
from collections.abc import Iterable

from playwright.sync_api import Page

HEAVY = ("pyodide.mjs", "pyodide.asm", "python_stdlib", ".whl", "lab_worker", "pyodide-lock")
"""Names of what may not move before a reader acts."""
_IS_KEPT = """async () => {
  const found = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  const urls = found.flat().map((request) => request.url);
  const parts = ["asm.wasm", "asm.mjs", "stdlib.zip", ".whl", "lab_worker.js", location.pathname, "/memory"];
  return Boolean(navigator.serviceWorker.controller) && parts.every((part) => urls.some((url) => url.includes(part)));
}"""
"""Whether all that a second visit needs is kept, and somebody answers from it."""


def heavy(arrivals: Iterable[str]) -> list[str]:
    """Requests for runtime, packages or the worker."""
    return [path for path in arrivals if any(name in path for name in HEAVY)]


def is_kept(page: Page, seconds: float = 60.0) -> bool:
    """Wait until all that a second visit needs is kept; its own waiting takes a promise for a yes."""
    end = time.monotonic() + seconds
    while not page.evaluate(_IS_KEPT):
        if time.monotonic() > end:
            return False
        page.wait_for_timeout(100)
    return True
