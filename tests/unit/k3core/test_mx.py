"""Microscaling: element rounding, the three scale rules, and how a checkpoint packs its codes."""

import numpy as np
import numpy.typing as npt
import pytest
from comparers import assert_same_bits
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core import mx
from k3core.guards import InputError

QUICK = settings(max_examples=25, derandomize=True, deadline=None, database=None)
FORMATS = [pytest.param(name, id=name) for name in mx.ELEMENTS]
RULES = [pytest.param(name, id=name) for name in mx.RULES]


def test_tie_table_of_one_block() -> None:
    """Every tie of e2m1 goes to the even code, and the packed bytes hold the even column low."""
    want = expected("12.1")
    blocks = mx.quantize_blocks(inputs("12.1")["block"], "e2m1", "floor")
    assert blocks.codes.tolist() == want["codes"]
    assert blocks.scales.tolist() == [want["scale_byte"]]
    assert_same_bits(mx.dequantize_blocks(blocks), np.array(want["dequant"]))
    assert mx.pack_nibbles(blocks.codes)[:6].tolist() == want["packed_first6_bytes_low_nibble_even"]


@pytest.mark.parametrize(("rule", "key"), [("floor", "floor"), ("even", "even"), ("ceil", "ceil6")])
def test_scale_rules_on_the_same_maxima(rule: str, key: str) -> None:
    """The three rules differ exactly where a block's largest magnitude lies above the largest normal."""
    for amax, want in zip(inputs("12.2")["amax_cases"], expected("12.2")[key], strict=True):
        blocks = mx.quantize_blocks([amax, 1.0, *[0.0] * 30], "e2m1", rule)
        back = mx.dequantize_blocks(blocks)
        assert (int(blocks.scales[0]) - 127, back[0], back[1]) == (want["X"], want["amax_dequant"], want["one_dequant"])


def test_e4m3_rounding() -> None:
    """e4m3 rounds to even, keeps subnormals down to 2**-9, and saturates at 448."""
    got = mx.decode_elements(mx.encode_elements(inputs("12.3")["x"], "e4m3"), "e4m3")
    assert_same_bits(got, np.array(expected("12.3")["e4m3"]))


def test_format_constants() -> None:
    """The formats have the numbers the standard gives them."""
    want = expected("12.4")
    assert mx.element_values("e2m1")[:8].tolist() == want["E2M1"]
    assert [mx.ELEMENTS[e].emax for e in ("e2m1", "e4m3", "e5m2")] == [2, 8, 15]
    assert np.nanmax(mx.element_values("e4m3")) == want["E4M3_max"]
    assert (
        np.max(mx.element_values("e5m2"), where=np.isfinite(mx.element_values("e5m2")), initial=0) == want["E5M2_max"]
    )
    assert want["E8M0_NaN_byte"] == mx.SCALE_NAN
    assert mx.mx_bits_per_value(element="e2m1") == want["bits_per_weight_mxfp4"]
    assert mx.mx_bits_per_value(element="e4m3") == mx.mx_bits_per_value(element="e5m2") == want["bits_per_value_mxfp8"]


@pytest.mark.parametrize(
    ("element", "nan", "infinite"),
    [
        pytest.param("e2m1", [], [], id="e2m1-has-neither"),
        pytest.param("e4m3", [0x7F, 0xFF], [], id="e4m3-has-nan"),
        pytest.param("e5m2", [0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF], [0x7C, 0xFC], id="e5m2-has-both"),
    ],
)
def test_special_codes(element: str, nan: list[int], infinite: list[int]) -> None:
    """Exactly the codes the standard names are special, and the sign bit mirrors the rest."""
    table = mx.element_values(element)
    assert np.flatnonzero(np.isnan(table)).tolist() == nan
    assert np.flatnonzero(np.isinf(table)).tolist() == infinite
    half = table.size // 2
    assert_same_bits(table[half:][~np.isnan(table[half:])], -table[:half][~np.isnan(table[:half])])


@pytest.mark.parametrize("element", FORMATS)
def test_every_number_of_a_format_keeps_its_code(element: str) -> None:
    """Encoding what a code decodes to gives the code back, minus zero included."""
    table = mx.element_values(element)
    finite = np.flatnonzero(np.isfinite(table))
    assert_same_bits(mx.encode_elements(table[finite], element), finite.astype(np.uint8))


