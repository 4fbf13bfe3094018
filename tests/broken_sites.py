"""Sites that were broken on purpose, each in one way that one suite of `k3 regress` owns."""

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from browser.servers import LoggedSite
from regress_world import VERSION

from site_build.policy import HEADER_POLICY
from site_build.regress.suites.home import SLOW_S

type Break = Callable[[Path], None]
Q1 = "questions/Q1/index.html"
F1 = "figures/F1/index.html"
T1 = "tables/T1/index.html"
A = "zh/labs/A/index.html"
CSS = "assets/ledger/ledger.css"
PINNED = f"r/{VERSION}/Q1/index.html"


@dataclass(frozen=True)
class Broken:
    """One fault, who tells it, and a part of what is said."""

    id: str
    suite: str
    says: str
    change: Break | None = None
    """What is done to the folder."""
    handler: type[LoggedSite] | None = None
    """What serves it, where the server is at fault."""
    also: str = ""
    """Part of what the same suite says besides, as a consequence."""

    def explains(self, suite: str, line: str) -> bool:
        """Whether a line of a suite comes from this fault."""
        return suite == self.suite and (self.says in line or bool(self.also and self.also in line))


def swap(name: str, old: str, new: str) -> Break:
    """Replace the first place of a text in a file; files are links to those of the sound site."""

    def change(site: Path) -> None:
        file = next(iter(sorted(site.glob(name))))
        text = file.read_text(encoding="utf-8")
        assert old in text, f"{name} lacks {old!r}"
        file.unlink()
        file.write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def add(name: str, text: str) -> Break:
    """Write a text at the end of a file."""

    def change(site: Path) -> None:
        whole = (site / name).read_text(encoding="utf-8") + text
        (site / name).unlink()
        (site / name).write_text(whole, encoding="utf-8")

    return change


def lose(name: str) -> Break:
    """Take a file or a folder away."""
    return lambda site: (site / name).unlink() if (site / name).is_file() else shutil.rmtree(site / name)


def flip(pattern: str) -> Break:
    """Change one bit in the middle of a file."""

    def change(site: Path) -> None:
        file = next(iter(sorted(site.glob(pattern))))
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.unlink()
        file.write_bytes(bytes(content))

    return change


def both(*changes: Break) -> Break:
    """One fault that takes several changes."""

    def change(site: Path) -> None:
        for one in changes:
            one(site)

    return change


