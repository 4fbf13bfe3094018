"""The one room that knows MkDocs. This is the package's door."""

from site_build.plugin.build import build_site
from site_build.plugin.hooks import LedgerPlugin
from site_build.plugin.preview import Preview

__all__ = ["LedgerPlugin", "Preview", "build_site"]
