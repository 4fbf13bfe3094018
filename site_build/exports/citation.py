"""What a citation of a claim says, before it takes a form."""

from dataclasses import dataclass
from datetime import date

from site_build.history import SHORT, claim_hash
from site_build.messages import WORDS
from site_build.model import Language, Ledger, Release, find_markers
from site_build.visuals import plain_words


@dataclass(frozen=True)
class Citation:
    """A claim with everything that travels with it."""

    reference: str
    """`Q04.c2`."""
    hash: str
    """Its first hex digits."""
    language: Language
    text: str
    """The claim as a reader would say it, formulas as LaTeX."""
    grade: str
    """The letter."""
    grade_name: str
    """What the letter stands for."""
    boundary: str
    """How far the evidence goes."""
    withdrawn: str
    """Why it no longer stands; empty while it does."""
    author: str
    site: str
    """The ledger's title."""
    version: str
    """The release; empty for the state that is not released."""
    issued: date
    address: str

    @property
    def title(self) -> str:
        """The claim under its reference."""
        return f"{self.reference}: {self.text}"

    @property
    def pin(self) -> str:
        """Reference and hash, as `k3 cite check` takes them."""
        return f"{self.reference}@{self.hash}"

    @property
    def key(self) -> str:
        """A key for files of references."""
        return f"{self.reference.lower().replace('.', '-')}-{self.hash}"

    @property
    def note(self) -> str:
        """Grade, boundary, hash and, where there is one, the withdrawal: what no citation may lose."""
        labels = WORDS[self.language].labels
        opening, closing, colon, stop = ("（", "）", "：", "。") if self.language == "zh" else (" (", ")", ": ", ". ")
        parts = [
            f"{labels['grade']} {self.grade}{opening}{self.grade_name}{closing}",
            f"{labels['boundary']}{colon}{self.boundary}",
            f"{labels['hash']}{colon}{self.pin}",
        ]
        if self.withdrawn:
            parts.insert(0, f"{labels['withdrawn']}{colon}{self.withdrawn}")
        return stop.join(part.rstrip(".。") for part in parts).strip() + stop.strip()


def citable(ledger: Ledger, current: Release, reference: str) -> Release:
    """The state to cite a claim from: the newest release where the claim stands there as it does now, else `current`.

    A release keeps what it said, so that its pages are the ones worth citing.
    """
    newest = ledger.releases[-1] if ledger.releases else current
    now, then = current.claims.get(reference), newest.claims.get(reference)
    same = now is None or (then is not None and claim_hash(reference, now) == claim_hash(reference, then))
    return newest if same and then is not None and bool(then.withdrawn) == bool(now and now.withdrawn) else current


def citation(ledger: Ledger, release: Release, reference: str, language: Language, address: str) -> Citation:
    """The citation of a claim of a release; `address` is the site's own, with a slash at its end.

    Raises:
        KeyError: the release has no such claim.
    """
    claim = release.claims[reference]

    def said(text: str) -> str:
        shown = {source: printed[language] for source, printed in claim.shown.items() if language in printed}
        for marker in find_markers(text):
            shown.setdefault(marker.source, marker.target)
        return " ".join(plain_words(text, lambda marker: shown[marker.source]).split())

    grade = ledger.grades[claim.grade]
    first = ledger.info.languages[0]
    published = release.version in {one.version for one in ledger.releases}
    place = f"r/{release.version}/" if published else "questions/"
    question, _, anchor = reference.partition(".")
    return Citation(
        reference=reference,
        hash=claim_hash(reference, claim)[:SHORT],
        language=language,
        text=said(claim.text[language]),
        grade=claim.grade,
        grade_name=grade.name.in_language(language),
        boundary=said(claim.boundary[language]),
        withdrawn=(claim.withdrawn or {}).get(language, ""),
        author=ledger.info.author,
        site=ledger.info.title.in_language(language),
        version=release.version if published else "",
        issued=date.fromisoformat(release.date),
        address=f"{address}{'' if language == first else language + '/'}{place}{question}/#{anchor}",
    )
