"""`k3 cite`: quote a claim with its evidence, and check a quotation."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Never

import typer

from site_build.cli.options import Lang, Root
from site_build.cli.reporting import TREE, read_or_report, said_change, said_state
from site_build.exports import FORMATS, citable, citation, gbt
from site_build.history import SHORT, claim_change, claim_hash
from site_build.messages import WORDS
from site_build.model import Language, Ledger, Release
from site_build.views import released

cite = typer.Typer(no_args_is_help=True, help="Quote a claim with its evidence, or check a quotation.")
_PIN = re.compile(r"^(?P<reference>[A-Z]{1,3}\d{0,4}\.c[1-9]\d*)@(?P<hash>[0-9a-f]{8,64})$")


@cite.command()
def show(
    reference: Annotated[str, typer.Argument(help="A claim, such as Q04.c2.")],
    *,
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "apa",
    release: Annotated[
        str, typer.Option("--release", help="A release; else the newest that has the claim as it stands, or the tree.")
    ] = "",
    address: Annotated[str, typer.Option("--address", help="Where the site stands; the ledger's own.")] = "",
    root: Root = Path(),
    lang: Lang = "en",
) -> None:
    """Print a citation of a claim, with grade, boundary and hash."""
    labels = WORDS[lang].labels
    if form not in FORMATS:
        _refuse(labels["cite_no_form"].format(known=", ".join(FORMATS), got=form))
    ledger = read_or_report(root, lang)
    chosen = _release(ledger, release, reference, lang)
    if reference not in chosen.claims:
        where = said_state(chosen.version, lang)
        _refuse(labels["cite_no_claim"].format(reference=reference, where=where))
    if reason := chosen.claims[reference].withdrawn:
        _refuse(labels["cite_not_standing"].format(reference=reference, reason=_sentence(reason, lang)))
    if lang not in ledger.info.languages:
        known = ", ".join(ledger.info.languages)
        _refuse(labels["cite_no_language"].format(known=known, got=lang))
    cited = citation(ledger, chosen, reference, lang, address.rstrip("/") + "/" if address else ledger.info.address)
    today = datetime.now(UTC).date()
    now = released(ledger).claims.get(reference)
    if now and now.withdrawn:
        typer.echo(f"{reference}: {labels['since_withdrawn']} {_sentence(now.withdrawn, lang)}", err=True)
    typer.echo(gbt(cited, today) if form == "gbt" else FORMATS[form](cited), nl=False)


@cite.command()
def check(
    pin: Annotated[str, typer.Argument(help="A claim and its hash, such as Q04.c2@3f9a2c1e.")],
    root: Root = Path(),
    lang: Lang = "en",
) -> None:
    """Say where a quoted claim stands word for word, and what became of it since."""
    found = _PIN.match(pin)
    if found is None:
        raise typer.BadParameter(f"expected a claim and its hash, such as Q04.c2@3f9a2c1e, got {pin}", param_hint="PIN")
    ledger = read_or_report(root, lang)
    reference, hash_ = found["reference"], found["hash"]
    states = [*ledger.releases, released(ledger)]
    there = [state for state in states if reference in state.claims]
    if not there:
        _refuse(WORDS[lang].labels["cite_nowhere"].format(reference=reference))
    same = [state for state in there if claim_hash(reference, state.claims[reference]).startswith(hash_)]
    if not same:
        now = claim_hash(reference, there[-1].claims[reference])[:SHORT]
        _refuse(WORDS[lang].labels["cite_other_hash"].format(pin=pin, reference=reference, now=now))
    typer.echo(f"{pin}: {', '.join(said_state(state.version, lang) for state in same)}")
    now_claim = states[-1].claims.get(reference)
    change = claim_change(reference, same[-1].claims[reference], now_claim)
    if change:
        typer.echo(f"{reference}: {said_change(change, lang)}")
    if now_claim and now_claim.withdrawn:
        why = _sentence(now_claim.withdrawn, lang)
        typer.echo(f"{reference}: {WORDS[lang].labels['withdrawn']}: {why}")
    raise typer.Exit(1 if change or (now_claim and now_claim.withdrawn) else 0)


def _release(ledger: Ledger, version: str, reference: str, lang: str) -> Release:
    """The release of a version; without one, the state that the claim's page would have cited."""
    current = released(ledger)
    states = {release.version: release for release in ledger.releases} | {TREE: current}
    if version and version not in states:
        known = ", ".join(states)
        _refuse(WORDS[lang].labels["cite_no_release"].format(known=known, got=version))
    return states[version] if version else citable(ledger, current, reference)


def _sentence(text: Mapping[Language, str], lang: str) -> str:
    """A text in the language of the command, else in one that it has, on one line."""
    words = next((said for language, said in text.items() if language == lang), next(iter(text.values()), ""))
    return " ".join(words.split())


def _refuse(line: str) -> Never:
    typer.echo(line, err=True)
    raise typer.Exit(1)
