"""Random numbers compared with TensorFlow 1.15.5's (tests/devices/record_streams.py)."""

import pathlib

import ml_dtypes
import numpy as np
import pytest

from tests.devices import streams
from tests.kernels.device import xp
from tests.support import cases
from tfmini._src.devices.cuda import random_numbers
from tfmini._src.devices.numpy import philox

GOLDEN = np.load(pathlib.Path(__file__).parents[1] / "golden" / "streams.npz")
STREAM = philox.seeded_stream(3, 4)
DTYPES = {
    "bfloat16": ml_dtypes.bfloat16,
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
}
DRAWS = {
    "RandomUniform": random_numbers.uniform,
    "RandomStandardNormal": random_numbers.normal,
    "TruncatedNormal": random_numbers.truncated_normal,
}
RESERVED = 256  # blocks per number by which an op's stream advances


def ends(draw, run=0, stream=STREAM):
    """The first and last numbers of TensorFlow's first or second run."""
    result = np.asarray(draw(stream.skip(run * RESERVED * streams.LONG)))
    return streams.ends(result[None])[0]


@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize("name", DRAWS)
def test_floats(name, kind):
    for run, expected in enumerate(GOLDEN[f"{name} {kind}"]):
        actual = ends(lambda s: DRAWS[name](xp, s, streams.LONG, DTYPES[kind]), run)
        assert actual.dtype == DTYPES[kind]
        if name == "RandomUniform" or kind in ("float16", "bfloat16"):
            np.testing.assert_array_equal(actual.astype("d"), expected)
        else:
            exact = 4e-7 if kind == "float32" else 2e-15
            np.testing.assert_allclose(actual, expected, rtol=exact)


@cases.in_one_test
@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize("name", DRAWS)
def test_stateless_draws(order, name, kind):
    stream = philox.stateless_stream((3, -4))
    actual = DRAWS[name](xp, stream, 9, DTYPES[kind]).astype("d")
    expected = GOLDEN[f"Stateless{name.replace('Standard', '')} {kind}"][0]
    np.testing.assert_allclose(actual, expected, rtol=4e-7)


@pytest.mark.parametrize("low, high", streams.RANGES)
def test_integers(low, high):
    dtype = np.int32 if high < 2**31 else np.int64
    stream = philox.seeded_stream(-3, -4)
    for run, expected in enumerate(GOLDEN[f"RandomUniformInt {low} {high}"]):
        actual = ends(
            lambda s: random_numbers.uniform_integers(xp, s, streams.LONG, low, high, dtype),
            run,
            stream,
        )
        assert actual.dtype == dtype
        np.testing.assert_array_equal(actual, expected)


@cases.in_one_test
@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 1030])
@pytest.mark.parametrize("offset", [0, 2**32 - 20, 2**64 - 20])
def test_words(order, size, offset):
    stream = philox.Stream((0x12345678, 0x9ABCDEF0), 2**63 + 77, offset)
    blocks = [philox.block(stream, i) for i in range(-(-size // 2))]
    words = np.array(blocks, np.uint32).reshape(-1)
    np.testing.assert_array_equal(random_numbers.raw_words(xp, stream, size), words[:size])
    pairs = words.reshape(-1, 2).astype(np.uint64)
    pairs = pairs[:, 0] | pairs[:, 1] << np.uint64(32)
    np.testing.assert_array_equal(random_numbers.raw_double_words(xp, stream, size), pairs[:size])


def test_known_answer_vectors():
    """Test vectors published with Random123, philox4x32 with 10 rounds."""
    result = random_numbers.raw_words(xp, philox.Stream((0, 0), 0), 4)
    assert result.tolist() == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    ones = philox.Stream((2**32 - 1, 2**32 - 1), 2**64 - 1, 2**64 - 1)
    result = random_numbers.raw_words(xp, ones, 4)
    assert result.tolist() == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


def test_stream_advances_by_device_counter():
    moved = xp.asarray([0], np.uint64)
    for step in range(3):
        actual = random_numbers.uniform(xp, STREAM, 10, np.float32, moved)
        expected = random_numbers.uniform(xp, STREAM.skip(2560 * step), 10, np.float32)
        np.testing.assert_array_equal(actual, expected)
        random_numbers.move_on(xp, moved, 2560)
    assert moved.tolist() == [7680]


def test_truncated_normal_redraws():
    numbers = random_numbers.truncated_normal(xp, STREAM, 200_000, np.float32)
    assert np.abs(numbers).max() < 2
    assert abs(float(numbers.std(dtype=np.float64)) - 0.8796) < 5e-3


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_float16_values_are_uniform(dtype):
    """Each count of the low bits yields exactly count / 2**bits."""
    bits = 10 if dtype == np.float16 else 7
    words = random_numbers.raw_words(xp, STREAM, 50_000)
    result = random_numbers.uniform(xp, STREAM, 50_000, dtype).astype("d")
    counts = words % 2**bits
    assert len(set(counts.tolist())) == 2**bits
    np.testing.assert_array_equal(result, counts / 2.0**bits)
