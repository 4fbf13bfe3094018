"""Servers that write down what reaches them: the site's own, and one that stands for the rest of the world."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from site_build.serving import SiteHandler, make_server


@dataclass(frozen=True)
class Site:
    """A folder that is being served."""

    folder: Path
    url: str
    """With a slash at its end."""
    arrivals: list[str]
    """The path of every request, in order of arrival."""


class LoggedSite(SiteHandler):
    """The project's own handler, with a log."""

    def __init__(self, *args: Any, arrivals: list[str], **kwargs: Any) -> None:
        self.arrivals = arrivals
        super().__init__(*args, **kwargs)

    def parse_request(self) -> bool:
        """Note the path before anything is answered."""
        understood = super().parse_request()
        self.arrivals.append(urlsplit(self.path).path if understood else self.requestline)
        return understood


class PlainSite(LoggedSite):
    """The same without the content policy: pages that are wrong on purpose have to be able to go wrong."""

    def end_headers(self) -> None:
        """Add nothing."""
        SimpleHTTPRequestHandler.end_headers(self)


@contextmanager
def serving(folder: Path, prefix: str = "/", handler: type[LoggedSite] = LoggedSite) -> Iterator[Site]:
    """Serve a folder with the project's own server and write its log."""
    arrivals: list[str] = []
    server = make_server(folder, prefix=prefix)
    made: Any = server.RequestHandlerClass
    server.RequestHandlerClass = partial(handler, arrivals=arrivals, **made.keywords)
    with _running(server):
        yield Site(folder, f"http://127.0.0.1:{server.server_port}{prefix}", arrivals)


@dataclass(frozen=True)
class World:
    """Every host but this machine, as a proxy that refuses."""

    proxy: str
    strangers: list[str]
    """The host of every request that would have left the machine, whichever part of the browser sent it."""


class _Refusal(BaseHTTPRequestHandler):
    def __init__(self, *args: Any, strangers: list[str], **kwargs: Any) -> None:
        self.strangers = strangers
        super().__init__(*args, **kwargs)

    def refuse(self) -> None:
        self.strangers.append(urlsplit(self.path).hostname or self.path.partition(":")[0])
        self.send_response(HTTPStatus.BAD_GATEWAY)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_CONNECT = do_GET = do_POST = do_HEAD = do_OPTIONS = refuse  # noqa: N815 - the base class calls these names

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        """Say nothing."""


@contextmanager
def refusing() -> Iterator[World]:
    """Stand for the rest of the world."""
    strangers: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Refusal, strangers=strangers))
    with _running(server):
        yield World(f"http://127.0.0.1:{server.server_port}", strangers)


@contextmanager
def _running(server: ThreadingHTTPServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
