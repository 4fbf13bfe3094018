"""`llms.txt`: what the site holds and where, for programs that read before they crawl (llmstxt.org)."""

from collections.abc import Iterator

from site_build.exports.edition import Edition
from site_build.messages import WORDS
from site_build.model import Language
from site_build.views import FOLDERS, WHOLE, list_file, prose_path

_ESCAPED = str.maketrans({"[": r"\[", "]": r"\]"})


def outline(edition: Edition, language: Language) -> str:
    """Title, summary and what to know, then sections of links, each with a note."""
    info, labels = edition.ledger.info, WORDS[language].labels
    lines = [f"# {info.title.in_language(language)}", "", f"> {edition.said(info.description).get(language, '')}", ""]
    lines += [labels["outline_read"], ""]
    for grade in edition.ledger.grades.values():
        said = edition.said(grade.name).get(language, ""), edition.said(grade.meaning).get(language, "")
        lines.append(f"- {grade.id} ({said[0]}): {_one_line(said[1])}")
    for title, links in _sections(edition, language):
        found = list(links)
        lines += ["", f"## {title}", "", *found] if found else []
    return "\n".join(lines) + "\n"


def _sections(edition: Edition, language: Language) -> Iterator[tuple[str, Iterator[str]]]:
    labels, ledger = WORDS[language].labels, edition.ledger
    scope = edition.scopes[language]
    questions = (
        _link(
            f"{question.id} {scope.words(question.title)}",
            edition.addresses("question", question.id)[language],
            scope.words(question.answer),
        )
        for question in ledger.questions.values()
    )
    yield labels["questions"], questions
    api = edition.page(language, "api")
    data = [_link(labels["api"], api, labels["lead_api"])]
    data += [_link(one.path.rpartition("/")[2], edition.file(one.path), labels[one.label]) for one in WHOLE]
    yield labels["api"], iter(data)
    records = (
        _link(
            labels[folder],
            edition.page(language, folder),
            f"{labels[f'lead_{folder}']} JSON: {edition.file(list_file(kind))}",
        )
        for kind, folder in FOLDERS.items()
        if kind != "question" and ledger.records[kind]
    )
    yield labels["records"], records
    prose = (
        _link(page.head.title, edition.page(language, prose_path(page)), page.head.question or "")
        for page in ledger.prose
        if page.language == language
    )
    # programs may skip a section of this very name
    yield "Optional", prose


def _link(name: str, address: str, note: str) -> str:
    return f"- [{name.translate(_ESCAPED)}]({address}){': ' + _one_line(note) if note else ''}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
