"""Locators say where a reader can check a claim. No other module knows this grammar.

Forms: `SOURCE [abstract|front|§N(.N)*] [eq.N|fig.N|table N|alg.N|app.X]`, `config PATH`, `node ID [§...]`,
`code REPO@REV:PATH[#SYMBOL]`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

_SOURCE = re.compile(
    r"^(?P<source>[a-z][a-z0-9-]*)"
    r"(?: (?P<area>abstract|front|§\d+(?:\.\d+)*))?"
    r"(?: (?:eq\.(?P<eq>\d+)|fig\.(?P<fig>\d+)|table (?P<table>\d+)|alg\.(?P<alg>\d+)|app\.(?P<app>[A-Z])))?$"
)
_CONFIG = re.compile(r"^config (?P<path>[A-Za-z_][\w.\[\]-]*)$")
_NODE = re.compile(r"^node (?P<node>[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*)(?: §(?P<section>[\w.]+))?$")
_CODE = re.compile(r"^code (?P<repo>[\w.-]+/[\w.-]+)@(?P<rev>[\w.-]+):(?P<path>[^\s#]+)(?:#(?P<symbol>[\w.]+))?$")


@dataclass(frozen=True)
class Locator:
    """One place in one source."""

    source: str
    """A source's id, or `config`, `node`, `code`."""
    text: str
    """The locator as written."""
    section: str = ""
    """`2.1.1`, `abstract` or `front`; empty where the locator names none."""
    part: str = ""
    """`eq`, `fig`, `table`, `alg` or `app`; empty where the locator names none."""
    number: str = ""
    """The number (or letter) of the part."""
    target: str = ""
    """The node's id, the configuration's path, or the file in the repository."""


@lru_cache(maxsize=4096)
def parse_locator(text: str) -> Locator | None:
    """Read `report §2.1 eq.1`; None where the text follows no form."""
    if found := _CONFIG.match(text):
        return Locator("config", text, target=found["path"])
    if found := _NODE.match(text):
        return Locator("node", text, section=found["section"] or "", target=found["node"])
    if found := _CODE.match(text):
        symbol = f"#{found['symbol']}" if found["symbol"] else ""
        return Locator("code", text, target=f"{found['repo']}@{found['rev']}:{found['path']}{symbol}")
    found = _SOURCE.match(text)
    if found is None or found["source"] in {"config", "node", "code"}:
        return None
    part = next((name for name in ("eq", "fig", "table", "alg", "app") if found[name]), "")
    area = (found["area"] or "").removeprefix("§")
    return Locator(found["source"], text, area, part, found[part] if part else "")
