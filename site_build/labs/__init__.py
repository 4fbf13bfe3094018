"""Labs that run in the page: the runtime they need and the bundle that the site carries. This is the door."""

from site_build.labs.bundle import Bundle, can_run, make_bundle
from site_build.labs.evidence import parity_lines
from site_build.labs.runtime import Found, fetch_runtime, find_runtime

__all__ = ["Bundle", "Found", "can_run", "fetch_runtime", "find_runtime", "make_bundle", "parity_lines"]
