"""Labs that run in the page: the runtime that they need. This is the door."""

from site_build.labs.runtime import Found, fetch_runtime, find_runtime

__all__ = ["Found", "fetch_runtime", "find_runtime"]
