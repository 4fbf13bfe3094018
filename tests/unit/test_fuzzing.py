"""A sample of the long fuzzing: readers of strangers' texts answer, or raise what they declare."""

import pytest
from fuzz_runs import fuzz
from fuzz_targets import TARGETS

pytestmark = pytest.mark.slow

SAMPLE = 200


@pytest.mark.parametrize("name", TARGETS)
def test_readers_answer_every_input(name: str) -> None:
    """No other error, no input that takes long."""
    assert fuzz(name, SAMPLE, 1).inputs >= SAMPLE
