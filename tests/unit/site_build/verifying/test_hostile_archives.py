"""Archives from strangers: whatever is in them, nothing is written, one line is said, and memory stays small."""

import gzip
import io
import random
import tarfile
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sealed_sites import Sealed, entry, seal, site_entries, write_tar
from typer.testing import CliRunner, Result

from site_build.cli import app
from site_build.verifying import archive

type Entries = list[tuple[tarfile.TarInfo, bytes]]
MEGABYTE = 2**20


@pytest.fixture
def made(tmp_path: Path) -> Sealed:
    """A sealed site."""
    return seal(tmp_path)


@contextmanager
def untouched(folder: Path) -> Iterator[None]:
    """Raise if anything below a folder comes or goes."""
    before = {path: path.lstat().st_mtime_ns for path in folder.rglob("*")}
    yield
    assert {path: path.lstat().st_mtime_ns for path in folder.rglob("*")} == before


def refused(target: Path, line: str) -> None:
    """Raise unless verifying gives this one line and 1, and writes nothing."""
    with untouched(target.parent):
        result: Result = CliRunner().invoke(app, ["verify", str(target)])
    assert (result.exit_code, type(result.exception)) == (1, SystemExit)
    assert line in result.stdout
    assert result.stdout.startswith(f"{target}: expected ")
    assert result.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("bad", "line"),
    [
        pytest.param(entry("../evil.txt", b"x"), "got the name '../evil.txt'", id="up"),
        pytest.param(entry("site/../../evil.txt", b"x"), "got the name 'site/../../evil.txt'", id="up-inside"),
        pytest.param(entry("/tmp/evil.txt", b"x"), "got the name '/tmp/evil.txt'", id="absolute"),
        pytest.param(entry("site\\..\\evil.txt", b"x"), "got the name", id="backslash"),
        pytest.param(entry("site/a\nb", b"x"), r"got the name 'site/a\nb'", id="line-break"),
        pytest.param(entry("../up", kind=tarfile.DIRTYPE), "got the name '../up'", id="folder-up"),
        pytest.param(entry("site/l", kind=tarfile.SYMTYPE, link="/etc"), "got a link, 'site/l'", id="link"),
        pytest.param(entry("site/h", kind=tarfile.LNKTYPE, link="site/index.html"), "got a link, 'site/h'", id="hard"),
        pytest.param(entry("site/d", kind=tarfile.BLKTYPE), "got a device or another thing", id="device"),
        pytest.param(entry("site/p", kind=tarfile.FIFOTYPE), "got a device or another thing", id="pipe"),
        pytest.param(entry("site/index.html", b"home"), "got site/index.html twice", id="twice"),
        pytest.param(entry("./site/index.html", b"home"), "got site/index.html twice", id="twice-otherwise"),
    ],
)
@pytest.mark.parametrize("last", [True, False])
def test_what_no_site_holds_is_refused(
    made: Sealed, tmp_path: Path, bad: tuple[tarfile.TarInfo, bytes], line: str, last: bool
) -> None:
    """Ways outside, links, devices and second copies are named, at the beginning or behind a right site."""
    good = site_entries(made.site)
    refused(write_tar(tmp_path / "bad.tar.gz", [*good, bad] if last else [bad, *good]), line)


def cut(content: bytes, part: float) -> bytes:
    """The beginning of a file."""
    return content[: int(len(content) * part)]


