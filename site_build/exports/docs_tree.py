"""A plain docs tree: every page of a built site as Markdown that holds finished HTML, for other generators to build."""

import json
import posixpath
import re
import shutil
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from site_build.messages import WORDS
from site_build.model import Language, Ledger
from site_build.views import navigation

STYLE = "assets/ledger/ledger.css"
_SCRIPTS = (".js", ".mjs")
_ARTICLE = re.compile(r'<article class="md-content__inner[^>]*>(.*)</article>', re.DOTALL)
_TITLE = re.compile(r'<meta property="og:title" content="([^"]*)">')
_ABOUT = re.compile(r'<meta name="description" content="([^"]*)">')
_LINK = re.compile(r'\s(?:href|src|data)="([^"#:]+)"')


def write_docs(site: Path, ledger: Ledger, out: Path) -> int:
    """Write a built site's pages, and the files they link to, as `docs/` and `mkdocs.yml`; returns how many pages.

    The pages are complete without scripts, so scripts and the runtime of the labs stay out: a lab shows its static
    result. `mkdocs.yml` names no plugin of ours; MkDocs with Material and Zensical both read it.
    """
    docs = out / "docs"
    titles: dict[str, str] = {}
    wanted = {STYLE}
    for file in sorted(site.rglob("index.html")):
        path = file.parent.relative_to(site).as_posix()
        html = file.read_text(encoding="utf-8")
        if (body := _ARTICLE.search(html)) is None:
            # a card is a whole page of its own
            wanted |= {posixpath.normpath(posixpath.join(path, link)) for link in ("index.html", *_LINK.findall(html))}
            continue
        titles[path] = _found(_TITLE, html) or path
        head = {"title": titles[path], "description": _found(_ABOUT, html)}
        page = docs / path / "index.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        fields = "".join(f"{name}: {_as_yaml(_printed(text))}\n" for name, text in head.items() if text)
        page.write_text(f"---\n{fields}---\n\n{body[1].strip()}\n", encoding="utf-8")
        wanted |= {posixpath.normpath(posixpath.join(path, unquote(link))) for link in _LINK.findall(body[1])}
    for name in sorted(wanted):
        if (site / name).is_file() and not name.startswith("../") and not name.endswith(_SCRIPTS):
            target = docs / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(site / name, target)
    (out / "mkdocs.yml").write_text(_settings(ledger, titles), encoding="utf-8")
    return len(titles)


def _found(pattern: re.Pattern[str], html: str) -> str:
    found = pattern.search(html)
    return unescape(found[1]) if found else ""


def _printed(text: str) -> str:
    """A text as other generators have to get it: their templates print it as it is."""
    return text.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _as_yaml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _settings(ledger: Ledger, titles: Mapping[str, str]) -> str:
    """`mkdocs.yml`, as JSON values in YAML lines: sections and indexes stand in the navigation, records do not."""
    first = ledger.info.languages[0]
    nav = [*_nav(ledger, first, titles, "")]
    for language in ledger.info.languages[1:]:
        nav.append(
            {_printed(ledger.info.title.in_language(language)): [*_nav(ledger, language, titles, f"{language}/")]}
        )
    settings = {
        "site_name": _printed(ledger.info.title.in_language(first)),
        "site_url": ledger.info.address,
        "docs_dir": "docs",
        "theme": {"name": "material", "language": first, "font": False},
        "plugins": ["search"],
        "extra_css": [STYLE],
        "nav": nav,
        "not_in_nav": "*.md",
    }
    return "".join(f"{name}: {_as_yaml(value)}\n" for name, value in settings.items())


def _nav(ledger: Ledger, language: Language, titles: Mapping[str, str], prefix: str) -> Iterator[dict[str, object]]:
    yield {WORDS[language].labels["home"]: f"{prefix}index.md"}
    for group in navigation(ledger, language):
        own = [prefix + path for path in group.paths]
        yield {_printed(group.title): [{_printed(titles[path]): f"{path}/index.md"} for path in own if path in titles]}
