"""What a shared link, a crawler and a reader with a mistyped address find."""

import re
import struct
from xml.etree import ElementTree

import pytest
from builds import Built
from html_pages import Element, pages_of, read_page
from mkdocs.config import load_config

from site_build.plugin import sharing
from site_build.plugin.theme import set_theme
from site_build.source import read_ledger

ADDRESS = "https://tiny.example/"


@pytest.fixture(scope="module")
def pages(hostile: Built) -> dict[str, Element]:
    """The pages of the tiny project in two languages, by address."""
    return {address: page for address, page in pages_of(hostile.site).items() if not address.endswith(".html")}


def said(page: Element, name: str) -> str:
    """What a page's head says under a name or property."""
    (found,) = (
        meta for meta in page.all("meta") if name in (meta.attributes.get("name"), meta.attributes.get("property"))
    )
    return found.attributes["content"]


def test_every_page_shows_a_card_of_its_section(hostile: Built, pages: dict[str, Element]) -> None:
    """Title, description and a picture of the right size in the page's own language; a record shows its section's."""
    for address, page in pages.items():
        assert said(page, "og:title")
        assert said(page, "og:description")
        assert said(page, "twitter:card") == "summary_large_image"
        file = said(page, "og:image").removeprefix(ADDRESS)
        assert file.startswith("zh/") == address.startswith("zh/")
        head = (hostile.site / file).read_bytes()[:24]
        assert (head[:8], struct.unpack(">II", head[16:])) == (b"\x89PNG\r\n\x1a\n", (1200, 630))
    assert said(pages["questions/Q1/"], "og:image") == f"{ADDRESS}assets/ledger/cards/questions.png"
    assert said(pages["about/"], "og:image") == f"{ADDRESS}assets/ledger/cards/home.png"


def test_every_page_has_one_address_and_names_its_twins(pages: dict[str, Element]) -> None:
    """The canonical address is the page's own, and both languages are named, each by the page of the same record."""
    for address, page in pages.items():
        assert page.one("link", rel="canonical").attributes["href"] == ADDRESS + address
        twins = {
            link.attributes["hreflang"]: link.attributes["href"]
            for link in page.all("link")
            if link.has("rel", "alternate ") and not link.has("type", "application/atom+xml")
        }
        bare = address.removeprefix("zh/")
        assert twins == {"en": ADDRESS + bare, "zh": f"{ADDRESS}zh/{bare}"}


def test_crawlers_find_every_page(hostile: Built, pages: dict[str, Element]) -> None:
    """`robots.txt` names one sitemap a language, and together they hold every page once."""
    robots = (hostile.site / "robots.txt").read_text()
    maps = re.findall(rf"^Sitemap: {re.escape(ADDRESS)}(.*)$", robots, re.MULTILINE)
    assert maps == ["sitemap.xml", "zh/sitemap.xml"]
    found = [
        item.text or ""
        for name in maps
        for item in ElementTree.parse(hostile.site / name).iter()
        if item.tag.endswith("loc")
    ]
    assert sorted(found) == sorted(ADDRESS + address for address in pages)


def test_the_icon_is_ours(hostile: Built, pages: dict[str, Element]) -> None:
    """Every page names the ledger's own icon, and the file is there."""
    assert {page.one("link", rel="icon").attributes["href"].rpartition("/")[2] for page in pages.values()} == {
        "favicon.svg"
    }
    assert (hostile.site / "assets/ledger/favicon.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(("file", "first"), [("404.html", "/questions/"), ("zh/404.html", "/zh/questions/")])
def test_the_missing_page_leads_on(hostile: Built, file: str, first: str) -> None:
    """It says what may be wrong and leads to the sections, wherever it is served."""
    article = read_page(hostile.site / file).one("article", class_="md-content__inner")
    assert article.links[0] == first
    assert len(article.links) >= 3
    assert len(article.text) > 40


def test_without_a_font_the_cards_of_the_first_language_serve(
    hostile: Built, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where no font has Chinese signs no card of boxes is made: the other language's serve, and the build says so."""
    monkeypatch.setattr(sharing, "can_draw", str.isascii)
    ledger = read_ledger(hostile.root).ledger
    assert ledger is not None
    config = load_config(str(hostile.root / "mkdocs.yml"), site_url=f"{ADDRESS}zh/")
    set_theme(config, ledger, "zh", "")
    assert sharing.shared_files(config, ledger, "zh", ()) == []
    assert config.extra["ledger"]["cards"]["address"] == f"{ADDRESS}assets/ledger/cards/"
    assert "expected a font for zh" in caplog.text
