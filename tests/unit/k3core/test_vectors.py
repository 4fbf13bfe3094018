"""Every checked vector is used, and its generator is the one described in the file."""

import json
import re
from pathlib import Path

import numpy as np
from numeric_vectors import PATH, generated


def test_every_vector_is_compared_with() -> None:
    """No vector lies idle: a test of the mechanism asks for what it promises."""
    ids = {vector["id"] for vector in json.loads(PATH.read_text(encoding="utf-8"))["vectors"]}
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))
    used = set(re.findall(r"""["'](\d+\.\d+)["']""", text))
    assert ids <= used, sorted(ids - used)


def test_generator_counts_in_c_order() -> None:
    """The flat index runs along the last axis first."""
    found = generated((2, 3), a=0.5, b=0.25, c=0.1, amp=2.0, off=1.0)
    assert found[1, 0] == 2.0 * np.sin(0.5 * 3 + 0.25 * 9 + 0.1) + 1.0
