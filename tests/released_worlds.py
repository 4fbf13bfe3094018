"""The tiny project as it goes through releases."""

from pathlib import Path

from builders import Edit, ledger_of, project

from site_build.views import released

QUESTION = "ledger/questions/Q1.yaml"


def release(root: Path, version: str, *edits: Edit) -> None:
    """Change the project at `root`, and keep its state as a release; the first call makes the project."""
    if not (root / "ledger").exists():
        project(root)
    for change in edits:
        change.apply(root)
    snapshot = released(ledger_of(root), version, f"build-{version}").model_dump_json(indent=1)
    (root / "ledger/releases").mkdir(exist_ok=True)
    (root / f"ledger/releases/{version}.json").write_text(snapshot, encoding="utf-8")
