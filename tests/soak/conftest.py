"""Where the counted runs leave their figures."""

import fcntl
import json
from collections.abc import Callable
from pathlib import Path

import pytest

EVIDENCE = Path(__file__).parents[2] / "evidence" / "soak.json"

type Figure = int | float | str | list[str] | dict[str, int | float | str]
type Keep = Callable[..., None]


@pytest.fixture(scope="session")
def keep_figures(tmp_path_factory: pytest.TempPathFactory) -> Keep:
    """Write the figures of one part into `evidence/soak.json`: `keep_figures("fuzzing", inputs=200_000)`.

    A figure is added to those that the part already has, so that several tests may share one; parts of other runs stay.
    """
    lock = tmp_path_factory.getbasetemp().parent / "soak.lock"

    def keep(part: str, **figures: Figure) -> None:
        with lock.open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            kept = json.loads(EVIDENCE.read_text("utf-8")) if EVIDENCE.exists() else {}
            kept[part] = {**kept.get(part, {}), **figures}
            EVIDENCE.write_text(json.dumps(kept, ensure_ascii=False, indent=2, sort_keys=True) + "\n", "utf-8")

    return keep
