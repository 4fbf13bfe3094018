"""Labs: the static result first, no byte of the runtime before a reader acts, every file right, and an answer."""

from collections.abc import Iterator
from functools import partial
from hashlib import sha256

from playwright.sync_api import Page

from site_build.model import Ledger
from site_build.regress.cases import Case, ElsewhereError, Fault, Visit
from site_build.regress.lab_pages import PATIENCE_MS, ask
from site_build.regress.lab_visits import heavy
from site_build.regress.survey import Survey

_STATIC = "article.rl-lab .rl-lab__result, article.rl-lab .rl-lab__inputs, article.rl-lab .rl-boundary"


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """Each lab in each language, the first one with an answer, and the files that they run on.

    The suite of parity asks every lab.
    """
    for place, language, path in every_lab(survey):
        yield Case(path, partial(_lab, language, path, place == 0), heavy=True)
    if survey.lab_folder():
        yield Case("files", _files)


def every_lab(survey: Survey) -> Iterator[tuple[int, str, str]]:
    """Each lab's place in the list, with language and page."""
    for language in survey.languages:
        for place, path in enumerate(survey.of_kind(language, "labs")):
            yield place, language, path


def is_live(page: Page) -> bool:
    """Whether a lab's page can run it."""
    return page.locator(".rl-lab[data-manifest]").count() > 0


def open_live(visit: Visit, page: Page, path: str) -> None:
    """Open a lab whose controls have come.

    Raises:
        ElsewhereError: they do not come, which is for the suite of labs to tell.
    """
    visit.go(page, path)
    try:
        page.wait_for_selector(".rl-lab[data-ready]", timeout=PATIENCE_MS / 4)
    except Exception as fault:
        raise ElsewhereError("labs", f"{path}: expected the lab's controls, got none") from fault


def _lab(language: str, path: str, run: bool, visit: Visit) -> Iterator[Fault]:
    page, seen = visit.watched()
    visit.go(page, path)
    for selector in _STATIC.split(", "):
        if not page.locator(selector).count() or not page.locator(selector).first.is_visible():
            yield Fault(f"expected {selector}, got none that can be seen")
    if not is_live(page):
        return
    page.wait_for_load_state("networkidle")
    if early := heavy(seen.asked):
        yield Fault(f"expected no byte of the runtime before a reader acts, got {early[0]}")
    if not page.locator(".rl-lab[data-ready]").count():
        page.wait_for_timeout(2_000)
    if not page.locator(".rl-lab[data-ready]").count():
        yield Fault(f"expected controls, got none: {'; '.join(seen.complaints) or 'the page says nothing'}")
        return
    yield from _contract(visit, page, language)
    if run:
        yield from _answer(path, visit)


def _answer(path: str, visit: Visit) -> Iterator[Fault]:
    """The lab answers, in a profile that keeps the runtime from one lab to the next."""
    page = visit.open(path)
    (answer,) = ask(page, [{}])
    if answer.state != "fulfilled":
        yield Fault(f"expected an answer, got {answer.why}: {page.locator('.rl-live__status').inner_text()}")


def _contract(visit: Visit, page: Page, language: str) -> Iterator[Fault]:
    """The inputs and outputs of the contract stand on the page."""
    name = f"labs.{language}.json"
    labs = visit.survey.data(f"{visit.survey.lab_folder()}{name}") or {}
    id_ = page.locator(".rl-lab").get_attribute("data-id")
    contract = labs.get("labs", {}).get(id_)
    if contract is None:
        yield Fault(f"{name}: expected lab {id_}, got none")
        return
    for given in contract["inputs"]:
        if not page.locator(f'.rl-live [name="{given["id"]}"]').count():
            yield Fault(f"expected a control for {given['id']}, got none")
    for output in contract["outputs"]:
        if not page.locator(f'.rl-lab__result [data-output="{output["id"]}"]').count():
            yield Fault(f"expected the output {output['id']}, got none")


def _files(visit: Visit) -> Iterator[Fault]:
    """Every file that labs run on is the one of this build."""
    survey = visit.survey
    folder = survey.lab_folder()
    first = next(path for _, _, path in every_lab(survey))
    manifest = survey.file(f"{folder}integrity.json")
    for _, _, path in every_lab(survey):
        if f'data-manifest="{sha256(manifest.content).hexdigest()}"' not in survey.answers[path].text:
            yield Fault(f"{folder}integrity.json: expected the list of files that {path} names, got another", path)
            return
    for place, want in survey.lab_files().items():
        answer = survey.file(place)
        if not answer.ok:
            yield Fault(f"{place}: expected {want['size']} bytes, got {answer.status or answer.why}", first)
        elif sha256(answer.content).hexdigest() != want["sha256"]:
            yield Fault(f"{place}: expected SHA-256 {want['sha256'][:12]}, got another file", first)
