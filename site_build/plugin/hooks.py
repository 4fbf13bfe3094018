"""The hooks: the ledger's pages are added, markers in prose expanded, scripts moved to files."""

import gc
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils import get_relative_url

from site_build.blocks import in_chapter, link_terms, page_marker
from site_build.build_id import build_id
from site_build.checks import all_points, static_results
from site_build.exports import Edition, citations, page_head
from site_build.labs import can_run
from site_build.memory import keep, recall
from site_build.messages import WORDS
from site_build.model import Language, Ledger, Prose, version_of
from site_build.plugin.inline import move_inline_scripts
from site_build.plugin.preview import Preview
from site_build.plugin.quoting import card_files
from site_build.plugin.search import annotate, indexed, kept_name, search_entries, set_search, teach, unmarked
from site_build.plugin.sharing import data_files, shared_files
from site_build.plugin.theme import ASSETS, language_address, module_script, printed, set_theme
from site_build.problems import Faults, Place
from site_build.render import KeptTemplates, render_page, render_template
from site_build.source import Reading, public_names, read_ledger
from site_build.views import (
    Html,
    LiveLabs,
    Page,
    Results,
    Scope,
    component_data,
    data_path,
    navigation,
    pages,
    prose_path,
)
from site_build.visuals import hold, put_back

_EMPTY_HEAD = re.compile(r"<th([^>]*)>\s*</th>")
_SUMMARY = re.compile(r"<summary>.*?</summary>", re.DOTALL)
_LINK_TAG = re.compile(r"</?a\b[^>]*>")
_NEXT_PAGE = re.compile(r'<link rel="next"[^>]*>')
"""What lets Firefox fetch a page that nobody asked for, which the content policy refuses."""
_GARBAGE = 50_000
"""New objects between two looks for what no name leads to: Python's own number costs a fifth of the time."""
_BARE_TABLE = re.compile(r"<table>(.*?)</table>", re.DOTALL)


