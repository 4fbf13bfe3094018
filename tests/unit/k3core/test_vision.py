"""Image arithmetic against the checked sizes, and the size of the vision tower."""

from math import isqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core import vision
from k3core.guards import InputError

SIZES = inputs("19.1")["sizes"]
QUICK = settings(max_examples=80, derandomize=True, deadline=None, database=None)
SIDES = st.integers(1, 20_000)


@pytest.mark.parametrize(
    ("size", "want"),
    [
        pytest.param(size, want, id=f"{size[0]}x{size[1]}")
        for size, want in zip(SIZES, expected("19.1")["out"], strict=True)
    ],
)
def test_checked_sizes(size: list[int], want: dict[str, object]) -> None:
    """Scaling, padding, patches and tokens are the checked ones."""
    got = vision.image_size(*size)
    assert [got.width, got.height] == want["new"]
    assert [got.pad_width, got.pad_height] == want["pad"]
    assert got.patches == want["patches"] == vision.image_patches(width=size[0], height=size[1])
    assert got.tokens == want["tokens"] == vision.image_tokens(width=size[0], height=size[1])


def test_how_many_large_images_fill_the_context() -> None:
    """64 images of the largest size fill a million tokens."""
    assert 2**20 / vision.image_tokens(width=3584, height=3584) == expected("19.1")["images_3584_in_1M"]


@QUICK
@given(width=SIDES, height=SIDES)
def test_limits_hold_for_every_image(width: int, height: int) -> None:
    """Sides only shrink, pads stay below a token's side, tokens are whole, and the limits hold before padding."""
    got = vision.image_size(width, height)
    assert 1 <= got.width <= min(width, vision.SIDE_LIMIT)
    assert 1 <= got.height <= min(height, vision.SIDE_LIMIT)
    assert (got.width + got.pad_width) % 28 == (got.height + got.pad_height) % 28 == 0
    assert max(got.pad_width, got.pad_height) < 28
    assert 4 * got.tokens == got.patches
    # rounding a side down to whole patches before scaling lets a thin image exceed the limit by under two rows
    assert (got.width / 14 - 1) * (got.height / 14 - 1) <= vision.IMAGE_PATCHES


@QUICK
@given(width=SIDES, height=SIDES)
def test_float_scaling_is_within_one_pixel_of_whole_numbers(width: int, height: int) -> None:
    """The scale in float64 gives the side that whole-number arithmetic gives, or one pixel beside it."""
    patches = (width // 14) * (height // 14)
    got = vision.image_size(width, height)
    for side, new in ((width, got.width), (height, got.height)):
        options = [side, side * 7168 // width, side * 7168 // height]
        if patches:
            options.append(isqrt(side * side * 65_536 // patches))
        assert abs(new - max(1, min(options))) <= 1


@QUICK
@given(width=st.integers(1, 3000), height=st.integers(1, 3000))
def test_small_images_are_not_scaled(width: int, height: int) -> None:
    """An image within the limits costs its sides rounded up to 28 pixels."""
    assert vision.image_tokens(width=width, height=height) == -(-width // 28) * -(-height // 28)


@pytest.mark.parametrize(
    ("frames", "want"), [pytest.param(1, 64, id="one"), pytest.param(4, 64, id="four"), pytest.param(5, 128, id="five")]
)
def test_video_pools_four_frames(frames: int, want: int) -> None:
    """Up to four frames cost one frame's tokens."""
    assert vision.video_tokens(width=224, height=224, frames=frames) == want


def test_video_frames_have_a_lower_limit() -> None:
    """A large frame of a video is scaled to a quarter of an image's patches."""
    assert vision.video_tokens(width=3584, height=3584, frames=1) == 4096


def test_prompt_form() -> None:
    """One image is announced by its size and stands as one pad token."""
    want = "<|media_begin|>image 640x480<|media_content|><|media_pad|><|media_end|>"
    assert vision.image_prompt(640, 480) == want


def test_tower_has_the_size_of_table_1() -> None:
    """The released dimensions give the 401M that the report's table names."""
    got = vision.tower_parameters(layers=27, hidden=1024, attention=1536, intermediate=4096, patch=14, grid=64)
    assert got == 401_214_464
    assert round(got / 1e6) == 401


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: vision.image_tokens(width=0, height=1), "width: .*from 1, got 0", id="width"),
        pytest.param(lambda: vision.image_tokens(width=1, height=1.5), "height: .*got 1.5", id="height"),  # type: ignore[arg-type]
        pytest.param(lambda: vision.video_tokens(width=1, height=1, frames=0), "frames: .*got 0", id="frames"),
        pytest.param(lambda: vision.image_size(1, 1, 0), "patch_limit: .*got 0", id="limit"),
        pytest.param(lambda: vision.image_prompt(1, 0), "height: .*got 0", id="prompt"),
        pytest.param(
            lambda: vision.tower_parameters(layers=1, hidden=1, attention=1, intermediate=1, patch=1, grid=0),
            "grid: .*got 0",
            id="tower",
        ),
    ],
)
def test_bad_input_is_named(call: object, message: str) -> None:
    """A side or count that is no whole number of at least 1 is refused with its name."""
    assert callable(call)
    with pytest.raises(InputError, match=message):
        call()
