"""A bibliography is read as it is, or refused where it is broken."""

import pytest

from site_build.messages import put_in_words
from site_build.model import Publication
from site_build.source import parse_bibliography

_GOOD = """\
@article{k-1,
  author = {Smith, Ann},
  title = {On Tiles},
  year = {2020},
  url = {https://x.example/a}
}
"""


def entry(**fields: str) -> str:
    """One entry with these fields, each written as given."""
    base = {"author": "{Smith, Ann}", "title": "{On Tiles}", "year": "2020", "url": "{https://x.example/a}"}
    inner = "".join(f"  {name} = {value},\n" for name, value in {**base, **fields}.items())
    return f"@article{{k-1,\n{inner}}}\n"


def read_one(text: str) -> Publication:
    """The only publication of a text without problems."""
    found = parse_bibliography(text, "r.bib")
    assert [put_in_words(problem, "en").line for problem in found.problems] == []
    (publication,) = found.publications.values()
    return publication


def lines(text: str) -> list[str]:
    """The messages for a BibTeX text."""
    return [put_in_words(problem, "en").line for problem in parse_bibliography(text, "r.bib").problems]


MEND = "Mend this line or the one above: braces must balance, fields end in commas."


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param(
            _GOOD.replace("{Smith, Ann},", "{Smith, Ann}"),
            f"r.bib:2:1: k-1: expected BibTeX, got author = {{Smith, Ann}}. {MEND}",
            id="missing-comma",
        ),
        pytest.param(
            _GOOD.replace("{On Tiles},", "{On Tiles}},"),
            f"r.bib:3:1: expected BibTeX, got , year = {{2020}}, url = {{https://x.example/a}} }}. {MEND}",
            id="early-brace",
        ),
        pytest.param(
            _GOOD.replace("x.example/a}\n}", "x.example/a}},\n  note = {lost}\n}"),
            f"r.bib:5:1: expected BibTeX, got , note = {{lost}} }}. {MEND}",
            id="early-brace-loses-only-optional-fields",
        ),
        pytest.param(
            _GOOD.replace("{On Tiles},", "{On Tiles,"),
            f"r.bib:3:1: expected BibTeX, got title = {{On Tiles,. {MEND}",
            id="open-brace",
        ),
        pytest.param(
            _GOOD.replace("a}\n}", "a}\n"),
            f"r.bib:1:1: expected BibTeX, got @article{{k-1,. {MEND}",
            id="open-entry",
        ),
        pytest.param(
            _GOOD.replace("{On Tiles}", '"On Tiles'),
            f"r.bib:1:1: expected BibTeX, got @article{{k-1,. {MEND}",
            id="open-quote",
        ),
        pytest.param(_GOOD.replace("k-1,", ""), f"r.bib:1:1: expected BibTeX, got @article{{. {MEND}", id="no-key"),
        pytest.param(
            _GOOD.replace("k-1,", "k-1"),
            f"r.bib:1:1: expected BibTeX, got @article{{k-1. {MEND}",
            id="key-without-comma",
        ),
        pytest.param(
            _GOOD.replace("title =", "title"),
            f"r.bib:3:1: expected BibTeX, got title {{On Tiles}},. {MEND}",
            id="no-equals-sign",
        ),
        pytest.param(
            _GOOD + "\n" + _GOOD.replace("@article{k-1", "article{k-2"),
            "r.bib:8:1: expected BibTeX, got article{k-2, author = {Smith, Ann}, title = {On Tiles}, year. " + MEND,
            id="no-at-sign",
        ),
        pytest.param(
            _GOOD.replace("@article", "@artcile"),
            "r.bib:1:1: k-1: expected a type of entry that BibTeX or BibLaTeX has, got @artcile. "
            "Write @article; @misc fits every work.",
            id="misspelt-type",
        ),
        pytest.param(
            _GOOD.replace("@article", "@xyz"),
            "r.bib:1:1: k-1: expected a type of entry that BibTeX or BibLaTeX has, got @xyz. "
            "Write @misc; @misc fits every work.",
            id="unknown-type",
        ),
        pytest.param(
            _GOOD.replace("On Tiles", "On \u202eTiles"),
            "r.bib:3:15: expected printable text, got U+202E. "
            "Remove it; where double quotes in YAML made it of \\b, use single quotes or a block.",
            id="turned-text",
        ),
        pytest.param(
            _GOOD.replace("On Tiles", "On \x07Tiles"),
            "r.bib:3:15: expected printable text, got U+0007. "
            "Remove it; where double quotes in YAML made it of \\b, use single quotes or a block.",
            id="bell",
        ),
        pytest.param(
            _GOOD + "\n" + _GOOD,
            "r.bib:8:1: k-1: expected a key used once (first at r.bib:1), got k-1. Rename or remove one entry.",
            id="duplicate-key",
        ),
        pytest.param(
            entry(journal="jmlr"),
            "r.bib:6:1: k-1.journal: expected text in braces, a number, or a month such as jan, got jmlr. "
            "Put braces around it.",
            id="undefined-string",
        ),
        pytest.param(
            entry(journal='"A" # "B"'),
            'r.bib:6:1: k-1.journal: expected one way to read journal, got A" # "B | AB. '
            "Look for a missing comma or a brace that closes too early.",
            id="joined-strings",
        ),
        pytest.param(
            entry(title="{A},\n  title = {B}"),
            "r.bib:4:1: k-1.title: expected each field once (first at r.bib:3), got title. Keep one of them.",
            id="duplicate-field",
        ),
        pytest.param(
            _GOOD.replace("k-1", "K.1"),
            "r.bib:1:1: K.1: expected a key of lower-case letters, digits and hyphens, got K.1. "
            "Rename the key, and the node with it.",
            id="key-with-period",
        ),
        pytest.param(
            _GOOD.replace("  year = {2020},\n", ""),
            "r.bib:1:1: k-1.year: expected a year, got ''. Add the field year as the work has it.",
            id="no-year",
        ),
        pytest.param(
            entry(author="{A, B, C, D}"),
            "r.bib:1:1: k-1: expected names joined by `and`, got A, B, C, D. Write `Family, Given and Family, Given` "
            "(Too many commas).",
            id="commas-between-names",
        ),
        pytest.param(
            entry(year="{2²}"),
            "r.bib:1:1: k-1.year: expected a year, got '2²'. Add the field year as the work has it.",
            id="year-with-an-exponent",
        ),
        pytest.param(
            entry(title="{See \\href{x}}"),
            "r.bib:3:1: k-1.title: expected LaTeX commands with all they need, got See \\href{x}. "
            "Complete the command, or write the text itself.",
            id="command-without-argument",
        ),
    ],
)
def test_each_fault_is_one_line(text: str, want: str) -> None:
    """The fault is reported once, where it stands; what a parser accepts without a word is found too."""
    assert lines(text) == [want]


