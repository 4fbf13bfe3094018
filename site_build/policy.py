"""The content policy of every page, as a header from our servers and as a meta element for static hosts."""

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
LANGUAGE_CODE = 2
"""Letters of a folder that holds a language."""
META_POLICY = "; ".join(DIRECTIVES)
HEADER_POLICY = "; ".join((*DIRECTIVES, "frame-ancestors 'self'"))
"""A meta element may not say who frames the page; a header may."""
CARDS = "cards"
"""The folder, in each language, of pages that any site may frame."""


def header_policy(path: str) -> str:
    """The policy of a page by its path from the site's root, without a slash at its beginning."""
    first, _, rest = path.partition("/")
    framed = first == CARDS or (len(first) == LANGUAGE_CODE and rest.partition("/")[0] == CARDS)
    return META_POLICY if framed else HEADER_POLICY
