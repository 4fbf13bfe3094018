"""Read a bibliography; what was once read without a fault is not read again."""

from importlib.metadata import version
from pathlib import Path

from site_build.memory import keep, name_of, recall
from site_build.model import Publication, Unread
from site_build.problems import Problem
from site_build.source.bibliography import Bibliography
from site_build.source.yaml_source import CONTROL, control_characters, read_text

_THESE_READERS = " ".join(
    [
        version("bibtexparser"),
        version("pybtex"),
        *(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("bib*.py"))),
    ]
)
"""What a reading depends on besides the text."""


def read_bibliography(root: Path, file: str) -> Bibliography:
    """Read `file`, a path below `root`."""
    text = read_text(root, file)
    if isinstance(text, Problem):
        return Bibliography({}, {}, (text,), (Unread("publication", "", file, (text,)),))
    return parse_bibliography(text, file)


def parse_bibliography(text: str, file: str) -> Bibliography:
    """Read BibTeX text that stands in `file`."""
    name = name_of(_THESE_READERS, text)
    if (known := recall("bibliography", name)) is not None:
        publications, lines = known
        return Bibliography({key: Publication(**fields) for key, fields in publications.items()}, lines, ())
    # loading two parsers takes longer than reading what is known
    from site_build.source.bib_entries import read_entries  # noqa: PLC0415

    unseen = tuple(control_characters(text, file, 1))
    read = read_entries(CONTROL.sub("", text), file)
    if not read.problems and not unseen:
        keep("bibliography", name, ({key: one.model_dump() for key, one in read.publications.items()}, read.lines))
    problems = tuple(sorted({*read.problems, *unseen}))
    return Bibliography(read.publications, read.lines, problems, read.unread)
