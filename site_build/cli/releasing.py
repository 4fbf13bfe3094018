"""`k3 release` and `k3 verify`."""

import re
from pathlib import Path
from typing import Annotated

import typer

from site_build.cli.options import CACHE, Lang, Root
from site_build.cli.publishing import address_or_refuse, may_be_replaced
from site_build.cli.reporting import report, reporting, say_verdict, unwritable
from site_build.edit import in_turn
from site_build.evidence import read_evidence
from site_build.memory import keep_in
from site_build.messages import WORDS
from site_build.problems import Faults
from site_build.verifying import read_contents
from site_build.verifying import verify as compare

_DIGEST = re.compile(r"(?:sha256:)?([0-9a-fA-F]{64})")


def release(
    version: Annotated[str, typer.Argument(help="Year, month and a count from 0, such as 2026.11.0.")],
    *,
    root: Root = Path(),
    out: Annotated[
        Path | None, typer.Option("--out", help="Where the release goes; `dist/VERSION/` in the project.")
    ] = None,
    address: Annotated[str | None, typer.Option("--address", help="Where the site will stand.")] = None,
    allow_example: Annotated[bool, typer.Option("--allow-example", help="Accept a reserved address.")] = False,
    lang: Lang = "en",
) -> None:
    """Publish the ledger as a release: site, manifest, archive, image, snapshot and changelog, or nothing."""
    from site_build.releasing import CALVER, cut_release  # noqa: PLC0415 - MkDocs comes in only where pages are made

    if not CALVER.fullmatch(version):
        expected = "expected a year, a month and a count without zeros in front, such as 2026.11.0"
        raise typer.BadParameter(f"{expected}, got {version}", param_hint="VERSION")
    address_or_refuse(address)
    target = (out or root / "dist" / version).absolute()
    if not may_be_replaced(target, root, is_release):
        expected = "expected a folder that is new, empty or a release, outside the project's own folders"
        raise typer.BadParameter(f"{expected}, got {target}", param_hint="--out")
    keep_in(root.absolute() / CACHE)
    words = WORDS[lang].release
    try:
        with in_turn(root):
            cut = cut_release(root.absolute(), version, target, address, trial=allow_example)
    except Faults as faults:
        report(faults.problems, lang)
        say_verdict(faults.problems, {}, lang)
        raise typer.Exit(1) from None
    except OSError as error:
        report((unwritable(error, target),), lang)
        raise typer.Exit(1) from None
    note = cut.note
    typer.echo(f"{target}: {words['sealed'].format(**vars(note), files=cut.files)}")
    typer.echo(words["packed"].format(archive=cut.archive, image=cut.image))
    typer.echo(words["to_commit"].format(files=" ".join(cut.written)))
    for name in ("coverage", "parity"):
        found = read_evidence(root, name)
        if found and found.get("build") != note.build:
            typer.echo(words["stale"].format(name=name, build=found.get("build")), err=True)


def is_release(folder: Path) -> bool:
    """Whether a folder holds what `k3 release` wrote."""
    return (folder / "site" / "release.json").is_file()


def verify(
    target: Annotated[str, typer.Argument(help="A folder, an archive, an image's layout, or an address.")],
    *,
    digest: Annotated[str, typer.Option("--digest", help="SHA-256 of the manifest, from another place.")] = "",
    lang: Lang = "en",
) -> None:
    """Compare a published site with its manifest, file by file; nothing is unpacked."""
    wanted = _DIGEST.fullmatch(digest)
    if digest and wanted is None:
        raise typer.BadParameter(f"expected 64 hex digits, got {digest}", param_hint="--digest")
    if "://" in target and not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", target):
        expected = "expected http or https, a host and a path, and no name, query or fragment"
        raise typer.BadParameter(f"{expected}, got {target}", param_hint="TARGET")
    words = WORDS[lang].release
    with reporting(lang):
        verdict = compare(read_contents(target), wanted[1].lower() if wanted else "")
    report(verdict.problems, lang)
    manifest = verdict.manifest
    facts = {"version": manifest.version, "build": manifest.build, "manifest": manifest.digest}
    typer.echo(words["verified"].format(**facts, **verdict.counts, files=len(manifest.files)), err=True)
    for name in ([] if verdict.whole else ["not_listed"]) + ([] if wanted else ["no_digest"]):
        typer.echo(words[name], err=True)
    raise typer.Exit(1 if verdict.problems else 0)
