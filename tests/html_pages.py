"""Built pages as small trees, for tests that ask what a reader finds there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

_EMPTY = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "path", "base", "col", "wbr"})


@dataclass
class Element:
    """One element: its tag, attributes, and what stands inside."""

    tag: str
    attributes: dict[str, str]
    inside: "list[Element | str]" = field(default_factory=list)

    def all(self, tag: str = "", **wanted: str) -> "Iterator[Element]":
        """Every element below with this tag and these attributes; `class_` looks for one word of the class."""
        for child in self.inside:
            if isinstance(child, Element):
                if (not tag or child.tag == tag) and all(child.has(name, value) for name, value in wanted.items()):
                    yield child
                yield from child.all(tag, **wanted)

    def has(self, name: str, value: str) -> bool:
        """Whether an attribute has this value."""
        if name == "class_":
            return value in self.attributes.get("class", "").split()
        return self.attributes.get(name.replace("_", "-")) == value

    def one(self, tag: str = "", **wanted: str) -> "Element":
        """The only such element."""
        (found,) = self.all(tag, **wanted)
        return found

    @property
    def text(self) -> str:
        """All words inside, lines and indents taken as single spaces."""
        return re.sub(r"[ \t\n]+", " ", "".join(self._words())).strip()

    def _words(self) -> Iterator[str]:
        for child in self.inside:
            yield from [child] if isinstance(child, str) else child._words()

    @property
    def links(self) -> list[str]:
        """Addresses of the links inside, in order."""
        return [link.attributes.get("href", "") for link in self.all("a")]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inside.append(element)
        if tag not in _EMPTY:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        depth = next((depth for depth in range(len(self.open) - 1, 0, -1) if self.open[depth].tag == tag), None)
        if depth is not None:
            del self.open[depth:]

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)


def read_html(html: str) -> Element:
    """The tree of a page or of a part of one."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.open[0]


def read_page(file: Path) -> Element:
    """The tree of a built page."""
    return read_html(file.read_text(encoding="utf-8"))


def pages_of(site: Path) -> dict[str, Element]:
    """Every page of a built site, by address below its root: `questions/N1/`; cards are pages for other sites."""
    return {
        file.relative_to(site).as_posix().removesuffix("index.html"): read_page(file)
        for file in sorted(site.rglob("*.html"))
        if "cards" not in file.relative_to(site).parts
    }


def tree_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its content."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def differing(got: dict[str, bytes], want: dict[str, bytes]) -> list[str]:
    """Names of files that are not the same."""
    return sorted(name for name in got.keys() | want.keys() if got.get(name) != want.get(name))
