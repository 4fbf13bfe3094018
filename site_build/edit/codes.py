"""A page that lists every code that `k3 check` may report, written from the messages themselves."""

import re
from pathlib import Path

from site_build.edit.aside import write_all
from site_build.messages import WORDS
from site_build.model import Language
from site_build.problems import Faults
from site_build.source import read_ledger

_GAP = re.compile(r"\{(\w+)\}")
_CODE = re.compile(r"`[^`]*`")
_RUN = re.compile(r"[!-~§]+")
_RISKY = re.compile(r"[\\$<>*_{}\[\]|]|:\w|^[^A-Za-z]*[0-9]")
"""What a page would read as a number, a marker, a formula or HTML."""
_END = re.compile(r"[.,;:()]*$")


def codes_page(language: Language) -> str:
    """The page of all codes in one language, front matter and table."""
    labels = WORDS[language].labels
    rows = [
        f"| `{code}` | {_cell(wording.expected)} | {_cell(wording.remedy)} |"
        for code, wording in sorted(WORDS[language].problems.items())
    ]
    head = [labels["codes_code"], labels["codes_expected"], labels["codes_remedy"]]
    return "\n".join(
        ["---", "id: codes", f"title: {labels['codes_title']}", "---", "", labels["codes_intro"], "",
         f"| {' | '.join(head)} |", "|---|---|---|", *rows, ""]
    )  # fmt: skip


def write_codes(root: Path) -> tuple[Path, ...]:
    """Write the page to `content/` in each language of the ledger; return the files.

    Raises:
        Faults: `ledger.yaml` cannot be read.
    """
    reading = read_ledger(root)
    if reading.ledger is None:
        raise Faults(reading.problems)
    languages = reading.ledger.info.languages
    texts = {root / "content" / f"codes.{language}.md": codes_page(language) for language in languages}
    write_all(texts)
    return tuple(texts)


def _cell(template: str) -> str:
    """A wording as a table's cell: gaps and everything that is not plain words become code."""
    text = template.replace("{{", "\ue000").replace("}}", "\ue001")
    text = _CODE.sub(lambda code: _GAP.sub(lambda gap: gap[1].upper(), code[0]), text)
    text = _GAP.sub(lambda gap: f"`{gap[1]}`", text).replace("\ue000", "{").replace("\ue001", "}")
    parts = re.split(f"({_CODE.pattern})", text)
    return "".join(part if index % 2 else _RUN.sub(_as_code, part) for index, part in enumerate(parts))


def _as_code(found: re.Match[str]) -> str:
    word = _END.sub("", found[0])
    return f"`{word}`{found[0].removeprefix(word)}" if _RISKY.search(word) else found[0]
