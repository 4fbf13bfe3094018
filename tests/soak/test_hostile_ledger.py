"""Every payload in every text field of every kind of record: words on a page that stays a page, or a clear refusal."""

import copy
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
import yaml
from browser.hostile_pages import Visit, addresses, plain, visit
from browser.servers import Site, serving
from builders import problems_of, project
from builds import run_python
from hostile_fields import KEPT, Injector, as_yaml, declared, fill_records, read_bibtex
from hostile_texts import PAYLOADS, UNSEEN
from hostile_world import whole_project
from playwright.sync_api import Browser, Page, expect, sync_playwright
from released_worlds import release

from site_build.regress.chromium import launch
from site_build.regress.finding import first_places, typed
from site_build.regress.servers import World, refusing
from site_build.regress.visits import open_context, watch
from site_build.source import FILES, Files
from site_build.source.numerics import load_numerics
from site_build.source.yaml_source import MAX_BYTES, MAX_DEPTH

PREVIEW = (
    "from pathlib import Path; from site_build.plugin import build_site; "
    "Path('site/__build').write_text(build_site(Path(), Path('site'), preview=True))"
)
"""What `k3 serve` builds, and the file that its pages ask for."""
TYPES = (
    *("questions/Q1/", "figures/F1/", "tables/T1/", "labs/A/", "redlines/RL1/", "corrections/C1/", "values/", "specs/"),
    *("glossary/", "grades/", "sources/", "benchmarks/", "checklist/", "cite/Q1/", "r/2026.02/Q1/"),
)
"""A page of each type of record; each holds every payload that is not long."""
NODE = "nodes/smith-2020/"
"""The page of a work; its entry holds what BibTeX can hold, and its node everything."""
ACTED = re.compile(r"the mark|a dialog|: acted")
"""What stands in a fault that tells of a planted script that ran."""
type Keep = Callable[..., None]
SHORT = tuple(payload for payload in PAYLOADS if payload.family != "long or deep")

# a search index of megabytes on a busy machine
expect.set_options(timeout=60_000)


def whole_site(root: Path, *, in_code: bool) -> tuple[Path, Injector]:
    """Fill the ledger with all payloads and build it: strictly with each in code, else as the preview does."""
    injector = Injector(in_code=in_code)
    injector.fill(whole_project(root))
    release(root, "2026.02")
    command = ("-m", "site_build", "build") if in_code else ("-c", PREVIEW)
    run = run_python(*command, cwd=root)
    assert run.code == 0, run.output + run.errors
    return root / "site", injector


@contextmanager
def browsing(folder: Path) -> Iterator[tuple[Browser, World, Site]]:
    """A browser, the rest of the world, and a served site."""
    with sync_playwright() as playwright, refusing() as world, serving(folder) as site:
        browser = launch(playwright)
        yield browser, world, site
        browser.close()


def searched(browser: Browser, world: World, site: Site) -> list[str]:
    """What goes wrong when a reader searches: an id has to come first, and a payload's words must not act."""
    context = open_context(browser, world)
    heard = watch(context)
    page: Page = context.new_page()
    faults = []
    for home in (site.url, f"{site.url}zh/"):
        page.goto(home)
        if "questions/Q1/" not in (found := first_places(page, home, "Q1")):
            faults.append(f"Q1: expected questions/Q1/, got {found}")
        for words in ("<script>", "javascript:", "planted", "onerror"):
            typed(page, words)
            page.wait_for_timeout(300)
            faults += [f"{words}: acted"] if page.evaluate("globalThis.planted !== undefined") else []
        inside = page.locator(".md-search-result script, .md-search-result img, .md-search-result iframe, [onerror]")
        faults += [f"expected words among the results, got {inside.count()} elements"] if inside.count() else []
    context.close()
    return faults + heard.complaints


def unsaid(seen: Visit, pages: tuple[str, ...]) -> list[str]:
    """Payloads that pages do not show as they were typed."""
    return [
        f"{page}: {payload.text[:60]!r}"
        for page in pages
        for payload in SHORT
        if plain(payload.text) not in seen.words[page]
    ]


@pytest.mark.parametrize("in_code", [True, False], ids=["in-code", "as-it-is"])
def test_nothing_acts(keep_figures: Keep, tmp_path: Path, in_code: bool) -> None:
    """No page of a strict build, nor of a preview of what a build refuses, runs, asks for or loses anything."""
    folder, injector = whole_site(tmp_path, in_code=in_code)
    with browsing(folder) as (browser, world, site):
        seen = visit(browser, world, site, addresses(folder))
        faults = seen.faults + searched(browser, world, site)
    assert faults == []
    assert seen.wide == []
    if in_code:
        assert unsaid(seen, (*TYPES, *(f"zh/{page}" for page in TYPES))) == []
        wanted = {*declared()} - set(KEPT) | {f"Publication.{name}" for name in ("title", "authors", "venue", "fields")}
        assert set(injector.fields) == wanted
    figures = {
        "injections": sum(injector.fields.values()),
        "pages": seen.pages,
        "pages that scroll sideways": len(seen.wide),
        "executions": sum(bool(ACTED.search(fault)) for fault in faults),
        "requests": seen.requests,
        "requests off the origin": seen.elsewhere,
    }
    keep_figures("hostile", **{"in code" if in_code else "as it is": figures})
    keep_figures("hostile", payloads=len(PAYLOADS), fields=len(injector.fields))


