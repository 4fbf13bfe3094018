"""Ways through the site: every page of the sitemaps, its twin, every link, the menus, and a wrong address."""

from collections.abc import Iterator
from functools import partial
from urllib.parse import quote, unquote, urlsplit

from site_build.model import Ledger
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.markup import style_links
from site_build.regress.survey import Survey, fetch, fetch_all, resolved
from site_build.regress.visits import walk_to_question

WIDTHS = (390, 1280)


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """Pages, twins and links from what the survey read; menus and a wrong address in a browser."""
    for language in survey.languages:
        yield Case(f"pages ({language})", partial(_pages, language))
        yield Case(f"twins ({language})", partial(_twins, language))
        yield Case(f"links ({language})", partial(_links, language))
        yield Case(f"wrong address ({language})", partial(_wrong_address, language))
        for width in WIDTHS:
            yield Case(f"menu at {width} px ({language})", partial(_menu, language, width))


def _pages(language: str, visit: Visit) -> Iterator[Fault]:
    survey = visit.survey
    for path, answer in survey.lost.items():
        yield Fault(f"{path}: expected the list of pages, got {answer.status or answer.why}", path)
    first = survey.languages[0]
    inner = {survey.inner(language, page) for page in survey.pages[language]}
    for page in sorted({survey.inner(first, page) for page in survey.pages[first]} ^ inner):
        yield Fault(f"{page}: expected in the sitemaps of {first} and {language}, got one of them", page)
    for page in survey.pages[language]:
        answer = survey.answers[page]
        if not answer.ok:
            yield Fault(f"{page}: expected a page, got {answer.status or answer.why}", page)
            continue
        said = answer.markup
        if said.language != language:
            yield Fault(f"{page}: expected lang={language}, got {said.language}", page)
        if (build := said.metas.get("ledger-build")) != survey.build:
            yield Fault(f"{page}: expected build {survey.build}, got {build}", page)
        if said.canonical != survey.built_for + page:
            yield Fault(f"{page}: expected the address {survey.built_for}{page}, got {said.canonical}", page)


def _twins(language: str, visit: Visit) -> Iterator[Fault]:
    survey = visit.survey
    others = [code for code in survey.languages if code != language]
    for page in survey.there(language):
        said = survey.markup(page)
        want = {code: survey.homes[code] + survey.inner(language, page) for code in others}
        got = {code: survey.path_of(survey.base + page, link) for code, link in said.twins}
        if got != want:
            yield Fault(f"{page}: expected the twin {_told(want)}, got {_told(got)}", page)
        heads = {code: survey.built_for + path for code, path in {**want, language: page}.items()}
        if others and said.alternates != heads:
            yield Fault(f"{page}: expected in its head {_told(heads)}, got {_told(said.alternates)}", page)


def _told(found: object) -> str:
    return ", ".join(f"{code}: {path}" for code, path in found.items()) if isinstance(found, dict) and found else "none"


def _links(language: str, visit: Visit) -> Iterator[Fault]:
    """Follow every link of every page, once, with the files that styles name."""
    survey = visit.survey
    asked = {survey.base + page for page in survey.there(language)}
    targets: dict[str, list[tuple[str, str]]] = {}
    for page in survey.there(language):
        for link in survey.markup(page).links:
            targets.setdefault(resolved(survey.base + page, link), []).append((page, link))
    own = urlsplit(survey.base).netloc
    inside = [url for url in targets if url.startswith(survey.base) and url not in asked]
    known = {survey.base + page: answer for page, answer in survey.answers.items()}
    answers = {url: known[url] for url in inside if url in known}
    answers |= fetch_all(url for url in inside if url not in known)
    for url, places in targets.items():
        page, link = places[0]
        if urlsplit(url).netloc == own and not url.startswith(survey.base):
            yield Fault(f"{page}: {link} leaves the site", page)
        elif url in answers and not answers[url].ok:
            yield Fault(f"{page}: {link} answers {answers[url].status or answers[url].why}", page)
    yield from _fragments(survey, language)
    for url, answer in answers.items():
        if answer.headers.get("content-type", "").startswith("text/css"):
            named = (link for link in style_links(answer.text) if resolved(url, link).startswith(survey.base))
            for link in named:
                if not (found := fetch(resolved(url, link))).ok:
                    yield Fault(f"{survey.path_of(survey.base, url)}: {link} answers {found.status or found.why}", "")


def _fragments(survey: Survey, language: str) -> Iterator[Fault]:
    for page in survey.there(language):
        for link in survey.markup(page).links:
            _, _, fragment = link.partition("#")
            target = survey.path_of(survey.base + page, link) if fragment else None
            answer = survey.answers.get(target) if target is not None else None
            if answer and answer.ok and unquote(fragment) not in answer.markup.ids:
                yield Fault(f"{page}: {link} finds no such id", page)


def _wrong_address(language: str, visit: Visit) -> Iterator[Fault]:
    """At any depth a wrong address gets the site's own page, with ways back in."""
    home = visit.survey.homes[language]
    page = visit.shared()
    answer = page.goto(visit.survey.base + quote(f"{home}no/such/page/"))
    if answer is None or answer.status != 404:
        yield Fault(f"expected 404 for an address that is not there, got {answer and answer.status}")
    if not page.locator("#missing").count() or not page.locator("#missing").is_visible():
        yield Fault("expected the site's own page for a wrong address, got another")
        return
    page.locator('article a[href$="questions/"]').first.click()
    page.wait_for_url("**/questions/")
    if not page.locator(".rl-entries").count():
        yield Fault("expected the questions behind the page's way back, got another page")


def _menu(language: str, width: int, visit: Visit) -> Iterator[Fault]:
    """From the home page to a question and to its twin, by what a reader sees."""
    survey = visit.survey
    page = visit.open(survey.homes[language], viewport={"width": width, "height": 800})
    inner = walk_to_question(page, survey.base + survey.homes[language])
    for other in (code for code in survey.languages if code != language):
        page.locator(f".rl-twin[hreflang={other}]").click()
        page.wait_for_load_state()
        if page.url != f"{survey.base}{survey.homes[other]}{inner}":
            yield Fault(f"expected {survey.homes[other]}{inner} behind the twin's link, got {page.url}")
