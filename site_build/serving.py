"""A small server for a built site: the content policy as a header, the site's own page for a missing address."""

from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from site_build.policy import HEADER_POLICY


class SiteHandler(SimpleHTTPRequestHandler):
    """Serves files below a folder, at the root or under a prefix."""

    extensions_map = {  # noqa: RUF012 - the base class has it as a plain mapping
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".json": "application/json",
        ".webmanifest": "application/manifest+json",
    }

    def __init__(self, *args: Any, prefix: str = "/", **kwargs: Any) -> None:
        self.prefix = prefix
        super().__init__(*args, **kwargs)

    def end_headers(self) -> None:
        """Add the policy to every answer."""
        self.send_header("Content-Security-Policy", HEADER_POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def translate_path(self, path: str) -> str:
        """Take the prefix off; what lies outside it is not there."""
        if not path.startswith(self.prefix):
            return str(Path(self.directory) / "\0missing".strip("\0"))
        return super().translate_path("/" + path.removeprefix(self.prefix))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a missing address with the site's own page."""
        own = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not own.is_file():
            super().send_error(code, message, explain)
            return
        content = own.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        """Say nothing: the page is what matters."""


def make_server(folder: Path, port: int = 0, prefix: str = "/") -> ThreadingHTTPServer:
    """A server for `folder` on this machine only; port 0 takes a free one."""
    handler = partial(SiteHandler, directory=str(folder), prefix=prefix)
    return ThreadingHTTPServer(("127.0.0.1", port), handler)