_HIDDEN_ANSWER = both(
    swap(Q1, '<div class="rl-answer"', '<div hidden class="rl-answer"'),
    add("assets/ledger/steps.js", "document.querySelector('.rl-answer')?.removeAttribute('hidden');\n"),
)
_FONT = "@font-face { font-family: F; src: url(https://fonts.example/f.woff2) } article { font-family: F, sans-serif }"
FILES = (
    Broken(
        "claim-of-home-hidden",
        "home",
        'cannot be seen: <span class="rl-claim__text">',
        swap("index.html", '"rl-example"', '"rl-example" hidden'),
        also='cannot be seen: <a class="rl-grade"',
    ),
    Broken(
        "question-not-on-home",
        "home",
        "expected a link to questions/Q1/",
        swap("index.html", '<li><a href="questions/Q1/">', '<li><a href="questions/">'),
    ),
    Broken(
        "missing-page",
        "navigation",
        "redlines/RL1/: expected a page, got 404",
        lose("redlines/RL1"),
        also="redlines/RL1/ answers 404",
    ),
    Broken(
        "wrong-twin", "navigation", "expected the twin", swap(F1, '"../../zh/figures/F1/" h', '"../../zh/figures/" h')
    ),
    Broken(
        "dead-link",
        "navigation",
        "nowhere/ answers 404",
        swap("about/index.html", "</article>", '<a href="nowhere/">x</a></article>'),
    ),
    Broken(
        "dead-anchor",
        "navigation",
        "#nobody finds no such id",
        swap("state/index.html", "</article>", '<a href="#nobody">x</a></article>'),
    ),
    Broken(
        "page-of-another-build",
        "navigation",
        "expected build",
        swap("sources/index.html", 'name="ledger-build" content="', 'name="ledger-build" content="0'),
    ),
    Broken(
        "boundary-hidden",
        "questions",
        'cannot be seen: <section id="boundary"',
        swap(Q1, 'id="boundary"', 'id="boundary" style="visibility:hidden"'),
        also="expected the question's boundary, got none",
    ),
    Broken("no-text-twin", "questions", "has no text twin", swap(Q1, 'class="rl-twin-text"', 'class="rl-other"')),
    Broken(
        "data-of-another-build",
        "figures",
        "build: expected",
        swap("components/floor-plan.json", '"build": "', '"build": "0'),
    ),
    Broken(
        "points-lost",
        "figures",
        "points of its pictures",
        swap("zh/components/floor-plan.json", '{\n     "row": 1,\n     "laid": 3.0\n    },', ""),
    ),
    Broken(
        "conclusion-hidden",
        "tables",
        "expected article.rl-record .rl-boundary li",
        swap(T1, "<ul><li>That", "<ul hidden><li>That"),
    ),
    Broken(
        "another-result",
        "parity",
        "expected what the build prints",
        swap(A, '"rl-lab__value">9&nbsp;', '"rl-lab__value">8&nbsp;'),
    ),
    Broken(
        "work-without-address",
        "path",
        "expected a link to the work",
        swap("nodes/smith-2020/index.html", 'href="https://tiles.example/floors"', 'href="../"'),
    ),
    Broken(
        "index-of-another-build",
        "search",
        "expected words of the page",
        swap("search/search_index.json", "The report gives 2 rows", "The leaflet gives 3 walls"),
    ),
    Broken(
        "place-not-in-index",
        "search",
        "expected in the index",
        swap("zh/search/search_index.json", '"location":"questions/Q1/"', '"location":"questions/"'),
        also="expected first for its id",
    ),
    Broken(
        "everything-agrees",
        "auditor",
        "expected ['differ'",
        swap("assets/ledger/auditor.js", 'first.id === second.id ? "agree" : "differ"', '"agree"'),
        also="expected the reasons",
    ),
    Broken(
        "reasons-without-names",
        "auditor",
        "expected the reasons",
        swap("assets/ledger/auditor.js", '"{names}"', '"{nobody}"'),
    ),
    Broken(
        "no-banner",
        "citation",
        "withdrawn since, got none",
        swap(PINNED, '"rl-since" role="note"><p><strong>Withdrawn', '"rl-none" role="note"><p><strong>Withdrawn'),
    ),
    Broken(
        "pin-without-hash", "citation", "expected its reference with a hash", swap(f"zh/{PINNED}", ">Q1.c1@", ">Q1.c1 ")
    ),
    Broken(
        "untitled-picture",
        "accessibility",
        "expected a title and a description",
        swap("zh/" + F1, "<desc>", "<metadata>"),
    ),
    Broken(
        "grey-on-grey",
        "accessibility",
        "color-contrast",
        add(CSS, ".rl-home h1 { color: #999 !important; background: #888 }\n"),
    ),
    Broken(
        "dark-on-dark",
        "accessibility",
        "dark: color-contrast",
        add(CSS, '[data-md-color-scheme="slate"] .rl-home .rl-lead { color: #333 !important; background: #222 }\n'),
    ),
    Broken(
        "deaf-to-the-system",
        "home",
        "for who prefers the dark theme",
        swap("zh/index.html", 'data-md-color-media="(prefers-color-scheme: dark)"', 'data-md-color-media="(print)"'),
    ),
    Broken(
        "not-on-paper", "print", "texts are not on paper", add(CSS, "@media print { .rl-lead { display: none } }\n")
    ),
    Broken("needs-a-script", "no-script", "cannot be seen without JavaScript", _HIDDEN_ANSWER),
    Broken("foreign-font", "policy", "https://fonts.example/f.woff2", add(CSS, _FONT)),
    Broken(
        "script-in-the-page",
        "policy",
        "expected no script in the page itself",
        swap("checklist/index.html", "</article>", "<script>0</script></article>"),
    ),
    Broken(
        "no-policy",
        "policy",
        "expected the content policy, got none",
        swap("zh/grades/index.html", 'http-equiv="Content-Security-Policy"', 'name="policy"'),
    ),
)
"""Faults of files that can all stand in one site."""


