"""Records become finished strings here. This is the package's door."""

from site_build.views.cards import card_view
from site_build.views.chapters import chapter_view
from site_build.views.claim import claim_view
from site_build.views.component_data import component_data, data_path
from site_build.views.components import component_view
from site_build.views.differences import difference
from site_build.views.home import prose_path
from site_build.views.lab_data import lab_data
from site_build.views.pages import Page, entry
from site_build.views.records import authors
from site_build.views.released import released
from site_build.views.releases import FOLDER as RELEASES
from site_build.views.resources import (
    API,
    ATOM,
    CSV,
    CSV_TABLES,
    FEED,
    JSON,
    NAMES,
    OPENAPI,
    OUTLINE,
    SCHEMAS,
    SQLITE,
    WHOLE,
    beside_home,
    csv_file,
    list_file,
    public_kind,
    record_file,
    release_file,
    schema_file,
    table_of,
)
from site_build.views.scope import CITING, FOLDERS, LISTS, Html, LabSource, LiveLabs, Results, Scope
from site_build.views.site import navigation, pages

__all__ = [
    "API",
    "ATOM",
    "CITING",
    "CSV",
    "CSV_TABLES",
    "FEED",
    "FOLDERS",
    "JSON",
    "LISTS",
    "NAMES",
    "OPENAPI",
    "OUTLINE",
    "RELEASES",
    "SCHEMAS",
    "SQLITE",
    "WHOLE",
    "Html",
    "LabSource",
    "LiveLabs",
    "Page",
    "Results",
    "Scope",
    "authors",
    "beside_home",
    "card_view",
    "chapter_view",
    "claim_view",
    "component_data",
    "component_view",
    "csv_file",
    "data_path",
    "difference",
    "entry",
    "lab_data",
    "list_file",
    "navigation",
    "pages",
    "prose_path",
    "public_kind",
    "record_file",
    "release_file",
    "released",
    "schema_file",
    "table_of",
]
