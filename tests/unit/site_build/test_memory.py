"""What is kept between runs: found again as it was, and never trusted when it cannot be read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from site_build import memory
from site_build.source import read_bibliography, read_yaml


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> Iterator[None]:
    memory.keep_in(tmp_path / "kept")
    yield
    memory._FOLDER.clear()


def test_a_result_is_found_under_its_name_only() -> None:
    """Plain data comes back as it was; another name, or a name whose parts meet elsewhere, finds nothing."""
    data = ({"a": (1, 2.5, "三", True, None)}, {("a", 0): (1, 7)})
    memory.keep("kind", memory.name_of("ab", "c"), data)
    assert memory.recall("kind", memory.name_of("ab", "c")) == data
    assert memory.recall("kind", memory.name_of("a", "bc")) is None
    assert memory.recall("other", memory.name_of("ab", "c")) is None


@pytest.mark.parametrize("junk", [b"", b"\xff\x00", b"not kept by us"], ids=["empty", "bytes", "text"])
def test_a_broken_file_is_no_result(tmp_path: Path, junk: bytes) -> None:
    """A file that another program damaged is as good as none."""
    memory.keep("kind", "name", "result")
    assert memory.recall("kind", "name") == "result"
    (tmp_path / "kept/kind/name").write_bytes(junk)
    assert memory.recall("kind", "name") is None


@pytest.mark.parametrize(("text", "codes"), [("a: 1\n", []), ("a: no\n", ["yaml-trap-word"])], ids=["right", "faulty"])
def test_yaml_is_the_same_on_second_reading(tmp_path: Path, text: str, codes: list[str]) -> None:
    """A kept reading equals the first, and a fault is reported each time."""
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    first, second = read_yaml(tmp_path, "a.yaml"), read_yaml(tmp_path, "a.yaml")
    assert first == second
    assert [problem.code for problem in second.problems] == codes
    assert (tmp_path / "kept/yaml").exists() == (not codes)


def test_a_bibliography_is_the_same_on_second_reading(tmp_path: Path) -> None:
    """A kept reading equals the first; a text with a fault is read anew."""
    entry = "@article{a1,\n  title = {T},\n  author = {Li, Wei},\n  year = {2025},\n  url = {https://example.org/}\n}\n"
    (tmp_path / "a.bib").write_text(entry, encoding="utf-8")
    first, second = read_bibliography(tmp_path, "a.bib"), read_bibliography(tmp_path, "a.bib")
    assert first == second
    assert set(second.publications) == {"a1"}
    (tmp_path / "a.bib").write_text(entry + entry, encoding="utf-8")
    for _ in range(2):
        assert [problem.code for problem in read_bibliography(tmp_path, "a.bib").problems] == ["bib-duplicate-key"]
