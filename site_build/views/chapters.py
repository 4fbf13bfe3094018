"""Sections of prose: their index, and what stands at the head and foot of a chapter."""

import re
from dataclasses import dataclass
from math import ceil

from site_build.model import Language, Prose, ProseSection
from site_build.views.pages import Page
from site_build.views.scope import Scope

WORDS_A_MINUTE = 200
HAN_A_MINUTE = 350
_WORD = re.compile(r"[A-Za-z]+")
_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class ChapterLine:
    """A chapter in a list, or as the way on."""

    number: int
    title: str
    link: str
    question: str
    minutes: int


@dataclass(frozen=True)
class SectionView:
    """A section's index."""

    title: str
    lead: str
    chapters: tuple[ChapterLine, ...]


@dataclass(frozen=True)
class ChapterView:
    """What a chapter shows around its text."""

    here: ChapterLine
    count: int
    section: str
    section_link: str
    needs: tuple[ChapterLine, ...]
    before: ChapterLine | None
    after: ChapterLine | None


def section_page(scope: Scope, section: ProseSection) -> Page:
    """A section's chapters in reading order, each with the question that it answers."""
    title, lead = scope.words(section.name), scope.words(section.lead)
    view = SectionView(title, lead, tuple(_lines(scope, section).values()))
    return Page(section.id, "section", title, lead, view)


def chapter_view(scope: Scope, page: Prose) -> ChapterView | None:
    """What stands around a page's text; nothing where it belongs to no section."""
    section = next((section for section in scope.ledger.info.sections if section.id == page.section), None)
    lines = _lines(scope, section) if section else {}
    if section is None or page.id not in lines:
        return None
    order = list(lines.values())
    at = order.index(lines[page.id])
    return ChapterView(
        lines[page.id],
        len(order),
        scope.words(section.name),
        scope.to(section.id),
        tuple(lines[id_] for id_ in page.head.needs if id_ in lines),
        order[at - 1] if at else None,
        order[at + 1] if at + 1 < len(order) else None,
    )


def _lines(scope: Scope, section: ProseSection) -> dict[str, ChapterLine]:
    own = {
        page.id: page for page in scope.ledger.prose if (page.section, page.language) == (section.id, scope.language)
    }
    return {
        id_: ChapterLine(
            number,
            own[id_].head.title,
            scope.to(f"{section.id}/{id_}"),
            own[id_].head.question or "",
            reading_minutes(own[id_].body, scope.language),
        )
        for number, id_ in enumerate((id_ for id_ in section.pages if id_ in own), 1)
    }


def reading_minutes(body: str, language: Language) -> int:
    """Minutes that a text takes a reader, rounded up: words in English, characters and foreign words in Chinese."""
    words = len(_WORD.findall(body)) / WORDS_A_MINUTE
    return max(1, ceil(words if language == "en" else words + len(_HAN.findall(body)) / HAN_A_MINUTE))