def test_a_broken_entry_hides_no_other() -> None:
    """Entries around a broken one are read, and their own faults are reported."""
    broken = _GOOD.replace("k-1", "k-2").replace("{On Tiles},", "{On Tiles,")
    found = parse_bibliography(f"{_GOOD}\n{broken}\n{_GOOD.replace('k-1', 'k-3').replace('year', 'yaer')}", "r.bib")
    assert [(problem.place.line, problem.code) for problem in found.problems] == [(10, "bib-syntax"), (15, "bib-field")]
    assert (list(found.publications), [one.id for one in found.unread]) == (["k-1"], ["k-2", "k-3"])


def test_duplicate_key_keeps_the_first_entry() -> None:
    """Both lines are in the message and the first entry stays readable."""
    found = parse_bibliography(_GOOD + _GOOD.replace("On Tiles", "Other"), "r.bib")
    assert found.publications["k-1"].title == "On Tiles"


@pytest.mark.parametrize(
    "month", ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "Jan"]
)
def test_month_macros_are_read(month: str) -> None:
    """The twelve macros stand without braces, in any case."""
    assert read_one(entry(month=month)).fields["month"].lower() == month.lower()


@pytest.mark.parametrize(
    ("written", "want"),
    [
        pytest.param(r"{M\"{u}ller, J\'ozef}", [("Müller", "Józef")], id="accents"),
        pytest.param(r"{{\L}ukasz Kaiser}", [("Kaiser", "Łukasz")], id="letter-in-braces"),
        pytest.param(r"{\L{}ukasz Kaiser}", [("Kaiser", "Łukasz")], id="letter-with-empty-group"),
        pytest.param(r"{Erd\H{o}s, P{\'a}l and {\c{C}}elik, A.}", [("Erdős", "Pál"), ("Çelik", "A.")], id="two"),
        pytest.param("{{The Tile Team}}", [("The Tile Team", "")], id="group"),
        pytest.param("{{Tiles and Sons} and Li, Wei}", [("Tiles and Sons", ""), ("Li", "Wei")], id="and-in-braces"),
        pytest.param("{von Neumann, J. and Jan van Dyck}", [("von Neumann", "J."), ("van Dyck", "Jan")], id="von"),
        pytest.param("{Ann~B. Smith}", [("Smith", "Ann B.")], id="tilde"),
        pytest.param("{李, 伟}", [("李", "伟")], id="chinese"),
    ],
)
def test_names_are_split_after_decoding(written: str, want: list[tuple[str, str]]) -> None:
    """Accents do not split names, groups stay whole, particles stay with the family."""
    assert [(person.family, person.given) for person in read_one(entry(author=written)).authors] == want


