"""The old site stays whole until the new one is finished, whatever ends the build."""

import signal
from pathlib import Path
from textwrap import dedent

import pytest
from builders import edit, project
from builds import run_python
from html_pages import tree_of

from site_build import swap
from site_build.plugin import build_site
from site_build.problems import Faults
from site_build.swap import built_aside


@pytest.fixture(params=["exchange", "two-renames"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of putting a folder in another's place."""
    if request.param == "two-renames":
        monkeypatch.setattr(swap, "_exchange", lambda first, second: False)  # noqa: ARG005 - the names are the caller's
    return str(request.param)


def publish(target: Path, text: str) -> None:
    """Publish a site of one file."""
    with built_aside(target) as aside:
        (aside / "index.html").write_text(text, encoding="utf-8")


def publish_half(target: Path) -> None:
    """Begin to publish, and fail."""
    with built_aside(target) as aside:
        (aside / "index.html").write_text("half", encoding="utf-8")
        raise ZeroDivisionError


def everything(folder: Path) -> dict[str, str]:
    """Every file below a folder, hidden ones included."""
    return {name: content.decode() for name, content in tree_of(folder).items()}


@pytest.mark.usefixtures("way")
def test_a_finished_site_takes_the_place(tmp_path: Path) -> None:
    """First and later builds end in the same place and leave nothing beside it."""
    for text in ("first", "second", "third"):
        publish(tmp_path / "deep" / "site", text)
        assert everything(tmp_path) == {"deep/site/index.html": text}
        assert [path.name for path in (tmp_path / "deep").iterdir()] == ["site"]


@pytest.mark.usefixtures("way")
def test_a_failing_build_leaves_the_old_site(tmp_path: Path) -> None:
    """An error half-way removes what was begun and touches nothing else."""
    publish(tmp_path / "site", "old")
    with pytest.raises(ZeroDivisionError):
        publish_half(tmp_path / "site")
    assert everything(tmp_path) == {"site/index.html": "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_the_exchange_is_one_step_where_the_system_can(tmp_path: Path) -> None:
    """The two folders change names without a moment in which one is missing."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "x").touch()
    assert swap._exchange(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b" / "x").exists()
    assert not swap._exchange(tmp_path / "a", tmp_path / "missing")


_KILLED = """
    import os, signal, sys
    from pathlib import Path
    from site_build import swap

    def die(*_, **__):
        os.kill(os.getpid(), signal.SIGKILL)

    target = Path(sys.argv[1])
    {plant}
    with swap.built_aside(target) as aside:
        (aside / "index.html").write_text("new")
        {inside}
"""
_BETWEEN = """swap._exchange = lambda first, second: False
    rename = Path.rename
    Path.rename = lambda self, new: (rename(self, new), die())"""


@pytest.mark.parametrize(
    ("plant", "inside", "kept"),
    [
        pytest.param("", "die()", True, id="while-building"),
        pytest.param("swap._swap = die", "pass", True, id="before-the-swap"),
        pytest.param("swap.shutil.rmtree = die", "pass", True, id="after-the-exchange"),
        pytest.param(_BETWEEN, "pass", False, id="between-two-renames"),
    ],
)
def test_a_killed_build_leaves_a_whole_site(tmp_path: Path, plant: str, inside: str, kept: bool) -> None:
    """After a kill a whole site stands there, or the next build brings the old one back before it starts."""
    target = tmp_path / "site"
    publish(target, "old")
    code = dedent(_KILLED.format(plant=plant, inside=inside))
    assert run_python("-c", code, str(target)).code == -signal.SIGKILL
    assert target.exists() == kept
    assert [path.name for path in tmp_path.iterdir()] != ["site"], "the kill came too late to leave anything aside"
    with pytest.raises(ZeroDivisionError):
        publish_half(target)
    content = everything(tmp_path)
    assert list(content) == ["site/index.html"]
    assert content["site/index.html"] in ({"new"} if plant == "swap.shutil.rmtree = die" else {"old"})


def test_what_a_living_build_has_aside_is_left_alone(tmp_path: Path) -> None:
    """Two builds at once do not remove each other's folders."""
    with built_aside(tmp_path / "site") as first:
        living = first.with_name(".site-new-1")
        living.mkdir()
        dead = first.with_name(".site-new-999999999")
        dead.mkdir()
    publish(tmp_path / "site", "next")
    assert (living.exists(), dead.exists()) == (True, False)


def test_faults_stop_a_build_before_anything_is_written(tmp_path: Path) -> None:
    """A ledger with a fault leaves the old site as it is."""
    root = project(tmp_path / "project", edit("ledger/values.yaml", "  number: 6", "  number: 7"))
    publish(tmp_path / "site", "old")
    with pytest.raises(Faults) as raised:
        build_site(root, tmp_path / "site")
    assert [problem.code for problem in raised.value.problems] == ["derivation-differs"]
    assert everything(tmp_path / "site") == {"index.html": "old"}


_KILLED_BUILD = """
    import os, signal, sys
    from pathlib import Path
    from site_build.plugin import build, build_site

    def half(config):
        folder = Path(config.site_dir)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_text("new")
        if config.site_url.endswith("/zh/") or sys.argv[3] == "first":
            os.kill(os.getpid(), signal.SIGKILL)

    build.mkdocs_build = half
    build_site(Path(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.parametrize("when", ["first", "second"])
def test_a_build_killed_in_either_language_leaves_the_old_site(tmp_path: Path, when: str) -> None:
    """The languages are swapped in together: a kill in the second takes nothing from the first."""
    root = project(tmp_path / "project")
    publish(tmp_path / "out" / "site", "old")
    done = run_python("-c", dedent(_KILLED_BUILD), str(root), str(tmp_path / "out" / "site"), when)
    assert done.code == -signal.SIGKILL, done.errors
    assert everything(tmp_path / "out" / "site") == {"index.html": "old"}
    (aside,) = (path for path in (tmp_path / "out").iterdir() if path.name != "site")
    assert sorted(everything(aside)) == (["index.html", "zh/index.html"] if when == "second" else ["index.html"])
    publish(tmp_path / "out" / "site", "next")
    assert everything(tmp_path / "out") == {"site/index.html": "next"}
