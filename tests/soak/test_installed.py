"""`k3 regress` from its own wheel: all suites over a sound site."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from browser.conftest import find_chromium
from installed import install, run_installed
from regress_world import sound_site

from site_build.regress.chromium import BROWSER_VARIABLE
from site_build.regress.table import REMOTE, SUITES


def test_the_wheel_looks_at_a_site(tmp_path: Path, keep_figures: Callable[..., None]) -> None:
    """A site that the checkout built, looked at by the installed program: nothing is failed, flaky or left out."""
    site = sound_site(tmp_path)
    k3 = install(tmp_path) / "k3"
    browser = {BROWSER_VARIABLE: find_chromium(Path(sys.prefix) / ".browser")}
    done = run_installed(k3, "regress", str(site), "--report", str(tmp_path / "report"), **browser)
    assert done.code == 0, done.output + done.errors
    cases = json.loads((tmp_path / "report/regress.json").read_text(encoding="utf-8"))["cases"]
    assert {case["state"] for case in cases} == {"passed"}
    suites = {case["suite"] for case in cases}
    assert suites == set(SUITES) - set(REMOTE)
    keep_figures("installed", cases=len(cases), suites=len(suites))