def test_and_others_is_no_person() -> None:
    """A list that ends in `and others` is marked incomplete."""
    publication = read_one(entry(author="{Smith, Ann and others}"))
    assert ([person.family for person in publication.authors], publication.complete) == (["Smith"], False)
    assert read_one(_GOOD).complete


@pytest.mark.parametrize(
    ("field", "written", "want"),
    [
        pytest.param(
            "url", "{https://x.example/~a/b%20c?d=1&e=2_3#f}", "https://x.example/~a/b%20c?d=1&e=2_3#f", id="url"
        ),
        pytest.param("title", "{100% of A & B}", "100% of A & B", id="percent-and-ampersand"),
        pytest.param("title", r"{100\% of A \& B}", "100% of A & B", id="escaped"),
        pytest.param("title", "{{BERT}: Caf{\\'e}~x}", "BERT: Café x", id="braces-accent-tilde"),
        pytest.param("title", '"On {"}quoted{"} Tiles"', 'On "quoted" Tiles', id="quotes"),
    ],
)
def test_special_characters_survive(field: str, written: str, want: str) -> None:
    """Addresses are never decoded; titles lose their mark-up and nothing else."""
    assert getattr(read_one(entry(**{field: written})), field) == want


_ARXIV = """\
@misc{vaswani2023attentionneed,
      title={Attention Is All You Need},
      author={Ashish Vaswani and Noam Shazeer and \\L{}ukasz Kaiser},
      year={2023},
      eprint={1706.03762},
      archivePrefix={arXiv},
      primaryClass={cs.CL},
      url={https://arxiv.org/abs/1706.03762},
}
"""
_ACL = """\
@inproceedings{devlin-etal-2019-bert,
    title = "{BERT}: Pre-training of Deep Transformers",
    author = "Devlin, Jacob  and
      Chang, Ming-Wei",
    editor = "Burstein, Jill  and
      Doran, Christy",
    booktitle = "Proceedings of the 2019 Conference",
    month = jun,
    year = "2019",
    address = "Minneapolis, Minnesota",
    url = "https://aclanthology.org/N19-1423/",
    doi = "10.18653/v1/N19-1423",
    pages = "4171--4186",
    abstract = "A gain of 7{\\%} and $\\alpha$."
}
"""
_ZOTERO = """\
@article{lecun_deep_2015,
\ttitle = {Deep learning},
\tvolume = {521},
\turl = {https://www.nature.com/articles/nature14539},
\tjournal = {Nature},
\tauthor = {LeCun, Yann and Bengio, Yoshua and Hinton, Geoffrey},
\tmonth = may,
\tyear = {2015},
\tnote = {Number: 7553
Publisher: Nature Publishing Group},
\tfile = {Full Text PDF:C\\:\\\\Users\\\\me\\\\x.pdf:application/pdf},
}
"""


@pytest.mark.parametrize(
    ("text", "families", "facts"),
    [
        pytest.param(
            _ARXIV, ["Vaswani", "Shazeer", "Kaiser"], ("vaswani2023attentionneed", 2023, "", "1706.03762"), id="arxiv"
        ),
        pytest.param(
            _ACL,
            ["Devlin", "Chang"],
            ("devlin-etal-2019-bert", 2019, "Proceedings of the 2019 Conference", ""),
            id="acl",
        ),
        pytest.param(_ZOTERO, ["LeCun", "Bengio", "Hinton"], ("lecun_deep_2015", 2015, "Nature", ""), id="zotero"),
    ],
)
def test_exports_are_read_as_they_are(text: str, families: list[str], facts: tuple[str, int, str, str]) -> None:
    """What arXiv, ACL and Zotero export needs no editing."""
    found = read_one(text)
    assert (found.key, found.year, found.venue, found.arxiv) == facts
    assert [person.family for person in found.authors] == families


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("% a remark\n@comment{x}\nfree text\n" + _GOOD, id="remarks"),
        pytest.param('@preamble{"x"}\n' + _GOOD, id="preamble"),
    ],
)
def test_what_is_no_entry_is_left_alone(text: str) -> None:
    """Remarks between entries are no faults."""
    assert lines(text) == []


@pytest.mark.parametrize(
    "text", ["@article{", "@article{k-1 title", "@article{k-1,\n title = {a\n", "@{}", "@article{,}"]
)
def test_fragments_are_problems_not_crashes(text: str) -> None:
    """However little of an entry is there, something is reported."""
    assert lines(text)
