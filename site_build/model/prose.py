"""Pages of `content/`: what stands at their head, and the page itself."""

from dataclasses import dataclass

from pydantic import Field

from site_build.model.base import Language, Line, Model, Slug, Text


class PageHead(Model):
    """The front matter of a page of `content/`."""

    id: Line
    """How its address ends: `method`."""
    title: Line
    """Its heading."""
    question: Line | None = None
    """The question that the page answers, for a chapter."""
    needs: tuple[Line, ...] = ()
    """Pages of the same section to read first."""


class ProseSection(Model):
    """A folder of `content/` whose pages are read in an order."""

    id: Slug
    """The folder's name, and how the section's address ends."""
    name: Text
    """Its heading."""
    lead: Text
    """What its pages are for, in a sentence or two."""
    pages: tuple[Line, ...] = Field(min_length=1)
    """Ids of its pages, in reading order."""


@dataclass(frozen=True)
class Prose:
    """A page of `content/` in one language."""

    head: PageHead
    """Its front matter; `id` and `title` are the file's name where that cannot be read."""
    section: str
    """Its folder below `content/`; empty for pages at the root."""
    language: Language
    """From the file's name."""
    file: str
    """Path relative to the project's root."""
    body: str
    """The text after the front matter."""
    first_line: int
    """Line of the file on which the body begins."""

    @property
    def id(self) -> str:
        """How its address ends: `method`."""
        return self.head.id
