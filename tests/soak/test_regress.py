"""`k3 regress` at length: each broken site and server alone before all suites, and sound ones ten times in a row."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from broken_sites import ALONE, FILES, SERVERS, Broken
from browser.servers import LoggedSite, serving
from regress_runs import look, told
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
def test_one_fault_fails_one_suite(sound: Path, tmp_path: Path, broken: Broken) -> None:
    """Of all suites only the owner fails, says the fault, and shows it."""
    assert broken.change is not None
    broken.change(site := copied(sound, tmp_path / "site"))
    found = look(site, LOCAL)
    found.assert_told(broken)
    assert set(told(found.run)) == {broken.suite}


@pytest.mark.parametrize("broken", SERVERS, ids=lambda broken: broken.id)
def test_one_faulty_server_fails_one_suite(sound: Path, tmp_path: Path, broken: Broken) -> None:
    """The same where the server is at fault, or what is published is not what was released."""
    site = released(copied(sound, tmp_path / "site"))
    if broken.change is not None:
        broken.change(site)
    with serving(site, handler=broken.handler or LoggedSite) as served:
        found = look(None, tuple(SUITES), url=served.url)
    found.assert_told(broken)
    assert set(told(found.run)) == {broken.suite}


@pytest.mark.parametrize("time", range(TIMES))
@pytest.mark.parametrize("below", [False, True], ids=["folder", "address"])
def test_a_sound_site_passes_every_time(request: pytest.FixtureRequest, below: bool, time: int) -> None:
    """A folder, and a release below a path: nothing is told, and nothing is flaky."""
    site = request.getfixturevalue("sound_below" if below else "sound")
    with ExitStack() as open_ones:
        url = open_ones.enter_context(serving(site, SUB_PATH)).url if below else None
        run = look(None if below else site, tuple(SUITES) if below else LOCAL, url=url).run
    assert told(run) == {}, time
    assert [one.name for one in run.outcomes if one.state != "passed"] == []
