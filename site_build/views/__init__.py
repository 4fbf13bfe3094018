"""Records become finished strings here. This is the package's door."""

from site_build.views.home import prose_path
from site_build.views.pages import Entry, Page
from site_build.views.scope import FOLDERS, LISTS, Html, Scope
from site_build.views.site import NavGroup, navigation, pages

__all__ = ["FOLDERS", "LISTS", "Entry", "Html", "NavGroup", "Page", "Scope", "navigation", "pages", "prose_path"]
