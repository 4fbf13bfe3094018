"""Records become finished strings here. This is the package's door."""

from site_build.views.chapters import chapter_view
from site_build.views.claim import claim_view
from site_build.views.component_data import component_data, data_path
from site_build.views.components import component_view
from site_build.views.differences import difference
from site_build.views.home import prose_path
from site_build.views.lab_data import lab_data
from site_build.views.pages import Page, entry
from site_build.views.released import released
from site_build.views.scope import FOLDERS, Html, LabSource, LiveLabs, Results, Scope
from site_build.views.site import navigation, pages

__all__ = [
    "FOLDERS",
    "Html",
    "LabSource",
    "LiveLabs",
    "Page",
    "Results",
    "Scope",
    "chapter_view",
    "claim_view",
    "component_data",
    "component_view",
    "data_path",
    "difference",
    "entry",
    "lab_data",
    "navigation",
    "pages",
    "prose_path",
    "released",
]
