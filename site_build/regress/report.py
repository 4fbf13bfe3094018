"""What a run found, for people and for machines: a page with screenshots, JUnit's XML, JSON, and the evidence."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from site_build.regress.runner import Outcome

STATES = ("passed", "failed", "flaky", "elsewhere")
_STYLE = """body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
  color: #1b1b1b; background: #fff } table { border-collapse: collapse } td, th { padding: .25rem .75rem;
  border-bottom: 1px solid #ccc; text-align: left } td.n { text-align: right; font-variant-numeric: tabular-nums }
.failed { color: #a3001b; font-weight: 600 } .flaky { color: #7a4b00; font-weight: 600 } img { max-width: 22rem;
  border: 1px solid #999; margin: .25rem } section { margin-top: 2rem } pre { white-space: pre-wrap }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #161616 } .failed { color: #ff8d8d }
  .flaky { color: #ffc46b } a { color: #9cc4ff } }"""


@dataclass(frozen=True)
class Run:
    """A run of suites over a site."""

    build: str
    address: str
    """Empty for a folder."""
    browser: str
    seconds: float
    workers: int
    suites: tuple[str, ...]
    """Every suite that ran, one without cases too."""
    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()
    """What a reader of the report should know and is no fault."""

    @property
    def good(self) -> bool:
        """Whether nothing failed."""
        return not self.of("failed")

    def of(self, state: str, suite: str | None = None) -> list[Outcome]:
        """The cases that ended in a way."""
        return [one for one in self.outcomes if one.state == state and suite in (None, one.suite)]


def evidence_of(run: Run) -> dict[str, Any]:
    """What is committed: the build, and for each suite how many cases ended how, with what failed."""
    suites = {
        suite: {
            "cases": sum(one.suite == suite for one in run.outcomes),
            **{state: len(run.of(state, suite)) for state in STATES if state != "elsewhere"},
            "seconds": round(sum(one.seconds for one in run.outcomes if one.suite == suite), 1),
        }
        for suite in run.suites
    }
    faults = [
        {"suite": one.suite, "case": one.name, "state": one.state, "faults": list(one.faults)}
        for one in run.outcomes
        if one.state in ("failed", "flaky")
    ]
    return {
        "build": run.build,
        "address": run.address or None,
        "browser": run.browser,
        "workers": run.workers,
        "seconds": round(run.seconds, 1),
        "suites": suites,
        "faults": faults,
    }


def clear(folder: Path) -> None:
    """Make room for a report: pictures and traces of an earlier one go, nothing else."""
    for name, ending in (("pictures", "png"), ("traces", "zip")):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for old in (folder / name).glob(f"*.{ending}"):
            old.unlink()


def write_report(folder: Path, run: Run) -> None:
    """Write `index.html`, `junit.xml` and `regress.json`."""
    (folder / "index.html").write_text("".join(_page(run)), encoding="utf-8")
    data = {**evidence_of(run), "notes": list(run.notes), "cases": [asdict(one) for one in run.outcomes]}
    (folder / "regress.json").write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    ElementTree.ElementTree(_junit(run)).write(folder / "junit.xml", encoding="utf-8", xml_declaration=True)


def _junit(run: Run) -> ElementTree.Element:
    root = ElementTree.Element("testsuites", name="k3 regress", time=f"{run.seconds:.1f}")
    for suite in run.suites:
        own = [one for one in run.outcomes if one.suite == suite]
        part = ElementTree.SubElement(
            root,
            "testsuite",
            name=suite,
            tests=str(len(own)),
            failures=str(len(run.of("failed", suite))),
            skipped=str(len(run.of("elsewhere", suite))),
            time=f"{sum(one.seconds for one in own):.1f}",
        )
        for one in own:
            case = ElementTree.SubElement(part, "testcase", classname=suite, name=one.name, time=f"{one.seconds:.1f}")
            text = _printable("\n".join(one.faults))
            if one.state == "failed":
                ElementTree.SubElement(case, "failure", message=text[:200]).text = text
            elif one.state == "elsewhere":
                ElementTree.SubElement(case, "skipped", message=f"see {one.owner}: {text[:200]}")
            elif one.state == "flaky":
                ElementTree.SubElement(case, "system-out").text = f"passed at the second try; at the first: {text}"
    return root


def _printable(text: str) -> str:
    """Without the characters that XML does not know."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "?" for sign in text)


def _page(run: Run) -> Iterator[str]:
    verdict = "All suites passed" if run.good else f"{len(run.of('failed'))} cases failed"
    yield f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{verdict}</title><style>{_STYLE}</style>'
    yield f"<h1>{verdict}</h1><p>Build <code>{escape(run.build)}</code>"
    yield f", {escape(run.address)}" if run.address else ""
    yield f", {escape(run.browser)}, {run.workers} workers, {run.seconds:.0f} s.</p>"
    yield "".join(f"<p>{escape(note)}</p>" for note in run.notes)
    heads = "".join(f"<th>{name}</th>" for name in ("suite", "cases", *STATES, "seconds"))
    yield f"<table><tr>{heads}</tr>"
    for suite in run.suites:
        own = [one for one in run.outcomes if one.suite == suite]
        cells = [str(len(own)), *(str(len(run.of(state, suite))) for state in STATES)]
        cells.append(f"{sum(one.seconds for one in own):.0f}")
        state = "failed" if run.of("failed", suite) else "flaky" if run.of("flaky", suite) else ""
        row = "".join(f'<td class="n">{cell}</td>' for cell in cells)
        yield f'<tr><th class="{state}">{escape(suite)}</th>{row}</tr>'
    yield "</table>"
    for state in ("failed", "flaky", "elsewhere"):
        yield from _cases(run.of(state))
    yield "<h2>Passed</h2><ul>"
    yield from (f"<li>{escape(one.suite)}: {escape(one.name)}, {one.seconds:.1f} s</li>" for one in run.of("passed"))
    yield "</ul></html>\n"


def _cases(outcomes: Sequence[Outcome]) -> Iterator[str]:
    told = {
        "failed": "failed twice",
        "flaky": "flaky: failed, then passed",
        "elsewhere": "could not look; told by another suite",
    }
    for one in outcomes:
        yield f'<section><h2 class="{one.state}">{escape(one.suite)}: {escape(one.name)}</h2>'
        yield f"<p>{told[one.state]}{f' ({escape(one.owner)})' if one.owner else ''}, {one.seconds:.1f} s"
        yield f', <a href="{escape(one.trace)}">trace</a> (playwright show-trace)' if one.trace else ""
        yield "</p><ul>" + "".join(f"<li>{escape(fault)}</li>" for fault in one.faults) + "</ul>"
        for picture in one.pictures:
            alt = f"{one.suite}: {one.name} as the browser showed it"
            yield f'<a href="{escape(picture)}"><img src="{escape(picture)}" alt="{escape(alt)}" loading="lazy"></a>'
        yield "</section>"
