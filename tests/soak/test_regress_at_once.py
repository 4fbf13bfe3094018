"""`k3 regress` on one site with every fault of its files at once."""

from pathlib import Path

import pytest
from broken_sites import FILES
from regress_runs import SLOW, SOME, Looked, assert_reported, look, told
from regress_world import copied, sound_site

from site_build.regress.table import REMOTE, SUITES

QUICK = tuple(name for name in SUITES if name not in (*REMOTE, *SLOW))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small site, whole."""
    return sound_site(tmp_path_factory.mktemp("sound"))


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
