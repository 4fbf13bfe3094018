"""One built site, one browser and one rest of the world for all browser tests."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from browser.lab_sites import OpenLab, live_site
from browser.once import once
from browser.published import LANGUAGES, Published
from browser.servers import Site, serving
from browser.walks import Walk, Walks, take_walk
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from site_build.regress.chromium import FLAGS
from site_build.regress.servers import World, refusing
from site_build.regress.visits import OpenContext, open_context

ROOT = Path(__file__).parents[2]
# a busy machine is no fault of the site
expect.set_options(timeout=20_000)

SUB_PATH = "/sub/path/"
SUB_ADDRESS = f"http://127.0.0.1{SUB_PATH}"


def find_chromium(record: Path) -> str:
    """The browser that set-up found, or one on the path; without one the tests fail, they are never skipped."""
    recorded = record.read_text(encoding="utf-8").strip() if record.is_file() else ""
    found = recorded if recorded and Path(recorded).is_file() else shutil.which("chromium")
    if found is None:
        pytest.fail(f"expected a Chromium named in {record} or on the path, got none. Run: bash setup.sh browser")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without calls of its own."""
    path = find_chromium(Path(sys.prefix) / ".browser")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    """Where everything arrives that should not have been asked for."""
    with refusing() as everything_else:
        yield everything_else


@pytest.fixture
def new_context(browser: Browser, world: World) -> Iterator[OpenContext]:
    """Opens fresh profiles, and closes them after the test."""
    with ExitStack() as opened:

        def open_one(**options: Any) -> BrowserContext:
            context = open_context(browser, world, **options)
            opened.callback(context.close)
            return context

        yield open_one


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder of this run that all its workers see."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session")
def published(shared: Path) -> Published:
    """The site at the ledger's own address, built by the command that users run."""
    return _build(shared / "site")


@pytest.fixture(scope="session")
def published_below(shared: Path) -> Published:
    """The same site, built for an address with a path."""
    return _build(shared / "site-below", "--address", SUB_ADDRESS)


def _build(target: Path, *options: str) -> Published:
    def build(unfinished: Path) -> None:
        unfinished.mkdir()
        command = [sys.executable, "-m", "site_build", "build", "--out", str(unfinished / "site"), *options]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.fail(f"k3 build: expected exit code 0, got {done.returncode}.\n{done.stdout}{done.stderr}")
        (unfinished / "printed").write_text(done.stdout, encoding="utf-8")

    once(target, build)
    return Published(target / "site", (target / "printed").read_text(encoding="utf-8").split()[-1])


@pytest.fixture(scope="session")
def site(published: Published) -> Iterator[Site]:
    """The site at the root of a server."""
    with serving(published.folder) as served:
        yield served


@pytest.fixture(scope="session")
def site_below(published_below: Published) -> Iterator[Site]:
    """The site below a path."""
    with serving(published_below.folder, SUB_PATH) as served:
        yield served


@pytest.fixture(scope="session")
def walks(browser: Browser, world: World, published: Published, site: Site, shared: Path) -> Walks:
    """What happened on walks through every page of a language; each is made once for all workers."""
    kept: dict[tuple[str, bool], Walk] = {}

    def have(language: str, scripts: bool, *, wait: bool) -> None:
        def take(unfinished: Path) -> None:
            whole, light = published.walk(language)
            taken = take_walk(browser, world, site, whole if scripts else light, scripts=scripts)
            unfinished.write_text(json.dumps(asdict(taken)), encoding="utf-8")

        file = shared / f"walk-{language}-{scripts}.json"
        if (language, scripts) not in kept and once(file, take, wait=wait):
            kept[language, scripts] = Walk(**json.loads(file.read_text(encoding="utf-8")))

    def walk(language: str) -> list[Walk]:
        wanted = [(language, True), (language, False)]
        # instead of waiting for a walk that another worker is on, take the next one
        for other, scripts in (*wanted, *((code, scripts) for code in LANGUAGES for scripts in (True, False))):
            if not all(key in kept for key in wanted):
                have(other, scripts, wait=False)
        for _, scripts in wanted:
            have(language, scripts, wait=True)
        return [kept[key] for key in wanted]

    return walk


@pytest.fixture
def live(shared: Path) -> Iterator[Site]:
    """The small site, served for one test alone: a page keeps what it needed after its test has ended."""
    with serving(live_site(shared)) as site:
        yield site


@pytest.fixture
def open_lab(new_context: OpenContext, live: Site) -> OpenLab:
    """Opens the lab of the small site in a fresh profile."""

    def open_one(url: str = live.url, address: str = "labs/A/", **options: Any) -> Page:
        page = new_context(**options).new_page()
        page.goto(url + address)
        return page

    return open_one
