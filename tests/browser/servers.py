"""Servers that write down what reaches them: the site's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from site_build.regress.servers import running
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
    with running(server):
        yield Site(folder, f"http://127.0.0.1:{server.server_port}{prefix}", arrivals)
