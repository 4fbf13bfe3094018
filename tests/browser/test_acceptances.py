"""What a question's entry promises stands on its page, and each contract's picture on its own: a browser looks."""

from pathlib import Path

import pytest
from browser.published import LANGUAGES, home_of
from browser.servers import Site

from site_build.model import Ledger
from site_build.regress.coverage import faults_on, look_at, promises
from site_build.regress.markup import listed
from site_build.regress.visits import OpenContext
from site_build.source import read_ledger

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """The ledger that the site was built from."""
    found = read_ledger(ROOT).ledger
    assert found is not None
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_acceptance_is_on_its_page(new_context: OpenContext, site: Site, ledger: Ledger, language: str) -> None:
    """On a phone each promised part is there once, visible, legible, with caption, text twin and data."""
    page = new_context(reduced_motion="reduce", viewport={"width": 390, "height": 800}).new_page()
    found = [promise for promise in promises(ledger) if promise.kind != "cite"]
    promised = ledger.info.promised
    assert len(found) == promised.questions + promised.figures + promised.tables + promised.labs
    assert {question.acceptance.state for question in ledger.questions.values()} == {"shown"}
    faults = [
        f"{promise.path}: {fault}"
        for promise in found
        for fault in faults_on(page, f"{site.url}{home_of(language)}{promise.path}", promise.selector)
    ]
    assert not faults, listed(faults)


@pytest.mark.parametrize(
    ("damage", "want"),
    [
        pytest.param("part.remove()", "expected one", id="gone"),
        pytest.param("part.style.visibility = 'hidden'", "cannot be seen", id="hidden"),
        pytest.param("part.querySelector('.rl-body').replaceChildren()", "is empty", id="empty"),
        pytest.param("part.querySelector('figcaption').innerText = ''", "has no caption", id="no-caption"),
        pytest.param("part.querySelector('.rl-twin-text').remove()", "has no text twin", id="no-twin"),
        pytest.param("part.querySelector('.rl-data').remove()", "has no data to download", id="no-data"),
        pytest.param(
            "const box = part.querySelector('.rl-scroll'); box.tabIndex = -1; box.style.width = '60px'",
            "out of the keyboard's reach",
            id="unreachable",
        ),
    ],
)
def test_a_broken_acceptance_is_seen(new_context: OpenContext, site: Site, damage: str, want: str) -> None:
    """A component that is gone, hidden, empty or without caption or twin is told."""
    page = new_context().new_page()
    selector = '[data-component="layer-strip"]'
    assert faults_on(page, f"{site.url}questions/Q03/", selector) == []
    page.evaluate(f"(selector) => {{ const part = document.querySelector(selector); {damage}; }}", selector)
    assert want in "; ".join(look_at(page, selector))


@pytest.mark.parametrize(
    ("damage", "want"),
    [
        pytest.param("text.style.fontSize = '6px'", "in 6.0 px", id="small"),
        pytest.param("svg.style.width = '50px'", " px", id="shrunk"),
        pytest.param("text.setAttribute('dx', -900)", "cuts ", id="cut"),
        pytest.param("svg.style.width = '3000px'", "a picture of 30", id="wider-than-its-box"),
        pytest.param("svg.querySelector('desc').remove()", "no title or description", id="no-description"),
    ],
)
def test_a_broken_picture_is_seen(new_context: OpenContext, site: Site, damage: str, want: str) -> None:
    """A picture whose words are too small or cut off, or that has no description, is told."""
    page = new_context().new_page()
    selector = '[data-component="activation-curves"]'
    assert faults_on(page, f"{site.url}figures/F04/", selector) == []
    page.evaluate(
        f"""(selector) => {{ const svg = document.querySelector(selector).querySelector("svg"),
          text = svg.querySelector("text"); {damage}; }}""",
        selector,
    )
    assert want in "; ".join(look_at(page, selector))


def test_a_missing_page_is_seen(new_context: OpenContext, site: Site) -> None:
    """A page that is not there is told as such."""
    assert faults_on(new_context().new_page(), f"{site.url}questions/Q99/", "main") == ["expected a page, got 404"]