@pytest.mark.parametrize("element", FORMATS)
def test_every_tie_goes_to_the_even_code(element: str) -> None:
    """Halfway between two neighbours, the even code wins; a nudge to either side decides otherwise."""
    table = mx.element_values(element)[: mx.ELEMENTS[element].sign_code]
    table = table[np.isfinite(table)]
    middle = (table[:-1] + table[1:]) / 2
    low = np.arange(middle.size, dtype=np.uint8)
    assert_same_bits(mx.encode_elements(middle, element), np.where(low % 2 == 0, low, low + 1).astype(np.uint8))
    assert_same_bits(mx.encode_elements(np.nextafter(middle, 0), element), low)
    assert_same_bits(mx.encode_elements(np.nextafter(middle, np.inf), element), (low + 1).astype(np.uint8))


def magnitudes() -> st.SearchStrategy[list[float]]:
    """Draw finite numbers of all sizes that the formats meet, zeros and both signs among them."""
    plain = st.floats(-1e6, 1e6)
    scaled = st.builds(np.ldexp, st.floats(-2, 2), st.integers(-30, 20)).map(float)
    return st.lists(st.one_of(plain, scaled, st.just(-0.0)), min_size=32, max_size=32)


@pytest.mark.parametrize("element", FORMATS)
@QUICK
@given(x=magnitudes())
def test_arithmetic_rounding_equals_the_search(element: str, x: list[float]) -> None:
    """The fast rounding picks the code that a comparison with every number picks."""
    assert_same_bits(mx.encode_elements(x, element), mx.encode_elements_by_search(x, element))


def block_by_search(x: npt.NDArray[np.float64], element: str, rule: str) -> list[float]:
    """Quantise one block from the definitions, trying every scale that exists."""
    amax, largest = np.max(np.abs(x)), mx.ELEMENTS[element].largest
    if amax == 0:
        return [0.0] * x.size
    if rule == "ceil":
        exponent = next((e for e in range(-127, 128) if amax <= largest * 2.0**e), 127)
    else:
        rounded_up = 2.0 ** (mx.ELEMENTS[element].emax + 1)
        top = rounded_up * (1 - 2.0 ** -(mx.ELEMENTS[element].mantissa_bits + 2)) if rule == "even" else rounded_up
        exponent = next((e for e in range(-127, 128) if amax < top * 2.0**e), 127)
    codes = mx.encode_elements_by_search(x / 2.0**exponent, element)
    return [float(v) * 2.0**exponent for v in mx.element_values(element)[codes]]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("element", FORMATS)
@settings(max_examples=10, derandomize=True, deadline=None, database=None)
@given(x=magnitudes())
def test_a_block_equals_its_definition(element: str, rule: str, x: list[float]) -> None:
    """Quantising and reading back a block agrees with trying every scale and every number."""
    block = np.array(x)
    got = mx.dequantize_blocks(mx.quantize_blocks(block, element, rule))
    np.testing.assert_array_equal(got, block_by_search(block, element, rule))


@QUICK
@given(x=magnitudes(), shift=st.integers(-60, 60))
def test_a_power_of_two_moves_only_the_scale(x: list[float], shift: int) -> None:
    """Scaling a block by a power of two leaves the codes alone."""
    block = np.array(x)
    plain, moved = mx.quantize_blocks(block, "e2m1", "even"), mx.quantize_blocks(np.ldexp(block, shift), "e2m1", "even")
    if np.any(block != 0) and 70 < int(plain.scales[0]) < 190:
        assert_same_bits(moved.codes, plain.codes)
        assert int(moved.scales[0]) - int(plain.scales[0]) == shift


def test_ceil_never_saturates() -> None:
    """Under `ceil` no element is clipped; under `floor` a block maximum just below 8 loses a quarter."""
    block = np.array([7.99, *[0.0] * 31])
    assert mx.dequantize_blocks(mx.quantize_blocks(block, "e2m1", "floor"))[0] == 6.0
    assert mx.dequantize_blocks(mx.quantize_blocks(block, "e2m1", "ceil"))[0] == 8.0


def test_a_scale_of_255_is_nan_for_its_block_only() -> None:
    """One broken scale byte spoils 32 elements and no neighbour."""
    blocks = mx.quantize_blocks(np.ones(64), "e4m3", "floor")
    broken = mx.MxBlocks(blocks.codes, np.array([255, blocks.scales[1]], dtype=np.uint8), "e4m3")
    back = mx.dequantize_blocks(broken)
    assert np.all(np.isnan(back[:32]))
    assert back[32:].tolist() == [1.0] * 32


