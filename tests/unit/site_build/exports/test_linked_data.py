"""What each page tells programs: a graph that needs no other host, and typed links to what is there."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from builders import TESTS, edit, ledger_of
from builds import Built
from html_pages import Element, pages_of, read_html
from pyld import jsonld
from released_worlds import QUESTION, release

from site_build.exports import Edition, page_head
from site_build.model import Language

ADDRESS = {"mini": "https://calendar.example/ledger/", "hostile": "https://tiny.example/"}
SCHEMA = "https://schema.org/"
both = pytest.mark.parametrize("name", ["mini", "hostile"])


def flat(graph: Any, asked: list[str] | None = None) -> dict[str, Any]:
    """A graph's nodes as another processor reads it, while it may fetch nothing; what it asks for is noted."""

    def fetch(url: str, *_: object, **__: object) -> None:
        if asked is not None:
            asked.append(url)
        raise AssertionError(f"expected no request, got one for {url}")

    nodes = jsonld.flatten(graph, options={"documentLoader": fetch})
    return {node["@id"]: node for node in nodes}


def graph_of(page: Element) -> Any:
    """The one graph of a page."""
    (script,) = page.one("head").all("script", type="application/ld+json")
    return json.loads(script.text)


def types(node: dict[str, Any]) -> set[str]:
    """A node's types in schema.org."""
    return {kind.removeprefix(SCHEMA) for kind in node["@type"]}


def linked(node: dict[str, Any], name: str) -> list[str]:
    """The ids that a property leads to."""
    return [item["@id"] for item in node.get(SCHEMA + name, ())]


def said(node: dict[str, Any], name: str) -> dict[str, Any]:
    """A text by language."""
    return {item.get("@language", ""): item["@value"] for item in node.get(SCHEMA + name, ())}


def links_of(page: Element) -> list[tuple[str, str]]:
    """Relation and address of each typed link of a page, those that are for browsers left out."""
    wanted = {"cite-as", "describedby", "item", "license", "author", "type", "service-desc"}
    found = ((link.attributes["rel"], link.attributes["href"]) for link in page.one("head").all("link"))
    return [(relation, address) for relation, address in found if relation in wanted]


@both
def test_every_page_has_a_graph_that_needs_nobody(name: str, request: pytest.FixtureRequest) -> None:
    """Another processor expands each graph without a request; every word is schema.org's or PROV's, none is dropped."""
    built: Built = request.getfixturevalue(name)
    pages = pages_of(built.site)
    for address, page in pages.items():
        if address.endswith("404.html"):
            continue
        graph = graph_of(page)
        nodes = flat(graph)
        own = nodes[ADDRESS[name] + address]
        assert linked(own, "author") == [f"{ADDRESS[name]}#author"]
        assert linked(own, "license") == ["https://creativecommons.org/licenses/by/4.0/"]
        for node in nodes.values():
            words = {word for word in node if not word.startswith("@")}
            assert all(word.startswith((SCHEMA, "http://www.w3.org/ns/prov#")) for word in words)
        for main in linked(own, "mainEntity"):
            assert nodes[main]["@type"], address
        assert json.loads(json.dumps(graph)) == graph


def test_a_fetch_would_be_seen() -> None:
    """A context by address makes the processor ask for it."""
    asked: list[str] = []
    with pytest.raises(jsonld.JsonLdError):
        flat({"@context": "https://schema.org/", "@id": "https://x.example/", "name": "x"}, asked)
    assert asked == ["https://schema.org/"]


@pytest.mark.parametrize("address", ["questions/Q1/", "zh/questions/Q1/"])
def test_a_claim_is_complete(hostile: Built, address: str) -> None:
    """Text by language, grade as a rating that explains its scale, boundary, places, hash; the same on both pages."""
    nodes = flat(graph_of(pages_of(hostile.site)[address]))
    claims = {id_: node for id_, node in nodes.items() if "Claim" in types(node)}
    root = ADDRESS["hostile"]
    assert set(claims) == {f"{root}questions/Q1/#c{number}" for number in (1, 2, 3, 4)}
    first, second, third = (claims[f"{root}questions/Q1/#c{number}"] for number in (1, 2, 3))
    assert said(first, "text") == {"en": "The product a b is 6\u00a0tiles.", "zh": "乘积 a b 为 6\u00a0块。"}
    (review,) = (nodes[id_] for id_ in linked(first, "review"))
    assert said(review, "reviewBody")["en"] == "Counted, not measured."
    (grade,) = (nodes[id_] for id_ in linked(review, "reviewRating"))
    assert said(grade, "ratingValue") == {"": "D"}
    assert set(said(grade, "ratingExplanation")) == {"en", "zh"}
    assert "no scale from best to worst" in said(grade, "description")["en"]
    identifiers = first[f"{SCHEMA}identifier"]
    assert {"@value": "Q1.c1"} in identifiers
    (digest,) = (said(nodes[item["@id"]], "value")[""] for item in identifiers if "@id" in item)
    data = json.loads((hostile.site / "api/v1/questions/Q1.json").read_text(encoding="utf-8"))
    assert digest == data["record"]["claims"][0]["hash"]
    assert f"{SCHEMA}appearance" not in first
    places = [nodes[id_] for id_ in linked(second, "appearance")]
    assert [said(place, "name")[""] for place in places] == ["report §1 eq.1"]
    assert types(nodes[linked(places[0], "isPartOf")[0]]) == {"Report"}
    (work,) = (nodes[linked(nodes[id_], "isPartOf")[0]] for id_ in linked(third, "appearance"))
    assert types(work) == {"ScholarlyArticle"}
    assert said(work, "name") == {"": "On Floors"}


