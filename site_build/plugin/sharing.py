"""What a shared link and a crawler find: a card for each section, and the way to the sitemaps."""

import logging
from collections.abc import Iterable

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from site_build.exports import Edition, api_files, language_files
from site_build.messages import WORDS
from site_build.model import Language, Ledger
from site_build.plugin.theme import ASSETS, language_address
from site_build.views import Page
from site_build.visuals import can_draw, card_png

CARDS = f"{ASSETS}/cards"
HOME = "home"

log = logging.getLogger("site_build")


def shared_files(config: MkDocsConfig, ledger: Ledger, language: Language, pages: Iterable[Page]) -> list[File]:
    """The cards of a language's sections, and `robots.txt` beside the first language; tells templates of the cards.

    Where no font of this machine has the language's signs, its pages show the cards of the first language.
    """
    first = ledger.info.languages[0]
    address = config.site_url or ""
    site = ledger.info.title.in_language(language)
    sections = {page.path or HOME: page for page in pages if "/" not in page.path}
    files = [] if language != first else [File.generated(config, "robots.txt", content=_robots(config, ledger))]
    if can_draw(WORDS[language].labels["questions"]):
        files += [
            File.generated(config, f"{CARDS}/{name}.png", content=card_png(site, page.title, page.description))
            for name, page in sections.items()
        ]
    else:
        log.warning("CARDS: expected a font for %s, got none; links to its pages show the cards of %s", language, first)
        address = language_address(address, ledger, language, first)
    config.extra["ledger"]["cards"] = {"names": set(sections), "address": f"{address}{CARDS}/"}
    return files


def data_files(config: MkDocsConfig, edition: Edition, language: Language) -> list[File]:
    """What the site publishes for programs: beside the first language the whole ledger, beside each its own files."""
    found = language_files(edition, language) | (api_files(edition) if language == edition.first else {})
    return [File.generated(config, path, content=content) for path, content in found.items()]


def _robots(config: MkDocsConfig, ledger: Ledger) -> str:
    first, *others = ledger.info.languages
    address = config.site_url or ""
    roots = [address, *(language_address(address, ledger, first, other) for other in others)]
    return "User-agent: *\nAllow: /\n" + "".join(f"Sitemap: {root}sitemap.xml\n" for root in roots)
