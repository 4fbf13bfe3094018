"""Inline scripts become files: the content policy allows none in a page."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
FOLDER = "assets/inline"


def move_inline_scripts(html: str, site: Path, link: Callable[[str], str]) -> str:
    """Write each inline script to a file named by its content, and load it from there."""

    def move(found: re.Match[str]) -> str:
        script = found[1].encode()
        name = f"{FOLDER}/{hashlib.sha256(script).hexdigest()[:16]}.js"
        if not (site / name).exists():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_bytes(script)
        return f'<script src="{link(name)}"></script>'

    return _INLINE_SCRIPT.sub(move, html)
