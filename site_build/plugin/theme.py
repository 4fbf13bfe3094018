"""Material as this site wants it: our templates in front, nothing from another host."""

from html import escape
from pathlib import Path

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig

from site_build.messages import WORDS
from site_build.model import Language, Ledger, version_of
from site_build.policy import META_POLICY
from site_build.views import Html

TEMPLATES = Path(__file__).parent.parent / "templates" / "theme"
ASSETS = "assets/ledger"
SCRIPTS = ("ledger", "card", "cite", "filter", "steps", "composer", "auditor")
"""Scripts of every page, run after it is there."""
LANGUAGE_NAMES = {"en": "English", "zh": "中文"}


def set_theme(config: MkDocsConfig, ledger: Ledger, language: Language, identity: str) -> None:
    """Material with our templates in front, and everything off that calls another host."""
    labels = WORDS[language].labels
    config.theme.dirs.insert(0, str(TEMPLATES))
    config.theme["language"] = language
    config.theme["font"] = False
    config.theme["features"] = ["navigation.tabs", "navigation.top", "search.highlight"]
    config.theme["favicon"] = f"{ASSETS}/favicon.svg"
    config.theme["icon"] = {"logo": "material/scale-balance"}
    config.theme["palette"] = [
        {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "custom", "accent": "custom",
         "toggle": {"icon": "material/weather-night", "name": labels["to_dark"]}},
        {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "custom", "accent": "custom",
         "toggle": {"icon": "material/weather-sunny", "name": labels["to_light"]}},
    ]  # fmt: skip
    config.site_name = printed(ledger.info.title.in_language(language))
    config.site_description = printed(ledger.info.description.in_language(language))
    config.copyright = f"{config.site_name} · {labels['licence']}"
    config.repo_url = None
    config.extra_css = [f"{ASSETS}/ledger.css"]
    config.extra_javascript = [module_script(f"{ASSETS}/{name}.js") for name in SCRIPTS]
    others = [other for other in ledger.info.languages if other != language]
    config.extra.update(
        generator=False,
        # true, not a list: a list would make every page ask for the other language's sitemap
        alternate=bool(others),
        ledger={
            "policy": META_POLICY,
            "build_id": identity,
            "version": version_of(ledger.releases, identity),
            "labels": labels,
            "twins": [
                {"language": other, "name": LANGUAGE_NAMES[other], "prefix": twin_prefix(ledger, language, other)}
                for other in others
            ],
            "alternates": [
                {"language": other, "address": language_address(config.site_url or "", ledger, language, other)}
                for other in ledger.info.languages
            ],
            "ways_in": [(labels[name], f"{name}/") for name in ("questions", "values", "glossary", "coverage")],
        },
    )


def printed(text: str) -> Html:
    """A text as Material's templates have to get it: they print everything as it is."""
    return Html(escape(text))


def module_script(path: str) -> ExtraScriptValue:
    """A script with names of its own, run after the page is there."""
    script = ExtraScriptValue(path)
    script.type = "module"
    return script


def language_address(address: str, ledger: Ledger, language: Language, other: Language) -> str:
    """The address of another language's root, seen from the address of this one's."""
    first = ledger.info.languages[0]
    root = address if language == first else address.removesuffix(f"{language}/")
    return root if other == first else f"{root}{other}/"


def twin_prefix(ledger: Ledger, language: Language, other: Language) -> str:
    """The way from one language's root to another's."""
    first = ledger.info.languages[0]
    return ("" if language == first else "../") + ("" if other == first else f"{other}/")
