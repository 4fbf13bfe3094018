"""What stands on the built sites: every record once, living links, both languages, and no text that acts."""

import json
import posixpath
import re
from xml.etree import ElementTree

import pytest
from builders import ledger_of
from builds import Built
from hostile import IN_CODE, TYPED
from html_pages import Element, pages_of

from site_build.views import FOLDERS

ADDRESS = {"mini": "https://calendar.example/ledger/", "hostile": "https://tiny.example/"}
BOUNDARY = "只由规则算出，与天象无关。"


@pytest.fixture(scope="module")
def sites(mini: Built, hostile: Built) -> dict[str, tuple[Built, dict[str, Element]]]:
    """Both sites with their pages, by name."""
    return {"mini": (mini, pages_of(mini.site)), "hostile": (hostile, pages_of(hostile.site))}


type Sites = dict[str, tuple[Built, dict[str, Element]]]
both = pytest.mark.parametrize("name", ["mini", "hostile"])


def records(built: Built) -> set[str]:
    """Addresses that the ledger's records should have, from its files alone."""
    ledger = ledger_of(built.root)
    return {f"{folder}/{id_}/" for kind, folder in FOLDERS.items() for id_ in ledger.records[kind]}


def targets(address: str, page: Element) -> set[str]:
    """Addresses of the same site that a part of a page links to, without fragments."""
    own = (link.partition("#")[0] for link in page.links if not re.match(r"[a-z]+:|/", link))
    return {posixpath.normpath(posixpath.join(address, link)).lstrip(".") + "/" for link in own}


@both
def test_entries_in_are_entries_out(sites: Sites, name: str) -> None:
    """Records, pages, indexes and sitemap agree as sets, in every language."""
    built, pages = sites[name]
    wanted = records(built)
    tree = ElementTree.parse(built.site / "sitemap.xml")
    mapped = {(item.text or "").removeprefix(ADDRESS[name]) for item in tree.iter() if item.tag.endswith("loc")}
    languages = ledger_of(built.root).info.languages
    for language in languages:
        prefix = "" if language == languages[0] else f"{language}/"
        own = {page.removeprefix(prefix) for page in pages if page.startswith(prefix)}
        assert {page for page in own if page.partition("/")[0] in FOLDERS.values() and page.count("/") == 2} == wanted
        indexed = {
            target.removeprefix(prefix)
            for folder in FOLDERS.values()
            for target in targets(
                f"{prefix}{folder}/", pages[f"{prefix}{folder}/"].one("article", class_="md-content__inner")
            )
        }
        assert wanted <= indexed
    if len(languages) == 1:
        assert mapped == set(pages) - {"404.html"}


@both
def test_coverage_lists_every_promised_record(sites: Sites, name: str) -> None:
    """The coverage page links each promised record once, with the count that the ledger promises."""
    built, pages = sites[name]
    ledger = ledger_of(built.root)
    promised = {
        f"{FOLDERS[kind]}/{id_}/"
        for kind in ("question", "figure", "table", "lab", "cite")
        for id_, record in ledger.records[kind].items()
        if getattr(record, "promised", getattr(record, "in_path", False))
    }
    tiles = [link for part in pages["coverage/"].all("ul", class_="rl-tiles") for link in part.links]
    assert {posixpath.normpath(posixpath.join("coverage", link)) + "/" for link in tiles} == promised
    assert len(tiles) == len(promised)


@both
def test_no_link_is_dead(sites: Sites, name: str) -> None:
    """Every address of the site that a page links to is a page or a file, and every fragment an id on it."""
    built, pages = sites[name]
    ids = {
        address: {item.attributes["id"] for item in page.all() if "id" in item.attributes}
        for address, page in pages.items()
    }
    dead = []
    for address, page in pages.items():
        for link in page.links if address != "404.html" else ():
            path, _, fragment = link.partition("#")
            if re.match(r"[a-z]+:|/", link):
                continue
            target = posixpath.normpath(posixpath.join(address or ".", path)) if path else address.rstrip("/")
            target = "" if target in {".", ""} else f"{target}/"
            file = built.site / target.rstrip("/")
            known = target in pages or file.is_file() or (file / "index.html").is_file()
            if not known or (fragment and fragment not in ids.get(target, set())):
                dead.append(f"{address}: {link}")
    assert dead == []


