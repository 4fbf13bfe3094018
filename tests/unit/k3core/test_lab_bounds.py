"""The bounds that a lab names are its bounds: their own values are read, and what lies just outside is refused."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from lab_inputs import INPUTS

from k3core.browser import run

type Changes = Callable[[Any], dict[str, Any]]


def alone(name: str, **others: Any) -> Changes:
    """Change one input, and others so that nothing else is in its way."""
    return lambda value: {name: value, **others}


def called(count: int, tool: str = "weather") -> list[dict[str, Any]]:
    """A conversation in which a tool is called so many times at once and answers each call."""
    calls = [{"tool": tool, "arguments": {}}] * count
    answers = [{"role": "tool", "tool": tool, "index": n, "content": ""} for n in range(1, count + 1)]
    return [{"role": "user"}, {"role": "assistant", "think": "", "calls": calls}, *answers]


NUMBERS = [
    ("A", "beta", 0.0, 1.0, alone("beta")),
    ("A", "overlap", -1.0, 1.0, alone("overlap")),
    ("A", "repeats", 1, 64, alone("repeats")),
    ("A", "value", -1e6, 1e6, lambda v: {"value": [v]}),
    ("A", "distractor", -1e6, 1e6, lambda v: {"distractor": [v]}),
    ("B", "lower_bound", -50.0, -0.01, alone("lower_bound", cumulative_decay=0.0)),
    ("B", "chunk", 1, 1024, alone("chunk", cumulative_decay=0.0)),
    ("B", "cumulative_decay", -80.0, 0.0, alone("cumulative_decay")),
    ("C", "layers", 1, 256, alone("layers")),
    ("C", "block", 1, 256, alone("block")),
    ("D", "full_width", 1, 65_536, alone("full_width", latent_width=1)),
    ("D", "latent_width", 1, 7168, alone("latent_width")),
    ("D", "top_k", 1, 1024, alone("top_k")),
    ("D", "tokens", 0, 2**20, alone("tokens")),
    ("E", "gate_beta", 0.01, 1e6, alone("gate_beta")),
    ("E", "up_beta", 0.01, 1e6, alone("up_beta")),
    ("E", "x", -1e6, 1e6, lambda v: {"x": [v]}),
    ("F", "top_k", 1, 2, alone("top_k", scores=[[0.1, 0.5, 0.7], [0.2, 0.4, 0.9]])),
    ("F", "bins", 1, 10_000, alone("bins")),
    ("F", "sign_step", 0.0, 1.0, alone("sign_step")),
    ("F", "steps", 1, 50, alone("steps")),
    ("G", "thinking", 0, 10**7, alone("thinking")),
    ("G", "response", 0, 10**7, alone("response")),
    ("G", "tool_arguments", 0, 10**7, alone("tool_arguments")),
    ("G", "base_tokens", 1.0, 1e7, alone("base_tokens")),
    ("G", "tau", 0.01, 100.0, alone("tau")),
    ("G", "fraction", 0.01, 1.0, alone("fraction")),
    ("G", "bound", 0.01, 100.0, alone("bound")),
    ("G", "durations[0]", 1, 10**6, lambda v: {"durations": [[v, 2], [2, 3]]}),
    ("G", "teacher", 0.0, 1.0, lambda v: {"teacher": [v, 0.5, 0.5]}),
    ("G", "student", 1e-300, 1.0, lambda v: {"student": [v, 0.5, 0.5]}),
    ("H", "prompt_tokens", 1, 2**20, alone("prompt_tokens", matched_tokens=0)),
    ("H", "matched_tokens", 0, 3000, alone("matched_tokens")),
    ("H", "hash_block", 1, 65_536, alone("hash_block")),
    ("H", "page_blocks", 1, 64, alone("page_blocks")),
    ("H", "checkpoints[1]", 1, 2**20, lambda v: {"checkpoints": [[512], [v]]}),
    ("I", "tokens", 0, 2**20, alone("tokens")),
    ("I", "kda_layers", 0, 256, alone("kda_layers")),
    ("I", "mla_layers", 0, 256, alone("mla_layers")),
    ("I", "tensor_parallel", 1, 96, alone("tensor_parallel")),
    ("J", "keys", -1e3, 1e3, lambda v: {"keys": [[v, 1], *INPUTS["J"]["keys"][1:]]}),
    ("J", "values", -1e6, 1e6, lambda v: {"values": [[v], *INPUTS["J"]["values"][1:]]}),
    ("J", "log_decay", -5.0, 0.0, alone("log_decay")),
    ("J", "beta", 0.0, 1.0, alone("beta")),
    ("J", "ranks", 2, 6, alone("ranks")),
    ("K", "ranks", 1, 64, lambda v: {"ranks": v, "tokens": [1] * max(v, 1)}),
    ("K", "tokens[1]", 0, 10**6, lambda v: {"tokens": [0, v], "ranks": 1}),
    ("L", "values", -1e30, 1e30, lambda v: {"values": [v]}),
]
"""Lab, the name that an error carries, the least and the greatest value, and the inputs that give one."""
SIZES = [
    ("A", "key", 2, 16, lambda n: {"key": [1.0] * n}),
    ("A", "value", 1, 16, lambda n: {"value": [1.0] * n, "distractor": [1.0] * n}),
    ("E", "x", 1, 401, lambda n: {"x": [0.5] * n}),
    ("F", "scores rows", 2, 512, lambda n: {"scores": [[0.25, 0.75]] * n}),
    ("F", "scores columns", 2, 64, lambda n: {"scores": [[0.25] * n] * 2}),
    ("G", "durations", 1, 64, lambda n: {"durations": [[1, 2]] * n}),
    ("G", "durations[0]", 1, 64, lambda n: {"durations": [[1] * n] * 2}),
    ("G", "teacher length", 1, 64, lambda n: {"teacher": [0.5] * n, "student": [0.5] * n}),
    ("H", "checkpoints", 1, 16, lambda n: {"checkpoints": [[512]] * n}),
    ("H", "checkpoints[0]", 0, 256, lambda n: {"checkpoints": [[512] * n]}),
    ("J", "keys rows", 2, 64, lambda n: {"keys": [[1, 0]] * n, "values": [[1.0]] * n, "ranks": 2}),
    ("J", "keys columns", 1, 8, lambda n: {"keys": [[1] * n] * 6}),
    ("J", "values columns", 1, 8, lambda n: {"values": [[1.0] * n] * 6}),
    ("K", "tokens", 1, 256, lambda n: {"tokens": [1] * n, "ranks": 1}),
    ("L", "values", 1, 32, lambda n: {"values": [1.0] * n}),
    ("M", "messages", 1, 16, lambda n: {"messages": [{"role": "user", "content": ""}] * n}),
    ("M", "messages[0].content", 0, 2000, lambda n: {"messages": [{"role": "user", "content": "x" * n}]}),
    ("M", "messages[1].calls", 0, 8, lambda n: {"messages": called(n)}),
    ("M", "messages[1].calls[1].tool", 0, 200, lambda n: {"messages": called(1, "x" * n)}),
    ("M", "tools", 0, 8, lambda n: {"tools": [{"name": "t"}] * n}),
    ("M", "tool_choice", 0, 200, lambda n: {"tool_choice": "x" * n}),
]
"""The same for how many of something an input may hold."""


def fault(lab: str, changes: dict[str, Any]) -> str:
    """The name of the input that the lab refuses; empty when it answers."""
    reply = json.loads(run(lab, json.dumps(INPUTS[lab] | changes)))
    return "" if reply["ok"] else f"{reply['error']['kind']} {reply['error']['name']}"


def outside(limit: float, direction: int) -> float:
    """The nearest value beyond a limit: the next whole number, or the next float."""
    return limit + direction if isinstance(limit, int) else math.nextafter(limit, direction * math.inf)


@pytest.mark.parametrize(
    ("lab", "name", "low", "high", "changes"),
    [pytest.param(*row, id=f"{row[0]} {row[1]}") for row in NUMBERS],
)
def test_numbers_end_where_the_lab_says(lab: str, name: str, low: float, high: float, changes: Changes) -> None:
    """Both ends are read; the nearest number beyond either is refused by name."""
    assert fault(lab, changes(low)) == ""
    assert fault(lab, changes(high)) == ""
    assert fault(lab, changes(outside(low, -1))) == f"input {name}"
    assert fault(lab, changes(outside(high, 1))) == f"input {name}"


@pytest.mark.parametrize(
    ("lab", "name", "low", "high", "changes"),
    [pytest.param(*row, id=f"{row[0]} {row[1]}") for row in SIZES],
)
def test_lists_end_where_the_lab_says(lab: str, name: str, low: int, high: int, changes: Changes) -> None:
    """The shortest and the longest list are read, one more or fewer is refused."""
    assert fault(lab, changes(low)) == fault(lab, changes(high)) == ""
    assert name in fault(lab, changes(high + 1))
    if low:
        assert fault(lab, changes(low - 1)).startswith("input ")


@pytest.mark.parametrize("changes", [{"index": 0}, {"index": 9}, {"tool": "x" * 201}], ids=["first", "last", "name"])
def test_an_answer_names_one_of_eight_calls(changes: dict[str, Any]) -> None:
    """An answer to call 0 or 9, or of a tool with too long a name, is refused for that, whatever was called."""
    *before, answer = called(1)
    assert fault("M", {"messages": [*before, answer | changes]}) == f"input messages[2].{next(iter(changes))}"


@pytest.mark.parametrize(
    ("lab", "changes"),
    [
        pytest.param("G", {"durations": "x" * 99}, id="durations"),
        pytest.param("G", {"durations": ["x" * 99]}, id="durations-of-a-prompt"),
        pytest.param("H", {"checkpoints": "x" * 99}, id="checkpoints"),
        pytest.param("H", {"checkpoints": ["x" * 99]}, id="checkpoints-of-a-group"),
        pytest.param("K", {"tokens": "x" * 99}, id="tokens"),
        pytest.param("M", {"messages": "x" * 99}, id="messages"),
        pytest.param("M", {"messages": ["x" * 99]}, id="message"),
        pytest.param("M", {"tools": "x" * 99}, id="tools"),
        pytest.param("M", {"messages": [{"role": "user", "calls": "x" * 99}]}, id="calls"),
    ],
)
def test_a_refused_value_is_shown_in_eighty_characters(lab: str, changes: dict[str, Any]) -> None:
    """What stands in place of a list is named and shown as far as a line of the page has room."""
    reply = json.loads(run(lab, json.dumps(INPUTS[lab] | changes)))
    assert reply["error"]["got"] == "'" + "x" * 79
