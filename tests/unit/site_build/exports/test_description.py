"""The description of the files, the page that leads to them, and `llms.txt`: no file that nobody finds."""

import json
import posixpath
import re
from pathlib import Path

import pytest
from builders import TESTS, edit, ledger_of
from builds import Built
from html_pages import read_page
from openapi_spec_validator import OpenAPIV31SpecValidator, validate
from openapi_spec_validator.validation.exceptions import OpenAPIValidationError
from released_worlds import QUESTION, release

from site_build.exports import Edition, api_files, language_files
from site_build.views import API

both = pytest.mark.parametrize("name", ["mini", "hostile"])


def described(site: Path) -> set[str]:
    """Every file that the description of a site names, with its parameters filled in."""
    description = json.loads((site / API / "openapi.json").read_text(encoding="utf-8"))
    found = set()
    for path, item in description["paths"].items():
        names = re.findall(r"{(\w+)}", path)
        (values,) = [part["schema"]["enum"] for part in item.get("parameters", ())] or [[""]]
        found |= {f"{API}{path}".replace(f"{{{names[0]}}}", value) if names else f"{API}{path}" for value in values}
    return found


def written(site: Path) -> set[str]:
    """Every file below the folder of the data."""
    return {path.relative_to(site).as_posix() for path in (site / API).rglob("*") if path.is_file()}


@both
def test_another_validator_accepts_the_description(name: str, request: pytest.FixtureRequest) -> None:
    """It is OpenAPI 3.1, and every schema that it names is found beside it; a broken one is refused."""
    built: Built = request.getfixturevalue(name)
    file = built.site / API / "openapi.json"
    description = json.loads(file.read_text(encoding="utf-8"))
    validate(description, base_uri=file.as_uri(), cls=OpenAPIV31SpecValidator)
    assert description["servers"] == [{"url": f"{ledger_of(built.root).info.address}{API}"}]
    del description["paths"]["/schema/{name}.json"]["parameters"]
    with pytest.raises(OpenAPIValidationError, match="name"):
        validate(description, base_uri=file.as_uri(), cls=OpenAPIV31SpecValidator)


@both
def test_every_file_is_described(name: str, request: pytest.FixtureRequest) -> None:
    """What the description names is there, and what is there it names."""
    built: Built = request.getfixturevalue(name)
    assert described(built.site) == written(built.site)


def test_releases_are_described(tmp_path: Path) -> None:
    """A file of each release, under its version."""
    root = tmp_path / "tiny"
    release(root, "2026.1.0")
    release(root, "2026.2.0", edit(QUESTION, "'A leaflet agrees.'", "'Two leaflets agree.'"))
    files = api_files(Edition(ledger_of(root), "https://data.example/", "0123456789ab"))
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    assert f"{API}/releases/2026.1.0.json" in written(tmp_path)
    assert described(tmp_path) == written(tmp_path)


def reached(site: Path, page: str) -> set[str]:
    """Every file that a program finds from a page: its links, then the addresses that JSON files give for files."""
    root = json.loads((site / API / "ledger.json").read_text(encoding="utf-8"))["ledger"]["address"]
    links = read_page(site / page / "index.html").one("article", class_="md-content__inner").links
    waiting = [posixpath.normpath(posixpath.join(page, link)) for link in links if ":" not in link]
    found: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in found or not (site / path).is_file():
            continue
        found.add(path)
        if path.endswith(".json"):
            text = (site / path).read_text(encoding="utf-8")
            waiting += re.findall(rf'"file": "{re.escape(root)}([^"]+)"', text)
    return found


@pytest.mark.parametrize(("name", "page"), [("mini", "api"), ("hostile", "api"), ("hostile", "zh/api")])
def test_every_file_is_reached_from_its_page(name: str, page: str, request: pytest.FixtureRequest) -> None:
    """In both languages the page leads to each file, if need be by way of a list, and to the feed and the outline."""
    built: Built = request.getfixturevalue(name)
    found = reached(built.site, page)
    assert found >= written(built.site)
    folder = posixpath.dirname(page)
    assert {posixpath.join(folder, "changes.atom"), posixpath.join(folder, "llms.txt")} <= found


@pytest.mark.parametrize("page", ["api/", "zh/api/"])
def test_the_page_says_what_stays(hostile: Built, page: str) -> None:
    """Addresses, promise, licence and the way to compute a hash stand there, and the page is in the navigation."""
    article = read_page(hostile.site / page / "index.html").one("article", class_="md-content__inner")
    assert [section.attributes["id"] for section in article.all("section")] == [
        *("whole", "promise", "licence", "try", "records", "tables", "hashes", "in-pages", "more")
    ]
    for words in ("https://tiny.example/api/v1/", "api/v2/", "CC BY 4.0", "RFC 8785", "RFC 4180"):
        assert words in article.text
    home = read_page(hostile.site / page.removesuffix("api/") / "index.html")
    assert "api/" in home.one("nav", class_="md-nav--primary").links


LINE = re.compile(r"- \[((?:\\.|[^\]\\])+)\]\((https?://[^)\s]+)\)(?:: (.+))?")


@both
def test_the_outline_follows_its_form(name: str, request: pytest.FixtureRequest) -> None:
    """Title, summary, text, then sections that hold links only; each link of this site leads to a page or file."""
    built: Built = request.getfixturevalue(name)
    ledger = ledger_of(built.root)
    for language in ledger.info.languages:
        folder = built.site / ("" if language == ledger.info.languages[0] else language)
        text = (folder / "llms.txt").read_text(encoding="utf-8")
        head, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
        title, summary, *_ = [line for line in head.splitlines() if line]
        assert title == f"# {ledger.info.title.in_language(language)}"
        assert summary == f"> {ledger.info.description.in_language(language)}"
        assert text.count("\n# ") == 0
        questions = 0
        for section in sections:
            lines = [line for line in section.splitlines()[1:] if line]
            links = [LINE.fullmatch(line) for line in lines]
            assert links
            for found in links:
                assert found
                path = found[2].removeprefix(ledger.info.address)
                questions += "questions/" in path
                assert (built.site / path / "index.html").is_file() or (built.site / path).is_file(), path
        assert questions == len(ledger.questions)


def test_a_title_cannot_break_a_link() -> None:
    """Brackets in a question are words of the link."""
    ledger = ledger_of(TESTS / "tiny_ledger")
    question = ledger.questions["Q1"]
    title = question.title.model_copy(update={"en": r"How \[many\]?"})
    ledger.questions["Q1"] = question.model_copy(update={"title": title})  # type: ignore[index]
    text = language_files(Edition(ledger, "https://data.example/", "0123456789ab"), "en")["llms.txt"].decode()
    (line,) = (line for line in text.splitlines() if "Q1" in line)
    found = LINE.fullmatch(line)
    assert found
    assert found[1] == r"Q1 How \[many\]?"
    assert found[2] == "https://data.example/questions/Q1/"
