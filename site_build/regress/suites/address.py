"""A deployed address: every file of the release manifest, headers, caching, and the dates of the certificate."""

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from site_build.messages import put_in_words
from site_build.model import Ledger
from site_build.packing import MANIFEST
from site_build.policy import CARDS, META_POLICY, POLICY, headers_of, in_language
from site_build.problems import Faults
from site_build.regress.cases import Case, ElsewhereError, Fault, Visit
from site_build.regress.survey import PATIENCE_S, Survey, fetch
from site_build.verifying import read_contents, verify

NOT_FOUND = 404
FRESH_S = 600
"""How long a page may be kept without asking whether there is a newer one."""
DAYS = 14
"""How long a certificate has to hold."""
_TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "mjs": "text/javascript",
    "wasm": "application/wasm",
    "json": "application/json",
    "svg": "image/svg+xml",
    "xml": "application/xml",
}
_SAME = {"application/javascript": "text/javascript", "text/xml": "application/xml"}


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """What only a deployed site has."""
    yield Case("files of the release", _files)
    yield Case("headers", _headers)
    yield Case("caching", _caching)
    if survey.base.startswith("https://"):
        yield Case("certificate", partial(_certificate, survey.base))


def _files(visit: Visit) -> Iterator[Fault]:
    """Every file that the release names is the one it names; without a manifest there is nothing to compare."""
    if visit.survey.file(MANIFEST).status == NOT_FOUND:
        return
    try:
        problems = verify(read_contents(visit.survey.base)).problems
    except Faults as faults:
        problems = faults.problems
    of_labs = visit.survey.lab_files()
    for problem in problems:
        if problem.place.file not in of_labs:
            yield Fault(put_in_words(problem, "en").line, "")
    for problem in problems:
        if problem.place.file in of_labs:
            raise ElsewhereError("labs", put_in_words(problem, "en").line)


def _samples(survey: Survey) -> Iterator[str]:
    """Files of each type: a page, the page's own styles and scripts, a card, data, and what labs load."""
    home = survey.languages[0]
    yield survey.homes[home]
    for page in survey.there(home)[:1]:
        for load in survey.markup(page).loads:
            if path := survey.path_of(survey.base + page, load):
                yield path
        yield from (path for link in survey.markup(page).links if (path := _script(survey, page, link)))
    named = (survey.data(MANIFEST) or {}).get("files", ())
    cards = (path for path in named if in_language(path).startswith(f"{CARDS}/") and path.endswith("/index.html"))
    yield from (path.removesuffix("index.html") for path in islice(cards, 1))
    yield f"{survey.homes[home]}search/search_index.json"
    yield f"{survey.homes[home]}sitemap.xml"
    if folder := survey.lab_folder():
        yield f"{folder}integrity.json"
        yield from (path for path in survey.lab_files() if path.endswith((".wasm", ".mjs")))


def _script(survey: Survey, page: str, link: str) -> str | None:
    return survey.path_of(survey.base + page, link) if link.partition("?")[0].endswith(".js") else None


def _headers(visit: Visit) -> Iterator[Fault]:
    survey = visit.survey
    for path in dict.fromkeys(_samples(survey)):
        answer = survey.file(path)
        if not answer.ok:
            continue
        kind = answer.headers.get("content-type", "")
        name = kind.partition(";")[0].strip().lower()
        want = _TYPES.get(path.rpartition(".")[2] if "." in path.rpartition("/")[2] else "html")
        if want and _SAME.get(name, name) != want:
            yield Fault(f"{path or 'home'}: Content-Type: expected {want}, got {kind or 'none'}", "")
        charset = re.search(r"charset=[\"']?([\w-]+)", kind)
        if want == "text/html" and charset and charset[1].lower() != "utf-8":
            yield Fault(f"{path or 'home'}: Content-Type: expected UTF-8, got {kind}", "")
        policy = answer.headers.get("content-security-policy")
        if policy is not None and policy not in (headers_of(path)[POLICY], META_POLICY):
            yield Fault(f"{path or 'home'}: Content-Security-Policy: expected the site's own or none, got {policy}", "")
        if answer.headers.get("x-content-type-options", "nosniff") != "nosniff":
            got = answer.headers["x-content-type-options"]
            yield Fault(f"{path or 'home'}: X-Content-Type-Options: expected nosniff, got {got}", "")


def _caching(visit: Visit) -> Iterator[Fault]:
    """A page is asked for again soon, and whoever has it need not load it again."""
    survey = visit.survey
    for language in survey.languages:
        for page in survey.there(language)[:2]:
            answer = survey.answers[page]
            control = answer.headers.get("cache-control", "")
            if "immutable" in control or _seconds(control) > FRESH_S:
                yield Fault(f"{page or 'home'}: Cache-Control: expected at most {FRESH_S} s, got {control}", page)
            conditions = {
                "If-None-Match": answer.headers.get("etag"),
                "If-Modified-Since": answer.headers.get("last-modified"),
            }
            given = {name: value for name, value in conditions.items() if value}
            if not given:
                yield Fault(f"{page or 'home'}: expected ETag or Last-Modified, got neither", page)
            elif (again := fetch(survey.base + page, given)).status != 304:
                yield Fault(f"{page or 'home'}: expected 304 for what has not changed, got {again.status}", page)


def _seconds(control: str) -> int:
    found = re.search(r"\bmax-age=(\d+)", control)
    return int(found[1]) if found and "no-cache" not in control and "no-store" not in control else 0


def _certificate(base: str, _: Visit) -> Iterator[Fault]:
    parts = urlsplit(base)
    address = (parts.hostname or "", parts.port or 443)
    try:
        with (
            socket.create_connection(address, timeout=PATIENCE_S) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=address[0]) as secure,
        ):
            certificate = secure.getpeercert() or {}
    except OSError as reason:
        yield Fault(f"{address[0]}: expected a certificate that browsers trust, got {reason}", "")
        return
    for fault in date_faults(certificate, datetime.now(UTC)):
        yield Fault(f"{address[0]}: {fault}", "")


def date_faults(certificate: Mapping[str, Any], now: datetime) -> Iterator[str]:
    """What is wrong with the dates of a certificate, as `getpeercert` gives them."""
    begins, ends = (_date(certificate.get(name)) for name in ("notBefore", "notAfter"))
    if begins is None or ends is None:
        yield "expected a certificate with dates, got none"
    elif begins > now:
        yield f"expected a certificate that holds today, got one from {begins:%Y-%m-%d} on"
    elif (left := (ends - now).days) < DAYS:
        yield f"expected a certificate that holds for {DAYS} more days, got {left}, until {ends:%Y-%m-%d}"


def _date(text: str | None) -> datetime | None:
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(text), UTC) if text else None
