"""Read a release from where it is published: the manifest, then every file that it names, as a reader gets it."""

import hashlib
import http.client
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urljoin
from urllib.request import HTTPRedirectHandler, Request, build_opener

from site_build.packing import MANIFEST, NOTE, NOTE_LIMIT, Entry
from site_build.problems import Faults, Problem
from site_build.verifying.found import Contents, manifest_of, named

SECONDS = 20
"""How long an answer may keep us waiting."""
AT_ONCE = 8
"""Requests under way at a time."""
_PIECE = 2**20
_REDIRECTS = range(300, 400)
_GONE = (404, 410)


class _Stay(HTTPRedirectHandler):
    """Follows no redirection: what stands elsewhere was not asked for."""

    def redirect_request(self, *_: Any) -> None:
        """Stay."""


_OPENER = build_opener(_Stay)


def read_address(address: str) -> Contents:
    """Every file that the manifest at an address names; files beyond it cannot be listed.

    Raises:
        Faults: the address does not answer, answers from elsewhere, or holds no release.
    """
    root = address.rstrip("/") + "/"
    notes = {name: _note(root, name) for name in (MANIFEST, NOTE)}
    manifest = manifest_of(notes[MANIFEST], root + MANIFEST)
    files, odd = {}, {}
    for path, found in _fetch_all(root, manifest.files):
        if isinstance(found, Entry):
            files[path] = found
        elif found:
            odd[path] = found
    return Contents(notes[MANIFEST], notes[NOTE], files, odd, whole=False)


def _fetch_all(root: str, files: Mapping[str, Entry]) -> Iterator[tuple[str, Entry | str]]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from zip(files, pool.map(lambda path: _entry(root, path, files[path].size), files), strict=True)


def location(path: str) -> str:
    """Where readers ask for a file: a folder's index is asked for as the folder."""
    return quote(path.removesuffix("index.html") if path.rpartition("/")[2] == "index.html" else path)


def _entry(root: str, path: str, most: int) -> Entry | str:
    """Hash and size of what an address answers; else why there are none, empty where there is no such file."""
    digest, size = hashlib.sha256(), 0
    try:
        with _OPENER.open(Request(root + location(path)), timeout=SECONDS) as answer:
            while piece := answer.read(min(_PIECE, most + 1 - size)):
                digest.update(piece)
                size += len(piece)
            if size <= most and answer.length:
                return f"an answer that ends after {size} bytes"
    except HTTPError as error:
        error.close()
        return "" if error.code in _GONE else _told(error, root + location(path))
    except (OSError, http.client.HTTPException) as error:
        return _reason(error)
    return Entry(digest.hexdigest(), size) if size <= most else f"more than {most} bytes"


def _note(root: str, name: str) -> bytes:
    """The content of manifest or note."""
    try:
        with _OPENER.open(Request(root + name), timeout=SECONDS) as answer:
            content: bytes = answer.read(NOTE_LIMIT + 1)
            if len(content) <= NOTE_LIMIT and answer.length:
                raise http.client.IncompleteRead(content)
    except HTTPError as error:
        error.close()
        if error.code in _GONE:
            raise Faults([Problem.at(named(root), "release-not-here", file=name)]) from None
        code = "address-redirects" if error.code in _REDIRECTS else "address-silent"
        raise Faults([Problem.at(named(root + name), code, _told(error, root + name))]) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Faults([Problem.at(named(root), "address-silent", _reason(error))]) from None
    if len(content) > NOTE_LIMIT:
        raise Faults(
            [Problem.at(named(root + name), "release-too-big", f"more than {NOTE_LIMIT} bytes", limit=NOTE_LIMIT)]
        )
    return content


def _told(error: HTTPError, asked: str) -> str:
    if error.code in _REDIRECTS and (target := error.headers.get("Location")):
        return f"a redirection to {urljoin(asked, target)}"
    return f"the answer {error.code} {error.reason}"


def _reason(error: Exception) -> str:
    """Why there was no answer, in few words."""
    if isinstance(error, http.client.IncompleteRead):
        return f"an answer that ends after {len(error.partial)} bytes"
    inner = error.reason if isinstance(error, URLError) else error
    said = inner.strerror if isinstance(inner, OSError) else str(inner)
    return (said or str(inner))[:120] or type(inner).__name__
