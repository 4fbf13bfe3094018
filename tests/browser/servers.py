"""Servers that write down what reaches them: the site's own, and one that behaves as a static host."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from header_rules import answered, read_rules

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


class HostedSite(LoggedSite):
    """A static host: it obeys `_headers` at the root of what it publishes, and does not serve that file."""

    def do_GET(self) -> None:
        """Answer a file, but not that one."""
        if self.path.endswith("/_headers"):
            self.send_error(404)
        else:
            super().do_GET()

    def hosted(self) -> dict[str, str]:
        """What the file says for this answer."""
        text = (Path(self.directory) / "_headers").read_text(encoding="utf-8")
        return answered(read_rules(text), urlsplit(self.path).path)

    def send_header(self, keyword: str, value: str) -> None:
        """Let the file have the last word on a type."""
        super().send_header(keyword, self.hosted().get(keyword, value))

    def end_headers(self) -> None:
        """Add what the file says."""
        for name, value in self.hosted().items():
            if name != "Content-Type":
                super().send_header(name, value)
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
