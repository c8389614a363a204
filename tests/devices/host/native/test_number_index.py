"""Positions of integers among keys are those of a dict."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.number_index import NumberIndex

WIDE = [0, -1, 2**63 - 1, -(2**63), 1, 2**32, -(2**32)]


@pytest.mark.parametrize("count", [0, 1, 2, 7, 1000, 4096])
def test_positions_are_those_of_a_dict(build, use_build, count):
    rng = np.random.RandomState(count)
    # Multiples of a power of two, which a hash that keeps low bits would put in one place.
    keys = rng.permutation([*WIDE, *(n << 20 for n in range(2, 5000))])[:count]
    position = {key: n for n, key in enumerate(keys.tolist())}
    elements = rng.choice([*keys, *WIDE, *rng.randint(2**40, size=50)], size=(30, 40))
    found = NumberIndex(keys).find(elements)
    expected = [[position.get(element, -1) for element in row] for row in elements.tolist()]
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == np.int64
    transposed = NumberIndex(keys).find(elements.T)
    np.testing.assert_array_equal(transposed, np.transpose(expected))
    use_build("0")
    assert NumberIndex(keys).find(elements) is None
