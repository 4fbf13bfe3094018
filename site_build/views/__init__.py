"""Records become finished strings here. This is the package's door."""

from site_build.views.claim import claim_view
from site_build.views.home import prose_path
from site_build.views.pages import Page, entry
from site_build.views.scope import FOLDERS, Html, Scope
from site_build.views.site import navigation, pages

__all__ = ["FOLDERS", "Html", "Page", "Scope", "claim_view", "entry", "navigation", "pages", "prose_path"]
