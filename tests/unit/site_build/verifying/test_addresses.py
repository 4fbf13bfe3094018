"""`k3 verify` on addresses: a real server, right, wrong, silent, redirecting or broken off in the middle."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from sealed_sites import Sealed, seal
from typer.testing import CliRunner, Result

from site_build.cli import app
from site_build.messages import WORDS
from site_build.serving import SiteHandler, SiteServer
from site_build.verifying import address


class Faulty(SiteHandler):
    """Serves a site, with a fault at some paths."""

    folder = ""
    faults: dict[str, str] = {}  # noqa: RUF012 - each test sets its own
    asked: list[str] = []  # noqa: RUF012 - as above

    def __init__(self, *args: object) -> None:
        super().__init__(*args, directory=self.folder)

    def do_GET(self) -> None:
        """Answer a file, or misbehave."""
        self.asked.append(self.path)
        fault = self.faults.get(self.path, self.faults.get("*", ""))
        if fault.startswith("to "):
            self.send_response(302)
            self.send_header("Location", fault.removeprefix("to "))
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif fault == "short":
            self.send_response(200)
            self.send_header("Content-Length", "9999")
            self.end_headers()
            self.wfile.write(b"{}")
        elif fault == "endless":
            self.send_response(200)
            self.end_headers()
            while True:
                self.wfile.write(bytes(2**16))
        elif fault == "silent":
            self.rfile.read(1)
        elif fault == "noise":
            self.wfile.write(b"\0" * 99)
        elif fault:
            self.send_error(int(fault))
        else:
            super().do_GET()


@contextmanager
def served(site: Path, **faults: str) -> Iterator[str]:
    """Serve a folder; faults are given by path."""
    handler = type("Handler", (Faulty,), {"folder": str(site), "faults": faults, "asked": []})
    server: ThreadingHTTPServer = SiteServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.socket.close()


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sealed:
    """A sealed site, asked for directly."""
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(address, "SECONDS", 2)
    return seal(tmp_path)


def verify(*arguments: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, ["verify", *arguments])


@pytest.mark.parametrize("slash", ["", "/"])
def test_a_published_release_is_what_it_says(made: Sealed, slash: str) -> None:
    """Every file is asked for as a reader asks; that more may stand there is said."""
    with served(made.site) as base:
        result = verify(base + slash, "--digest", made.digest)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines()[1:] == [WORDS["en"].release["not_listed"]]


def test_a_folders_index_is_asked_for_as_the_folder() -> None:
    """Readers follow links to folders; names are quoted as an address needs it."""
    assert [address.location(path) for path in ("index.html", "q/Q1/index.html", "zh/问 1.txt", "my-index.html")] == [
        *("", "q/Q1/", "zh/%E9%97%AE%201.txt", "my-index.html")
    ]


def test_every_wrong_answer_is_named(made: Sealed) -> None:
    """Changed, missing, redirected, refused and broken off: each file in one line."""
    (made.site / "zh/问题.txt").unlink()
    (made.site / "assets/empty.css").write_text("x", encoding="utf-8")
    faults = {"/": "short", "/questions/Q1/": "to /elsewhere/"}
    with served(made.site, **faults, **{f"/{'a' * 60}/{'b' * 60}/long.txt": "500"}) as base:
        result = verify(base)
        lines = {line.partition(": ")[0]: line.partition(", got ")[2] for line in result.stdout.splitlines()}
        assert lines.pop("questions/Q1/index.html").startswith(f"a redirection to {base}/elsewhere/. ")
    assert result.exit_code == 1
    assert lines.pop(f"{'a' * 60}/{'b' * 60}/long.txt").startswith("the answer 500 ")
    assert {name: text.partition(". ")[0] for name, text in lines.items()} == {
        "assets/empty.css": "more than 0 bytes",
        "index.html": "an answer that ends after 2 bytes",
        "zh/问题.txt": "none",
    }


def test_an_endless_answer_ends_where_the_manifest_says(made: Sealed) -> None:
    """No more is read than the file may have."""
    with served(made.site, **{"/": "endless"}) as base:
        result = verify(base)
    assert (result.exit_code, result.stdout.count("\n")) == (1, 1)
    assert "index.html: expected 4 B, " in result.stdout
    assert "got more than 4 bytes" in result.stdout


@pytest.mark.parametrize(
    ("faults", "line"),
    [
        pytest.param({"*": "to https://other.example/x"}, "got a redirection to https://other.example/x", id="away"),
        pytest.param({"/release.json": "to /new/release.json"}, "/new/release.json. If that is", id="note-away"),
        pytest.param({"*": "404"}, "expected manifest.json of a released site, got none", id="nothing"),
        pytest.param({"*": "500"}, "got the answer 500 ", id="broken"),
        pytest.param({"/manifest.json": "short"}, "got an answer that ends after 2 bytes", id="cut"),
        pytest.param({"*": "silent"}, "got timed out", id="silent"),
        pytest.param({"*": "noise"}, "expected an answer, got", id="noise"),
    ],
)
def test_an_address_without_a_release_gives_one_line(made: Sealed, faults: dict[str, str], line: str) -> None:
    """Nothing is followed, nothing is guessed."""
    with served(made.site, **faults) as base:
        result = verify(base)
        assert result.stdout.startswith(base)
    assert (result.exit_code, result.stdout.count("\n"), type(result.exception)) == (1, 1, SystemExit)
    assert line in result.stdout


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "nowhere.invalid", "[::1", "a" * 70 + ".example"])
def test_an_address_that_does_not_answer_gives_one_line(host: str) -> None:
    """Nobody listens, no such name, no name at all."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        result = verify(f"http://{host.format(port=free.getsockname()[1])}/")
    assert (result.exit_code, result.stdout.count("\n"), type(result.exception)) == (1, 1, SystemExit)
    assert "expected an answer, got " in result.stdout


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        pytest.param("404", "", id="kept-to-itself"),
        pytest.param("", "", id="served"),
        pytest.param("500", "the answer 500", id="broken"),
        pytest.param("changed", "7 B, SHA-256", id="changed"),
    ],
)
def test_a_host_may_keep_its_headers_to_itself(tmp_path: Path, answer: str, told: str) -> None:
    """Where `_headers` is served it is compared; where it is not, nothing is missing. A folder has to hold it."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "_headers").write_text("/*\n  A: b\n", encoding="utf-8")
    site = seal(tmp_path).site
    if answer == "changed":
        (site / "_headers").write_text("/*\n A:b", encoding="utf-8")
    with served(site, **{"/_headers": answer if answer.isdigit() else ""}) as base:
        result = verify(base)
    assert (result.exit_code, told in result.stdout) == (int(bool(told)), True), result.stdout
    (site / "_headers").unlink()
    assert verify(str(site)).stdout.startswith("_headers: expected ")
