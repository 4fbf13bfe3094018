"""Whether a folder, an archive, an image or an address holds a release, file by file. This is the package's door."""

from site_build.verifying.compare import Verdict, verify
from site_build.verifying.contents import read_contents

__all__ = ["Verdict", "read_contents", "verify"]
