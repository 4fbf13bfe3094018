"""A text that wants to be executed in each field of each kind of record: words on every page, and nothing else."""

import re
from pathlib import Path

import pytest
from builders import Edit, edit, problems_of, project, write
from builds import run_python
from hostile_fields import KEPT, Injector, declared
from hostile_texts import PAYLOADS
from hostile_world import whole_project
from html_pages import Element, read_page
from released_worlds import release

pytestmark = pytest.mark.slow

ACTING = frozenset(
    {
        *("iframe", "frame", "object", "embed", "applet", "base", "textarea", "marquee", "plaintext", "xmp", "dialog"),
        *("video", "audio", "picture", "area", "image", "foreignobject", "animate", "set", "annotation-xml"),
    }
)
"""Elements that no page has."""
ADDRESS = re.compile(r"https?://(?!planted)|(?![a-z]+:|//)", re.IGNORECASE)
TOOL = """\
id: tool
title: {{en: 'A tool', zh: '工具'}}
caption: {{en: 'Open it.', zh: '打开它。'}}
basis: records
twin: {{en: 'A tool.', zh: '工具。'}}
bodies:
  - kind: embed
    page: '{page}'
    anchor: '{anchor}'
"""
PUBLICATION = {f"Publication.{field}" for field in ("title", "authors", "venue", "fields")}


def test_every_text_field_is_tried(tmp_path: Path) -> None:
    """The fields that get payloads are those that the models declare, but for the ones with a grammar of their own."""
    injector = Injector(in_code=True, count=1)
    injector.fill(whole_project(tmp_path))
    assert set(injector.fields) == declared() - set(KEPT) | PUBLICATION
    assert injector.calls > len(PAYLOADS)


def test_no_text_becomes_more_than_text(tmp_path: Path) -> None:
    """With another payload in each field, every page of a strict build holds the elements of its templates only."""
    Injector(in_code=True, count=1).fill(whole_project(tmp_path))
    release(tmp_path, "2026.02")
    site = built(tmp_path)
    pages = sorted(site.rglob("*.html"))
    assert [f"{page.relative_to(site)}: {fault}" for page in pages for fault in acting(read_page(page))] == []
    assert len(pages) > 70


def built(root: Path) -> Path:
    """The site of a project."""
    run = run_python("-m", "site_build", "build", "--root", str(root))
    assert run.code == 0, run.output + run.errors
    return root / "site"


def acting(page: Element) -> list[str]:
    """What of a page does more than to be read."""
    found = []
    for element in page.all():
        found += [f"<{element.tag}>"] if element.tag in ACTING else []
        for name, value in element.attributes.items():
            if (
                name.startswith("on")
                or name in {"srcdoc", "ping", "formaction", "autofocus"}
                or (name in {"href", "src", "action", "xlink:href", "data"} and not ADDRESS.match(value))
            ):
                found.append(f"{name}={value[:60]}")
        if element.tag == "script" and not {"src", "type"} & set(element.attributes):
            found.append(f"<script>{element.text[:60]}")
    return found


@pytest.mark.parametrize(
    ("change", "want"),
    [
        pytest.param(
            edit("ledger/ledger.yaml", "units:\n", "edit_url: 'javascript:alert(1)'\nunits:\n"),
            "ledger/ledger.yaml:27:11: ledger.edit_url: expected the form",
            id="editor",
        ),
        pytest.param(
            write("ledger/components/tool.yaml", TOOL.format(page="javascript:alert(1)", anchor="A")),
            "ledger/components/tool.yaml:8:11: tool.bodies[0].page: expected the form",
            id="page",
        ),
        pytest.param(
            write("ledger/components/tool.yaml", TOOL.format(page="labs/A", anchor="A onclick=x")),
            "ledger/components/tool.yaml:9:13: tool.bodies[0].anchor: expected the form",
            id="anchor",
        ),
    ],
)
def test_what_becomes_an_address_has_a_form(tmp_path: Path, change: Edit, want: str) -> None:
    """Texts that turn into links are refused where they are none."""
    (line,) = problems_of(project(tmp_path, change))
    assert line.startswith(want)


def test_an_editors_address_is_filled_by_name(tmp_path: Path) -> None:
    """Other braces in it stay as they are."""
    address = "https://edit.example/{path}#{line}{0.__class__}{x}"
    root = project(tmp_path, edit("ledger/ledger.yaml", "units:\n", f"edit_url: '{address}'\nunits:\n"))
    links = read_page(built(root) / "figures/F1/index.html").links
    assert "https://edit.example/ledger/figures/F1.yaml#1{0.__class__}{x}" in links