class LedgerPlugin(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """Publishes one language of a ledger: `build_site` runs it once each; plain `mkdocs build` shows the first."""

    def __init__(self) -> None:
        self.reading: Reading | None = None
        self.language: Language = "en"
        self.build_id = ""
        self.preview: Preview | None = None
        self.results = Results()
        self.words = ""
        self.edition: Edition | None = None
        self.pages: dict[str, Page] = {}
        self.prose: dict[str, Prose] = {}
        self.held: dict[str, list[str]] = {}
        self.whole, self.entries_before, self.kept_as = "", 0, ""

    def prepare(
        self,
        reading: Reading,
        language: Language,
        identity: str,
        preview: Preview | None = None,
        *,
        live: LiveLabs | None = None,
        parity: Mapping[str, Any] | None = None,
        seen: Mapping[str, Any] | None = None,
        digests: Mapping[str, str] | None = None,
        health: Mapping[str, Any] | None = None,
    ) -> None:
        """Take a reading, and run every lab once for its static result."""
        self.reading, self.language, self.build_id, self.preview = reading, language, identity, preview
        numerics = reading.numerics
        self.results = Results(
            static_results(self.ledger, numerics),
            all_points(self.ledger, numerics),
            live,
            parity,
            seen,
            identity,
            version_of(self.ledger.releases, identity),
            digests or {},
            health=health,
            runtime_missing=live is None and can_run(numerics),
            reference=public_names(numerics),
        )

    @property
    def ledger(self) -> Ledger:
        """The ledger that is being published."""
        if self.reading is None or self.reading.ledger is None:
            raise Faults(self.reading.problems if self.reading else ())
        return self.reading.ledger

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Set what the ledger decides, whatever `mkdocs.yml` says: no font, no repository, no foreign host."""
        if self.reading is None:
            root = Path(config.config_file_path).parent
            reading = read_ledger(root)
            if reading.ledger is None:
                raise Faults(reading.problems)
            config.site_url = address = reading.ledger.info.address
            self.prepare(reading, reading.ledger.info.languages[0], build_id(root, reading.numerics.folder, address))
        first = self.ledger.info.languages[0]
        place = language_address(config.site_url or "", self.ledger, self.language, first)
        self.edition = Edition(self.ledger, place, self.build_id)
        self.results = replace(self.results, address=place, citations=citations(self.ledger, self.language, place))
        own_pages = [*pages(self.ledger, self.language, self.results)]
        if self.preview is not None:
            own_pages += self.preview.pages(self.ledger, self.language)
        self.pages = {source_path(page.path): page for page in own_pages}
        own = (prose for prose in self.ledger.prose if prose.language == self.language)
        self.prose = {source_path(prose_path(prose)): prose for prose in own}
        set_theme(config, self.ledger, self.language, self.build_id)
        if self.preview is not None:
            config.extra["ledger"]["faults"] = len(self.preview.problems)
            config.extra_javascript.append(module_script(f"{ASSETS}/preview.js"))
        self.words = set_search(config, self.ledger, self.language)
        config.nav = list(self.nav())
        return config

    def nav(self) -> Iterator[dict[str, Any]]:
        """The navigation as MkDocs wants it."""
        titles = {path: page.title for path, page in self.pages.items()}
        titles |= {path: prose.head.title for path, prose in self.prose.items()}
        yield {WORDS[self.language].labels["home"]: "index.md"}
        for group in navigation(self.ledger, self.language):
            own = [source_path(path) for path in group.paths]
            yield {printed(group.title): [{printed(titles[path]): path} for path in own if path in titles]}

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Replace the prose files of all languages by this language's pages and the ledger's own."""
        for file in list(files):
            if file.is_documentation_page():
                files.remove(file)
        for path in self.pages:
            files.append(File.generated(config, path, content=""))
        for path, prose in self.prose.items():
            files.append(File.generated(config, path, content=prose.body))
        for component in self.ledger.components.values():
            data = component_data(Scope(self.ledger, self.language, "", self.results), component)
            text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
            files.append(File.generated(config, data_path(component), content=text))
        for file in card_files(config, self.ledger, self.language, self.results):
            files.append(file)
        for file in shared_files(config, self.ledger, self.language, self.pages.values()):
            files.append(file)
        for file in data_files(config, self.edition, self.language) if self.edition else ():
            files.append(file)
        return files

    def on_page_markdown(self, markdown: str, *, page: MkDocsPage, **_: object) -> str:
        """Put formulas and markers of prose aside; a ledger page has no Markdown."""
        path = page.file.src_uri
        if (own := self.pages.get(path)) is not None:
            page.meta["programs"] = partial(self.head, own.path, own.title)
            page.meta.update(
                title=printed(own.title), description=printed(own.description), hide=hidden_parts(own), **own.meta
            )
            return ""
        prose = self.prose[path]
        head = partial(self.head, prose_path(prose), prose.head.title)
        page.meta.update(title=printed(prose.head.title), hide=["toc"], programs=head)
        scope = Scope(self.ledger, self.language, prose_path(prose), self.results)
        markdown, self.held[path] = hold(markdown, page_marker(scope))
        return markdown

    def on_page_content(self, html: str, *, page: MkDocsPage, **_: object) -> str:
        """Put in the finished HTML."""
        path = page.file.src_uri
        # once printed, a view is not needed any more; all of them together are much of a large build's memory
        if (own := self.pages.pop(path, None)) is not None:
            return self.notice(own.origin) + render_page(own, self.language) + self.origin(own.origin)
        place = Place(self.prose[path].file)
        scope = Scope(self.ledger, self.language, prose_path(self.prose[path]), self.results)
        text = accessible(put_back(link_terms(scope, html), self.held.pop(path)), self.language)
        return self.notice(place) + in_chapter(scope, self.prose[path], Html(text)) + self.origin(place)

    def head(self, path: str, title: str) -> str:
        """What the head of a page says to programs."""
        return page_head(self.edition, self.language, path, title) if self.edition else ""

    def notice(self, place: Place | None) -> str:
        """In a preview, the faults of the file that a page comes from."""
        return self.preview.notice(place, self.language) if self.preview else ""

    def origin(self, place: Place | None) -> str:
        """Where an editor changes the page: a link where the ledger has an address for it, the place in a preview."""
        address = self.ledger.info.edit_url
        if place is None or (address is None and self.preview is None):
            return ""
        link = address.replace("{path}", place.file).replace("{line}", str(place.line)) if address else ""
        return render_template("origin", self.language, link=link, place=f"{place.file}:{place.line}")

    def on_env(self, env: Any, **_: object) -> None:
        """Keep templates as they were first read: asking for each page whether they have changed takes long."""
        env.auto_reload = False
        # what was read and printed so far stays; what each page leaves behind adds up to hundreds of megabytes
        gc.freeze()
        gc.set_threshold(_GARBAGE)
        gc.enable()
        env.bytecode_cache = KeptTemplates()

    @event_priority(50)
    def _before_search(self, _: object, /, *, page: MkDocsPage, config: MkDocsConfig, **__: object) -> None:
        """Let search read only what it keeps, and nothing that it has read in an earlier build."""
        entries = search_entries(config)
        self.whole, self.entries_before = page.content or "", len(entries)
        page.content = indexed(self.whole)
        self.kept_as = kept_name(page, page.content, self.words)
        if (kept := recall("search", self.kept_as)) is None:
            teach(self.words)
        else:
            entries += kept
            page.content = ""

    @event_priority(-50)
    def _after_search(self, _: object, /, *, page: MkDocsPage, config: MkDocsConfig, **__: object) -> None:
        """Put the whole page back, keep what search has read, and add to it."""
        read = search_entries(config)[self.entries_before :]
        if page.content:
            keep("search", self.kept_as, read)
        annotate(read, self.whole)
        page.content = unmarked(self.whole)

    on_page_context = CombinedEvent(_before_search, _after_search)

    def on_post_page(self, output: str, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        """Move inline scripts to files: the content policy allows none. What was printed is let go."""
        page.content = ""
        whole = _NEXT_PAGE.sub("", output)
        return move_inline_scripts(whole, Path(config.site_dir), lambda path: get_relative_url(path, page.url))

    def on_post_template(self, output: str, *, template_name: str, config: MkDocsConfig) -> str:
        """The same for the page of a missing address, which may be served at any depth."""
        if not template_name.endswith(".html"):
            return output
        base = "/" + (config.site_url or "/").split("://", 1)[-1].partition("/")[2]
        return move_inline_scripts(output, Path(config.site_dir), lambda path: base + path)


def accessible(html: str, language: Language) -> str:
    """A page of prose that a keyboard and a screen reader can use.

    Each table stands in a box that a keyboard reaches, since Material's own box is none; an empty head is no head; what
    opens an answer holds no links, which could not be told from it.
    """
    html = _SUMMARY.sub(lambda found: _LINK_TAG.sub("", found[0]), _EMPTY_HEAD.sub(r"<td\1></td>", html))
    name = WORDS[language].labels["matrix"]
    box = f'<div class="rl-scroll" tabindex="0" role="group" aria-label="{name}"><table class="rl-table">'
    return _BARE_TABLE.sub(lambda found: f"{box}{found[1]}</table></div>", html)


def hidden_parts(page: Page) -> list[str]:
    """What a page leaves out of Material's frame: only section indexes have neighbours in the sidebar."""
    return ["toc"] if page.kind == "list" else ["toc", "navigation"]


def source_path(path: str) -> str:
    """The name MkDocs knows a page by: folders of records hold an index."""
    return f"{path}.md" if "/" in path else f"{path}/index.md".lstrip("/")
