"""`k3 regress` on a sound site, and on sites that were broken on purpose: each fault is told by the suite that owns it.

A sample: `tests/soak` takes every suite and every fault, all at once and one at a time.
"""

from pathlib import Path

import pytest
from broken_sites import ALONE, SERVERS, Broken
from browser.servers import HostedSite, LoggedSite, serving
from regress_runs import assert_reported, look, told
from regress_world import copied, released, sound_site

SAMPLE = ("home", "questions", "figures", "tables")
SUB_PATH = "/sub/path/"


@pytest.fixture(scope="module")
def sound(shared: Path) -> Path:
    """The small site, whole."""
    return sound_site(shared)


def test_a_sound_site_passes(sound: Path) -> None:
    """Suites of the sample have something to look at, and nothing to say."""
    found = look(sound, SAMPLE, root=sound.parent)
    assert told(found.run) == {}
    assert {one.suite for one in found.run.outcomes} == set(SAMPLE)
    assert found.run.good


def test_a_changed_runtime_stops_the_labs_alone(sound: Path, tmp_path: Path) -> None:
    """The suite of labs names the file; those that need a lab say where to look and count as no failure."""
    broken = next(broken for broken in ALONE if broken.id == "changed-wasm")
    assert broken.change is not None
    broken.change(site := copied(sound, tmp_path / "site"))
    found = look(site, ("labs", "parity", "offline"))
    found.assert_told(broken)
    assert set(told(found.run)) == {"labs"}
    assert_reported(found)
    assert {(one.suite, one.owner) for one in found.run.of("elsewhere")} == {("parity", "labs"), ("offline", "labs")}
    alone = look(site, ("parity",))
    assert set(told(alone.run)) == {"parity"}


@pytest.fixture(scope="module")
def released_below(shared: Path) -> Path:
    """The small site for an address with a path, as a release."""
    return released(sound_site(shared, "below", address=f"https://tiny.example{SUB_PATH}"))


@pytest.mark.parametrize("handler", [LoggedSite, HostedSite])
def test_a_release_below_a_path_passes(released_below: Path, handler: type[LoggedSite]) -> None:
    """At an address every file is the one of the release, and headers and caching are right; on a static host too."""
    with serving(released_below, SUB_PATH, handler) as served:
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
