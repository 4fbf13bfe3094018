"""What a device would time does its work: tiny launches leave nothing unwritten."""

import numpy as np
import pytest
from gpu.timing import Timed, decode, elementwise, prefill


@pytest.mark.parametrize(
    "timed",
    [
        pytest.param(timed, id=timed.name)
        for timed in (
            *elementwise(5, threads=4),
            *decode(2, 1, 5, 3, (4, 2)),
            *prefill(3, 1, 5, 3, lanes=4, threads=16),
        )
    ],
)
def test_timed_launch_fills_its_output(timed: Timed) -> None:
    """Grid and block reach every element, twice in a row."""
    timed.run()
    timed.run()
    assert np.isfinite(timed.out.copy_to_host()).all()
    assert timed.moved > 0
