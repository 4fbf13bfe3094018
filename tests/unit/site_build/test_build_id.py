"""The build id follows what a site is made from, and nothing else."""

from pathlib import Path

import pytest
from builders import Edit, edit, project, write

from site_build.build_id import build_id

ADDRESS = "https://tiny.example/"


@pytest.mark.parametrize(
    ("change", "same"),
    [
        pytest.param(edit("ledger/values.yaml", "number: 6", "number: 7"), False, id="ledger"),
        pytest.param(write("content/more.en.md", "More."), False, id="content"),
        pytest.param(write("mkdocs.yml", "site_name: Other"), False, id="settings"),
        pytest.param(write("ledger/releases/1.json", "{}"), True, id="release"),
        pytest.param(write("ledger/schema/values.json", "{}"), True, id="schema"),
        pytest.param(write("evidence/parity.json", "{}"), True, id="evidence"),
    ],
)
def test_the_build_id_follows_its_inputs(tmp_path: Path, change: Edit, same: bool) -> None:
    """Records, pages and settings change it; what is written about a build or for an editor does not."""
    before = build_id(project(tmp_path), None, ADDRESS)
    change.apply(tmp_path)
    assert (build_id(tmp_path, None, ADDRESS) == before) == same


def test_the_build_id_covers_address_and_numerics(tmp_path: Path) -> None:
    """Another address or other numerics is another build."""
    root = project(tmp_path)
    ids = {
        build_id(root, None, ADDRESS),
        build_id(root, None, ADDRESS + "sub/"),
        build_id(root, root / "tiny_numerics.py", ADDRESS),
        build_id(root, root / "content", ADDRESS),
    }
    assert len(ids) == 4
