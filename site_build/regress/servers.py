"""A server that stands for the rest of the world, and servers that run beside what is being done."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit


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
    with running(server):
        yield World(f"http://127.0.0.1:{server.server_port}", strangers)


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[None]:
    """Run a server for as long as the block lasts."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
