"""`k3 regress` on a sound site, and on sites that were broken on purpose: each fault is told by the suite that owns it.

Here stand the sound site and one site with every fault of its files at once; `tests/soak` breaks one thing at a time.
"""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from broken_sites import ALONE, FILES, SERVERS, Broken
from browser.servers import LoggedSite, serving
from regress_runs import Looked, look, told
from regress_world import copied, released, sound_site

from site_build.regress.table import REMOTE, SUITES

SLOW = ("accessibility", "print", "no-script", "policy")
"""Suites that look at every kind of page; here at some."""
SUB_PATH = "/sub/path/"
SOME = ("home", "questions", "pages (", "pictures (", "styles (")
QUICK = tuple(name for name in SUITES if name not in (*REMOTE, *SLOW))


@pytest.fixture(scope="module")
def sound(shared: Path) -> Path:
    """The small site, whole."""
    return sound_site(shared)


def untold(looked: list[Looked]) -> list[str]:
    """Faults that their owners do not tell with a picture, or that another suite tells too."""
    found = []
    for broken in FILES:
        lines = [(one, line) for run in looked for one in run.run.of("failed") for line in one.faults]
        said = [one for one, line in lines if broken.says in line]
        if {one.suite for one in said} != {broken.suite} or not all(one.pictures for one in said):
            found.append(f"{broken.id}: expected {broken.suite}, got {sorted({one.suite for one in said})}")
    return found


def unexplained(looked: list[Looked]) -> list[str]:
    """What suites say beyond the faults that they own."""
    return [
        f"{suite}: {line}"
        for run in looked
        for suite, lines in told(run.run).items()
        for line in lines
        if not any(broken.explains(suite, line) for broken in FILES)
    ]


def assert_reported(looked: Looked) -> None:
    """Raise unless page, JUnit and JSON agree on what failed, and every picture and trace that they name is there."""
    run, folder = looked.run, looked.folder
    failed = {(one.suite, one.name) for one in run.of("failed")}
    cases = [one for one in ElementTree.parse(folder / "junit.xml").iter("testcase") if one.find("failure") is not None]
    assert {(str(one.get("classname")), str(one.get("name"))) for one in cases} == failed
    data = json.loads((folder / "regress.json").read_text(encoding="utf-8"))
    assert {(one["suite"], one["name"]) for one in data["cases"] if one["state"] == "failed"} == failed
    page = (folder / "index.html").read_text(encoding="utf-8")
    for one in run.of("failed"):
        assert f"{one.suite}: {one.name}" in page
        for name in (*one.pictures, one.trace):
            assert (folder / name).stat().st_size > 1_000, name


def test_every_fault_is_told_by_its_owner(sound: Path, tmp_path: Path) -> None:
    """A site with all faults at once: each is told by the suite that owns it, with a picture, and nothing else is."""
    site = copied(sound, tmp_path / "site")
    for broken in FILES:
        assert broken.change is not None
        broken.change(site)
    quick = tuple(name for name in QUICK if name != "offline")
    looked = [look(site, quick), look(site, SLOW, cases=SOME)]
    assert untold(looked) == []
    assert unexplained(looked) == []
    assert_reported(looked[0])


def test_a_sound_site_passes(sound: Path) -> None:
    """Every quick suite has something to look at, and nothing to say."""
    found = look(sound, QUICK, root=sound.parent)
    assert told(found.run) == {}
    assert {one.suite for one in found.run.outcomes} == set(QUICK)
    assert found.run.good


def test_a_changed_runtime_stops_the_labs_alone(sound: Path, tmp_path: Path) -> None:
    """The suite of labs names the file; those that need a lab say where to look and count as no failure."""
    broken = next(broken for broken in ALONE if broken.id == "changed-wasm")
    assert broken.change is not None
    broken.change(site := copied(sound, tmp_path / "site"))
    found = look(site, ("labs", "parity", "offline"))
    found.assert_told(broken)
    assert set(told(found.run)) == {"labs"}
    assert {(one.suite, one.owner) for one in found.run.of("elsewhere")} == {("parity", "labs"), ("offline", "labs")}
    alone = look(site, ("parity",))
    assert set(told(alone.run)) == {"parity"}


@pytest.fixture(scope="module")
def released_below(shared: Path) -> Path:
    """The small site for an address with a path, as a release."""
    return released(sound_site(shared, "below", address=f"https://tiny.example{SUB_PATH}"))


def test_a_release_below_a_path_passes(released_below: Path) -> None:
    """At an address every file is the one of the release, and headers and caching are right."""
    with serving(released_below, SUB_PATH) as served:
        found = look(None, ("home", "navigation", "address"), url=served.url)
    assert told(found.run) == {}
    assert {one.suite for one in found.run.outcomes} == {"home", "navigation", "address"}


@pytest.mark.parametrize("broken", [one for one in SERVERS if one.suite == "address"], ids=lambda broken: broken.id)
def test_a_faulty_address_is_told(sound: Path, tmp_path: Path, broken: Broken) -> None:
    """What only an address shows is told by its own suite."""
    site = released(copied(sound, tmp_path / "site"))
    if broken.change is not None:
        broken.change(site)
    with serving(site, handler=broken.handler or LoggedSite) as served:
        look(None, ("address",), url=served.url).assert_told(broken)
