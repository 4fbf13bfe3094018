"""Commands that are killed, lack room or find no file: what they leave behind, and what they say."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from builders import TESTS
from builds import Run, run_python
from html_pages import differing, tree_of

VERSION = "2026.2.0"
COMMAND = (sys.executable, "-m", "site_build")
ATTEMPTS = 3
"""How many runs may end before their kill, for each kill that is wanted."""


def folders(root: Path) -> set[str]:
    """Every folder of a project but what is remembered between runs."""
    found = (path.relative_to(root) for path in root.rglob("*") if path.is_dir())
    return {path.as_posix() for path in found if path.parts[0] != ".cache"}


def kept(root: Path) -> dict[str, bytes]:
    """Every file of a project but what is remembered between runs."""
    return {name: content for name, content in tree_of(root).items() if not name.startswith(".cache/")}


def command(root: Path, *asked: str) -> Run:
    """Run a command on a project to its end."""
    return run_python("-m", "site_build", *asked, "--root", str(root), cwd=root)


def write_mini(root: Path) -> None:
    """Write the mini ledger."""
    shutil.copytree(TESTS / "mini_ledger", root)


def changed_after_a_build(root: Path) -> None:
    """Write the mini ledger with its site, and a sentence that the site does not have."""
    write_mini(root)
    done = command(root, "build")
    assert done.code == 0, done.errors
    page = root / "content/course/rule.zh.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n又一句话。\n", encoding="utf-8")


@dataclass(frozen=True)
class Victim:
    """A command, before and after."""

    name: str
    prepare: Callable[[Path], None]
    asked: tuple[str, ...]
    wholes: tuple[str, ...] = ()
    """Folders that are old or new as a whole."""
    once: bool = False
    """Whether it refuses to be done twice."""
    folder: Path = Path()
    """Where it all happens."""

    @cached_property
    def before(self) -> Path:
        """A project as it is before the command."""
        root = self.folder / f"{self.name}-before"
        self.prepare(root)
        return root

    def fresh(self) -> Path:
        """The same once more, to be changed."""
        root = self.folder / self.name
        shutil.rmtree(root, ignore_errors=True)
        return Path(shutil.copytree(self.before, root))

    @cached_property
    def old(self) -> dict[str, bytes]:
        """Its files."""
        return kept(self.before)

    @cached_property
    def new(self) -> dict[str, bytes]:
        """Its files after a run that nothing disturbs."""
        root = self.fresh()
        done = command(root, *self.asked)
        assert done.code == 0, done.output + done.errors
        found = kept(root)
        assert found != self.old
        return found

    @cached_property
    def seconds(self) -> float:
        """How long such a run takes."""
        assert self.new
        root, start = self.fresh(), time.perf_counter()
        assert command(root, *self.asked).code == 0
        return time.perf_counter() - start

    def killed(self, after: float) -> bool:
        """Kill the command after some seconds; raises unless everything is whole, and the next run completes it.

        Returns whether it still ran.
        """
        root = self.fresh()
        environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
        quiet = subprocess.DEVNULL
        with subprocess.Popen(
            [*COMMAND, *self.asked, "--root", str(root)], cwd=root, env=environment, stdout=quiet, stderr=quiet
        ) as running:
            time.sleep(after)
            running.kill()
        if running.returncode != -signal.SIGKILL:
            return False
        where = f"{self.name}, killed after {after:.3f} s"
        self.assert_whole(kept(root), where)
        if self.once and self.settled(kept(root)) == self.settled(self.new):
            return True
        done = command(root, *self.asked)
        assert done.code == 0, f"{where}: {done.output}{done.errors}"
        assert differing(kept(root), self.new) == [], where
        return True

    def settled(self, files: dict[str, bytes]) -> dict[str, bytes]:
        """Files that have their place: none that still stands aside."""
        known = self.old.keys() | self.new.keys()
        return {name: content for name, content in files.items() if name in known or not aside(name)}

    def assert_whole(self, files: dict[str, bytes], where: str) -> None:
        """Raise unless each file is old or new, and each of the folders is one or the other."""
        there = self.settled(files)
        for name in there.keys() | self.old.keys():
            assert there.get(name) in (self.old.get(name), self.new.get(name)), f"{where}: {name}"
        for folder in self.wholes:
            found, old, new = (below(one, folder) for one in (there, self.old, self.new))
            assert found in (old, new), f"{where}: {folder} is neither old nor new"

    def kill(self, times: int, seed: int) -> int:
        """Kill it at moments spread over its run; returns how many kills came before its end."""
        moments, kills = random.Random(seed), 0
        for attempt in range(times * ATTEMPTS):
            # each kill has a part of the run of its own, and a place in it by chance
            kills += self.killed((attempt % times + moments.random()) / times * self.seconds)
            if kills == times:
                break
        assert kills == times, f"{self.name}: {kills} of {times} kills came before the end"
        return kills


def aside(name: str) -> bool:
    """Whether a file, or a folder around it, has a name that no reader takes for a part of the project."""
    return any(part.startswith(".") for part in Path(name).parts)


def below(files: dict[str, bytes], folder: str) -> dict[str, bytes]:
    """The files of a folder."""
    return {name: content for name, content in files.items() if name.startswith(f"{folder}/")}


VICTIMS = (
    Victim("build", changed_after_a_build, ("build",), ("site",)),
    Victim("first-build", write_mini, ("build",), ("site",)),
    Victim("fmt", write_mini, ("fmt",)),
    Victim("new-value", write_mini, ("new", "value", "tally"), once=True),
    Victim("new-ledger", Path.mkdir, ("new", "ledger", "mine"), once=True),
    Victim("release", write_mini, ("release", VERSION, "--allow-example"), (f"dist/{VERSION}",), once=True),
)


def short_of_room(root: Path, blocks: int, *asked: str) -> Run:
    """Run a command that may write no file of more than so many KiB: the system refuses, as it does on a full disk."""
    limited = ["bash", "-c", 'ulimit -f "$0" && exec "$@"', str(blocks), *COMMAND, *asked, "--root", str(root)]
    done = subprocess.run(limited, cwd=root, capture_output=True, encoding="utf-8", check=False)
    return Run(done.returncode, done.stdout, done.stderr)


def assert_said(done: Run, place: str, remedy: str) -> None:
    """Raise unless a command ended with 1 and one line: place, what was expected, what came, what to do."""
    assert done.code == 1, done
    assert "Traceback" not in done.errors, done.errors
    (line,) = (line for line in done.output.splitlines() if ": expected " in line)
    assert line.startswith(place), line
    assert ", got " in line, line
    assert line.endswith(remedy), line
    others = [line for line in done.errors.splitlines() if not line.startswith("faults: 1, ")]
    assert others == [], others


def at_once(root: Path, *asked: tuple[str, ...]) -> list[Run]:
    """Commands on one project that begin together."""
    running = [
        subprocess.Popen(
            [*COMMAND, *one, "--root", str(root)],
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for one in asked
    ]
    said = [one.communicate() for one in running]
    return [Run(one.returncode, *told) for one, told in zip(running, said, strict=True)]
