"""Citations and cards on a built site: the same words as the command prints, and grade and boundary in each."""

from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from builds import Built
from html_pages import Element, read_html, read_page
from typer.testing import CliRunner

from site_build.cli import app
from site_build.exports import FORMATS
from site_build.visuals import Badge, badge_height, badge_svg

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
HOME = {"en": "", "zh": "zh/"}
BOUNDARY = {"en": "Counted, not measured.", "zh": "数出来的，不是测得的。"}
GRADE = {"en": "Grade D: Derived", "zh": "证据等级 D：推导"}

both = pytest.mark.parametrize("language", ["en", "zh"])


def cited(built: Built, language: str, anchor: str) -> Element:
    """What stands to copy of a claim."""
    return read_page(built.site / f"{HOME[language]}cite/Q1/index.html").one("section", id=anchor)


def texts(section: Element) -> dict[str, str]:
    """Each text to copy, by its form, as typed."""
    forms = section.all("div", class_="rl-form")
    return {form.attributes["data-form"]: "".join(map(str, form.one("pre").inside)) for form in forms}


@both
@pytest.mark.parametrize("anchor", ["c1", "c2", "c3"])
def test_the_page_says_what_the_command_prints(quoted: Built, language: str, anchor: str) -> None:
    """Every form, letter by letter; only the day of access is the reader's."""
    found = texts(cited(quoted, language, anchor))
    for form in FORMATS:
        arguments = [f"Q1.{anchor}", "--format", form, "--lang", language, "--root", str(quoted.root)]
        done = CliRunner().invoke(app, ["cite", "show", *arguments])
        assert done.exit_code == 0, done.stderr
        wanted = done.stdout
        if form == "gbt":
            # the command adds today's date in brackets behind the date of publication
            before, _, rest = wanted.partition(")[")
            wanted = f"{before}){rest.partition(']')[2]}"
        assert found[form].strip() == wanted.strip(), form


@both
def test_every_claim_leads_to_its_citations(quoted: Built, language: str) -> None:
    """The link stands beside each claim, also where a claim stands on another page."""
    for page, way in (("questions/Q1", "../../cite/Q1/"), ("", "cite/Q1/")):
        tree = read_page(quoted.site / HOME[language] / page / "index.html")
        links = [link.attributes["href"] for link in tree.all("a", class_="rl-claim__cite")]
        assert links
        assert all(link.startswith(f"{way}#c") for link in links), links


@both
def test_a_withdrawn_claim_has_nothing_to_copy_but_its_card(quoted: Built, language: str) -> None:
    """Its page gives the reason and the releases in which it stood."""
    section = cited(quoted, language, "c4")
    assert not set(texts(section)) & set(FORMATS)
    assert {"en": "No model.", "zh": "没有模型。"}[language] in section.one(class_="rl-withdrawn").text
    stood = section.one("p", class_="rl-citing__stood").links
    assert stood == [f"../../r/{version}/Q1/#c4" for version in ("2026.1.0", "2026.2.0", "2026.10.0")]


@both
def test_a_card_shows_grade_and_boundary(quoted: Built, language: str) -> None:
    """It is a whole page: language, policy, build, statement, grade, boundary, places, and the way to the claim."""
    page = read_page(quoted.site / f"{HOME[language]}cards/Q1.c1/index.html")
    assert page.one("html").attributes["lang"] == language
    metas = {
        meta.attributes.get("name"): meta.attributes["content"]
        for meta in page.all("meta")
        if "content" in meta.attributes
    }
    assert metas["robots"] == "noindex"
    home = read_page(quoted.site / "index.html")
    assert metas["ledger-build"] == home.one("meta", name="ledger-build").attributes["content"]
    assert "script-src 'self'" in page.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    assert page.one("p", class_="grade").text.endswith(GRADE[language])
    assert page.one("p", class_="boundary").text.endswith(BOUNDARY[language])
    assert "report §1 eq.1" in page.one("p", class_="places").text
    (link,) = page.all("a")
    assert link.attributes["href"] == "../../questions/Q1/#c1"
    assert link.attributes["target"] == "_blank"
    assert [*page.all("script")] == []


@both
def test_a_withdrawn_card_says_so_first(quoted: Built, language: str) -> None:
    """A card that stands on another site tells its readers when the claim is withdrawn; so does the picture."""
    reason = {"en": "No model.", "zh": "没有模型。"}[language]
    page = read_page(quoted.site / f"{HOME[language]}cards/Q1.c4/index.html")
    first = next(page.one("main").all("p"))
    assert (first.attributes["class"], first.text.endswith(reason)) == ("withdrawn", True)
    picture = ElementTree.parse(quoted.site / f"{HOME[language]}cards/Q1.c4.svg").getroot()
    assert reason in (picture.findtext(f"{SVG}title") or "")
    assert any(reason in (line.text or "") for line in picture.iter(f"{SVG}text"))


@both
def test_the_picture_says_the_same(quoted: Built, language: str) -> None:
    """Title and description for those who cannot see it, whole texts for those who can, and no address that loads."""
    file = quoted.site / f"{HOME[language]}cards/Q1.c1.svg"
    picture = ElementTree.parse(file).getroot()
    assert (picture.get("role"), picture.get("lang")) == ("img", language)
    named = {part.get("id"): part.text or "" for part in picture if part.get("id")}
    assert [named[name] for name in (picture.get("aria-labelledby") or "").split()] == [*named.values()]
    assert BOUNDARY[language] in named["d"]
    assert GRADE[language] in named["d"]
    drawn = "".join("".join(part.itertext()) for part in picture.iter(f"{SVG}text")).replace(" ", "")
    assert BOUNDARY[language].replace(" ", "") in drawn
    assert GRADE[language].replace(" ", "") in drawn
    assert "http" not in file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")


@both
def test_snippets_lead_to_the_card_of_the_language(quoted: Built, language: str) -> None:
    """Frame and picture have complete addresses, and words for those who cannot see them."""
    found = texts(cited(quoted, language, "c1"))
    place = f"https://tiny.example/{HOME[language]}cards/Q1.c1"
    frame = read_html(found["frame"]).one("iframe").attributes
    assert frame["src"] == f"{place}/"
    assert "Q1.c1" in frame["title"]
    picture = read_html(found["picture"]).one("img").attributes
    assert picture["src"] == f"{place}.svg"
    for words in (picture["alt"], unescape(found["picture-markdown"])):
        assert BOUNDARY[language] in words
        assert GRADE[language] in words


def test_long_words_and_marks_stay_inside_the_picture() -> None:
    """A formula without spaces is broken, marks of HTML are words, and the height grows with the lines."""

    def badge(text: str) -> Badge:
        return Badge("en", "Q1.c1", "Q1.c1@00000000", text, "D", "Grade D: x", "Boundary", "b", "Withdrawn", "", "Site")

    short, long = badge("a <b> & c"), badge(r"S_t=(I-\\beta_tk_tk_t)" * 20)
    assert "a &lt;b&gt; &amp; c" in badge_svg(short)
    assert badge_height(long) > badge_height(short) + 100
    lines = [part.text or "" for part in ElementTree.fromstring(badge_svg(long)).iter(f"{SVG}text")]
    assert max(map(len, lines)) < 60
    assert "".join(lines).count("beta") == 20


def test_sitemaps_do_not_name_cards(quoted: Built) -> None:
    """Cards are for frames, not for search."""
    for folder in (quoted.site, Path(quoted.site / "zh")):
        sitemap = (folder / "sitemap.xml").read_text(encoding="utf-8")
        assert "/cite/Q1/" in sitemap
        assert "/cards/" not in sitemap
