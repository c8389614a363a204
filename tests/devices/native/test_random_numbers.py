"""The native streams are numpy's, bit for bit."""

import numpy as np
import pytest

from tfmini._src.devices.native import random_numbers
from tfmini._src.devices.numpy import random_distributions
from tfmini._src.devices.numpy.philox import Stream

STREAMS = (
    Stream((123, 456789), 0x123456789ABCDEF, 0xFFFFFFF0),
    Stream((0, 0), 0, 0),
    Stream((2**32 - 1, 7), 2**64 - 1, 2**64 - 3),  # the counter passes its end
)
DRAWS = {
    "raw_words": lambda s, n: random_distributions.raw_words(np, s, n),
    "raw_double_words": lambda s, n: random_distributions.raw_double_words(np, s, n),
    "uniform float32": lambda s, n: random_distributions.uniform(np, s, n, "f"),
    "uniform float64": lambda s, n: random_distributions.uniform(np, s, n, "d"),
    "normal float32": lambda s, n: random_distributions.normal(np, s, n, "f"),
    "truncated float32": lambda s, n: random_distributions.truncated_normal(np, s, n, "f"),
    "integers": lambda s, n: random_distributions.uniform_integers(np, s, n, -5, 1000, np.int32),
}


@pytest.mark.parametrize("name", DRAWS)
def test_the_bits_of_numpy(build, use_build, name):
    for stream in STREAMS:
        for size in (1, 3, 64, 1000, 70_001):
            use_build(build)
            got = DRAWS[name](stream, size)
            use_build("0")
            wanted = DRAWS[name](stream, size)
            assert got.dtype == wanted.dtype
            np.testing.assert_array_equal(got, wanted)


def test_no_library_fills_nothing(use_build):
    use_build("0")
    assert random_numbers.fill("words", STREAMS[0], 10, 4, np.uint32) is None
