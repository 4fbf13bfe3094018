"""A preview that follows the editor: built again when a file of the project changes, faults and all."""

from pathlib import Path

from site_build.messages import put_in_words
from site_build.model import Language
from site_build.plugin import build_site
from site_build.problems import Faults
from site_build.render import render_template
from site_build.swap import built_aside

WATCHED = ("ledger", "content", "mkdocs.yml")


class LiveSite:
    """The newest build of a project, in a folder of its own."""

    def __init__(self, root: Path, folder: Path, language: Language) -> None:
        self.root, self.folder, self.language = root, folder, language
        self.newest = ""
        self.seen: tuple[tuple[str, int, int], ...] = ()

    def follow(self) -> bool:
        """Build again if a watched file changed; says whether it did."""
        now = self.state()
        if now == self.seen:
            return False
        self.seen = now
        try:
            self.newest = build_site(self.root, self.folder, preview=True)
        except Faults as faults:
            lines = tuple(put_in_words(problem, self.language).line for problem in faults.problems)
            self.newest = f"faults-{hash(lines)}"
            self.show_faults(lines)
        return True

    def state(self) -> tuple[tuple[str, int, int], ...]:
        """Name, time and size of every watched file."""
        found = []
        for name in WATCHED:
            path = self.root / name
            for file in (path,) if path.is_file() else path.rglob("*"):
                if file.is_file():
                    status = file.stat()
                    found.append((str(file), status.st_mtime_ns, status.st_size))
        return tuple(sorted(found))

    def show_faults(self, lines: tuple[str, ...]) -> None:
        """Where nothing can be read, the faults are the page."""
        with built_aside(self.folder) as aside:
            page = render_template("faults_alone", self.language, view=lines, build=self.newest)
            (aside / "index.html").write_text(page, encoding="utf-8")
            script = Path(__file__).parent / "templates" / "theme" / "assets" / "ledger" / "preview.js"
            (aside / "preview.js").write_bytes(script.read_bytes())
