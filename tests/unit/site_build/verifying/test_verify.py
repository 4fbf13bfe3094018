"""`k3 verify` on folders, archives and images: right ones pass, and each wrong file is named."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sealed_sites import Sealed, entry, seal, site_entries, write_tar
from typer.testing import CliRunner, Result

from site_build.cli import app
from site_build.messages import WORDS


@pytest.fixture
def made(tmp_path: Path) -> Sealed:
    """A sealed site."""
    return seal(tmp_path)


def verify(*arguments: str | Path) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, ["verify", *map(str, arguments)])


def said(result: Result) -> list[str]:
    """Each line's place and what came, hashes left out."""
    lines = result.stdout.splitlines()
    return [f"{line.partition(': ')[0]}: {line.partition(', got ')[2].partition('. ')[0]}"[:60] for line in lines]


@pytest.mark.parametrize("form", ["site", "archive", "image"])
def test_a_release_is_what_it_says(made: Sealed, form: str) -> None:
    """In every form, with the digest from elsewhere as well; the last line tells which release it is."""
    for extra in ((), ("--digest", made.digest), ("--digest", f"sha256:{made.digest.upper()}")):
        result = verify(getattr(made, form), *extra)
        assert (result.exit_code, result.stdout) == (0, "")
        told = "release 2026.1.0, build 0123456789ab: 0 differing, 0 missing, 0 extra of 5 files; manifest SHA-256 "
        assert result.stderr.splitlines() == [told + made.digest] + (
            [] if extra else [WORDS["en"].release["no_digest"]]
        )


def test_every_wrong_file_is_named(made: Sealed) -> None:
    """Changed, missing and extra files, each with what was expected; a link is none of the site's files."""
    (made.site / "index.html").write_text("hame", encoding="utf-8")
    (made.site / "zh/问题.txt").unlink()
    (made.site / "more.txt").write_text("x", encoding="utf-8")
    (made.site / "assets/empty.css").unlink()
    (made.site / "assets/empty.css").symlink_to("/dev/null")
    (made.site / "way-out").symlink_to("/")
    result = verify(made.site)
    assert result.exit_code == 1
    assert said(result) == [
        "assets/empty.css: a link",
        f"index.html: 4 B, SHA-256 {hashlib.sha256(b'hame').hexdigest()}"[:60],
        f"more.txt: 1 B, SHA-256 {hashlib.sha256(b'x').hexdigest()}"[:60],
        "way-out: a link",
        "zh/问题.txt: none",
    ]
    assert "2 differing, 1 missing, 2 extra of 5 files" in result.stderr
    assert f"expected 4 B, SHA-256 {hashlib.sha256(b'home').hexdigest()}, got" in result.stdout


def test_an_archive_and_an_image_are_compared_file_by_file(made: Sealed, tmp_path: Path) -> None:
    """The same in an archive made elsewhere, also under another name of the folder and beside it."""
    entries = [(info, content) for info, content in site_entries(made.site) if "long" not in info.name]
    entries = [(info, b"hame" if info.name == "site/index.html" else content) for info, content in entries]
    entries += [entry("site/more.txt", b"x"), entry("beside.txt", b"x")]
    for info, _ in entries:
        info.name = info.name.replace("site/", "./other/")
    for mode in ("w", "w:gz"):
        result = verify(write_tar(tmp_path / "other", entries, mode))
        assert result.exit_code == 1
        lines = [line.partition(":")[0].rpartition("/")[2] for line in result.stdout.splitlines()]
        assert lines == ["beside.txt", "long.txt", "index.html", "more.txt"]
    (made.image / "blobs" / "sha256" / "more").write_text("x", encoding="utf-8")
    result = verify(made.image)
    assert (result.exit_code, said(result)[0].partition(":")[0]) == (1, "blobs/sha256/more")


def test_a_digest_from_elsewhere_decides(made: Sealed) -> None:
    """A manifest written anew for changed files, with its note, is found out."""
    (made.site / "index.html").write_text("hame", encoding="utf-8")
    file, note = made.site / "manifest.json", made.site / "release.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["files"]["index.html"] = {"sha256": hashlib.sha256(b"hame").hexdigest(), "size": 4}
    file.write_text(json.dumps(data), encoding="utf-8")
    forged = hashlib.sha256(file.read_bytes()).hexdigest()
    line = f"manifest.json: expected SHA-256 {made.digest}, from release.json, got {forged}."
    assert verify(made.site).stdout.startswith(line)
    note.write_text(note.read_text(encoding="utf-8").replace(made.digest, forged), encoding="utf-8")
    assert verify(made.site).exit_code == 0
    result = verify(made.site, "--digest", made.digest)
    assert (result.exit_code, result.stdout.count("\n")) == (1, 1)
    assert f"expected SHA-256 {made.digest}, from --digest, got {forged}" in result.stdout


MANIFEST = "manifest.json"
NOTE = "release.json"


