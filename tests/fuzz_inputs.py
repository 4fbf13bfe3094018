"""Inputs for readers of strangers' texts: walks away from valid ones, pieces of a grammar in any order, any signs."""

from typing import Any

from hypothesis import strategies as st

type Part = tuple[int, float, int, Any]
"""What is done, where, over how many parts, and what comes in."""


def steps[Sequence: (str, bytes, list[Any])](sample: Sequence, parts: list[Part]) -> list[Sequence]:
    """A valid input and a walk away from it: each step takes out, doubles, moves, replaces or repeats a part."""
    walk = [sample]
    for kind, where, length, piece in parts:
        at = int(where * len(sample))
        before, here, after = sample[:at], sample[at : at + length], sample[at + length :]
        ways: tuple[Sequence, ...] = (
            before + after,
            before + here + here + after,
            after + before,
            before + piece + after,
            before + piece + here + piece + after,
            before + piece * (length + 1) + here + after,
        )
        sample = ways[kind]
        walk.append(sample)
    return walk


def walks(samples: list[Any], pieces: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Walks from one of the valid inputs."""
    part = st.tuples(st.integers(0, 5), st.floats(0, 1), st.integers(0, 12), pieces)
    return st.builds(steps, st.sampled_from(samples), st.lists(part, min_size=1, max_size=16))


def texts(samples: list[str], pieces: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Walks from valid texts; pieces in any order; any signs."""
    piece = st.one_of(st.sampled_from(pieces), st.text(max_size=4))
    loose = st.one_of(st.lists(st.sampled_from(pieces), max_size=24).map("".join), st.text(max_size=80))
    return st.one_of(walks(samples, piece), st.lists(loose, min_size=1, max_size=4))


def json_values() -> st.SearchStrategy[Any]:
    """Anything that JSON can say, large and odd numbers among it."""
    odd = [2**31, -(2**63), 10**40, 1e308, -1e308, 5e-324, -0.0, 0.1, 1e16, float("nan"), float("inf")]
    plain = st.one_of(st.none(), st.booleans(), st.integers(-3, 300), st.sampled_from(odd), st.text(max_size=12))

    def around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3)

    return st.recursive(plain, around, max_leaves=12)
