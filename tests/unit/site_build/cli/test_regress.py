"""What `k3 regress` says before a browser starts."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from site_build.cli import app
from site_build.cli.regressing import NEEDS


@pytest.mark.parametrize(
    ("arguments", "want"),
    [
        pytest.param(["nowhere"], "expected a built site, got nowhere", id="no-site"),
        pytest.param(["--url", "ftp://x.example/"], "expected http:// or https://, got ftp://x.example/", id="no-http"),
        pytest.param(["nowhere", "--url", "http://[::1]/"], "expected a folder or an address, got both", id="both"),
        pytest.param(["--suite", "homes"], "expected one of home, navigation, questions, figures", id="suite"),
        pytest.param(["--suite", "address"], "got address", id="suite-of-addresses"),
        pytest.param(["--workers", "0"], "--workers", id="workers"),
    ],
)
def test_wrong_usage(arguments: list[str], want: str) -> None:
    """Each ends with 2 and says what was expected."""
    done = CliRunner().invoke(app, ["regress", *arguments], env={"COLUMNS": "400", "TERMINAL_WIDTH": "400"})
    assert done.exit_code == 2
    assert want in done.stderr


def test_nobody_answers(tmp_path: Path) -> None:
    """An address without a site is a fault, told in one line."""
    done = CliRunner().invoke(app, ["regress", "--url", "http://127.0.0.1:1/", "--report", str(tmp_path)])
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1].startswith("http://127.0.0.1:1/: expected a home page, got")


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel that was installed without them says how to get them."""
    monkeypatch.setattr("site_build.cli.regressing.find_spec", lambda name: None if name == NEEDS[1] else name)
    done = CliRunner().invoke(app, ["regress"])
    assert done.exit_code == 1
    assert done.stderr == f"expected the package {NEEDS[1]}, got none. Run: pip install 'k3-ledger[browser]'\n"
