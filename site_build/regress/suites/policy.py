"""Policy: every page carries it, none breaks it or complains, and nothing is asked of another host."""

import re
from collections.abc import Iterator
from functools import partial

from site_build.model import Ledger
from site_build.policy import META_POLICY
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.lab_pages import ask
from site_build.regress.markup import style_links
from site_build.regress.suites.labs import every_lab, open_live
from site_build.regress.survey import Survey, resolved
from site_build.regress.visits import Watch

_INLINE = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/(?:ld\+)?json\")[^>]*>")
_HANDLER = re.compile(r"<[a-z][^>]*\son\w+=\"")
_FOREIGN = re.compile(r"\s*(?:\w+:)?//")
PORTION = 6


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """What every page says, then what a browser does on a page of each kind, and a worker."""
    for language in survey.languages:
        yield Case(f"pages ({language})", partial(_pages, language))
        yield Case(f"styles ({language})", partial(_styles, language))
        paths = list(survey.kinds(language).values())
        for start in range(0, len(paths), PORTION):
            yield Case(f"browser from {start + 1} ({language})", partial(_browser, paths[start : start + PORTION]))
    if survey.lab_folder():
        yield Case("worker of a lab", _worker, heavy=True)


def _pages(language: str, visit: Visit) -> Iterator[Fault]:
    survey = visit.survey
    for page in survey.there(language):
        said, text = survey.markup(page), survey.answers[page].text
        policy = said.metas.get("Content-Security-Policy")
        if policy != META_POLICY:
            yield Fault(f"{page}: expected the content policy, got {policy or 'none'}", page)
        if inline := _INLINE.search(text) or _HANDLER.search(text):
            yield Fault(f"{page}: expected no script in the page itself, got {inline[0][:80]}", page)
        for url in said.loads:
            if _FOREIGN.match(url) and not resolved(survey.base + page, url).startswith(survey.base):
                yield Fault(f"{page}: expected loads from the site alone, got {url}", page)


def _styles(language: str, visit: Visit) -> Iterator[Fault]:
    """No style sheet names another host."""
    survey = visit.survey
    sheets: dict[str, str] = {}
    for page in survey.there(language):
        for link in survey.markup(page).loads:
            path = survey.path_of(survey.base + page, link)
            if path and path.endswith(".css"):
                sheets.setdefault(path, page)
    for path, page in sheets.items():
        answer = survey.file(path)
        for url in style_links(answer.text) if answer.ok else ():
            if _FOREIGN.match(url):
                yield Fault(f"{path}: expected loads from the site alone, got {url}", page)


def _browser(paths: list[str], visit: Visit) -> Iterator[Fault]:
    page, seen = visit.watched()
    for path in paths:
        visit.go(page, path, wait_until="networkidle")
        yield from told(visit, seen, path)
        seen.clear()


def _worker(visit: Visit) -> Iterator[Fault]:
    _, _, path = next(every_lab(visit.survey))
    page, seen = visit.watched()
    open_live(visit, page, path)
    ask(page, [{}])
    yield from told(visit, seen, path)


def told(visit: Visit, seen: Watch, path: str) -> Iterator[Fault]:
    """Calls of another host, by two witnesses, and complaints."""
    base = visit.survey.base
    foreign = {url for url in seen.asked if not url.startswith((base, "data:", "blob:"))}
    for url in sorted(foreign - {_origin(base) + "favicon.ico"}):
        yield Fault(f"{path}: expected requests to the site alone, got {url}")
    for host in sorted(set(visit.world.strangers)):
        yield Fault(f"{path}: expected no way out of the site, got a request for {host}")
    visit.world.strangers.clear()
    for line in dict.fromkeys(seen.complaints):
        if not _told_elsewhere(visit.survey, line, path):
            yield Fault(f"{path}: expected a quiet console, got {line[:300]}")


def _told_elsewhere(survey: Survey, line: str, path: str) -> bool:
    """Whether a complaint is of a file that navigation misses, as a link of the page, or the labs, as one of theirs."""
    url = line.partition(": error: Failed to load resource")[0]
    if url == line:
        return False
    links = {resolved(survey.base + path, link) for link in survey.markup(path).links}
    return url in links or "/assets/labs/" in url or "/assets/runtime/" in url


def _origin(url: str) -> str:
    return "/".join(url.split("/")[:3]) + "/"
