"""How hosts are told of the site's headers: `_headers`, which static hosts read, and a sample for nginx."""

import re
from collections.abc import Iterator
from pathlib import Path

from site_build.policy import CACHE, RULES, TYPES, headers_of, in_language

MOST_RULES = 100
"""As many rules as Cloudflare Pages reads."""
_PAGES = (".html", ".js")
"""Files whose policy matters; the rest of those that share a folder with others keep what the host does by itself."""
_DIFFERING = tuple(sorted({name for rule in RULES[1:] for name in rule.headers}))
_COMMON = {name: value for name, value in RULES[0].headers.items() if name not in _DIFFERING}


def headers_file(site: Path, base: str) -> str:
    """The rules of a built site that stands at the path `base` of a host, with a slash at both ends.

    Where two rules name the same header for one path some hosts join the values, and others keep one. So no two do.
    """
    blocks = [_block(f"{base}*", _COMMON)]
    for path in _parts(site, ""):
        found = headers_of(path)
        blocks.append(_block(f"{base}{path}", {name: found[name] for name in _DIFFERING}))
    for file in sorted(path for path in site.rglob("*.wasm") if path.is_file()):
        blocks.append(_block(f"{base}{file.relative_to(site).as_posix()}", {"Content-Type": TYPES["wasm"]}))
    return "".join(blocks)


def _block(path: str, headers: dict[str, str]) -> str:
    return "".join([f"{path}\n", *(f"  {name}: {value}\n" for name, value in headers.items())])


def _parts(site: Path, folder: str) -> Iterator[str]:
    """Paths that share no file: a folder where one rule holds for all of it, else what is in it."""
    for entry in sorted((site / folder).iterdir()):
        path = f"{folder}{entry.name}"
        if entry.is_dir():
            inner = in_language(f"{path}/")
            mixed = any(rule.folder.startswith(inner) and rule.folder != inner for rule in RULES)
            yield from _parts(site, f"{path}/") if mixed else (f"{path}/*",)
        elif entry.suffix in _PAGES:
            yield from (folder, path) if entry.name == "index.html" else (path,)


def nginx_sample(base: str) -> str:
    """A file for the folder `conf.d` of nginx that serves a site at the path `base` as our own server does."""
    maps = "".join(_map(name, base) for name in _DIFFERING)
    headers = _COMMON | {name: _variable(name) for name in _DIFFERING}
    types = "".join(f"        {kind} {ending};\n" for ending, kind in TYPES.items())
    return (
        f"{maps}server {{\n"
        "    listen 80;\n"
        "    charset utf-8;\n"
        "    absolute_redirect off;\n"
        f"    include mime.types;\n    types {{\n{types}    }}\n"
        # without `always` it is said of files only: what is missing may be there soon
        + "".join(
            f'    add_header {name} "{value}"{"" if name == CACHE else " always"};\n' for name, value in headers.items()
        )
        + f"    location {base} {{\n"
        "        alias /usr/share/nginx/html/;\n"
        f"        error_page 404 {base}404.html;\n"
        "    }\n}\n"
    )


def _map(name: str, base: str) -> str:
    """The values of one header by path; nginx takes the first expression that fits."""
    lines = [f'    default "{RULES[0].headers[name]}";\n']
    for rule in reversed(RULES[1:]):
        if name in rule.headers:
            lines.append(f'    "~^{re.escape(base)}(?:[a-z][a-z]/)?{rule.folder}" "{rule.headers[name]}";\n')
    return f"map $uri {_variable(name)} {{\n{''.join(lines)}}}\n"


def _variable(name: str) -> str:
    return f"$ledger_{name.lower().replace('-', '_')}"