class _BlockedWorker(LoggedSite):
    """Refuses the worker of the labs."""

    def do_GET(self) -> None:
        """Refuse by name."""
        if "lab_worker.js" in self.path:
            self.send_error(403)
        else:
            super().do_GET()


class _ForgetfulSite(LoggedSite):
    """Tells the browser to forget what it kept, with each page of a lab."""

    def end_headers(self) -> None:
        """Clear what is kept."""
        if "/labs/" in self.path and self.path.endswith("/"):
            self.send_header("Clear-Site-Data", '"storage"')
        super().end_headers()


class _SlowHome(LoggedSite):
    """Thinks long before it answers with the home page."""

    def do_GET(self) -> None:
        """Wait."""
        if self.path == "/":
            time.sleep(SLOW_S + 1)
        super().do_GET()


class _NeverMissing(LoggedSite):
    """Answers a wrong address with 200."""

    def send_response(self, code: int, message: str | None = None) -> None:
        """Say that all is well."""
        super().send_response(200 if code == 404 and "such" in self.path else code, message)


class _WrongType(LoggedSite):
    """Sends WebAssembly as something else."""

    extensions_map = {**LoggedSite.extensions_map, ".wasm": "application/octet-stream"}  # noqa: RUF012 - as in the base class


class _OtherHeaders(LoggedSite):
    """Sends headers of its own instead of the site's."""

    own = ("Cache-Control", "no-cache")

    def send_header(self, keyword: str, value: str) -> None:
        """Replace one."""
        super().send_header(keyword, self.own[1] if keyword == self.own[0] else value)


class _WeakPolicy(_OtherHeaders):
    """Lets pages load from anywhere, as far as the header says."""

    own = ("Content-Security-Policy", "default-src * 'unsafe-inline' data: blob: 'wasm-unsafe-eval'")


class _UnframedCards(_OtherHeaders):
    """Refuses other sites the cards too."""

    own = ("Content-Security-Policy", HEADER_POLICY)


class _StalePages(_OtherHeaders):
    """Lets browsers keep pages for a year."""

    own = ("Cache-Control", "max-age=31536000, immutable")


ALONE = (
    Broken("changed-wasm", "labs", "pyodide.asm.wasm: expected SHA-256", flip("assets/runtime/*/pyodide.asm.wasm")),
    Broken("changed-labs-script", "labs", "expected controls, got none", flip("assets/labs/*/lab_print.js")),
    Broken("no-index", "search", "expected an index, got 404", lose("search/search_index.json")),
    Broken("no-sitemap", "navigation", "expected the list of pages, got 404", lose("zh/sitemap.xml")),
    Broken("no-home-in-chinese", "navigation", "zh/: expected a page, got 404", lose("zh/index.html")),
)
"""Faults of files that keep other suites from looking, each in a site of its own."""
SERVERS = (
    Broken("blocked-worker", "labs", "expected an answer, got missing_file", handler=_BlockedWorker),
    Broken("forgetful", "offline", "expected ", handler=_ForgetfulSite),
    Broken("slow-home", "home", f"expected an answer within {SLOW_S:g} s", handler=_SlowHome),
    Broken("never-missing", "navigation", "expected 404 for an address that is not there", handler=_NeverMissing),
    Broken("wrong-type", "address", "Content-Type: expected application/wasm", handler=_WrongType),
    Broken("weak-policy", "address", "Content-Security-Policy: expected the site's own", handler=_WeakPolicy),
    Broken("unframed-cards", "address", "Content-Security-Policy: expected the site's own", handler=_UnframedCards),
    Broken("stale-pages", "address", "Cache-Control: expected at most 600 s", handler=_StalePages),
    Broken("file-of-another-release", "address", "robots.txt: expected", swap("robots.txt", "Allow", "Disallow")),
)
"""Faults of servers and of what only an address shows."""
