"""`k3 regress` at length: each broken site and server alone before all suites, and sound ones ten times in a row.

Where a site is broken, the suites that look at every kind of page look at some.
"""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from broken_sites import ALONE, FILES, SERVERS, Broken
from browser.servers import LoggedSite, serving
from regress_runs import MOST, look, told
from regress_world import copied, released, sound_site

from site_build.regress.table import REMOTE, SUITES

LOCAL = tuple(name for name in SUITES if name not in REMOTE)
TIMES = 10
SUB_PATH = "/sub/path/"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small site, whole."""
    return sound_site(tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def sound_below(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for an address with a path, with a release manifest."""
    return released(sound_site(tmp_path_factory.mktemp("below"), address=f"https://tiny.example{SUB_PATH}"))


@pytest.mark.parametrize("broken", [*FILES, *ALONE], ids=lambda broken: broken.id)
def test_one_fault_fails_one_suite(
    sound: Path, tmp_path: Path, keep_figures: Callable[..., None], broken: Broken
) -> None:
    """Of all suites only the owner fails, says the fault, and shows it."""
    assert broken.change is not None
    broken.change(site := copied(sound, tmp_path / "site"))
    found = look(site, LOCAL, cases=MOST)
    found.assert_told(broken)
    assert set(told(found.run)) == {broken.suite}
    keep_figures("broken sites", **{broken.id: broken.suite})


@pytest.mark.parametrize("broken", SERVERS, ids=lambda broken: broken.id)
def test_one_faulty_server_fails_one_suite(
    sound: Path, tmp_path: Path, keep_figures: Callable[..., None], broken: Broken
) -> None:
    """The same where the server is at fault, or what is published is not what was released."""
    site = released(copied(sound, tmp_path / "site"))
    if broken.change is not None:
        broken.change(site)
    with serving(site, handler=broken.handler or LoggedSite) as served:
        found = look(None, tuple(SUITES), url=served.url, cases=MOST)
    found.assert_told(broken)
    assert set(told(found.run)) == {broken.suite}
    keep_figures("broken sites", **{broken.id: broken.suite})


@pytest.mark.parametrize("below", [False, True], ids=["folder", "address"])
def test_a_sound_site_passes_every_time(
    request: pytest.FixtureRequest, keep_figures: Callable[..., None], below: bool
) -> None:
    """A folder, and a release below a path, ten times in a row: nothing is told, and nothing is flaky."""
    site = request.getfixturevalue("sound_below" if below else "sound")
    cases = 0
    for time in range(TIMES):
        with ExitStack() as open_ones:
            url = open_ones.enter_context(serving(site, SUB_PATH)).url if below else None
            run = look(None if below else site, tuple(SUITES) if below else LOCAL, url=url).run
        assert told(run) == {}, time
        assert [one.name for one in run.outcomes if one.state != "passed"] == [], time
        cases += len(run.outcomes)
    name = "address" if below else "folder"
    keep_figures("sound sites", **{f"{name}, runs": TIMES, f"{name}, cases": cases})
