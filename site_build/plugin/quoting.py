"""Cards of claims for other sites: a page and a picture each, outside the frame and the sitemap."""

from collections.abc import Iterator

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from site_build.model import Language, Ledger
from site_build.policy import CARDS, META_POLICY
from site_build.render import render_template
from site_build.views import Results, Scope, card_view
from site_build.visuals import badge_svg


def card_files(config: MkDocsConfig, ledger: Ledger, language: Language, results: Results) -> Iterator[File]:
    """The card of each claim in one language."""
    for question, _, claim in ledger.claims():
        scope = Scope(ledger, language, f"{CARDS}/{question.id}.{claim.id}", results)
        view = card_view(scope, question, claim, META_POLICY)
        yield File.generated(config, f"{view.path}/index.html", content=render_template("card", language, view=view))
        yield File.generated(config, f"{view.path}.svg", content=badge_svg(view.badge))
