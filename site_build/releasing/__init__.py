"""Cut a release: snapshot, site, manifest, archive, image, and a line in the changelog. This is the package's door."""

from site_build.releasing.cut import Cut, cut_release
from site_build.releasing.refusals import CALVER

__all__ = ["CALVER", "Cut", "cut_release"]
