"""Ledgers of any size: half questions with three claims each, half reading nodes with their BibTeX."""

from pathlib import Path

from builders import TINY, project

_WORDS = (
    "state",
    "channel",
    "decay",
    "token",
    "layer",
    "expert",
    "router",
    "kernel",
    "cache",
    "prefix",
    "latent",
    "query",
    "residual",
    "gate",
    "balance",
    "quantile",
    "scale",
    "window",
    "memory",
    "block",
)


def generate(root: Path, entries: int) -> Path:
    """Write a valid ledger of `entries` entries to `root`, in English, without labs."""
    project(root)
    questions = entries // 2
    numbers = range(2, questions + 2)
    nodes = range(entries - questions - 1)
    info = (TINY / "ledger/ledger.yaml").read_text(encoding="utf-8")
    info = info.replace("languages: [en, zh]", "languages: [en]").replace("'^Q[1-9]$'", r"'^Q[1-9]\d*$'")
    info = info.replace("  questions: 1\n", f"  questions: {questions + 1}\n")
    info = info.replace("  path_nodes: 1\n", f"  path_nodes: {len(nodes) + 1}\n")
    (root / "ledger/ledger.yaml").write_text(info, encoding="utf-8")
    for page in (root / "content").glob("*.zh.md"):
        page.unlink()
    for number in numbers:
        (root / f"ledger/questions/Q{number}.yaml").write_text(_question(number), encoding="utf-8")
    with (root / "ledger/reading/nodes.yaml").open("a", encoding="utf-8") as file:
        file.writelines(_node(number) for number in nodes)
    with (root / "ledger/reading/references.bib").open("a", encoding="utf-8") as file:
        file.writelines(_entry(number) for number in nodes)
    return root


def _sentence(seed: int, words: int = 14) -> str:
    chosen = [_WORDS[(seed * 7 + index * (3 + seed % 5)) % len(_WORDS)] for index in range(words)]
    return " ".join(chosen).capitalize() + "."


def _text(name: str, text: str, indent: int = 0) -> str:
    return f"{' ' * indent}{name}:\n{' ' * indent}  en: '{text}'\n"


def _claim(number: int, name: str, grade: str, locator: str) -> str:
    text = f"{_sentence(number * 3 + len(name))} It follows $a_{{1}} b$ and gives :value[area]."
    derivation = "    derivation:\n      - area\n" if grade == "D" else ""
    return (
        f"  - id: {name}\n{_text('text', text, 4)}    grade: {grade}\n    locators:\n      - '{locator}'\n{derivation}"
    )


def _question(number: int) -> str:
    return "".join(
        [
            f"id: Q{number}\ntopic: sums\nstatus: answered\n",
            _text("object", "Entry"),
            _text("title", _sentence(number, 7)[:-1] + "?"),
            _text("answer", _sentence(number + 1)),
            "claims:\n",
            _claim(number, "c1", "R", "report §1 eq.1"),
            _claim(number, "c2", "P", "node smith-2020"),
            _claim(number, "c3", "D", "report §1 eq.1"),
            _text("boundary", _sentence(number + 2, 9)),
            "misreadings:\n  -\n",
            _text("wrong", _sentence(number + 3, 6), 4),
            _text("why", _sentence(number + 4, 8), 4),
            _text("right", _sentence(number + 5, 8), 4),
            "acceptance:\n",
            _text("statement", "A drawing.", 2),
            f"  component: drawing-{number}\n  selector: '.drawing'\n  state: planned\n",
            f"related:\n  - Q{max(number - 1, 1)}\nreviewed: '2026-01-02'\n",
            _text("would_change", _sentence(number + 6, 8)),
        ]
    )


def _node(number: int) -> str:
    head = f"- id: work-{number}\n  stage: first\n  in_path: true\n  kind: paper\n"
    cited = f"  cited:\n    - source: report\n      numbers: {{v1: {number + 2}}}\n"
    return head + cited + _text("why", _sentence(number + 8), 2)


def _entry(number: int) -> str:
    fields = {
        "author": "Smith, Ann and Li, Wei and others",
        "title": _sentence(number + 9, 8)[:-1],
        "journal": "Journal of Tiles",
        "year": "2020",
        "url": f"https://tiles.example/work-{number}",
    }
    return f"\n@article{{work-{number},\n" + ",\n".join(f"  {n} = {{{v}}}" for n, v in fields.items()) + "\n}\n"
