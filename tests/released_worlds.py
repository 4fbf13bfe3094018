"""The tiny project as it goes through releases."""

from pathlib import Path

from builders import Edit, edit, ledger_of, project

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


EDITED = edit(
    QUESTION, "The report gives 2 rows.', zh: '报告给出 2 行。", "The report gives two rows.', zh: '报告给出两行。"
)
_STEP = """\
history:
  - {release: '2026.2.0', claim: c2, was: R, now: T, why: {en: 'The rows were drawn.', zh: '行是画出来的。'}}
would_change:"""
DOWNGRADED = (
    edit(QUESTION, "    grade: R\n    locators: ['report §1 eq.1']\n  - id: c3", "    grade: T\n  - id: c3"),
    edit(QUESTION, "would_change:", _STEP),
)
_REASON = "    withdrawn: {en: 'No such row.', zh: '没有这样的行。'}\n"
WITHDRAWN = edit(QUESTION, "    grade: T\n  - id: c3", f"    grade: T\n{_REASON}  - id: c3")
RESTORED = edit(QUESTION, _REASON, "")
_MODEL = "'模型地面。'}\n    grade: T\n"
MODEL_WITHDRAWN = edit(QUESTION, _MODEL, f"{_MODEL}    withdrawn: {{en: 'No model.', zh: '没有模型。'}}\n")


def three_releases(root: Path) -> Path:
    """The project after three releases, in both languages.

    `Q1.c2` was edited and downgraded in the second, withdrawn in the third, and stands again in the tree, where
    `Q1.c4` is withdrawn instead.
    """
    release(root, "2026.1.0")
    release(root, "2026.2.0", EDITED, *DOWNGRADED)
    release(root, "2026.10.0", WITHDRAWN)
    RESTORED.apply(root)
    MODEL_WITHDRAWN.apply(root)
    return root
