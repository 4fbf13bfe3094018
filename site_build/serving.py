"""A small server for a built site: the site's headers, and its own page for a missing address."""

import sys
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from site_build.policy import CACHE, TYPES, headers_of


class SiteHandler(SimpleHTTPRequestHandler):
    """Serves files below a folder, at the root or under a prefix."""

    extensions_map = {  # noqa: RUF012 - the base class has it as a plain mapping
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        **{f".{ending}": kind for ending, kind in TYPES.items()},
        ".json": "application/json",
        ".webmanifest": "application/manifest+json",
        ".atom": "application/atom+xml",
        ".sqlite": "application/vnd.sqlite3",
        ".csv": "text/csv; charset=utf-8",
        ".txt": "text/plain; charset=utf-8",
    }

    def __init__(self, *args: Any, prefix: str = "/", newest: Callable[[], str] | None = None, **kwargs: Any) -> None:
        self.prefix, self.newest, self.missing = prefix, newest, False
        super().__init__(*args, **kwargs)

    def send_response(self, code: int, message: str | None = None) -> None:
        """Note whether there is such a file."""
        self.missing = code == HTTPStatus.NOT_FOUND
        super().send_response(code, message)

    def end_headers(self) -> None:
        """Add to every answer what the table of headers says for its path."""
        headers = headers_of(self.path.removeprefix(self.prefix))
        # what is missing may be there soon
        headers |= {CACHE: "no-cache"} if self.missing else {}
        for name, value in headers.items():
            self.send_header(name, value)
        super().end_headers()

    def do_GET(self) -> None:
        """Answer a file, or in a preview the newest build id."""
        if self.newest is None or self.path != "/__build":
            super().do_GET()
            return
        content = self.newest().encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

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

    def list_directory(self, path: Any) -> None:
        """A folder without a page of its own is no address: a list of its files would be a page that nobody wrote."""
        del path
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        """Say nothing: the page is what matters."""


class SiteServer(ThreadingHTTPServer):
    """Answers many requests at a time."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing when a browser leaves in the middle of an answer: readers do that all the time."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def make_server(
    folder: Path, port: int = 0, prefix: str = "/", newest: Callable[[], str] | None = None
) -> ThreadingHTTPServer:
    """A server for `folder` on this machine only; port 0 takes a free one."""
    handler = partial(SiteHandler, directory=str(folder), prefix=prefix, newest=newest)
    return SiteServer(("127.0.0.1", port), handler)
