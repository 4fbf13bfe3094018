"""The list of releases: each with its digest but the one that is being read, which cannot hold its own."""

import json
from pathlib import Path

import pytest
from builders import ledger_of
from builds import run_python
from html_pages import Element, read_html
from released_worlds import release

from site_build.evidence import read_digests, write_evidence
from site_build.messages import WORDS
from site_build.model import Language, version_of
from site_build.problems import Faults
from site_build.render import render_page
from site_build.views import Results, pages

DIGEST = "ab" * 32


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two releases, of the first of which a digest was kept."""
    release(tmp_path, "2026.9.0")
    release(tmp_path, "2026.10.0")
    write_evidence(tmp_path, "release-2026.9.0", {"version": "2026.9.0", "build": "build-2026.9.0", "manifest": DIGEST})
    return tmp_path


def sections(root: Path, language: Language, build: str) -> dict[str, Element]:
    """What the list says of each release, in a build with this id."""
    ledger = ledger_of(root)
    known = Results(version=version_of(ledger.releases, build), digests=read_digests(root, ledger.releases))
    (page,) = (page for page in pages(ledger, language, known) if page.path == "r")
    found = read_html(render_page(page, language)).all("section")
    return {section.one("h2").attributes["id"]: section for section in found}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_earlier_releases_show_their_digests(root: Path, language: Language) -> None:
    """The release itself says where its digest stands; earlier ones show theirs; the newest comes first."""
    own = WORDS[language].labels["own_digest"]
    found = sections(root, language, "build-2026.10.0")
    assert list(found) == ["2026.10.0", "2026.9.0"]
    assert [own in section.text for section in found.values()] == [True, False]
    assert [section.text.count(DIGEST) for section in found.values()] == [0, 1]


def test_a_later_build_is_no_release(root: Path) -> None:
    """After the first change no release is the one that is being read, and one without a record shows no digest."""
    found = sections(root, "en", "later")
    assert [[code.text for code in section.all("code")] for section in found.values()] == [[], [DIGEST]]
    assert WORDS["en"].labels["own_digest"] not in "".join(section.text for section in found.values())


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", json.dumps({"version": "2026.9.0", "build": "other", "manifest": DIGEST})]
)
def test_a_broken_record_stops_the_build(root: Path, text: str) -> None:
    """A digest that cannot be read, or that belongs to another build, is never shown."""
    (root / "evidence/release-2026.9.0.json").write_text(text, encoding="utf-8")
    with pytest.raises(Faults) as raised:
        sections(root, "en", "later")
    (problem,) = raised.value.problems
    assert (problem.code, problem.place.file) == ("digest-broken", "evidence/release-2026.9.0.json")


@pytest.mark.slow
def test_a_build_of_a_release_says_so_at_the_foot(root: Path) -> None:
    """Whoever builds the released files again gets the release's number on every page, and the list of releases."""
    asked = ["-m", "site_build", "build", "--root", str(root), "--out"]
    build = run_python(*asked, str(root / "site"), cwd=root).output.split()[-1]
    assert "2026.10.0" not in foot(root / "site/index.html")
    file = root / "ledger/releases/2026.10.0.json"
    file.write_text(file.read_text(encoding="utf-8").replace("build-2026.10.0", build), encoding="utf-8")
    done = run_python(*asked, str(root / "again"), cwd=root)
    assert done.code == 0, done.errors
    assert foot(root / "again/questions/Q1/index.html").endswith(f"Release 2026.10.0 · Build {build}")
    assert foot(root / "again/zh/index.html").endswith(f"版本 2026.10.0 · 构建 {build}")
    page = read_html((root / "again/questions/Q1/index.html").read_text(encoding="utf-8"))
    assert "../../r/#2026.10.0" in page.links
    assert "../../r/" in page.links


def foot(file: Path) -> str:
    """The words at the foot of a page."""
    return read_html(file.read_text(encoding="utf-8")).one(class_="rl-foot").text
