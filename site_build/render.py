"""Views become HTML through templates. Ledger text arrives finished and is never executed as a template."""

from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from site_build.memory import keep, name_of, recall
from site_build.messages import WORDS
from site_build.model import Language
from site_build.views import Html, Page

TEMPLATES = Path(__file__).parent / "templates" / "pages"


class KeptTemplates(BytecodeCache):
    """Compiled templates, kept between builds; Jinja asks for the very source and version again."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was kept, if there is any."""
        if (kept := recall("templates", _template_name(bucket))) is not None:
            bucket.bytecode_from_string(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template that was just compiled."""
        keep("templates", _template_name(bucket), bucket.bytecode_to_string())


def _template_name(bucket: Bucket) -> str:
    extensions = sorted(bucket.environment.extensions)
    return name_of(version("jinja2"), *extensions, bucket.key, bucket.checksum)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=KeptTemplates(),
    )
    # data for scripts keeps the ledger's order and its letters
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return environment


def render_page(page: Page, language: Language) -> Html:
    """Print a page's view with its template."""
    return render_template(page.template, language, view=page.view, page=page)


def render_template(name: str, language: Language, **context: Any) -> Html:
    """Print a template with the words of a language."""
    template = _environment().get_template(f"{name}.html.j2")
    return Html(template.render(labels=WORDS[language].labels, language=language, **context))