def test_what_a_build_refuses_it_names(keep_figures: Keep, tmp_path: Path) -> None:
    """Without code around it, mark-up in running text stops a strict build: each fault has its place and its remedy."""
    Injector(in_code=False).fill(whole_project(tmp_path))
    run = run_python("-m", "site_build", "build", cwd=tmp_path)
    lines = [line for line in (run.output + run.errors).splitlines() if line.startswith(("ledger/", "content/"))]
    assert run.code == 1
    assert "Traceback" not in run.output + run.errors
    assert [line for line in lines if "expected" not in line or ". " not in line] == []
    keep_figures("hostile", refused_texts=len(lines))


def test_unseen_characters_are_refused(keep_figures: Keep, tmp_path: Path) -> None:
    """Each character that no reader sees is found in each text of each record, wherever it stands."""
    fields: list[str] = []

    def put(where: str, language: str) -> str:
        fields.append(f"{where} {language}")
        return UNSEEN[len(fields) % len(UNSEEN)]

    fill_records(whole_project(tmp_path), put)
    (tmp_path / "ledger/reading/references.bib").write_text("\n".join(UNSEEN), encoding="utf-8")
    found = [line for line in problems_of(tmp_path) if "U+" in line]
    assert len(found) == len(fields) + len(UNSEEN)
    keep_figures("hostile", refused_characters=len(found))


@pytest.mark.parametrize("files", FILES, ids=lambda files: files.kind)
def test_ids_are_refused(keep_figures: Keep, tmp_path: Path, files: Files) -> None:
    """No payload is an id: each record that has one is refused, at its place."""
    root = whole_project(tmp_path)
    place = root / "ledger" / files.path
    source = next(iter(sorted(place.glob("*.yaml")))) if files.folder else place
    data = yaml.safe_load(source.read_text(encoding="utf-8"))
    rows = [data] if files.folder else data[files.within] if files.within else data
    records = [{**copy.deepcopy(rows[0]), "id": payload.text} for payload in PAYLOADS]
    if files.folder:
        for number, record in enumerate(records):
            (place / f"x{number:03}.yaml").write_text(as_yaml(record), encoding="utf-8")
    else:
        place.write_text(as_yaml({**data, files.within: records} if files.within else records), encoding="utf-8")
    found = {line.partition(" ")[0] for line in problems_of(root) if ".id: expected" in line}
    assert len(found) == len(PAYLOADS)
    keep_figures("hostile", **{f"refused_ids_{files.kind}": len(found)})


def _same(text: str, _where: str, _language: str) -> str:
    return text


def test_fields_with_a_grammar_refuse(keep_figures: Keep, tmp_path: Path) -> None:
    """One payload at a time in every locator, format, pattern, name and address: the ledger says what is wrong."""
    others = (declared() - set(KEPT)) | {"LedgerInfo.numerics"}
    whole, refused, silent = whole_project(tmp_path / "whole"), 0, list[str]()
    for number, payload in enumerate(PAYLOADS):
        root = Path(shutil.copytree(whole, tmp_path / str(number)))
        fill_records(root, partial(_same, payload.text), kept=others)
        lines = problems_of(root)
        refused += len(lines)
        silent += [payload.text[:60]] if len(lines) < 20 else []
    assert silent == []
    keep_figures("hostile", refused_by_grammar=refused)


def test_no_payload_names_numerics(tmp_path: Path) -> None:
    """A module's name that is none is a fault in words."""
    assert [payload.text for payload in PAYLOADS if not load_numerics(tmp_path, payload.text).fault] == []


def test_bibtex_is_read_or_refused(keep_figures: Keep) -> None:
    """Each payload in each field of an entry: a publication, or problems with a place."""
    found = [read_bibtex("smith-2020", payload.text) for payload in PAYLOADS]
    keys = [read_bibtex(payload.text, "plain") for payload in PAYLOADS]
    assert [one for one in found if bool(one.problems) == bool(one.publications)] == []
    assert [one for one in keys if one.publications] == []
    refused = sum(bool(one.problems) for one in found)
    keep_figures("hostile", bibtex_refused=refused + len(keys), bibtex_read=len(found) - refused)


@pytest.mark.parametrize(
    "name", ["..%2f..%2fx", "a b", "<script>", "-rf", "x\\y", ".hidden", "CON", "{{x}}", "x;y", "..", "é", "q.en"]
)
def test_names_of_files_are_refused(tmp_path: Path, name: str) -> None:
    """A page whose file has an odd name is a fault, whatever its head says."""
    root = project(tmp_path)
    for language in ("en", "zh"):
        (root / f"content/{name}.{language}.md").write_text(
            "---\nid: " + as_yaml(name).split("\n")[0] + "\ntitle: x\n---\n", "utf-8"
        )
    assert problems_of(root) != []


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("- " * (MAX_DEPTH + 3) + "x", "levels", id="deep"),
        pytest.param("[" * 100_000, "", id="very-deep"),
        pytest.param("#" * (MAX_BYTES + 1), "bytes", id="large"),
        pytest.param("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "*a", id="aliases"),
        pytest.param("!!python/object/apply:os.system ['id']", "python", id="tag"),
        pytest.param("null", "record", id="nothing"),
    ],
)
@pytest.mark.parametrize("files", FILES, ids=lambda files: files.kind)
def test_files_that_are_no_files(tmp_path: Path, files: Files, text: str, want: str) -> None:
    """Too deep, too large, with aliases or tags: refused in every file, at once."""
    root = project(tmp_path)
    name = f"ledger/{files.path}" + ("/x.yaml" if files.folder else "")
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")
    assert [line for line in problems_of(root) if line.startswith(name) and want in line] != []
