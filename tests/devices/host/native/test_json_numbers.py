"""JSON lists of numbers are parsed as by Python."""

import json
import random
import struct

import numpy as np
import pytest

from tfmini._src.devices.host.native.json_numbers import json_numbers


def written(rng):
    """A number in a random JSON notation."""
    decimals = rng.randrange(1, 25)
    ways = [
        lambda: str(rng.randrange(1 - 10**15, 10**15)),
        lambda: repr(rng.random()),
        lambda: repr(struct.unpack("d", struct.pack("Q", rng.getrandbits(64)))[0]),
        lambda: repr(float(np.float32(rng.gauss(0, 1e-3)))),
        lambda: f"{rng.gauss(0, 10):.{decimals}f}",
        lambda: f"{rng.gauss(0, 10):.{decimals}e}",
        lambda: "{}.{:03}".format(*divmod(rng.getrandbits(64), 1000)),
        lambda: (
            f"{(1 << 53) + rng.randrange(1 << 20)}.{rng.choice(['0', '5', '50', '500', '501'])}"
        ),
        lambda: rng.choice(["-0", "0", "-0.0", "0e5", "1E+5", "5e-324", "1.7976931348623157e308"]),
    ]
    return rng.choice(ways)()


def test_parsed_numbers_are_nearest_doubles(build):
    rng = random.Random(7)
    for _ in range(200):
        texts = [
            text
            for text in (written(rng) for _ in range(100))
            if text not in ("nan", "inf", "-inf")
        ]
        text = f"[{', '.join(texts)}]"
        numbers, largest, has_fractions, end = json_numbers(text.encode(), 0)
        expected = json.loads(text)
        assert numbers.tobytes() == np.array(expected, np.float64).tobytes(), text
        assert largest == max([abs(each) for each in expected if type(each) is int], default=0)
        assert has_fractions == any(type(each) is float for each in expected)
        assert end == len(text)


@pytest.mark.parametrize("shape", [(1,), (3,), (2, 3), (3, 1, 2), (1,) * 16])
def test_nested_lists_keep_their_shape(build, shape):
    expected = np.arange(np.prod(shape)).reshape(shape)
    for separators in ((",", ":"), (" ,\n\t\r", ":")):
        text = b"x" + json.dumps(expected.tolist(), separators=separators).encode()
        numbers, _, has_fractions, end = json_numbers(text + b"]1", 1)
        np.testing.assert_array_equal(numbers, expected)
        assert end == len(text) and not has_fractions


REFUSED = [
    "[01]",
    "[1.]",
    "[.5]",
    "[+1]",
    "[-]",
    "[1e]",
    "[1e+]",
    "[]",
    "[[1], [1, 2]]",
    "[1, [2]]",
]
REFUSED += [
    "[[1], 2]",
    "[1,]",
    "[1",
    "[",
    "",
    "[nan]",
    "[NaN]",
    "[1 2]",
    "[0x1]",
    "[1e999]",
    "[--1]",
]
REFUSED += ["[1000000000000000]", '["1"]', "[null]", "[true]", "[1}", "[[1], []]", "[[], [1]]", "1"]
REFUSED += [
    "[" * 17 + "1" + "]" * 17,
    "[1_0]",
    "[Infinity]",
    "[1e]5]",
    "[[[1]], [[1, 2]]]",
    "[1,\x0b2]",
]


def test_unsupported_json_falls_back(build, use_build):
    for text in REFUSED:
        assert json_numbers(text.encode(), 0) is None, text
    whole = b"[[1.5, -2e3], [3, 4]]"
    for size in range(len(whole)):
        assert json_numbers(whole[:size], 0) is None
    use_build("0")
    assert json_numbers(whole, 0) is None
