"""The one room that knows MkDocs: it adds the ledger's pages, expands markers in prose, moves scripts to files."""

import hashlib
import logging
import os
import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils import get_relative_url

from site_build.blocks import page_marker
from site_build.build_id import build_id
from site_build.checks import find_problems
from site_build.messages import WORDS
from site_build.model import Language, Ledger, Prose
from site_build.policy import META_POLICY
from site_build.problems import Faults
from site_build.render import render_page
from site_build.source import Reading, read_ledger
from site_build.swap import built_aside
from site_build.views import Page, Scope, navigation, pages, prose_path
from site_build.visuals import hold, put_back

THEME = Path(__file__).parent / "templates" / "theme"
ASSETS = "assets/ledger"
SEPARATOR = r"[\s\u200b\-]+"
"""The index joins Chinese words by zero-width spaces; without this separator segmentation finds less, not more."""
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
LANGUAGE_NAMES = {"en": "English", "zh": "中文"}


class LedgerPlugin(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """Publishes one language of a ledger: `build_site` runs it once each; plain `mkdocs build` shows the first."""

    def __init__(self) -> None:
        self.reading: Reading | None = None
        self.language: Language = "en"
        self.build_id = ""
        self.pages: dict[str, Page] = {}
        self.prose: dict[str, Prose] = {}
        self.held: dict[str, list[str]] = {}

    def prepare(self, reading: Reading, language: Language, identity: str) -> None:
        """Take what `build_site` has already read."""
        self.reading, self.language, self.build_id = reading, language, identity

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
            self.reading = reading
            self.language = self.ledger.info.languages[0]
            config.site_url = self.ledger.info.address
            self.build_id = build_id(root, reading.numerics.folder, self.ledger.info.address)
        self.pages = {source_path(page.path): page for page in pages(self.ledger, self.language)}
        own = (prose for prose in self.ledger.prose if prose.language == self.language)
        self.prose = {source_path(prose_path(prose)): prose for prose in own}
        set_theme(config, self.ledger, self.language, self.build_id)
        set_search(config, self.ledger, self.language)
        config.nav = list(self.nav())
        return config

    def nav(self) -> Iterator[dict[str, Any]]:
        """The navigation as MkDocs wants it."""
        titles = {path: page.title for path, page in self.pages.items()}
        titles |= {path: prose.meta.get("title", prose.id) for path, prose in self.prose.items()}
        yield {WORDS[self.language].labels["home"]: "index.md"}
        for group in navigation(self.ledger, self.language):
            yield {group.title: [{titles[source_path(path)]: source_path(path)} for path in group.paths]}

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Replace the prose files of all languages by this language's pages and the ledger's own."""
        for file in list(files):
            if file.is_documentation_page():
                files.remove(file)
        for path in self.pages:
            files.append(File.generated(config, path, content=""))
        for path, prose in self.prose.items():
            files.append(File.generated(config, path, content=prose.body))
        return files

    def on_page_markdown(self, markdown: str, *, page: MkDocsPage, **_: object) -> str:
        """Put formulas and markers of prose aside; a ledger page has no Markdown."""
        path = page.file.src_uri
        if (own := self.pages.get(path)) is not None:
            page.meta.update(
                {"title": own.title, "description": own.description, "hide": hidden_parts(own), **own.meta}
            )
            return ""
        prose = self.prose[path]
        page.meta.update({"title": prose.meta.get("title", prose.id), "hide": ["toc"]})
        scope = Scope(self.ledger, self.language, prose_path(prose))
        markdown, self.held[path] = hold(markdown, page_marker(scope))
        return markdown

    def on_page_content(self, html: str, *, page: MkDocsPage, **_: object) -> str:
        """Put in the finished HTML."""
        path = page.file.src_uri
        if (own := self.pages.get(path)) is not None:
            return render_page(own, self.language)
        return put_back(html, self.held.pop(path))

    def on_post_page(self, output: str, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        """Move inline scripts to files: the content policy allows none."""
        return move_inline_scripts(output, Path(config.site_dir), lambda path: get_relative_url(path, page.url))

    def on_post_template(self, output: str, *, template_name: str, config: MkDocsConfig) -> str:
        """The same for the page of a missing address, which may be served at any depth."""
        if not template_name.endswith(".html"):
            return output
        base = "/" + (config.site_url or "/").split("://", 1)[-1].partition("/")[2]
        return move_inline_scripts(output, Path(config.site_dir), lambda path: base + path)


def hidden_parts(page: Page) -> list[str]:
    """What a page leaves out of Material's frame: only section indexes have neighbours in the sidebar."""
    return ["toc"] if page.kind == "list" else ["toc", "navigation"]


def source_path(path: str) -> str:
    """The name MkDocs knows a page by: folders of records hold an index."""
    return f"{path}.md" if "/" in path else f"{path}/index.md".lstrip("/")


def move_inline_scripts(html: str, site: Path, link: Any) -> str:
    """Write each inline script to a file named by its content, and load it from there."""

    def move(found: re.Match[str]) -> str:
        script = found[1].encode()
        name = f"{ASSETS}/inline/{hashlib.sha256(script).hexdigest()[:16]}.js"
        if not (site / name).exists():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_bytes(script)
        return f'<script src="{link(name)}"></script>'

    return _INLINE_SCRIPT.sub(move, html)


def set_theme(config: MkDocsConfig, ledger: Ledger, language: Language, identity: str) -> None:
    """Material with our templates in front, and everything off that calls another host."""
    labels = WORDS[language].labels
    config.theme.dirs.insert(0, str(THEME))
    config.theme["language"] = language
    config.theme["font"] = False
    config.theme["features"] = ["navigation.tabs", "navigation.top", "search.highlight"]
    config.theme["icon"] = {"logo": "material/scale-balance"}
    config.theme["palette"] = [
        {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "custom", "accent": "custom",
         "toggle": {"icon": "material/weather-night", "name": labels["to_dark"]}},
        {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "custom", "accent": "custom",
         "toggle": {"icon": "material/weather-sunny", "name": labels["to_light"]}},
    ]  # fmt: skip
    config.site_name = ledger.info.title.in_language(language)
    config.site_description = ledger.info.description.in_language(language)
    config.copyright = f"{config.site_name} · {labels['licence']}"
    config.repo_url = None
    config.extra_css = [f"{ASSETS}/ledger.css"]
    config.extra_javascript = [f"{ASSETS}/ledger.js"]
    others = [other for other in ledger.info.languages if other != language]
    config.extra.update(
        generator=False,
        # true, not a list: a list would make every page ask for the other language's sitemap
        alternate=bool(others),
        ledger={
            "policy": META_POLICY,
            "build_id": identity,
            "labels": labels,
            "twins": [
                {"language": other, "name": LANGUAGE_NAMES[other], "prefix": twin_prefix(ledger, language, other)}
                for other in others
            ],
            "ways_in": [(labels[name], f"{name}/") for name in ("questions", "values", "glossary", "coverage")],
        },
    )


def twin_prefix(ledger: Ledger, language: Language, other: Language) -> str:
    """The way from one language's root to another's."""
    first = ledger.info.languages[0]
    return ("" if language == first else "../") + ("" if other == first else f"{other}/")


def set_search(config: MkDocsConfig, ledger: Ledger, language: Language) -> None:
    """Search that finds Chinese words: the glossary's terms are words of the segmenter's dictionary."""
    search = config.plugins["material/search"]
    search.config["lang"] = ["zh", "en"] if language == "zh" else ["en"]
    search.config["separator"] = SEPARATOR
    words = sorted({term.name.zh for term in ledger.terms.values() if term.name.zh} if language == "zh" else ())
    if words:
        # jieba reads a file; it is loaded while the configuration is read and not needed again
        with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False, encoding="utf-8") as dictionary:
            dictionary.write("".join(f"{word.split('（')[0]} 1000 n\n" for word in words))
        search.config["jieba_dict_user"] = dictionary.name


def build_site(root: Path, out: Path, address: str | None = None) -> str:
    """Check the project at `root` and publish it to `out`; the old site stays whole until the new one is finished.

    Returns the build id.

    Raises:
        Faults: the ledger has errors; nothing was written.
    """
    reading = read_ledger(root)
    problems = find_problems(reading)
    if reading.ledger is None or any(problem.severity == "error" for problem in problems):
        raise Faults(problems)
    address = (address or reading.ledger.info.address).rstrip("/") + "/"
    identity = build_id(root, reading.numerics.folder, address)
    day = datetime.fromisoformat(reading.ledger.info.date).replace(tzinfo=UTC)
    os.environ["SOURCE_DATE_EPOCH"] = str(int(day.timestamp()))
    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    with built_aside(out) as aside:
        for index, language in enumerate(reading.ledger.info.languages):
            part = "" if index == 0 else f"{language}/"
            config = load_config(str(root / "mkdocs.yml"), site_dir=str(aside / part), site_url=address + part)
            config.plugins["ledger"].prepare(reading, language, identity)  # type: ignore[attr-defined]
            mkdocs_build(config)
    return identity
