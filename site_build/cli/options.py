"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

Root = Annotated[Path, typer.Option("--root", help="The project's folder.", exists=True, file_okay=False)]
Lang = Annotated[Literal["en", "zh"], typer.Option("--lang", help="Language of the messages.")]

CACHE = ".cache/results"
