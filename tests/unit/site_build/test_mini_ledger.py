"""Another ledger: other ids, Chinese at the root, its own numerics, and no K3 numerics anywhere."""

import calendar
import datetime
import json
import shutil
from pathlib import Path

import pytest
from builders import TESTS, ledger_of, problems_of
from builds import Built, blocked, run_python
from html_pages import Element, pages_of, tree_of

RECORD_PAGES = {
    *("questions/N1/", "questions/N2/", "questions/N3/"),
    *("figures/G1/", "tables/H1/", "redlines/L1/", "corrections/K1/", "nodes/meeus-savoie-1992/", "labs/A/"),
}
INDEXES = {"questions/", "figures/", "tables/", "redlines/", "corrections/", "nodes/", "labs/"}
CITING = {"cite/", "cite/N1/", "cite/N2/", "cite/N3/"}
SHARED_PAGES = {"values/", "specs/", "glossary/", "sources/", "grades/", "coverage/", "state/", "api/", "health/"}


@pytest.fixture(scope="module")
def pages(mini: Built) -> dict[str, Element]:
    """The mini ledger's pages, by address."""
    return pages_of(mini.site)


def test_the_blocker_blocks(tmp_path: Path) -> None:
    """Without the blocker K3's numerics are there; with it an import fails, however late."""
    late = "def f():\n    import k3core.registry\nf()"
    assert run_python("-c", late).code == 0
    done = run_python("-c", late, path=blocked(tmp_path))
    assert (done.code, done.errors.splitlines()[-1]) == (1, "ModuleNotFoundError: k3core is blocked")


def test_the_generator_loads_without_numerics(tmp_path: Path) -> None:
    """Importing the command line needs no numerics, and no NumPy."""
    code = "import sys, site_build.cli; print({'k3core', 'numpy'} & set(sys.modules))"
    assert run_python("-c", code, path=blocked(tmp_path)).output.strip() == "set()"


def test_counts_are_those_of_this_ledger(tmp_path: Path) -> None:
    """The JSON counts what stands there, in the same shape as for any ledger."""
    root = str(TESTS / "mini_ledger")
    done = run_python("-m", "site_build", "check", "--root", root, "--format", "json", path=blocked(tmp_path))
    counts = {"questions": 3, "figures": 1, "tables": 1, "labs": 1, "nodes": 1}
    assert json.loads(done.output) == {"counts": counts, "all": counts, "problems": []}
    assert done.code == 0


def test_pages_are_those_of_this_ledger(pages: dict[str, Element]) -> None:
    """A page for every record, index, shared list and page of prose, and none besides."""
    assert set(pages) == RECORD_PAGES | INDEXES | SHARED_PAGES | CITING | {"", "404.html", "course/", "course/rule/"}


def test_chinese_stands_at_the_root(pages: dict[str, Element]) -> None:
    """The only language has no folder, no twin and no English word of the generator on its pages."""
    english = {"Short answer", "Claims", "Boundary", "Where to check", "Read next", "Home", "Questions"}
    for address, page in pages.items():
        assert page.one("html").attributes["lang"] == "zh", address
        assert [link for link in page.all("a") if "hreflang" in link.attributes] == [], address
        assert not english & {element.text for element in page.one("main" if address != "404.html" else "body").all()}


def exact_numbers(pages: dict[str, Element]) -> dict[str, str]:
    """The exact form of every value, as its page shows it."""
    found = {}
    for section in pages["values/"].all("section", class_="rl-value-record"):
        codes = [code.text for code in section.all("code")]
        found[codes[1]] = codes[0]
    return found


def test_derived_numbers_are_right(pages: dict[str, Element]) -> None:
    """What the page shows equals what Python's own calendar says, computed another way."""
    leaps = sum(calendar.isleap(year) for year in range(2001, 2401))
    days = (datetime.date(2401, 1, 1) - datetime.date(2001, 1, 1)).days
    fridays = sum(
        datetime.date(year, month, 13).weekday() == calendar.FRIDAY
        for year in range(2001, 2401)
        for month in range(1, 13)
    )
    shown = exact_numbers(pages)
    assert {name: shown[name] for name in ("leap_years", "cycle_days", "cycle_weeks", "friday_thirteenths")} == {
        "leap_years": f"{leaps}",
        "cycle_days": f"{days:,}",
        "cycle_weeks": f"{days // 7:,}",
        "friday_thirteenths": f"{fridays}",
    }
    assert float(shown["mean_year"]) == days / 400
    assert float(shown["drift_years"]) == pytest.approx(1 / (days / 400 - 365.242189), rel=1e-12)


def test_numbers_travel_into_sentences(pages: dict[str, Element]) -> None:
    """A marker prints the number with its unit, in the ledger's language."""
    (claim,) = (item for item in pages["questions/N1/"].all("li", class_="rl-claim") if item.has("id", "c2"))
    assert claim.one(class_="rl-claim__text").text == "一个周期含 97 个闰年，共 146,097\u00a0天。"


def test_same_input_same_bytes(mini: Built) -> None:
    """Two builds under different hash seeds give the same files, compressed ones included."""
    first, second = tree_of(mini.site), tree_of(mini.site.parent / "again")
    assert "sitemap.xml.gz" in first
    assert first.keys() == second.keys()
    assert {name for name in first if first[name] != second[name]} == set()
    # the second build took what the first had kept: what search read in each page, and the compiled templates
    kept = mini.root / ".cache" / "results"
    read = [path for path in first if path.endswith("index.html") and not path.startswith(("cards/", "cite/N"))]
    assert len(list((kept / "search").iterdir())) == len(read)
    assert list((kept / "templates").iterdir())


def test_a_wrong_number_stops_this_ledger_too(mini: Built, tmp_path: Path) -> None:
    """The mini ledger is green as it stands, and red with one digit changed."""
    root = tmp_path / "project"
    shutil.copytree(mini.root, root)
    assert problems_of(root) == []
    assert sorted(ledger_of(root).questions) == ["N1", "N2", "N3"]
    values = root / "ledger" / "values.yaml"
    values.write_text(values.read_text(encoding="utf-8").replace("146097", "146098"), encoding="utf-8")
    assert [line.partition(": ")[0] for line in problems_of(root, "zh")] == [
        "ledger/values.yaml:21:11",
        "ledger/values.yaml:37:5",
        "ledger/values.yaml:44:11",
    ]
