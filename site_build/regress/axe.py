"""Accessibility: axe, whose script comes with its package and is put into the page, asked about what is visible."""

from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

COLOURS = ("color-contrast", "link-in-text-block")
"""The rules for which a theme makes a difference: it changes colours and nothing else."""


def broken_rules(page: Page, only: Sequence[str] = ()) -> list[str]:
    """What axe finds wrong, with the place and the reason; of every rule unless some are named.

    A page that has been seen keeps axe.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(only)} if only else {})
    found = page.evaluate("options => axe.run(options).then((results) => results.violations)", options)
    return [
        f"{rule['id']}: {node['target'][-1]}: {node.get('failureSummary', '').splitlines()[-1].strip()}"
        for rule in found
        for node in rule["nodes"]
    ]