def test_what_is_wrong_is_never_a_claim_of_the_ledger(hostile: Built) -> None:
    """A correction and a red line are reviews that call the statement wrong, and say what is right."""
    pages = pages_of(hostile.site)
    for address in ("corrections/C1/", "redlines/RL1/"):
        nodes = flat(graph_of(pages[address]))
        (review,) = (node for node in nodes.values() if "@type" in node and "ClaimReview" in types(node))
        (rating,) = (nodes[id_] for id_ in linked(review, "reviewRating"))
        assert said(rating, "ratingValue") == said(rating, "worstRating") == {"": 1}
        assert said(review, "claimReviewed")["en"]
        assert said(review, "reviewBody")["zh"]
        reviewed = set(linked(review, "itemReviewed"))
        assert {id_ for id_, node in nodes.items() if "@type" in node and "Claim" in types(node)} <= reviewed


@both
def test_signposts_lead_to_what_is_there(name: str, request: pytest.FixtureRequest) -> None:
    """Typed links have whole addresses; those of this site are its pages and files; records lead to their own file."""
    built: Built = request.getfixturevalue(name)
    pages = pages_of(built.site)
    root = ADDRESS[name]
    languages = ledger_of(built.root).info.languages
    for address, page in pages.items():
        if address.endswith("404.html"):
            assert links_of(page) == []
            continue
        links = links_of(page)
        assert [relation for relation, _ in links][:4] == ["cite-as", "license", "author", "type"], address
        assert ("cite-as", root + address) in links
        for relation, target in links:
            assert target.startswith("https://")
            if relation in {"describedby", "item", "service-desc"}:
                assert (built.site / target.removeprefix(root)).is_file(), target
        bare = address.removeprefix(f"{languages[-1]}/") if len(languages) > 1 else address
        if bare.count("/") == 2 and not bare.startswith(("course/", "r/")):
            record = bare.rstrip("/").replace("cite/", "questions/")
            assert ("describedby", f"{root}api/v1/{record}.json") in links


def test_the_feed_of_the_language_is_named(hostile: Built) -> None:
    """Each page names the feed in its own language, and the feed is there."""
    for address, page in pages_of(hostile.site).items():
        links = [link.attributes for link in page.all("link", type="application/atom+xml")]
        # the theme's script would ask for a sitemap beside an address whose relation has no space at its end
        assert {link["rel"] for link in links} <= {"alternate "}
        feeds = [link["href"] for link in links]
        folder = "zh/" if address.startswith("zh/") else ""
        assert feeds == ([] if address.endswith("404.html") else [f"{ADDRESS['hostile']}{folder}changes.atom"])
        assert (hostile.site / folder / "changes.atom").is_file()


def test_hostile_text_stays_inside_its_script(hostile: Built) -> None:
    """What wants to end the script or begin another is a string of the graph."""
    text = (hostile.site / "questions/Q1/index.html").read_text(encoding="utf-8")
    (graph,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    assert not re.search(r"[<>&]", graph)
    assert "<script>alert(1)</script>" in json.dumps(json.loads(graph))


def head(root: Path, language: Language, path: str) -> Element:
    """The lines for programs in a page's head."""
    return read_html(
        f"<head>{page_head(Edition(ledger_of(root), 'https://x.example/', 'b'), language, path, 'T')}</head>"
    )


def test_a_question_is_cited_by_its_last_release_while_that_says_the_same(tmp_path: Path) -> None:
    """Before a release by its own address, then by the release's, and after a change by its own again."""
    root = tmp_path / "tiny"
    assert ("cite-as", "https://x.example/questions/Q1/") in links_of(head(TESTS / "tiny_ledger", "en", "questions/Q1"))
    release(root, "2026.1.0")
    assert ("cite-as", "https://x.example/zh/r/2026.1.0/Q1/") in links_of(head(root, "zh", "questions/Q1"))
    edit(QUESTION, "'A leaflet agrees.'", "'Two leaflets agree.'").apply(root)
    assert ("cite-as", "https://x.example/questions/Q1/") in links_of(head(root, "en", "questions/Q1"))


def test_a_released_claim_is_a_state_of_the_claim(tmp_path: Path) -> None:
    """The page of a release states the old text with its version and date, and names the claim whose state it is."""
    root = tmp_path / "tiny"
    release(root, "2026.1.0")
    release(root, "2026.2.0", edit(QUESTION, "'A leaflet agrees.'", "'Two leaflets agree.'"))
    page = head(root, "en", "r/2026.1.0/Q1")
    nodes = flat(graph_of(page))
    then = nodes["https://x.example/r/2026.1.0/Q1/#c3"]
    assert said(then, "text")["en"] == "A leaflet agrees."
    assert (said(then, "version"), said(then, "datePublished")) == ({"": "2026.1.0"}, {"": "2026-01-02"})
    assert then["http://www.w3.org/ns/prov#specializationOf"] == [{"@id": "https://x.example/questions/Q1/#c3"}]
    assert ("describedby", "https://x.example/api/v1/releases/2026.1.0.json") in links_of(page)
    now = flat(graph_of(head(root, "en", "questions/Q1")))
    assert said(now["https://x.example/questions/Q1/#c3"], "datePublished") == {"": "2026-01-02"}
    assert said(now["https://x.example/questions/Q1/#c3"], "text")["en"] == "Two leaflets agree."