@both
def test_every_page_is_reached_from_home(sites: Sites, name: str) -> None:
    """Links lead from the home page to every page but that of a missing address."""
    _, pages = sites[name]
    reached, ahead = set[str](), [""]
    while ahead:
        address = ahead.pop()
        if address in pages and address not in reached:
            reached.add(address)
            ahead += ["" if target == "./" else target for target in targets(address, pages[address])]
    assert {address for address in pages if not address.endswith("404.html")} - reached == set()


@both
def test_every_page_names_its_build_and_policy(sites: Sites, name: str) -> None:
    """One build id stands on every page, the content policy comes first, and no script stands in the page."""
    _, pages = sites[name]
    identities = set()
    for address, page in pages.items():
        head = page.one("head")
        assert (
            "script-src 'self' 'wasm-unsafe-eval'"
            in head.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
        )
        identities.add(head.one("meta", name="ledger-build").attributes["content"])
        inline = [
            script
            for script in page.all("script")
            if "src" not in script.attributes and script.attributes.get("type") is None
        ]
        assert inline == [], address
        assert [item for item in page.all() if any(attribute.startswith("on") for attribute in item.attributes)] == []
    assert len(identities) == 1


def test_the_missing_page_leads_to_the_other_language(sites: Sites) -> None:
    """The page of a missing address may be served at any depth, so its links begin at the host."""
    _, pages = sites["hostile"]
    for address, want in (("404.html", "/zh"), ("zh/404.html", "/")):
        (twin,) = (link for link in pages[address].all("a") if "hreflang" in link.attributes)
        assert posixpath.normpath(twin.attributes["href"]) == want


def claims_of(page: Element) -> dict[str, Element]:
    """The claims of a question's page, by id."""
    return {item.attributes["id"]: item for item in page.all("li", class_="rl-claim")}


def test_a_boundary_travels_with_its_claim(sites: Sites) -> None:
    """A claim's own boundary, else its question's, stands wherever the claim stands."""
    built, pages = sites["mini"]
    claims = claims_of(pages["questions/N1/"])
    assert BOUNDARY in claims["c2"].text
    assert list(claims["c1"].all(class_="rl-claim__boundary")) == []
    assert "只适用于现行的格里历规则。" in pages["questions/N1/"].one("section", id="boundary").text
    assert BOUNDARY in pages[""].one("section", class_="rl-example").text
    embedded = pages["course/rule/"].one("section", class_="rl-embedded")
    assert (embedded.attributes["data-id"], embedded.one(class_="rl-claim__boundary").text) == (
        "N2.c3",
        "边界 没有考虑地球自转变慢。",
    )
    index = json.loads((built.site / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = [entry["text"] for entry in index["docs"] if entry["location"].startswith("questions/N1/")]
    words = "".join(found).replace("\u200b", "")
    assert BOUNDARY in words
    assert "只适用于现行的格里历规则。" in words


def test_languages_are_twins(sites: Sites) -> None:
    """The first language stands at the root, the other under its code, each page with its language and its twin."""
    _, pages = sites["hostile"]
    english = {page for page in pages if not page.startswith("zh/") and page != "404.html"}
    assert {f"zh/{page}" for page in english} == {page for page in pages if page.startswith("zh/")} - {"zh/404.html"}
    for page in english:
        for address, language, other in ((page, "en", f"zh/{page}"), (f"zh/{page}", "zh", page)):
            assert pages[address].one("html").attributes["lang"] == language
            (twin,) = (link for link in pages[address].all("a") if "hreflang" in link.attributes)
            target = posixpath.normpath(posixpath.join(address or ".", twin.attributes["href"]))
            assert ("" if target == "." else f"{target}/") == other
            assert twin.attributes["hreflang"] != language


@pytest.mark.parametrize("address", ["questions/Q1/", "zh/questions/Q1/"])
def test_hostile_text_is_shown_as_typed(sites: Sites, address: str) -> None:
    """What wants to be a script, a template or an attribute list is words on the built page."""
    _, pages = sites["hostile"]
    claim = claims_of(pages[address])["c4"].one(class_="rl-claim__text")
    assert claim.text == " | ".join(TYPED) + " " + " ".join(IN_CODE)
    assert {element.tag for element in claim.all()} == {"code"}
    scripts = [script.attributes.get("src", "") for script in pages[address].all("script")]
    assert [source for source in scripts if "alert" in source] == []


def test_navigation_holds_indexes_and_prose_only(sites: Sites) -> None:
    """No record stands in the navigation: with every record in it a build is quadratic."""
    built, pages = sites["mini"]
    shown = targets("", pages[""].one("nav", class_="md-nav--primary"))
    assert shown & records(built) == set()
    assert {"questions/", "values/", "course/", "course/rule/"} <= shown
