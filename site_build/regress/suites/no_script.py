"""Without JavaScript: the same words, the same ways."""

from collections.abc import Iterator
from functools import partial

from site_build.model import Ledger
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.looks import visible_texts
from site_build.regress.markup import squeezed
from site_build.regress.survey import Survey


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """Home and some questions in each language, a page of each other kind in turn, and the way to a question."""
    for language in survey.languages:
        questions = survey.of_kind(language, "questions")
        for path in dict.fromkeys((*survey.in_turn(language), *questions[:: max(1, len(questions) // 4)])):
            yield Case(path or "home", partial(_same, path))
        yield Case(f"way by links ({language})", partial(_way, language))


def _same(path: str, visit: Visit) -> Iterator[Fault]:
    """Whatever a reader with scripts can see, a reader without them sees too."""
    with_scripts = visible_texts(visit.open(path))
    page = visit.open(path, java_script_enabled=False)
    there = {squeezed(text) for text in visible_texts(page)}
    lost = [text.strip() for text in with_scripts if squeezed(text) not in there]
    if lost:
        yield Fault(f"{len(lost)} texts cannot be seen without JavaScript, the first: {lost[0][:120]}")


def _way(language: str, visit: Visit) -> Iterator[Fault]:
    survey = visit.survey
    home = survey.base + survey.homes[language]
    page = visit.open(survey.homes[language], java_script_enabled=False)
    page.locator('.md-tabs__link[href="questions/"]').click()
    page.wait_for_url(f"{home}questions/")
    page.locator(".rl-entries a").first.click()
    page.wait_for_load_state()
    if not page.url.startswith(f"{home}questions/") or page.url == f"{home}questions/":
        yield Fault(f"expected a question behind the first entry, got {page.url}")
