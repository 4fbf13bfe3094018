"""`_headers` as static hosts read it: written from their manuals, apart from the code that writes the file."""

import re

type Rules = list[tuple[str, dict[str, str]]]


def read_rules(text: str) -> Rules:
    """Blocks of a path at the beginning of a line, and indented headers; `*` in a path stands for anything."""
    rules: Rules = []
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line.startswith("/"):
            rules.append((line.strip(), {}))
        else:
            name, colon, value = line.strip().partition(":")
            assert line[0] == " ", line
            assert rules, line
            assert colon, line
            assert len(line) <= 2000, line
            assert name not in rules[-1][1], line
            rules[-1][1][name] = value.strip()
    return rules


def answered(rules: Rules, path: str, *, joined: bool = True) -> dict[str, str]:
    """The headers for a path; where several rules name one, their values are joined, else the last is kept."""
    found: dict[str, str] = {}
    for pattern, headers in rules:
        if re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), path):
            for name, value in headers.items():
                found[name] = f"{found[name]}, {value}" if joined and name in found else value
    return found
