"""How many tokens an image or a video costs, and how many parameters the vision tower has."""

from dataclasses import dataclass
from math import sqrt

from k3core.guards import as_count

PATCH = 14
"""Side of a patch in pixels."""
MERGE = 2
"""Patches merged along each side into one token."""
SIDE_LIMIT = 512 * PATCH
"""Longest side in pixels after scaling."""
IMAGE_PATCHES = 65_536
"""Patches an image may have before padding."""
FRAME_PATCHES = 16_384
"""Patches a video frame may have before padding."""
TEMPORAL_MERGE = 4
"""Frames pooled into one."""


@dataclass(frozen=True)
class ImageSize:
    """What an image becomes before it enters the vision tower."""

    width: int
    """Pixels after scaling."""
    height: int
    """Pixels after scaling."""
    pad_width: int
    """Zero pixels added on the right."""
    pad_height: int
    """Zero pixels added at the bottom."""

    @property
    def patches(self) -> int:
        """Patches of the padded image."""
        return (self.width + self.pad_width) * (self.height + self.pad_height) // PATCH**2

    @property
    def tokens(self) -> int:
        """Tokens the language model sees: four patches each."""
        return self.patches // MERGE**2


def image_size(width: int, height: int, patch_limit: int = IMAGE_PATCHES) -> ImageSize:
    """Scale an image down to the limits and pad it to whole tokens.

    The scale is the least of 1, sqrt(limit / patches) and limit / side; the limit is met before padding, so a padded
    image may have a few patches more. Sides are rounded down, and never below one pixel.

    Args:
        width: pixels, at least 1.
        height: pixels, at least 1.
        patch_limit: patches allowed before padding.

    Raises:
        InputError: a number is not whole or is below 1.
    Source: report §2.4; the released preprocessor's configuration. Exact: the arithmetic, in float64 as the released
    code does it. Not claimed: interpolation.
    """
    as_count("width", width, low=1)
    as_count("height", height, low=1)
    as_count("patch_limit", patch_limit, low=1)
    patches = (width // PATCH) * (height // PATCH)
    fit = sqrt(patch_limit / patches) if patches else 1.0
    scale = min(1.0, fit, SIDE_LIMIT / width, SIDE_LIMIT / height)
    new_width = min(max(1, int(width * scale)), SIDE_LIMIT)
    new_height = min(max(1, int(height * scale)), SIDE_LIMIT)
    unit = PATCH * MERGE
    return ImageSize(new_width, new_height, -new_width % unit, -new_height % unit)


def image_tokens(*, width: int, height: int) -> int:
    """Tokens of one image: 16,384 for 3584 x 3584, and 64 of those fill 1,048,576 tokens.

    Raises:
        InputError: a side is not a whole number of at least 1.
    Source: report §2.4. Exact: whole tokens, without the markers around them.
    """
    return image_size(width, height).tokens


def image_patches(*, width: int, height: int) -> int:
    """Patches of one image before they are merged: 65,536 for 3584 x 3584.

    Raises:
        InputError: a side is not a whole number of at least 1.
    Source: report §2.4, §3.2 table 1. Exact: the patches of the padded image.
    """
    return image_size(width, height).patches


def video_tokens(*, width: int, height: int, frames: int) -> int:
    """Tokens of a video whose frames are pooled in groups of four, the last group filled up.

    Raises:
        InputError: a number is not whole or is below 1.
    Source: report §2.4; the released preprocessor's configuration. Exact for the frames given. Not claimed: which
    frames are sampled, or the limit on a whole video.
    """
    groups = -(-as_count("frames", frames, low=1) // TEMPORAL_MERGE)
    return groups * image_size(width, height, FRAME_PATCHES).tokens


def image_prompt(width: int, height: int) -> str:
    """The text that stands for one image before its one pad token is multiplied.

    Raises:
        InputError: a side is not a whole number of at least 1.
    Source: the released preprocessor. Exact.
    """
    as_count("width", width, low=1)
    as_count("height", height, low=1)
    return f"<|media_begin|>image {width}x{height}<|media_content|><|media_pad|><|media_end|>"


def tower_parameters(
    *, layers: int, hidden: int, attention: int, intermediate: int, patch: int, grid: int, channels: int = 3
) -> int:
    """Count the vision tower: about 401M for the released dimensions.

    Each layer has q, k, v and output projections of width `attention`, a two-matrix MLP and two norms, all without
    biases; a patch embedding, a `grid` x `grid` table of positions and a last norm stand around them.

    Raises:
        InputError: a number is not whole or is below 1.
    Source: report §2.4, §3.2 table 1 (401M); config vision_config. Exact for this list. Not claimed: that the list is
    complete to the last vector, nor the projector behind the tower.
    """
    for name, value in (("layers", layers), ("hidden", hidden), ("attention", attention), ("channels", channels)):
        as_count(name, value, low=1)
    for name, value in (("intermediate", intermediate), ("patch", patch), ("grid", grid)):
        as_count(name, value, low=1)
    layer = 4 * hidden * attention + 2 * hidden * intermediate + 2 * hidden
    return layers * layer + channels * patch**2 * hidden + grid**2 * hidden + hidden
