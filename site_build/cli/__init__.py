"""The command line. Exit codes: 0 right, 1 faults found, 2 wrong usage."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

ROOMS = {
    "check": "checking",
    "build": "publishing",
    "serve": "publishing",
    "new": "editing",
    "fmt": "editing",
    "schema": "editing",
    "codes": "editing",
    "runtime": "labs",
    "parity": "labs",
    "coverage": "labs",
    "diff": "comparing",
    "export-docs": "publishing",
    "regress": "regressing",
    "release": "releasing",
    "verify": "releasing",
    "cite": "citing",
}
"""The module of each command, in the order of the help."""


class Commands(TyperGroup):
    """Loads a command's module when the command is wanted: half of a check's start would go into the others."""

    def list_commands(self, _: Any) -> list[str]:
        """Names of all commands."""
        return list(ROOMS)

    def get_command(self, _: Any, name: str) -> Any:
        """The command of a name; None where there is none."""
        if name in ROOMS and name not in self.commands:
            found = getattr(import_module(f"site_build.cli.{ROOMS[name]}"), name.replace("-", "_"))
            holder = typer.Typer(callback=_root)
            if isinstance(found, typer.Typer):
                holder.add_typer(found, name=name)
            else:
                holder.command(name)(found)
            self.commands.update(typer.main.get_group(holder).commands)
        return self.commands.get(name)


def _root() -> None:
    """Nothing stands between the program's name and a command's."""


app = typer.Typer(
    cls=Commands,
    callback=_root,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Check, build and serve a research ledger.",
)

__all__ = ["app"]
