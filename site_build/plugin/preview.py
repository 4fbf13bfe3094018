"""A preview shows a ledger with faults: what can be read, the broken records marked, the faults on their pages."""

from dataclasses import dataclass

from site_build.messages import put_in_words
from site_build.model import Language, Ledger
from site_build.problems import Place, Problem
from site_build.render import render_template
from site_build.views import FOLDERS, Html, Page

FAULTS_PATH = "faults"


@dataclass(frozen=True)
class Preview:
    """What a preview knows beyond a strict build."""

    problems: tuple[Problem, ...]

    def pages(self, ledger: Ledger, language: Language) -> tuple[Page, ...]:
        """The list of faults, and a page in the place of each record that could not be read."""
        found = [Page(FAULTS_PATH, "faults", FAULTS_PATH, "", self.lines(language))]
        for record in ledger.unread:
            if record.kind in FOLDERS and record.id and record.id not in ledger.records[record.kind]:
                path = f"{FOLDERS[record.kind]}/{record.id}"
                lines = self.lines(language, record.file)
                found.append(Page(path, "unread", record.id, "", (record.id, record.file, lines), kind="unread"))
        return tuple(found)

    def lines(self, language: Language, file: str = "") -> tuple[str, ...]:
        """The faults in words: of one file, or all."""
        chosen = (problem for problem in self.problems if not file or problem.place.file == file)
        return tuple(put_in_words(problem, language).line for problem in chosen)

    def notice(self, origin: Place | None, language: Language) -> Html:
        """The faults of a page's own file, as a box."""
        lines = self.lines(language, origin.file) if origin else ()
        return render_template("notice", language, lines=lines) if lines else Html("")