def test_a_block_of_zeros_takes_the_smallest_scale() -> None:
    """All zeros decode to zeros, with scale byte 0."""
    blocks = mx.quantize_blocks(np.zeros((2, 32)), "e2m1", "floor")
    assert blocks.scales.tolist() == [[0], [0]]
    assert not np.any(mx.dequantize_blocks(blocks))


def test_checkpoint_layout() -> None:
    """A packed weight reads back as the numbers that were quantised, column by column."""
    weight = np.random.default_rng(7).normal(size=(6, 64))
    blocks = mx.quantize_blocks(weight, "e2m1", "even")
    packed = mx.pack_nibbles(blocks.codes)
    assert packed.shape == (6, 32)
    assert_same_bits(mx.unpack_nibbles(packed), blocks.codes)
    assert_same_bits(mx.decode_mxfp4_weight(packed, blocks.scales), mx.dequantize_blocks(blocks))
    assert packed[2, 5] & 15 == blocks.codes[2, 10]
    assert packed[2, 5] >> 4 == blocks.codes[2, 11]


def test_special_codes_of_the_eight_bit_formats() -> None:
    """e5m2 has an infinity of each sign and NaN above it; e4m3 has NaN alone."""
    found = mx.decode_elements(np.array([0x7B, 0x7C, 0x7D, 0x7F, 0xFB, 0xFC, 0xFD], np.uint8), "e5m2")
    np.testing.assert_array_equal(found, [57344, np.inf, np.nan, np.nan, -57344, -np.inf, np.nan])
    found = mx.decode_elements(np.array([0x7E, 0x7F, 0xFE, 0xFF], np.uint8), "e4m3")
    np.testing.assert_array_equal(found, [448, np.nan, -448, np.nan])


@pytest.mark.parametrize("rule", mx.RULES)
@pytest.mark.parametrize("element", ["e2m1", "e4m3", "e5m2"])
def test_scales_stay_inside_their_byte(element: str, rule: str) -> None:
    """Numbers beyond the largest scale, below the smallest, and blocks of zeros get the scale at that end."""
    assert mx.scale_exponent([1e300, 1e-300, 0.0], element, rule).tolist() == [127, -127, -127]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(
            lambda: mx.quantize_blocks(np.ones(31), "e2m1", "floor"), "values: .*blocks of 32", id="part-block"
        ),
        pytest.param(
            lambda: mx.quantize_blocks(np.ones(32), "e3m2", "floor"), "element: expected e2m1 or", id="format"
        ),
        pytest.param(
            lambda: mx.quantize_blocks(np.ones(32), "e2m1", "round"), "rule: expected floor or even", id="rule"
        ),
        pytest.param(lambda: mx.quantize_blocks([np.nan] * 32, "e2m1", "floor"), "values: .*nan at", id="nan"),
        pytest.param(
            lambda: mx.encode_elements([np.inf], "e4m3"), "values: expected finite numbers, got inf", id="infinite"
        ),
        pytest.param(lambda: mx.decode_elements(np.array([16], np.uint8), "e2m1"), "codes below 16, got 16", id="code"),
        pytest.param(
            lambda: mx.decode_elements(np.array([1]), "e2m1"), "codes: expected an array of uint8", id="dtype"
        ),
        pytest.param(lambda: mx.pack_nibbles(np.array([1], np.uint8)), "codes: expected an even number", id="odd"),
        pytest.param(lambda: mx.unpack_nibbles(np.array(1, np.uint8)), "packed: expected at least one", id="scalar"),
        pytest.param(lambda: mx.scale_exponent(-1.0, "e2m1", "floor"), "largest: .*got -1", id="negative"),
        pytest.param(
            lambda: mx.decode_mxfp4_weight(np.zeros((2, 16), np.uint8), np.zeros((2, 2), np.uint8)),
            r"scales: expected one for each 32 codes of shape \(2, 32\), got shape \(2, 2\)",
            id="scales-do-not-fit",
        ),
    ],
)
def test_bad_input_is_named(call: object, message: str) -> None:
    """What cannot be quantised or decoded is refused with its name."""
    assert callable(call)
    with pytest.raises(InputError, match=message):
        call()
