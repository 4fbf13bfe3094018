"""Exports of arXiv, ACL and Zotero become entries of the bibliography as they are."""

import pytest

from site_build.edit.bib_entry import ARXIV, pick_entry
from site_build.model import Person
from site_build.problems import Faults

ARXIV_EXPORT = """@misc{team2025kimilinear,
      title={Kimi Linear: An Expressive, Efficient Attention Architecture},
      author={Kimi Team and Yu Zhang},
      year={2025},
      eprint={2510.26692},
      archivePrefix={arXiv},
      primaryClass={cs.CL},
      url={https://arxiv.org/abs/2510.26692},
}
"""
ACL_EXPORT = """@inproceedings{devlin-etal-2019-bert,
    title = "{BERT}: Pre-training of Deep Bidirectional Transformers",
    author = "Devlin, Jacob  and
      Chang, Ming-Wei",
    booktitle = "Proceedings of the Conference of the North {A}merican Chapter",
    month = jun,
    year = "2019",
    url = "https://aclanthology.org/N19-1423/",
    pages = "4171--4186",
    abstract = "We say {\\"}BERT{\\"}, 80.5{\\%} better, and more."
}
"""
ZOTERO_EXPORT = """
@misc{vaswani_attention_2023,
\ttitle = {Attention {Is} {All} {You} {Need}},
\turl = {http://arxiv.org/abs/1706.03762},
\tabstract = {Sequence models, {\\textbackslash}with braces.},
\tauthor = {Vaswani, Ashish and Kaiser, Łukasz},
\tmonth = aug,
\tyear = {2023},
\tnote = {arXiv:1706.03762 [cs]},
\tfile = {Preprint PDF:/home/ann/Zotero/storage/AB/paper.pdf:application/pdf},
}
"""


@pytest.mark.parametrize(
    ("text", "key", "authors", "arxiv"),
    [
        pytest.param(
            ARXIV_EXPORT,
            "team2025kimilinear",
            (Person(family="Team", given="Kimi"), Person(family="Zhang", given="Yu")),
            "2510.26692",
            id="arxiv",
        ),
        pytest.param(
            ACL_EXPORT,
            "devlin-etal-2019-bert",
            (Person(family="Devlin", given="Jacob"), Person(family="Chang", given="Ming-Wei")),
            "",
            id="acl",
        ),
        pytest.param(
            ZOTERO_EXPORT,
            "vaswani-attention-2023",
            (Person(family="Vaswani", given="Ashish"), Person(family="Kaiser", given="Łukasz")),
            "",
            id="zotero",
        ),
    ],
)
def test_exports_read_as_they_are(text: str, key: str, authors: tuple[Person, ...], arxiv: str) -> None:
    """The key becomes one of the ledger's; paths of the editor's machine and abstracts stay out."""
    entry = pick_entry(text, "export.bib")
    assert (entry.publication.key, entry.publication.authors, entry.publication.arxiv) == (key, authors, arxiv)
    assert {"file", "abstract"} & set(entry.publication.fields) == set()
    assert "Zotero" not in entry.text
    assert entry.text.endswith("}")


def test_an_arxiv_number_fills_what_is_missing() -> None:
    """Number, archive and address are added where the export leaves them out; its version is dropped."""
    publication = pick_entry(ZOTERO_EXPORT, "export.bib", "attention", "1706.03762v7").publication
    assert (publication.key, publication.arxiv, publication.url) == (
        "attention",
        "1706.03762",
        "http://arxiv.org/abs/1706.03762",
    )
    bare = "@misc{a, title={T}, author={A}, year={2020}}"
    assert pick_entry(bare, "x.bib", "", "1706.03762").publication.url == "https://arxiv.org/abs/1706.03762"


def test_a_number_picks_its_entry() -> None:
    """Of several entries, the one that names the number is taken."""
    text = f"@string{{x = {{y}}}}\n{ARXIV_EXPORT}\n{ACL_EXPORT}\n{ZOTERO_EXPORT}"
    assert pick_entry(text, "x.bib", "", "1706.03762").publication.year == 2023


@pytest.mark.parametrize(
    ("text", "arxiv", "want"),
    [
        pytest.param("", "", ("x.bib:1:1", "new-bibtex", "0"), id="empty"),
        pytest.param(ARXIV_EXPORT + ACL_EXPORT, "", ("x.bib:1:1", "new-bibtex", "2"), id="which"),
        pytest.param(ARXIV_EXPORT + ACL_EXPORT, "1.1", ("x.bib:1:1", "new-bibtex", "2"), id="none-with-number"),
        pytest.param(
            "\n\n@misc{a,\n title={T} year={2020},\n url={https://x.example}}",
            "",
            ("x.bib:4:1", "bib-syntax"),
            id="comma",
        ),
        pytest.param(
            "\n@misc{a,\n title={T},\n author={A},\n year={2020}}", "", ("x.bib:2:1", "bib-field"), id="no-url"
        ),
    ],
)
def test_what_cannot_be_taken_is_placed(text: str, arxiv: str, want: tuple[str, ...]) -> None:
    """A fault of the export has its line in the export."""
    with pytest.raises(Faults) as raised:
        pick_entry(text, "x.bib", "", arxiv)
    found = raised.value.problems[0]
    assert (str(found.place), found.code, found.got)[: len(want)] == want


@pytest.mark.parametrize(
    ("number", "right"),
    [
        pytest.param("2510.26692", True, id="new"),
        pytest.param("2510.26692v2", True, id="version"),
        pytest.param("cs/0112017", True, id="old"),
        pytest.param("math.GT/0309136", True, id="old-with-class"),
        pytest.param("2510", False, id="short"),
        pytest.param("https://arxiv.org/abs/2510.26692", False, id="address"),
    ],
)
def test_arxiv_numbers(number: str, right: bool) -> None:
    """An arXiv number is recognised in its old and new form."""
    assert bool(ARXIV.match(number)) == right
