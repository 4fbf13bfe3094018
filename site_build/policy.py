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
META_POLICY = "; ".join(DIRECTIVES)
HEADER_POLICY = "; ".join((*DIRECTIVES, "frame-ancestors 'self'"))
"""A meta element may not say who frames the page; a header may."""