def changed(name: str, old: str, new: str) -> Callable[[Path], object]:
    """Replace a text in a file."""

    def change(site: Path) -> None:
        text = (site / name).read_text(encoding="utf-8")
        assert old in text
        (site / name).write_text(text.replace(old, new), encoding="utf-8")

    return change


def whole(name: str, content: bytes) -> Callable[[Path], object]:
    """Write a file anew."""
    return lambda site: (site / name).write_bytes(content)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        pytest.param(lambda site: (site / MANIFEST).unlink(), "expected manifest.json of a released", id="no-manifest"),
        pytest.param(lambda site: (site / NOTE).unlink(), "expected release.json of a released site", id="no-note"),
        pytest.param(whole(MANIFEST, b"<html>"), "got no JSON: Expecting value", id="no-json"),
        pytest.param(whole(MANIFEST, b"\xff"), "got no UTF-8", id="no-utf8"),
        pytest.param(whole(MANIFEST, b"[" * 99_999), "got JSON that is nested too deeply", id="deep"),
        pytest.param(whole(MANIFEST, b"[]"), "got JSON, but list and no object", id="list"),
        pytest.param(whole(MANIFEST, b"{}"), "got version: None", id="empty"),
        pytest.param(whole(MANIFEST, b'{"a": ' + b"9" * 5000 + b"}"), "got no JSON: Exceeds the limit", id="digits"),
        pytest.param(
            changed(MANIFEST, '"index.html"', '"../index.html"'), "got the path '../index.html'", id="outside"
        ),
        pytest.param(changed(MANIFEST, '"index.html"', '"/etc/passwd"'), "got the path '/etc/passwd'", id="absolute"),
        pytest.param(changed(MANIFEST, '"index.html"', '"a//b"'), "got the path 'a//b'", id="two-ways"),
        pytest.param(changed(MANIFEST, '"index.html"', r'"a\\b"'), r"got the path 'a\\b'", id="backslash"),
        pytest.param(changed(MANIFEST, '"index.html"', '"C:/x"'), "got the path 'C:/x'", id="drive"),
        pytest.param(changed(MANIFEST, '"index.html"', r'"a\n"'), r"got the path 'a\n'", id="line-break"),
        pytest.param(changed(MANIFEST, '"index.html"', '""'), "got the path ''", id="no-path"),
        pytest.param(changed(MANIFEST, '"zh/问题.txt"', '"index.html"'), "got 'index.html' twice", id="twice"),
        pytest.param(changed(MANIFEST, '"size": 4', '"size": -4'), "index.html: a size of -4", id="negative"),
        pytest.param(changed(MANIFEST, '"size": 4', '"size": true'), "index.html: a size of True", id="no-number"),
        pytest.param(changed(MANIFEST, '"size": 4', '"size": 1e9'), "index.html: a size of 1000000000.0", id="float"),
        pytest.param(changed(MANIFEST, '"sha256": "', '"sha256": "X'), ": {'sha256': 'X", id="no-hash"),
        pytest.param(whole(NOTE, b"{"), "release.json: expected version, build, manifest", id="note-no-json"),
        pytest.param(changed(NOTE, '"manifest": "', '"manifest": "0'), "and no SHA-256", id="note-no-hash"),
        pytest.param(changed(NOTE, '"2026.1.0"', '"2026.2.0"'), "expected version 2026.1.0, as in", id="note-version"),
    ],
)
def test_whatever_stands_there_gives_one_line(made: Sealed, change: Callable[[Path], object], line: str) -> None:
    """A manifest or note that is none ends in one line, never in a traceback; no path of it is followed outside."""
    change(made.site)
    result = verify(made.site)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert line in result.stdout
    assert result.stdout.count("\n") == 1


@pytest.mark.parametrize("target", ["nowhere", "nowhere.tar.gz", ""])
def test_what_is_not_there_is_said(tmp_path: Path, target: str) -> None:
    """A name that leads nowhere gives one line and 1."""
    result = verify(tmp_path / target if target else "")
    assert (result.exit_code, result.stdout.count("\n")) == (1, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        ("site", "--digest", "abc"),
        ("ftp://tiny.example/",),
        ("https://name:word@tiny.example/",),
        ("https://tiny.example/?q=1",),
        ("https://",),
        ("site", "--lang", "fr"),
        (),
    ],
)
def test_wrong_usage_ends_with_2(arguments: tuple[str, ...]) -> None:
    """A digest that is none, another scheme, a password in an address."""
    assert verify(*arguments).exit_code == 2


def test_both_languages_say_it(made: Sealed) -> None:
    """Problems, verdict and notes come in the language asked for."""
    (made.site / "index.html").unlink()
    result = verify(made.site, "--lang", "zh")
    assert re.match(r"index\.html: 应为 4 B, SHA-256 \w{64}，实为无。补上发布时的文件。\n", result.stdout)
    assert result.stderr.startswith("版本 2026.1.0，构建 0123456789ab：5 个文件中 0 个不符、1 个缺失，另有 0 个多余；")
