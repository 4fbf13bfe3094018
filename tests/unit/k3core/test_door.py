"""The package's one door against what its modules hold."""

import ast
import inspect
import re
from collections.abc import Callable
from dataclasses import is_dataclass
from pathlib import Path

import k3core

SOURCE = Path(k3core.__file__).parent
LABS = {"labs", "labs_ledger", "labs_markup", "labs_parallel", "labs_systems"}
BEHIND = {"__init__", "browser", "guards", "registry"} | LABS
"""Modules with doors of their own (labs and derivations by name), and the guards, of which only the error is shown."""
GUARDS = {"as_count", "as_float", "as_real", "has_shape", "in_range", "one_of", "InputError"}
"""What turns an argument away."""


def public_names() -> set[str]:
    """Return every public function and class of the mechanism modules."""
    found = {"InputError"}
    for path in SOURCE.glob("*.py"):
        if path.stem not in BEHIND:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
            found |= {name for name in names if not name.startswith("_")}
    return found


def test_door_is_complete() -> None:
    """`__all__` and the public functions and classes of all mechanisms are the same set, each name once."""
    assert set(k3core.__all__) == public_names()
    assert len(set(k3core.__all__)) == len(k3core.__all__)
    for name in k3core.__all__:
        assert getattr(k3core, name).__module__.startswith("k3core.")


def test_no_name_hides_a_module() -> None:
    """A function named like its module would make the module unreachable as an attribute."""
    assert not set(k3core.__all__) & {path.stem for path in SOURCE.glob("*.py")}


def test_readme_example_runs_and_names_every_module() -> None:
    """The README's Python is executed, and its table covers all mechanism modules."""
    text = (SOURCE.parents[1] / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    named = {
        name for row in re.findall(r"^\| (`.*?) \|", text, flags=re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    assert named == {path.stem for path in SOURCE.glob("*.py")} - BEHIND - {"configuration", "primitives"}


def test_records_are_values() -> None:
    """What a function returns cannot be changed behind its back; only the cache's own pages and requests live on."""
    classes = [getattr(k3core, name) for name in k3core.__all__ if is_dataclass(getattr(k3core, name))]
    assert len(classes) > 10
    assert {one.__name__ for one in classes if not one.__dataclass_params__.frozen} <= {"Page", "Request"}


def test_everything_public_is_explained() -> None:
    """Every name behind the door has a docstring of its own."""
    assert [name for name in k3core.__all__ if not (getattr(k3core, name).__doc__ or "").strip()] == []


def is_refusing(function: Callable[..., object]) -> bool:
    """Whether a function's own code may turn an argument away."""
    names = {
        node.func.id
        for node in ast.walk(ast.parse(inspect.getsource(function)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return any(name in GUARDS or name.startswith(("_checked", "_as_")) for name in names)


def test_every_function_names_its_source_and_its_errors() -> None:
    """A docstring says where the mechanism is written down and what is refused, or which function says so."""
    functions = {name: getattr(k3core, name) for name in k3core.__all__ if inspect.isfunction(getattr(k3core, name))}
    documented = {name: str(function.__doc__) for name, function in functions.items()}
    assert len(documented) > 100
    assert [name for name, text in documented.items() if not re.search(r"Source: |and source ", text)] == []
    refusing = [name for name, function in functions.items() if is_refusing(function)]
    assert len(refusing) > 100
    assert [name for name in refusing if not re.search(r"Raises:|errors", documented[name])] == []
