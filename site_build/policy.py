"""What answers say besides their content: one table of headers, for our servers and for every host that can be told.

The content policy stands in each page as a meta element besides, for hosts that set no header.
"""

from collections.abc import Mapping
from dataclasses import dataclass

DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
)
META_POLICY = "; ".join(DIRECTIVES)
HEADER_POLICY = "; ".join((*DIRECTIVES, "frame-ancestors 'self'"))
"""A meta element may not say who frames the page; a header may."""
CARD_POLICY = "; ".join((*DIRECTIVES, "frame-ancestors *"))
CARDS = "cards"
"""The folder, in each language, of pages that any site may frame."""
POLICY, CACHE = "Content-Security-Policy", "Cache-Control"
UNUSED = ("camera", "display-capture", "geolocation", "microphone", "midi", "payment", "usb")
"""Powers of a browser that no page asks for, nor anything that a page might be made to load."""
TYPES = {"wasm": "application/wasm", "mjs": "text/javascript"}
"""Types without which no lab runs, and which some hosts do not know."""
HEADERS_FILE = "_headers"
"""The file in which hosts such as Netlify and Cloudflare Pages look for headers; they do not serve it."""
_LANGUAGE_CODE = 2
"""Letters of a folder that holds a language."""


@dataclass(frozen=True)
class Rule:
    """What answers say below a folder."""

    folder: str
    """In the site and in each of its languages, with a slash at its end; empty for everything."""
    headers: Mapping[str, str]


_FOR_EVER = {CACHE: "public, max-age=31536000, immutable"}
RULES = (
    Rule(
        "",
        {
            POLICY: HEADER_POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Permissions-Policy": ", ".join(f"{name}=()" for name in UNUSED),
            CACHE: "no-cache",
        },
    ),
    Rule(f"{CARDS}/", {POLICY: CARD_POLICY}),
    # names of what lies in these folders, or of the folders there, change with the content
    Rule("assets/inline/", _FOR_EVER),
    Rule("assets/labs/", _FOR_EVER),
    Rule("assets/runtime/", _FOR_EVER),
    Rule("assets/stylesheets/", _FOR_EVER),
    Rule("assets/javascripts/", _FOR_EVER),
    Rule("assets/javascripts/lunr/", {CACHE: "no-cache"}),
)
"""Of two rules the later one holds; the first is for everything."""


def in_language(path: str) -> str:
    """A path from the site's root as its language sees it."""
    first, _, rest = path.partition("/")
    return rest if len(first) == _LANGUAGE_CODE else path


def headers_of(path: str) -> dict[str, str]:
    """The headers of an answer by its path from the site's root, without a slash at its beginning."""
    found: dict[str, str] = {}
    for rule in RULES:
        if in_language(path).startswith(rule.folder):
            found |= rule.headers
    return found
