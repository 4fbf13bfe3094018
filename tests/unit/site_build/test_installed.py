"""From its own wheel, away from the checkout, the generator makes the same sites: no file of it is left behind."""

import json
from pathlib import Path

import pytest
from builds import Built, run_python
from html_pages import differing, tree_of
from installed import LIBRARIES, ROOT, install, run_installed

pytestmark = pytest.mark.slow

_WHERE = """
import json, sys, k3core, site_build
print(json.dumps({"files": [k3core.__file__, site_build.__file__], "path": sys.path}))
"""


def test_the_wheel_builds_what_the_checkout_builds(tmp_path: Path, mini: Built) -> None:
    """The mini ledger and a ledger just begun: the same files with the same bytes, from packages in the environment."""
    programs = install(tmp_path)
    where = json.loads(run_installed(programs / "python", "-c", _WHERE).output)
    assert all(Path(file).is_relative_to(tmp_path / "venv") for file in where["files"]), where
    assert {path for path in where["path"] if Path(path).is_relative_to(ROOT)} <= {str(LIBRARIES)}, where
    k3 = programs / "k3"
    built = run_installed(k3, "build", "--root", str(mini.root), "--out", str(tmp_path / "mini"))
    assert built.code == 0, built.output + built.errors
    assert differing(tree_of(tmp_path / "mini"), tree_of(mini.site)) == []
    started = run_installed(k3, "new", "ledger", str(tmp_path / "mine"))
    assert started.code == 0, started.output + started.errors
    built = run_installed(k3, "build", "--root", str(tmp_path / "mine"), "--out", str(tmp_path / "installed"))
    assert built.code == 0, built.output + built.errors
    again = ("-m", "site_build", "build", "--root", str(tmp_path / "mine"), "--out", str(tmp_path / "checkout"))
    done = run_python(*again, cwd=tmp_path)
    assert done.code == 0, done.errors
    assert differing(tree_of(tmp_path / "installed"), tree_of(tmp_path / "checkout")) == []
