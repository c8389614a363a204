"""Key positions are distinct, stable, and found as in a dict while keys are inserted and removed."""

import numpy as np
import pytest

from tfmini._src.devices.host.native.number_index import NumberIndex
from tfmini._src.devices.host.native.string_index import StringIndex

WIDE = [0, -1, 2**63 - 1, -(2**63), 1, 2**32, -(2**32)]
# Multiples of a power of two, which a hash of the low bits would put in one slot.
NUMBERS = np.array([*WIDE, *(n << 20 for n in range(2, 700))])
STRINGS = np.array([b"", b"\0", *(b"%d" % n * (n % 40) for n in range(1, 700))], object)


def fresh(elements):
    """Equal elements as distinct objects."""
    if elements.dtype != object:
        return elements.copy()
    copies = np.empty(elements.shape, object)
    copies.flat = [bytes(bytearray(element)) for element in elements.flat]
    return copies


@pytest.mark.parametrize("kind, keys", [(NumberIndex, NUMBERS), (StringIndex, STRINGS)])
def test_positions_match_dict(build, use_build, kind, keys):
    rng = np.random.RandomState(0)
    index, positions = kind(), {}
    assert len(index) == 0 and index.keys().size == 0
    for count in (0, 1, 2, 7, 300, 3000, 50, 50, 50):
        added = fresh(rng.choice(keys, count))
        for key, position in zip(added.tolist(), index.add(added).tolist()):
            assert positions.setdefault(key, position) == position < index.capacity
        assert len({*positions.values()}) == len(positions) == len(index)
        removed = fresh(rng.choice(keys, count // 3))
        index.remove(removed)
        for key in removed.tolist():
            positions.pop(key, None)
        asked = fresh(rng.choice(keys, (30, 20)))
        expected = [[positions.get(key, -1) for key in row] for row in asked.tolist()]
        np.testing.assert_array_equal(index.find(asked), expected)
        np.testing.assert_array_equal(index.find(asked.T), np.transpose(expected))
        assert dict(zip(index.keys().tolist(), index.positions().tolist())) == positions
    index.remove(keys)
    assert len(index) == 0 and (index.find(keys) == -1).all()
    use_build("0")
    assert not kind.is_available()


def test_bytes_subclass_keys(build):
    index = StringIndex()
    inputs = np.array([b"a", np.bytes_(b"b"), np.bytes_(b"a")], object)
    assert index.add(inputs).tolist() == [0, 1, 0]
    assert index.find(inputs[::-1]).tolist() == [0, 1, 0]
