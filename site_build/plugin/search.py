"""Search: what of a page stands in the index, and Chinese in words."""

import json
import logging
import re
from functools import lru_cache
from importlib.metadata import version
from io import StringIO
from typing import Any

import jieba
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

from site_build.memory import name_of
from site_build.model import Language, Ledger

SEARCH = "material/search"
SEPARATOR = r"[\s\u200b\-()（）、。，；：？！]+|[,.:;?!]+(?=\s|$)"
"""What stands between words; a comma or a point inside a number does not. The index joins Chinese words by zero-width
spaces; without this separator segmentation finds less, not more."""
SECTION_BOOST = 2.5
"""Material lifts a whole match in a page 1 + 2² = 5 times and in a section 1 + 1² = 2 times; this makes them equal."""
_EXCLUDED = re.compile(r"<(\w+)[^>]*\sdata-search-exclude[^>]*>")
_HEADING = re.compile(r"<h1.*?</h1>", re.DOTALL)
_BOUNDARY = re.compile(r'class="rl-boundary">\s*<h2>(.*?)</h2>(.*?)</section>', re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_CUT_BY = (version("mkdocs-material"), version("jieba"))


def set_search(config: MkDocsConfig, ledger: Ledger, language: Language) -> str:
    """Search that finds Chinese words; returns the words that the segmenter has to know, the glossary's terms."""
    # the same for both: what Material adds for Chinese cuts English words to stems in the index, but not in queries
    config.plugins[SEARCH].config.update(lang=["en"], separator=SEPARATOR, pipeline=["stopWordFilter"])
    logging.getLogger("jieba").setLevel(logging.WARNING)
    words = {term.name.zh.split("（")[0] for term in ledger.terms.values() if term.name.zh}
    return "".join(f"{word} 1000 n\n" for word in sorted(words)) if language == "zh" else ""


@lru_cache
def teach(words: str) -> None:
    """Let the segmenter know words; it reads its own dictionary for that, which takes a second."""
    if words:
        jieba.load_userdict(StringIO(words))


def kept_name(page: Page, html: str, words: str) -> str:
    """The name of what search reads in a page: it depends on the page's text and place, and on who cuts words."""
    return name_of(*_CUT_BY, words, page.url, json.dumps(page.meta.get("title", page.title)), html)


def search_entries(config: MkDocsConfig) -> list[dict[str, Any]]:
    """What search has read so far."""
    search: Any = config.plugins[SEARCH]
    entries: list[dict[str, Any]] = search.search_index.entries
    return entries


def indexed(html: str) -> str:
    """A page without the parts marked as not for the index, and without its heading, which the title repeats."""
    kept, at = [], 0
    while found := _EXCLUDED.search(html, at):
        kept.append(html[at : found.start()])
        at = _end_of(found, html)
    return _HEADING.sub("", "".join([*kept, html[at:]]), count=1)


def _end_of(opening: re.Match[str], html: str) -> int:
    """Where the element ends that a tag opens."""
    depth = 1
    for tag in re.compile(rf"<(/?){opening[1]}\b[^>]*>").finditer(html, opening.end()):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.end()
    return len(html)


def unmarked(html: str) -> str:
    """A page without the marks, which only the index needs."""
    return html.replace(' data-search-exclude=""', "")


def annotate(entries: list[dict[str, Any]], html: str) -> None:
    """Give a page's entries its boundary, which the results show, and its sections the weight of a page."""
    boundary = _BOUNDARY.search(html)
    for entry in entries:
        if boundary:
            entry["boundary"] = f"<strong>{boundary[1]}</strong> {' '.join(_TAG.sub(' ', boundary[2]).split())}"
        if "#" in entry["location"]:
            entry["boost"] = SECTION_BOOST
        if entry["location"].startswith("glossary/#"):
            # a definition stands before the pages that use its word, and the term itself before longer ones
            entry["boost"] *= 1 + 1 / len(entry["title"].split())
