"""The one room that knows MkDocs. This is the package's door."""

from site_build.plugin.build import Draft, build_site, draft_site, publish
from site_build.plugin.hooks import LedgerPlugin
from site_build.plugin.preview import Preview

__all__ = ["Draft", "LedgerPlugin", "Preview", "build_site", "draft_site", "publish"]