def flipped(content: bytes) -> bytes:
    """A file with one bit of its checksum changed."""
    return content[:-8] + bytes([content[-8] ^ 1]) + content[-7:]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        pytest.param(lambda content: cut(content, 0.1), "got EOFError: Compressed file ended", id="early"),
        pytest.param(lambda content: cut(content, 0.9), "got EOFError: Compressed file ended", id="late"),
        pytest.param(lambda content: content[:-4], "got EOFError: Compressed file ended", id="last-bytes"),
        pytest.param(flipped, "got BadGzipFile: CRC check failed", id="checksum"),
        pytest.param(lambda content: content + b"more", "got BadGzipFile: Not a gzipped file", id="more"),
        pytest.param(
            lambda content: cut(gzip.decompress(content), 0.5), "got EOFError: the end before its mark", id="plain"
        ),
        pytest.param(lambda _: b"", "got ReadError: empty file", id="empty"),
        pytest.param(lambda _: b"PK\x03\x04" + bytes(600), "expected a whole .tar or .tar.gz", id="another-format"),
        pytest.param(lambda _: gzip.compress(b"text" * 999), "expected a whole .tar or .tar.gz", id="no-tar"),
        pytest.param(lambda _: gzip.compress(bytes(10240)), "expected manifest.json of a released site", id="nothing"),
    ],
)
def test_a_damaged_archive_is_said_to_be_damaged(
    made: Sealed, tmp_path: Path, change: Callable[[bytes], bytes], line: str
) -> None:
    """Cut short anywhere, changed, lengthened, or of another kind."""
    target = tmp_path / "bad.tar.gz"
    target.write_bytes(change(made.archive.read_bytes()))
    refused(target, line)


def header(kind: bytes, size: int) -> bytes:
    """A header that promises `size` bytes."""
    info = tarfile.TarInfo("site/x")
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize(
    ("start", "line"),
    [
        pytest.param(header(tarfile.XHDTYPE, 2**34), "got a header of 17179869184 bytes", id="extended-header"),
        pytest.param(header(tarfile.GNUTYPE_LONGNAME, 2**34), "got a header of 17179869184 bytes", id="long-name"),
        pytest.param(header(tarfile.REGTYPE, 2**40), "got site/x of 1099511627776 bytes", id="file"),
        pytest.param(header(tarfile.XHDTYPE, 0) * 5000, "got RecursionError", id="headers-without-end"),
    ],
)
def test_promised_sizes_take_no_memory(tmp_path: Path, start: bytes, line: str) -> None:
    """A header may promise what it likes: 64 MB of zeros in a small file are never held at once."""
    target = tmp_path / "bad.tar.gz"
    with gzip.open(target, "wb") as file:
        file.write(start)
        for _ in range(64):
            file.write(bytes(MEGABYTE))
    assert target.stat().st_size < MEGABYTE
    tracemalloc.start()
    refused(target, line)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 16 * MEGABYTE


def test_limits_end_the_reading(made: Sealed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many entries, too many bytes in all, a manifest beyond any site's."""
    monkeypatch.setattr(archive, "MEMBERS", 3)
    refused(made.archive, "got more than 3 entries")
    monkeypatch.undo()
    monkeypatch.setattr(archive, "TOTAL", 2048)
    refused(made.archive, "got more than 2048 bytes")
    monkeypatch.undo()
    monkeypatch.setattr(archive, "NOTE_LIMIT", 10)
    refused(made.archive, "got site/manifest.json of ")


def test_a_sparse_file_is_no_site(tmp_path: Path) -> None:
    """A file that is mostly a promise is refused."""
    info = tarfile.TarInfo("site/s")
    info.type = tarfile.GNUTYPE_SPARSE
    raw = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    raw[483:495] = b"77777777777\0"
    raw[148:156] = b" " * 8
    raw[148:156] = f"{sum(raw):06o}\0 ".encode()
    (tmp_path / "bad.tar").write_bytes(bytes(raw) + bytes(1024))
    refused(tmp_path / "bad.tar", "got a device or another thing that is no file, 'site/s'")


@pytest.mark.parametrize("seed", range(20))
def test_random_damage_never_ends_in_a_traceback(made: Sealed, tmp_path: Path, seed: int) -> None:
    """Bytes of the unpacked archive changed at random: one or more lines, or a right site, and no file written."""
    content = bytearray(gzip.decompress(made.archive.read_bytes()))
    noise = io.BytesIO(random.Random(seed).randbytes(64))
    while pair := noise.read(3):
        content[int.from_bytes(pair[:2]) % len(content)] = pair[-1]
    target = tmp_path / f"bad{seed}.tar"
    target.write_bytes(content)
    with untouched(tmp_path):
        result = CliRunner().invoke(app, ["verify", str(target)])
    assert result.exit_code in (0, 1)
    assert isinstance(result.exception, SystemExit)
